// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_REQUEST_EXECUTOR_H
#define AIFABRIC_REQUEST_EXECUTOR_H

#include "queue-pair-context.h"
#include "request-ring.h"

#include "ns3/frame-extension.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-transport
 * What requests of the peer do here: whether they can be and may be, to which receive or memory they
 * go, and what is told of them (IBA vol. 1, 9.7.4 and 10.7.3). Frames come in order.
 */
class RequestExecutor
{
  public:
    void Post(const ReceiveRequest& request)
    {
        m_receives.Push(request);
    }

    /// Flushes all receives.
    void Flush(QueuePairContext& c);

    /// Takes a receive that is flushed, behind those that are being flushed.
    void PostFlushed(QueuePairContext& c, const ReceiveRequest& request);

    /// @return receives whose place is not free, up to when their completion is taken.
    uint32_t CountPlaces() const
    {
        return m_receives.GetEnd() - m_freed;
    }

    /// Tells whose completions are whose in a completion queue.
    const uint32_t* GetOwnerMark() const
    {
        return &m_freed;
    }

    /// @return READs and atomics that have not been answered.
    uint32_t CountUnanswered() const
    {
        return m_unanswered;
    }

  protected:
    /// Why a request is not done.
    enum class Fault : uint8_t
    {
        None,
        NotReady,  ///< no receive is posted
        Invalid,   ///< cannot be
        Access,    ///< may not be
        Length,    ///< longer than the receive
        Protection ///< the receive's own memory refuses
    };

    /// The message that is arriving, where more is to know than its length.
    struct Target
    {
        uint64_t address{0};
        uint32_t key{0};
        uint32_t length{0}; ///< RETH: of the message
        SharedBytes source; ///< the sender's bytes, null: nobody looks at them
    };

    static bool IsSend(Opcode op)
    {
        return opcodes::Has(opcodes::kSends, op);
    }

    /// @return whether a frame of that kind ends a message that takes a receive.
    static bool ConsumesReceive(Opcode op)
    {
        using namespace opcodes;
        return Has((kSends & kEnds) | (kWrites & kImmediates), op);
    }

    /// @return operations that may follow one of a reliable connection (IBA vol. 1, 9.7.4.1.2).
    static uint32_t FollowersOf(Opcode op)
    {
        return kFollowers[static_cast<uint8_t>(op)];
    }

    /// Nothing is arriving: a message may begin.
    void Begin()
    {
        m_arrived = 0;
        m_legal = kBetween;
        m_target = {};
    }

    /// Forgets all receives, too.
    void Forget();

    /// Examines a request, in the order of IBA vol. 1, figure 90. It changes nothing, but for a receive
    /// that it may take from the shared queue.
    Fault Examine(QueuePairContext& c, const Frame& f);
    /// Moves a frame's bytes to where they belong, and goes on behind it.
    void Place(QueuePairContext& c, const Frame& f);
    /// Does an atomic operation. @return the value that was there.
    static uint64_t DoAtomic(const QueuePairContext& c, const Frame& f);
    /// @return what a receive has to tell whose message ends with that frame.
    WorkCompletion Describe(const QueuePairContext& c, const Frame& f) const;
    /// Ends the oldest receive. @return Success, or WrFlushError where that found no place.
    WcStatus CompleteReceive(QueuePairContext& c, WorkCompletion completion);
    /// @return what a frame says of memory.
    static Target GetTarget(const Frame& f);

    // What each frame touches.
    uint32_t m_expected{0}; ///< sequence number of the next frame
    uint32_t m_messages{0}; ///< completed, 24 bits
    uint32_t m_legal{0};    ///< operations that may come next, a bit each
    uint32_t m_plain{0};    ///< and of all those that go the short way
    uint64_t m_arrived{0};  ///< bytes of the message that is arriving
    Tick m_nextCnp{0};      ///< none before this
    uint8_t m_ackPriority{0};
    bool m_marked{false};  ///< the next acknowledgement notifies
    bool m_refused{false}; ///< the peer was told what is expected; UC: the message has a gap
    bool m_flushing{false};
    RequestRing<ReceiveRequest> m_receives;
    uint32_t m_freed{0};      ///< receives whose completion has been taken
    uint32_t m_unanswered{0}; ///< READs and atomics
    Target m_target;

  private:
    /// What may begin, but for answers.
    static constexpr uint32_t kBetween = opcodes::kBegins & ~opcodes::kReadResponses;

    static constexpr std::array<uint32_t, 32> MakeFollowers()
    {
        using namespace opcodes;
        std::array<uint32_t, 32> followers{};
        for (uint32_t op = 0; op < 32; ++op)
        {
            const uint32_t bit = 1U << op;
            const uint32_t kind = bit & kSends ? kSends : bit & kWrites ? kWrites : 0;
            followers[op] = bit & kEnds ? kBetween : kind & (kMiddles | kLasts);
        }
        return followers;
    }

    static const std::array<uint32_t, 32> kFollowers;

    bool TakeReceive(QueuePairContext& c);
    Fault ExamineSend(QueuePairContext& c, const Frame& f, uint32_t front);
    Fault ExamineTarget(const QueuePairContext& c, const Frame& f) const;
    static uint32_t GetImmediate(const Frame& f);
};

inline constexpr std::array<uint32_t, 32> RequestExecutor::kFollowers =
    RequestExecutor::MakeFollowers();

} // namespace ns3::aifabric

#endif // AIFABRIC_REQUEST_EXECUTOR_H

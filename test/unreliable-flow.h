// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_UNRELIABLE_FLOW_H
#define AIFABRIC_UNRELIABLE_FLOW_H

#include "send-drainer.h"
#include "send-watch.h"
#include "verbs-pair.h"

#include "ns3/address-handle.h"
#include "ns3/frame-extension.h"
#include "ns3/transport-profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::aifabric::test
{

/// A message that was posted to an unreliable queue pair.
struct UnreliableMessage
{
    WorkRequest request;
    Wrong wrong{Wrong::Nothing};
    Range local;
    Range remote; ///< of a WRITE
    std::vector<std::byte> content;
    AddressHandle handle; ///< of a datagram
};

/**
 * One end of an unreliable queue pair. As a sender: what it posts ends in order when it has left,
 * whatever becomes of it; a local error stops it until it is told to go on. As a receiver: of a frame
 * that arrives it says what has to follow, a completion or none, and to which bytes.
 */
class UnreliableFlow
{
  public:
    QpType type{QpType::Uc};
    uint32_t mtu{0};
    VerbsHost* here{nullptr};
    VerbsHost* there{nullptr};
    UnreliableFlow* peer{nullptr}; ///< of a UC
    QueuePair* queuePair{nullptr};
    uint32_t qkey{0};
    SendWatch watch;
    std::unique_ptr<SendDrainer> drainer;
    std::deque<UnreliableMessage> posted;
    std::vector<PostedReceive> receives;

    // What has happened.
    std::size_t ended{0};         ///< requests
    std::size_t endedReceives{0}; ///< with a message
    uint64_t failures{0};         ///< of the sending half
    uint64_t lost{0};             ///< frames of messages that could not be completed

    /// Posts a message.
    void Post(UnreliableMessage message)
    {
        message.request.wrId = posted.size();
        posted.push_back(std::move(message));
        UnreliableMessage& m = posted.back();
        if (type == QpType::Ud)
        {
            m.request.addressHandle = &m.handle;
        }
        const bool stopped = queuePair->GetState() == QpState::Sqe;
        const uint64_t bytes = m.request.bytes;
        watch.Post(stopped ? 0 : bytes == 0 ? 1 : (bytes - 1) / mtu + 1);
        const WorkRequest request = m.request;
        EXPECT_EQ(queuePair->PostSend(request), Status::Ok);
    }

    /// The send queue has drained: what has begun has ended.
    void CheckDrained() const
    {
        for (std::size_t i = ended; i < watch.GetBegun(); ++i)
        {
            EXPECT_FALSE(posted[i].request.signaled) << "request " << i << " not reported";
        }
    }

    /// A request ended.
    void OnSent(const WorkCompletion& c)
    {
        const auto at = static_cast<std::size_t>(c.wrId);
        ASSERT_LT(at, posted.size());
        ASSERT_GE(at, ended) << "a completion out of order";
        if (c.status == WcStatus::WrFlushError)
        {
            EXPECT_EQ(queuePair->GetState(), QpState::Sqe);
            EXPECT_EQ(at, ended) << "a flush out of order";
            ended = at + 1;
            return;
        }
        for (; ended < at; ++ended)
        {
            EXPECT_FALSE(posted[ended].request.signaled) << "request " << ended << " not reported";
            End(ended);
        }
        ended = at + 1;
        if (c.status == WcStatus::Success)
        {
            EXPECT_TRUE(posted[at].request.signaled);
            EXPECT_EQ(c.opcode, CompletionOf(posted[at].request.opcode));
            EXPECT_EQ(c.bytes, posted[at].request.bytes);
            End(at);
            return;
        }
        EXPECT_EQ(c.status, WcStatus::LocalProtectionError);
        EXPECT_EQ(posted[at].wrong, Wrong::LocalKey);
        EXPECT_EQ(queuePair->GetState(), QpState::Sqe);
        ++failures;
        watch.Flush(at);
    }

    /// A frame is about to be given to this end.
    void OnArrival(const Frame& f, const UnreliableFlow& from)
    {
        EXPECT_FALSE(m_due) << "no completion of what has arrived";
        m_due.reset();
        const uint64_t index = from.watch.IndexOf(f);
        const std::size_t at = from.watch.Find(index);
        ASSERT_LT(at, from.posted.size());
        const UnreliableMessage& message = from.posted[at];
        const bool taken = type == QpType::Ud
                               ? TakeDatagram(f, message)
                               : Follows(index, at, from.watch) &&
                                     TakeFrame(message, f.payload, IsLast(index, at, from.watch));
        lost += !taken;
        if (!taken)
        {
            m_arriving.reset();
        }
        else if (type == QpType::Ud || IsLast(index, at, from.watch))
        {
            m_arriving.reset();
            if (message.request.opcode != WrOpcode::Write)
            {
                m_due = Due{&message, from.queuePair->GetNumber(), from.queuePair->GetAddress()};
            }
        }
    }

    /// A receive ended.
    void OnReceived(const WorkCompletion& c)
    {
        if (c.status == WcStatus::WrFlushError)
        {
            EXPECT_EQ(queuePair->GetState(), QpState::Err);
            EXPECT_EQ(c.wrId, endedReceives++) << "a flush out of order";
            return;
        }
        ASSERT_TRUE(m_due) << "a completion of what cannot have arrived";
        const Due due = *m_due;
        m_due.reset();
        const WorkRequest& r = due.message->request;
        const bool write = r.opcode == WrOpcode::WriteWithImmediate;
        const bool datagram = type == QpType::Ud;
        EXPECT_EQ(c.status, WcStatus::Success);
        EXPECT_EQ(c.wrId, endedReceives) << "a receive out of order";
        EXPECT_EQ(c.opcode, write ? WcOpcode::ReceiveWriteWithImmediate : WcOpcode::Receive);
        EXPECT_EQ(c.bytes, r.bytes + (datagram ? kGrhBytes : 0));
        EXPECT_EQ(c.hasImmediate, r.opcode != WrOpcode::Send);
        EXPECT_EQ(c.solicited, r.solicited);
        EXPECT_TRUE(!c.hasImmediate || c.immediate == r.immediate);
        EXPECT_TRUE(!datagram || c.sourceNumber == due.number);
        EXPECT_TRUE(!datagram || c.sourceAddress == due.address);
        EXPECT_TRUE(receives[endedReceives].range.IsAsExpected()) << "bytes of a receive";
        EXPECT_TRUE(!write || due.message->remote.IsAsExpected()) << "bytes of a WRITE";
        ++endedReceives;
    }

    /// At the end.
    void CheckRest()
    {
        for (; ended < posted.size(); ++ended)
        {
            EXPECT_FALSE(posted[ended].request.signaled) << "request " << ended << " not reported";
        }
        EXPECT_FALSE(m_due) << "no completion of what has arrived";
        EXPECT_TRUE(watch.IsDone());
        EXPECT_EQ(queuePair->GetState(), QpState::Rts);
        EXPECT_EQ(queuePair->GetRequester().CountPending(), 0U);
        EXPECT_EQ(queuePair->GetRequester().GetDeadline(), kNever);
        EXPECT_FALSE(queuePair->CanSend());
    }

  private:
    /// A completion that has to come.
    struct Due
    {
        const UnreliableMessage* message;
        uint32_t number;
        NodeIdx address;
    };

    /// What has left is on its way: its memory is the sender's again.
    void End(std::size_t at)
    {
        here->memory.Fill(posted[at].local);
    }

    static bool IsLast(uint64_t index, std::size_t at, const SendWatch& watch)
    {
        return index + 1 == watch.GetEnd(at);
    }

    /// @return whether a frame begins a message or goes on with the one that is arriving; a gap, or a
    /// frame that is late, ends that (IBA vol. 1, 9.8.3.1).
    bool Follows(uint64_t index, std::size_t at, const SendWatch& watch)
    {
        if (index < m_expected)
        {
            return false;
        }
        const bool next = index == m_expected;
        m_expected = index + 1;
        if (index == watch.GetFirst(at))
        {
            m_arriving = at;
            m_arrived = 0;
            return true;
        }
        return next && m_arriving == at;
    }

    /// @return whether a frame of the message that is arriving can be taken; its bytes are.
    bool TakeFrame(const UnreliableMessage& message, uint32_t payload, bool last)
    {
        const WrOpcode opcode = message.request.opcode;
        const bool write = opcode == WrOpcode::Write || opcode == WrOpcode::WriteWithImmediate;
        const bool hasReceive = endedReceives < receives.size();
        if (write ? message.wrong != Wrong::Nothing : !hasReceive)
        {
            return false;
        }
        if (last && opcode == WrOpcode::WriteWithImmediate && !hasReceive)
        {
            return false;
        }
        if (!write && m_arrived + payload > receives[endedReceives].bytes)
        {
            return false;
        }
        Place(write ? message.remote : receives[endedReceives].range, m_arrived, message, payload);
        m_arrived += payload;
        return true;
    }

    bool TakeDatagram(const Frame& f, const UnreliableMessage& message)
    {
        const AddressVector& path = message.handle.path;
        EXPECT_EQ(f.priority, queuePair->GetProfile().PriorityOf(path));
        EXPECT_TRUE(path.entropy == 0 || f.entropy == path.entropy);
        if (message.request.remoteQkey != qkey || endedReceives == receives.size() ||
            kGrhBytes + f.payload > receives[endedReceives].bytes)
        {
            return false;
        }
        m_arrived = 0;
        const Range& range = receives[endedReceives].range;
        Place({range.region, range.offset + kGrhBytes, f.payload}, 0, message, f.payload);
        return true;
    }

    void Place(const Range& to, uint64_t offset, const UnreliableMessage& message, uint32_t bytes)
    {
        std::copy_n(message.content.data() + m_arrived, bytes, to.GetExpected() + offset);
    }

    std::optional<std::size_t> m_arriving; ///< message of the peer
    uint64_t m_arrived{0};                 ///< bytes of it
    uint64_t m_expected{0};                ///< frame of the peer
    std::optional<Due> m_due;
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_UNRELIABLE_FLOW_H

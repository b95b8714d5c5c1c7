// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_UNRELIABLE_FLOW_H
#define AIFABRIC_UNRELIABLE_FLOW_H

#include "unreliable-sender.h"

#include "ns3/transport-profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::aifabric::test
{

/// One end of an unreliable queue pair. As a receiver: of a frame that arrives it says what has to
/// follow, a completion or none, and to which bytes.
class UnreliableFlow : public UnreliableSender
{
  public:
    UnreliableFlow* peer{nullptr}; ///< of a UC
    uint32_t qkey{0};
    std::vector<PostedReceive> receives;

    // What has happened.
    std::size_t endedReceives{0}; ///< with a message
    uint64_t lost{0};             ///< frames of messages that could not be completed

    /// A frame is about to be given to this end.
    void OnArrival(const Frame& f, const UnreliableFlow& from)
    {
        EXPECT_FALSE(m_due) << "no completion of what has arrived";
        m_due.reset();
        if (dead)
        {
            return;
        }
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
        if (!due.message)
        {
            EXPECT_EQ(c.status, WcStatus::LocalProtectionError);
            EXPECT_EQ(c.wrId, endedReceives++) << "a receive out of order";
            return;
        }
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
        EXPECT_TRUE(dead || watch.IsDone());
        EXPECT_EQ(queuePair->GetState(), dead ? QpState::Err : QpState::Rts);
        EXPECT_EQ(queuePair->GetRequester().CountPending(), 0U);
        EXPECT_EQ(queuePair->GetRequester().GetDeadline(), kNever);
        EXPECT_FALSE(queuePair->CanSend());
    }

  private:
    /// A completion that has to come.
    struct Due
    {
        const UnreliableMessage* message; ///< null: an error of the receive
        uint32_t number;
        NodeIdx address;
    };

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
        if (!write && !TakesBytes(m_arrived + payload, payload))
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
            !TakesBytes(kGrhBytes + f.payload, f.payload))
        {
            return false;
        }
        m_arrived = 0;
        const Range& range = receives[endedReceives].range;
        Place({range.region, range.offset + kGrhBytes, f.payload}, 0, message, f.payload);
        return true;
    }

    /// @return whether the next receive can be filled up to there, by so many bytes.
    bool TakesBytes(uint64_t behind, uint32_t payload)
    {
        const PostedReceive& receive = receives[endedReceives];
        if (behind <= receive.bytes && payload > 0 && receive.isProtected)
        {
            dead = true;
            m_due = Due{nullptr, 0, kNoNode};
        }
        return behind <= receive.bytes && !dead;
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

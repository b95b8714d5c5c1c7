// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_UNRELIABLE_SENDER_H
#define AIFABRIC_UNRELIABLE_SENDER_H

#include "send-drainer.h"
#include "send-watch.h"
#include "verbs-pair.h"

#include "ns3/address-handle.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
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
 * The sending half of an unreliable queue pair: what it posts ends in order when it has left, whatever
 * becomes of it; a local error stops it until it is told to go on.
 */
class UnreliableSender
{
  public:
    QpType type{QpType::Uc};
    uint32_t mtu{0};
    VerbsHost* here{nullptr};
    VerbsHost* there{nullptr};
    QueuePair* queuePair{nullptr};
    SendWatch watch;
    std::unique_ptr<SendDrainer> drainer; ///< null: it stays in RTS
    std::deque<UnreliableMessage> posted;

    // What has happened.
    std::size_t ended{0}; ///< requests
    uint64_t failures{0}; ///< of requests
    bool dead{false};     ///< a receive's own memory has refused what came

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
        const bool stopped = queuePair->GetState() >= QpState::Sqe;
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
            EXPECT_EQ(queuePair->GetState(), dead ? QpState::Err : QpState::Sqe);
            for (; dead && !m_flushes && ended < at; ++ended)
            {
                EXPECT_FALSE(posted[ended].request.signaled);
                End(ended);
            }
            m_flushes = dead;
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

  private:
    /// What has left is on its way: its memory is the sender's again.
    void End(std::size_t at)
    {
        here->memory.Fill(posted[at].local);
    }

    bool m_flushes{false}; ///< since it is dead
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_UNRELIABLE_SENDER_H

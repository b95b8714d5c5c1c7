// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_VERBS_FLOW_H
#define AIFABRIC_VERBS_FLOW_H

#include "verbs-sender.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace ns3::aifabric::test
{

/// One end of a queue pair: what it posts, what it receives, and what it is told, held against what
/// should be.
class VerbsFlow : public VerbsSender
{
  public:
    VerbsFlow* peer{nullptr};
    uint32_t maxReceives{0};                         ///< posted at one time; 0 is unlimited
    std::vector<PostedReceive> receives;             ///< own ones
    std::vector<PostedReceive>* receivesOf{nullptr}; ///< own ones, or the host's

    // What has happened.
    std::size_t endedReceives{0};          ///< own ones
    std::size_t freedReceives{0};          ///< those before have been taken from their queue
    std::optional<WcStatus> receiveFailed; ///< the first receive that failed, and how
    std::map<AsyncEventType, uint32_t> events;

    bool HasFullReceives() const
    {
        return maxReceives > 0 && receives.size() - freedReceives >= maxReceives;
    }

    /// That a completion has been taken frees the place of its request and of all before.
    void NoteTaken(const WorkCompletion& c)
    {
        std::size_t& freed = c.opcode >= WcOpcode::Receive ? freedReceives : freedSends;
        freed = static_cast<std::size_t>(c.wrId) + 1;
    }

    /// A receive ended.
    void OnReceived(const WorkCompletion& c)
    {
        ++completions;
        ASSERT_LT(c.wrId, receivesOf->size());
        PostedReceive& receive = (*receivesOf)[static_cast<std::size_t>(c.wrId)];
        ASSERT_FALSE(receive.ended);
        receive.ended = true;
        if (receivesOf == &receives)
        {
            ASSERT_EQ(c.wrId, endedReceives) << "a receive out of order";
        }
        ++endedReceives;
        if (c.status != WcStatus::Success)
        {
            if (c.status == WcStatus::LocalLengthError)
            {
                CheckTooLong(receive);
            }
            if (receiveFailed)
            {
                EXPECT_EQ(queuePair->GetState(), QpState::Err);
                EXPECT_EQ(c.status, WcStatus::WrFlushError);
            }
            receiveFailed = receiveFailed.value_or(c.status);
            receive.range.Accept();
            return;
        }
        ASSERT_FALSE(receiveFailed) << "a receive behind one that failed";
        SkipToMessage();
        ASSERT_LT(peer->delivered, peer->posted.size()) << "nobody sent that";
        CheckMessage(c, receive, peer->posted[peer->delivered++]);
    }

  private:
    /// The next message from the peer that takes a receive.
    void SkipToMessage()
    {
        std::size_t& next = peer->delivered;
        while (next < peer->posted.size() && !peer->plan[next].ConsumesReceive())
        {
            ++next;
        }
    }

    /// A receive was too short for the message that came: the peer's request is wrong.
    void CheckTooLong(const PostedReceive& receive)
    {
        SkipToMessage();
        const std::size_t at = peer->delivered;
        ASSERT_LT(at, peer->posted.size()) << "nobody sent that";
        EXPECT_GT(peer->posted[at].request.bytes, receive.bytes);
        EXPECT_TRUE(!peer->wrongAt || *peer->wrongAt >= at);
        peer->wrongAt = at;
        peer->plan[at].wrong = Wrong::ShortReceive;
    }

    void CheckMessage(const WorkCompletion& c, const PostedReceive& receive, const Posted& sent)
    {
        const WrOpcode opcode = sent.request.opcode;
        const bool write = opcode == WrOpcode::WriteWithImmediate;
        const bool immediate = write || opcode == WrOpcode::SendWithImmediate;
        const bool invalidates = opcode == WrOpcode::SendWithInvalidate;
        EXPECT_EQ(c.opcode, write ? WcOpcode::ReceiveWriteWithImmediate : WcOpcode::Receive);
        EXPECT_EQ(c.bytes, sent.request.bytes);
        EXPECT_TRUE(write || c.bytes <= receive.bytes);
        EXPECT_EQ(c.hasImmediate, immediate);
        EXPECT_EQ(c.invalidated, invalidates);
        EXPECT_EQ(c.solicited, sent.request.solicited);
        if (immediate || invalidates)
        {
            EXPECT_EQ(c.immediate, sent.request.immediate);
        }
        if (!habits.checksKeys)
        {
            return;
        }
        if (!write)
        {
            std::copy(sent.content.begin(), sent.content.end(), receive.range.GetExpected());
        }
        EXPECT_TRUE(receive.range.IsAsExpected()) << "bytes of a receive";
        EXPECT_TRUE(!write || sent.remote.IsAsExpected()) << "bytes of a WRITE with immediate data";
    }
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_VERBS_FLOW_H

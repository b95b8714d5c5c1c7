// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_VERBS_SHARED_RECEIVES_H
#define AIFABRIC_VERBS_SHARED_RECEIVES_H

#include "verbs-setting.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ns3::aifabric::test
{

/// Receives that the queue pairs of a host share: enough of them in all, whoever takes them; and the
/// limit below which the queue tells.
class VerbsSharedReceives
{
  public:
    explicit VerbsSharedReceives(VerbsSetting& setting)
        : m_s(setting)
    {
        for (int end = 0; m_s.sharesReceives && end < 2; ++end)
        {
            Plot(end);
            if (m_s.Pick(2) == 0)
            {
                m_s.pair.host[end].shared.OnAsyncEvent(
                    [this, end](const AsyncEvent& e) { OnLimit(end, e); });
                Simulator::Schedule(TimeStep(m_s.Pick(20) * kMicrosecond),
                                    [this, end] { Arm(end); });
            }
        }
    }

    /// At the end: each receive has ended, or is in the queue, and a limit that is armed holds.
    void Check() const
    {
        for (int end = 0; m_s.sharesReceives && end < 2; ++end)
        {
            const SharedReceiveQueue& queue = m_s.pair.host[end].shared;
            const auto& receives = m_s.shared[end];
            const auto ended = static_cast<std::size_t>(std::count_if(
                receives.begin(), receives.end(), [](const PostedReceive& r) { return r.ended; }));
            EXPECT_TRUE(m_s.overflows || ended + queue.GetSize() == receives.size());
            const Armed& armed = m_armed[end];
            EXPECT_EQ(queue.GetLimit(), armed.limit);
            if (armed.limit > 0 && receives.size() == armed.posted && queue.GetSize() < armed.left)
            {
                EXPECT_GE(queue.GetSize(), armed.limit) << "a limit that nobody told of";
            }
        }
    }

    /// @return how often a limit was told.
    uint64_t CountTold() const
    {
        return m_told;
    }

  private:
    /// What was so when a limit was armed.
    struct Armed
    {
        uint32_t limit{0};
        uint32_t left{0};
        std::size_t posted{0};
    };

    void Plot(int end)
    {
        // Who fails takes one with him.
        std::size_t count = m_s.flows.size() / 2;
        for (std::size_t i = end; i < m_s.flows.size(); i += 2)
        {
            for (const Plan& message : m_s.flows[i].peer->plan)
            {
                count += message.ConsumesReceive();
            }
        }
        Tick at = 0;
        for (; count > 0; --count)
        {
            at += m_s.Pick(4) == 0 ? m_s.Pick(4000) * kNanosecond : 0;
            const bool isShort = m_s.shortShared && m_s.Pick(8) == 0;
            const uint32_t bytes = isShort ? m_s.Pick(2 * m_s.mtu) : 5 * m_s.mtu;
            Simulator::Schedule(TimeStep(at), [this, end, bytes] { Post(end, bytes); });
        }
    }

    void Post(int end, uint32_t bytes)
    {
        VerbsHost& host = m_s.pair.host[end];
        EXPECT_EQ(host.shared.PostReceive(host.MakeReceive(m_s.shared[end], true, bytes, false)),
                  Status::Ok);
    }

    void Arm(int end)
    {
        SharedReceiveQueue& queue = m_s.pair.host[end].shared;
        m_armed[end] = {1 + m_s.Pick(12), queue.GetSize(), m_s.shared[end].size()};
        EXPECT_EQ(queue.SetLimit(m_armed[end].limit), Status::Ok);
    }

    /// Told once, of a queue that has fallen below its limit; it may be armed again within.
    void OnLimit(int end, const AsyncEvent& e)
    {
        ++m_told;
        const SharedReceiveQueue& queue = m_s.pair.host[end].shared;
        EXPECT_EQ(e.type, AsyncEventType::SrqLimitReached);
        EXPECT_EQ(e.queue, &queue);
        EXPECT_GT(m_armed[end].limit, 0U) << "told without having been asked";
        EXPECT_LT(queue.GetSize(), m_armed[end].limit);
        m_armed[end] = {};
        if (m_s.Pick(2) == 0)
        {
            Post(end, 5 * m_s.mtu);
        }
        if (m_s.Pick(2) == 0)
        {
            Arm(end);
        }
    }

    VerbsSetting& m_s;
    Armed m_armed[2];
    uint64_t m_told{0};
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_VERBS_SHARED_RECEIVES_H

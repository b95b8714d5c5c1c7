// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/congestion-control.h"
#include "ns3/fabric-registry.h"
#include "ns3/string.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

constexpr Tick kUs = kMicrosecond;
constexpr double kLine = 100e9;

/**
 * The oracle: DCQCN with timers that all fire, one by one, as a NIC's would. Written from the
 * algorithms of Zhu et al. (SIGCOMM 2015) and of Li et al.'s evaluation (SIGCOMM 2019); of timers
 * that fire at one instant alpha's is first, then the increase, then the check for cuts.
 */
class EagerDcqcn
{
  public:
    explicit EagerDcqcn(bool paper)
        : m_paper(paper),
          m_alphaPeriod(paper ? 55 * kUs : kUs),
          m_risePeriod(paper ? 55 * kUs : 300 * kUs)
    {
    }

    void RunTo(Tick now)
    {
        for (;;)
        {
            Tick next = std::min({m_alphaTimer, m_riseTimer, m_cutTimer});
            if (next > now)
            {
                return;
            }
            if (next == m_alphaTimer)
            {
                m_alphaTimer += m_alphaPeriod;
                m_alpha = (1 - kGain) * m_alpha + (!m_paper && m_seenByAlpha ? kGain : 0);
                m_seenByAlpha = false;
                ++fired;
            }
            else if (next == m_riseTimer)
            {
                m_riseTimer += m_risePeriod;
                ++m_t;
                Rise();
            }
            else
            {
                m_cutTimer += 4 * kUs;
                if (m_seenByCut)
                {
                    m_seenByCut = false;
                    m_target = m_t > 0 ? rate : m_target;
                    Cut(next);
                }
            }
        }
    }

    void Cnp(Tick now)
    {
        RunTo(now);
        if (m_paper)
        {
            m_target = rate;
            Cut(now);
            m_alpha = (1 - kGain) * m_alpha + kGain;
            m_alphaTimer = now + m_alphaPeriod;
            m_bytes = 0;
            m_counting = true;
            return;
        }
        m_seenByCut = true;
        if (m_cutTimer == kNever)
        {
            m_alphaTimer = now + m_alphaPeriod;
            m_cutTimer = now + 4 * kUs;
            m_target = rate;
        }
        else
        {
            m_seenByAlpha = true;
        }
    }

    void Sent(uint32_t bytes, Tick now)
    {
        RunTo(now);
        m_bytes += bytes;
        while (m_paper && m_counting && m_bytes >= kByteCounter)
        {
            m_bytes -= kByteCounter;
            ++m_b;
            Rise();
        }
    }

    static constexpr uint64_t kByteCounter = 300'000;
    double rate{kLine};
    uint64_t fired{0};

  private:
    static constexpr double kGain = 1.0 / 256;

    void Cut(Tick now)
    {
        rate = std::max(kLine / 1000, rate * (1 - m_alpha / 2));
        m_t = m_b = 0;
        m_riseTimer = now + m_risePeriod;
    }

    void Rise()
    {
        if (m_paper)
        {
            if (std::max(m_t, m_b) > 5)
            {
                uint64_t joint = std::min(m_t, m_b);
                m_target +=
                    joint > 5 ? static_cast<double>(joint - 5) * (kLine / 200) : kLine / 1000;
            }
        }
        else if (m_t > 1)
        {
            m_target += m_t == 2 ? kLine / 5000 : kLine / 500;
        }
        m_target = std::min(m_target, kLine);
        rate = (m_target + rate) / 2;
    }

    bool m_paper;
    Tick m_alphaPeriod;
    Tick m_risePeriod;
    double m_alpha{1};
    double m_target{kLine};
    uint64_t m_t{0};
    uint64_t m_b{0};
    uint64_t m_bytes{0};
    bool m_counting{false};
    bool m_seenByAlpha{false};
    bool m_seenByCut{false};
    Tick m_alphaTimer{kNever};
    Tick m_riseTimer{kNever};
    Tick m_cutTimer{kNever};
};

/// Random life of a flow; both must have the same rate whenever somebody looks.
void
Compare(bool paper, int seed, int events, double cnpShare, Tick scale)
{
    UsePicoseconds();
    auto user = MakePlugin<CongestionControl>("dcqcn");
    user->SetAttribute("Variant", StringValue(paper ? "paper" : "connectx"));
    if (paper)
    {
        user->SetAttribute("IncreaseBytes", StringValue(std::to_string(EagerDcqcn::kByteCounter)));
    }
    auto cc = user->ForLineRate(kLine);
    FlowView view;
    view.rate = view.lineRate = kLine;
    alignas(std::max_align_t) unsigned char state[CongestionControl::kStateBytes];
    cc->Begin(view, state);
    EagerDcqcn eager(paper);

    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    Tick now = 0;
    int looks = 0;
    int atLine = 0;
    for (int i = 0; i < events; ++i)
    {
        // Some gaps are whole microseconds, so that events fall on timers; a few are long.
        double draw = uniform(random);
        Tick gap = static_cast<Tick>(uniform(random) * scale);
        now += draw < 0.3 ? gap / kUs * kUs : draw < 0.99 ? gap : 50 * gap;
        double what = uniform(random);
        if (what < cnpShare)
        {
            cc->Cnp(view, state, now);
            eager.Cnp(now);
        }
        else if (what < 0.9)
        {
            auto bytes = static_cast<uint32_t>(uniform(random) * 9000) + 64;
            cc->CatchUp(view, state, now);
            cc->Sent(view, state, bytes, now);
            eager.Sent(bytes, now);
        }
        else
        {
            cc->CatchUp(view, state, now);
            eager.RunTo(now);
            ++looks;
            atLine += view.timerAt == kNever;
            ASSERT_NEAR(view.rate / eager.rate, 1, 1e-12) << "event " << i << " at " << now;
        }
    }
    EXPECT_GT(looks, events / 20);
    EXPECT_GT(eager.fired, 1000u);
    if (cnpShare < 0.01)
    {
        EXPECT_GT(atLine, 0) << "never back at line rate: the test misses its case";
    }
}

} // namespace

TEST(DcqcnEager, PaperIsTheSame)
{
    Compare(true, 1, 200000, 0.002, 4 * kUs);
    Compare(true, 2, 200000, 0.05, 10 * kUs);
    Compare(true, 3, 50000, 0.5, 200 * kUs);
}

TEST(DcqcnEager, ConnectXIsTheSame)
{
    Compare(false, 4, 200000, 0.002, 4 * kUs);
    Compare(false, 5, 200000, 0.05, 10 * kUs);
    Compare(false, 6, 200000, 0.5, 4 * kUs);
    Compare(false, 7, 20000, 0.5, 200 * kUs);
}

// SPDX-License-Identifier: GPL-2.0-only
#include "ecmp.h"

#include "ns3/dice.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/path-selector.h"
#include "ns3/uinteger.h"

#include <memory>

namespace ns3::aifabric
{
namespace
{

/**
 * Protective load balancing (Qureshi et al., "PLB: congestion signals are simple and effective for
 * network load balancing", SIGCOMM'22): a queue pair whose frames were marked for some round trips in a
 * row goes another way, by another entropy, preferably when nothing of it is under way. It keeps its
 * order but for the frames at a change.
 */
class Plb final : public Ecmp, public PathSelection
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::aifabric::Plb")
                .SetParent<Ecmp>()
                .SetGroupName("AiFabric")
                .AddConstructor<Plb>()
                .AddAttribute("MarkedShare",
                              "Share of marked frames above which a round trip is congested",
                              DoubleValue(0.5),
                              MakeDoubleAccessor(&Plb::m_markedShare),
                              MakeDoubleChecker<double>(0, 1))
                .AddAttribute("IdleRounds",
                              "Congested round trips in a row after which it goes another way when "
                              "it has been silent for one",
                              UintegerValue(3),
                              MakeUintegerAccessor(&Plb::m_idleRounds),
                              MakeUintegerChecker<uint32_t>(1))
                .AddAttribute("Rounds",
                              "And after which it does so whatever is under way",
                              UintegerValue(12),
                              MakeUintegerAccessor(&Plb::m_rounds),
                              MakeUintegerChecker<uint32_t>(1))
                .AddAttribute(
                    "SuspendTime",
                    "For how long it stays after a timeout, and up to as long again by lot",
                    TimeValue(Seconds(60)),
                    MakeTimeAccessor(&Plb::m_suspendTime),
                    MakeTimeChecker(Time(0)));
        return tid;
    }

    const PathSelection* GetPathSelection() const override
    {
        return this;
    }

    std::unique_ptr<PathSelector> MakeSelector(uint16_t entropy, Tick baseRtt) const override
    {
        return std::make_unique<Selector>(*this, entropy, baseRtt, m_seeds.Make());
    }

  private:
    class Selector final : public PathSelector
    {
      public:
        Selector(const Plb& settings, uint16_t entropy, Tick baseRtt, const Dice& dice)
            : m_share(settings.m_markedShare),
              m_idleRounds(settings.m_idleRounds),
              m_rounds(settings.m_rounds),
              m_suspendTime(ToTick(settings.m_suspendTime)),
              m_baseRtt(baseRtt),
              m_entropy(entropy),
              m_dice(dice)
        {
        }

        uint16_t Next(Tick start) override
        {
            if (m_congested >= m_idleRounds && start - m_heard > m_baseRtt)
            {
                Move(start);
            }
            m_heard = start;
            return m_entropy;
        }

        void OnAcknowledged(uint16_t entropy, bool marked, Tick now) override
        {
            m_heard = now;
            if (entropy != m_entropy)
            {
                return; // of the way before
            }
            ++m_frames;
            m_marked += marked;
            if (now < m_roundEnd)
            {
                return;
            }
            m_congested = m_marked > m_share * m_frames ? m_congested + 1 : 0;
            Begin(now);
            if (m_congested >= m_rounds)
            {
                Move(now);
            }
        }

        void OnTimeout(Tick now) override
        {
            m_stays = now + m_suspendTime + static_cast<Tick>(m_suspendTime * (m_dice() * 0x1p-32));
            Move(now, true);
        }

      private:
        void Begin(Tick now)
        {
            m_roundEnd = now + m_baseRtt;
            m_frames = 0;
            m_marked = 0;
        }

        void Move(Tick now, bool always = false)
        {
            if (always || now >= m_stays)
            {
                m_entropy = EntropyOfWay(m_entropy, 1 + m_dice() % (kMostPaths - 1));
                m_congested = 0;
                Begin(now);
            }
        }

        double m_share;
        uint32_t m_idleRounds;
        uint32_t m_rounds;
        Tick m_suspendTime;
        Tick m_baseRtt;
        uint16_t m_entropy;
        uint32_t m_congested{0}; ///< round trips in a row
        uint32_t m_frames{0};    ///< acknowledged in this one
        uint32_t m_marked{0};    ///< of those
        Tick m_roundEnd{0};
        Tick m_heard{0}; ///< last frame or acknowledgement
        Tick m_stays{0}; ///< until then, whatever the marks
        Dice m_dice;
    };

    double m_markedShare;
    uint32_t m_idleRounds;
    uint32_t m_rounds;
    Time m_suspendTime;
    mutable DiceMaker m_seeds;
};

NS_OBJECT_ENSURE_REGISTERED(Plb);

} // namespace
} // namespace ns3::aifabric

// SPDX-License-Identifier: GPL-2.0-only
#include "ecmp.h"

#include "ns3/dice.h"
#include "ns3/nstime.h"
#include "ns3/path-selector.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace ns3::aifabric
{
namespace
{

/**
 * Recycled entropies (Bonato et al., "REPS: Recycled Entropy Packet Spraying for Adaptive Load
 * Balancing and Failure Mitigation", EuroSys'25): the entropy of a frame that was acknowledged without
 * a mark is used once more, by the oldest first; where there is none it is one by lot. After a timeout
 * only what was good before is used for a while. Frames of a queue pair overtake each other, which
 * wants a transport that bears it.
 */
class Reps final : public Ecmp, public PathSelection
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::aifabric::Reps")
                .SetParent<Ecmp>()
                .SetGroupName("AiFabric")
                .AddConstructor<Reps>()
                .AddAttribute("PathCount",
                              "Entropies of each queue pair",
                              UintegerValue(256),
                              MakeUintegerAccessor(&Reps::m_pathCount),
                              MakeUintegerChecker<uint32_t>(1, kMostPaths))
                .AddAttribute("CacheSize",
                              "Entropies that a queue pair remembers",
                              UintegerValue(8),
                              MakeUintegerAccessor(&Reps::m_cacheSize),
                              MakeUintegerChecker<uint32_t>(1, 1024))
                .AddAttribute("FreezeTime",
                              "For how long after a timeout only remembered ones are used",
                              TimeValue(MilliSeconds(10)),
                              MakeTimeAccessor(&Reps::m_freezeTime),
                              MakeTimeChecker(Time(0)))
                .AddAttribute("Explored",
                              "Frames that then go by lot",
                              UintegerValue(16),
                              MakeUintegerAccessor(&Reps::m_explored),
                              MakeUintegerChecker<uint32_t>());
        return tid;
    }

    bool Reorders() const override
    {
        return true;
    }

    const PathSelection* GetPathSelection() const override
    {
        return this;
    }

    std::unique_ptr<PathSelector> MakeSelector(uint16_t entropy, Tick) const override
    {
        return std::make_unique<Selector>(*this, entropy, m_seeds.Make());
    }

  private:
    class Selector final : public PathSelector
    {
      public:
        Selector(const Reps& settings, uint16_t entropy, const Dice& dice)
            : m_paths(settings.m_pathCount),
              m_explored(settings.m_explored),
              m_freezeTime(ToTick(settings.m_freezeTime)),
              m_entropy(entropy),
              m_cache(settings.m_cacheSize),
              m_dice(dice)
        {
        }

        uint16_t Next(Tick) override
        {
            const auto size = static_cast<uint32_t>(m_cache.size());
            if (m_toExplore == 0 && m_fresh > 0)
            {
                const uint16_t oldest = m_cache[(m_head + size - m_fresh) % size];
                --m_fresh;
                return oldest;
            }
            if (m_toExplore == 0 && m_frozen && m_known > 0)
            {
                // What the cache has was used already, and is the best there is.
                m_reused = (m_reused + 1) % m_known;
                return m_cache[m_reused];
            }
            m_toExplore -= m_toExplore > 0;
            return EntropyOfWay(m_entropy, m_dice() % m_paths);
        }

        void OnAcknowledged(uint16_t entropy, bool marked, Tick now) override
        {
            if (marked)
            {
                return;
            }
            const auto size = static_cast<uint32_t>(m_cache.size());
            m_cache[m_head] = entropy;
            m_head = (m_head + 1) % size;
            m_fresh = std::min(m_fresh + 1, size);
            m_known = std::min(m_known + 1, size);
            if (m_frozen && now >= m_frozenUntil)
            {
                m_frozen = false;
                m_toExplore = m_explored;
            }
        }

        void OnTimeout(Tick now) override
        {
            if (!m_frozen && m_toExplore == 0)
            {
                m_frozen = true;
                m_frozenUntil = now + m_freezeTime;
            }
        }

      private:
        uint32_t m_paths;
        uint32_t m_explored;
        Tick m_freezeTime;
        uint16_t m_entropy;
        bool m_frozen{false};
        uint32_t m_head{0};      ///< of the cache: where the next one goes
        uint32_t m_fresh{0};     ///< not used since they came, the newest
        uint32_t m_known{0};     ///< that the cache has
        uint32_t m_reused{0};    ///< of those, the one used last while frozen
        uint32_t m_toExplore{0}; ///< frames
        Tick m_frozenUntil{0};
        std::vector<uint16_t> m_cache;
        Dice m_dice;
    };

    uint32_t m_pathCount;
    uint32_t m_cacheSize;
    uint32_t m_explored;
    Time m_freezeTime;
    mutable DiceMaker m_seeds;
};

NS_OBJECT_ENSURE_REGISTERED(Reps);

} // namespace
} // namespace ns3::aifabric

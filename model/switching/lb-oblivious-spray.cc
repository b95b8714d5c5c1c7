// SPDX-License-Identifier: GPL-2.0-only
#include "ecmp.h"

#include "ns3/dice.h"
#include "ns3/path-selector.h"
#include "ns3/uinteger.h"

#include <memory>

namespace ns3::aifabric
{
namespace
{

/**
 * The sender gives its frames one entropy after the other, each once a round, and switches hash them;
 * each round has an order of its own (that of Ultra Ethernet's simulator: turn i of a round takes
 * entropy i XOR r, with a lot r). What becomes of them it does not look at. Frames of a queue pair
 * overtake each other, which wants a transport that bears it.
 */
class ObliviousSpray final : public Ecmp, public PathSelection
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::ObliviousSpray")
                                .SetParent<Ecmp>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<ObliviousSpray>()
                                .AddAttribute("PathCount",
                                              "Entropies of each queue pair",
                                              UintegerValue(64),
                                              MakeUintegerAccessor(&ObliviousSpray::m_pathCount),
                                              MakeUintegerChecker<uint32_t>(1, kMostPaths));
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
        return std::make_unique<Selector>(entropy, m_pathCount, m_seeds.Make());
    }

  private:
    class Selector final : public PathSelector
    {
      public:
        Selector(uint16_t entropy, uint32_t paths, const Dice& dice)
            : m_entropy(entropy),
              m_paths(paths),
              m_dice(dice)
        {
            while (m_round < paths)
            {
                m_round *= 2;
            }
        }

        uint16_t Next(Tick) override
        {
            uint32_t way;
            do
            {
                if (m_turn == 0)
                {
                    m_order = m_dice() % m_round;
                }
                way = m_turn ^ m_order;
                m_turn = (m_turn + 1) % m_round;
            } while (way >= m_paths);
            return EntropyOfWay(m_entropy, way);
        }

      private:
        uint16_t m_entropy;
        uint32_t m_paths;
        uint32_t m_round{1}; ///< the power of two that is no less than m_paths
        uint32_t m_turn{0};
        uint32_t m_order{0};
        Dice m_dice;
    };

    uint32_t m_pathCount;
    mutable DiceMaker m_seeds;
};

NS_OBJECT_ENSURE_REGISTERED(ObliviousSpray);

} // namespace
} // namespace ns3::aifabric

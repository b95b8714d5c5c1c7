// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FORWARDING_TABLE_H
#define AIFABRIC_FORWARDING_TABLE_H

#include "load-balancer.h"

#include "ns3/frame.h"

#include <cstdint>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Where a switch forwards to: destination endpoint to a group of equal next hops.
 *
 * Destinations outside of one range share a group ("up", in a tree). Inside, there is an entry per
 * block of 2^n destinations, with the largest n that the routes allow: a core switch of a fat-tree
 * has one per pod, an aggregation switch one per edge switch.
 */
class ForwardingTable
{
  public:
    /// Destinations first to last (inclusive) go to that group.
    struct Run
    {
        NodeIdx first;
        NodeIdx last;
        uint32_t group;
    };

    ForwardingTable() = default;

    /**
     * @param groups next hops by group, none empty.
     * @param runs in rising order, without overlap; what they leave out is unreachable.
     * @param endpoints how many destinations there are; nobody asks for others.
     */
    ForwardingTable(const std::vector<std::vector<PortIdx>>& groups,
                    std::vector<Run> runs,
                    NodeIdx endpoints);

    /// @return the next hops towards dst; none if it can't be reached.
    NextHops Find(NodeIdx dst) const
    {
        const PortIdx* list =
            &m_lists[dst - m_low < m_span ? m_blocks[(dst - m_low) >> m_shift] : m_default];
        return {list + 1, *list};
    }

    /// @return how many entries it takes.
    std::size_t GetSize() const
    {
        return m_blocks.size();
    }

  private:
    NodeIdx m_low{0};
    NodeIdx m_span{0};
    uint32_t m_shift{0};
    uint32_t m_default{0};
    std::vector<uint32_t> m_blocks;  ///< where their lists begin
    std::vector<PortIdx> m_lists{0}; ///< of each group: how many next hops, and these
};

} // namespace ns3::aifabric

#endif // AIFABRIC_FORWARDING_TABLE_H

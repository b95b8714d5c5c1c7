// SPDX-License-Identifier: GPL-2.0-only
#include "forwarding-table.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3::aifabric
{

ForwardingTable::ForwardingTable(const std::vector<std::vector<PortIdx>>& groups,
                                 std::vector<Run> runs,
                                 NodeIdx endpoints)
{
    NS_ABORT_MSG_IF(groups.size() >= 0xFFFF, "more than 65534 groups of next hops in one switch");
    // Group 0 is "nowhere"; a run's group g is g + 1 here.
    for (const auto& ports : groups)
    {
        m_groups.push_back(
            {static_cast<uint32_t>(m_ports.size()), static_cast<uint32_t>(ports.size())});
        m_ports.insert(m_ports.end(), ports.begin(), ports.end());
    }
    if (runs.empty())
    {
        return;
    }
    const NodeIdx end = std::max(runs.back().last + 1, endpoints);
    std::vector<uint16_t> group(end);
    for (const Run& run : runs)
    {
        std::fill(group.begin() + run.first, group.begin() + run.last + 1, run.group + 1);
    }
    // The default reaches inwards from both ends; the better of the two outermost groups is it.
    NodeIdx low = 0;
    NodeIdx high = end;
    for (uint16_t outer : {group.front(), group.back()})
    {
        NodeIdx first = 0;
        NodeIdx last = end;
        while (first < end && group[first] == outer)
        {
            ++first;
        }
        while (last > first && group[last - 1] == outer)
        {
            --last;
        }
        if (last - first <= high - low)
        {
            low = first;
            high = last;
            m_default = outer;
        }
    }
    m_low = low;
    m_span = high - low;
    if (m_span == 0)
    {
        return;
    }
    m_shift = 31;
    for (NodeIdx i = low + 1; i < high; ++i)
    {
        if (group[i] != group[i - 1])
        {
            m_shift = std::min<uint32_t>(m_shift, __builtin_ctz(i - low));
        }
    }
    m_shift = std::min<uint32_t>(m_shift, 31 - __builtin_clz(m_span));
    for (NodeIdx i = low; i < high; i += 1U << m_shift)
    {
        m_blocks.push_back(group[i]);
    }
}

} // namespace ns3::aifabric

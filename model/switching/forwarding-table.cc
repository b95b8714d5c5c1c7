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
    std::vector<uint32_t> lists;
    for (const auto& ports : groups)
    {
        lists.push_back(m_lists.size());
        m_lists.push_back(static_cast<PortIdx>(ports.size()));
        m_lists.insert(m_lists.end(), ports.begin(), ports.end());
    }
    if (runs.empty())
    {
        return;
    }
    const NodeIdx end = std::max(runs.back().last + 1, endpoints);
    // The list at 0 is empty: nowhere.
    std::vector<uint32_t> list(end);
    for (const Run& run : runs)
    {
        std::fill(list.begin() + run.first, list.begin() + run.last + 1, lists[run.group]);
    }
    // The default reaches inwards from both ends; the better of the two outermost lists is it.
    NodeIdx low = 0;
    NodeIdx high = end;
    for (uint32_t outer : {list.front(), list.back()})
    {
        NodeIdx first = 0;
        NodeIdx last = end;
        while (first < end && list[first] == outer)
        {
            ++first;
        }
        while (last > first && list[last - 1] == outer)
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
        if (list[i] != list[i - 1])
        {
            m_shift = std::min<uint32_t>(m_shift, __builtin_ctz(i - low));
        }
    }
    m_shift = std::min<uint32_t>(m_shift, 31 - __builtin_clz(m_span));
    for (NodeIdx i = low; i < high; i += 1U << m_shift)
    {
        m_blocks.push_back(list[i]);
    }
}

} // namespace ns3::aifabric

// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_MAX_MIN_H
#define AIFABRIC_MAX_MIN_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::aifabric
{

/**
 * Max-min fair rates by progressive filling (Bertsekas and Gallager, Data Networks, 6.5.2), for
 * links of capacity 1: the rates of all flows rise together, and those on a full link stop.
 * @param paths links of each flow, below linkCount.
 */
inline std::vector<double>
MaxMinRates(const std::vector<std::vector<uint32_t>>& paths, uint32_t linkCount)
{
    std::vector<double> rates(paths.size());
    std::vector<bool> stopped(paths.size());
    std::vector<double> room(linkCount, 1);
    std::vector<uint32_t> rising(linkCount);
    for (const auto& path : paths)
    {
        for (uint32_t link : path)
        {
            ++rising[link];
        }
    }
    for (std::size_t left = paths.size(); left > 0;)
    {
        double step = 1;
        for (uint32_t link = 0; link < linkCount; ++link)
        {
            step =
                rising[link] && room[link] < step * rising[link] ? room[link] / rising[link] : step;
        }
        std::vector<bool> full(linkCount);
        for (uint32_t link = 0; link < linkCount; ++link)
        {
            room[link] -= step * rising[link];
            full[link] = rising[link] && room[link] < 1e-9;
        }
        for (std::size_t flow = 0; flow < paths.size(); ++flow)
        {
            if (stopped[flow])
            {
                continue;
            }
            rates[flow] += step;
            for (uint32_t link : paths[flow])
            {
                stopped[flow] = stopped[flow] || full[link];
            }
            if (stopped[flow])
            {
                --left;
                for (uint32_t link : paths[flow])
                {
                    --rising[link];
                }
            }
        }
    }
    return rates;
}

} // namespace ns3::aifabric

#endif // AIFABRIC_MAX_MIN_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_HPCC_SETTINGS_H
#define AIFABRIC_HPCC_SETTINGS_H

#include "hpcc-config.h"
#include "hpcc-topology.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * The blocks of a scenario that a config file of HPCC's simulator determines, and what that
 * simulator takes where there is none: no latency but that of links, 1000 B of payload, an
 * acknowledgement per packet, pauses, 32 MiB per switch with alpha 1/8 at the speed of the slowest
 * port, marks from 100 to 400 KB per 25 Gb/s.
 */
struct HpccSettings
{
    /**
     * @param config an empty one where there is none.
     * @param topology the network.
     * @param priorities bit i: there are flows of priority i.
     * @throws ScenarioError with a line of the config file.
     */
    HpccSettings(const HpccConfig& config, const HpccTopology& topology, uint8_t priorities);

    /// Name and JSON text of each block but topology and traffic, in their order.
    std::vector<std::pair<std::string, std::string>> blocks;
    std::string switches; ///< JSON text of topology.switches
    std::vector<std::string> notices;
    std::vector<std::string> warnings;

    /// @return payload of a packet, bytes.
    static uint32_t PacketBytes(const HpccConfig& config);

    /// @return loss probability of links without one of their own.
    static double LossProbability(const HpccConfig& config);
};

/**
 * @ingroup ai-fabric
 * @return the JSON text of transport.congestion_control: what CC_MODE stands for, DCQCN where there
 *         is none, with those of its parameters that it has here.
 */
std::string HpccCongestionControl(const HpccConfig& config, std::vector<std::string>& warnings);

} // namespace ns3::aifabric

#endif // AIFABRIC_HPCC_SETTINGS_H

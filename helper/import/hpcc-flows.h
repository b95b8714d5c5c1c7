// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_HPCC_FLOWS_H
#define AIFABRIC_HPCC_FLOWS_H

#include "hpcc-topology.h"
#include "scenario-importer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * A flow file of HPCC's simulator and its kin: the number of flows, and a line for each, `src dst
 * priority dport bytes start` (HPCC, PowerTCP), `src dst priority bytes start` (ConWeave) or `src
 * dst priority packets start stop` (ns3-rdma, known by its times).
 */
struct HpccFlows
{
    /**
     * Appends the flows to a JSON list, without its brackets.
     * @param file its name is not used.
     * @param topology what the node ids mean.
     * @param packetBytes payload of a packet, where flows are given in packets.
     * @param out JSON text.
     * @throws ScenarioError with a line.
     */
    static HpccFlows Append(const ImportFile& file,
                            const HpccTopology& topology,
                            uint64_t packetBytes,
                            std::string& out);

    uint64_t count{0};     ///< appended
    uint8_t priorities{0}; ///< bit i: a flow has priority i
    std::vector<std::string> notices;
    std::vector<std::string> warnings;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_HPCC_FLOWS_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_HPCC_TOPOLOGY_H
#define AIFABRIC_HPCC_TOPOLOGY_H

#include "line-reader.h"
#include "scenario-importer.h"

#include "ns3/fabric-graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * A topology file of HPCC's simulator and its kin: a header, the ids of the switches, and a line
 * `src dst rate delay error_rate` for each cable.
 *
 * The header is `nodes switches links` (HPCC, ns3-rdma, ConWeave, ASTRA-sim), `nodes switches tors
 * links` (PowerTCP) or `nodes switches tors links rate1 rate2` (Reverie).
 */
struct HpccTopology
{
    static constexpr uint32_t kNoHost = 0xFFFFFFFF;

    struct Cable
    {
        uint32_t from; ///< node id
        uint32_t to;
        LinkSpec spec;
    };

    /**
     * @param file its name is not used.
     * @throws ScenarioError with a line.
     */
    static HpccTopology Read(const ImportFile& file);

    std::vector<bool> isSwitch;   ///< by node id
    std::vector<uint32_t> degree; ///< cables by node id
    std::vector<Cable> cables;    ///< in the order of the file
    std::vector<uint32_t> host;   ///< number of the host by node id, or kNoHost
    uint32_t hostCount{0};
    uint32_t switchCount{0};
    std::vector<std::string> notices;
    std::vector<std::string> warnings;

    /**
     * Appends the lists "nodes" and "links" of a graph. Node 7 is "host7" or "switch7". A host with
     * several cables stands behind a switch of its own, "nic7", which has them.
     * @param out JSON text.
     * @param lossProbability of cables without a loss of their own.
     */
    void AppendGraph(std::string& out, double lossProbability) const;

    /// @return rates of the links of the graph, bit/s, ascending, each once.
    std::vector<double> Rates() const;

    /// @return the name of a node in the graph.
    std::string Name(uint32_t node) const;

  private:
    void ReadHeader(const std::vector<Word>& header, uint64_t& cableCount);
    void ReadCable(const std::vector<Word>& words);
    void NumberHosts();

    /// @return the summed rate of its cables by node id.
    std::vector<double> Together() const;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_HPCC_TOPOLOGY_H

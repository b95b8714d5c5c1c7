// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_HPCC_TOPOLOGY_H
#define AIFABRIC_HPCC_TOPOLOGY_H

#include "line-reader.h"
#include "scenario-importer.h"

#include "ns3/fabric-graph.h"

#include <cstdint>
#include <optional>
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
 * links` (PowerTCP) or `nodes switches tors links rate1 rate2` (Reverie). That of SimAI, `nodes
 * gpus_per_server nvswitches switches links gpu_type`, tells of servers too: nodes from 0 on are
 * GPUs, each with its NIC, and the ids of NVSwitches come before those of switches.
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

    /// What is inside servers; the same in all of them.
    struct Servers
    {
        uint32_t gpus{1}; ///< of each
        uint32_t nvSwitches{0};
        std::string gpuType;  ///< "H100"
        uint32_t nvLinks{0};  ///< of each GPU
        double nvLinkRate{0}; ///< of each of them, bit/s
        Tick nvLinkDelay{0};  ///< between GPU and NVSwitch
    };

    /**
     * @param file its name is not used.
     * @param simAi whether SimAI's header is expected; else one of the others.
     * @throws ScenarioError with a line.
     */
    static HpccTopology Read(const ImportFile& file, bool simAi = false);

    std::vector<bool> isSwitch;   ///< by node id
    std::vector<uint32_t> degree; ///< cables by node id
    std::vector<Cable> cables;    ///< in the order of the file; no NVLinks
    std::vector<uint32_t> host;   ///< number of the host by node id, or kNoHost
    uint32_t hostCount{0};
    uint32_t switchCount{0};        ///< no NVSwitches
    std::optional<Servers> servers; ///< of SimAI's topologies only
    std::vector<std::string> notices;
    std::vector<std::string> warnings;

    /**
     * Appends the lists "nodes" and "links" of a graph. Node 7 is "host7" or "switch7"; GPU 7 of
     * servers of four is the host "server1.nic3.port0". A host with several cables stands behind a
     * switch of its own, "nic7", which has them.
     * @param out JSON text.
     * @param lossProbability of cables without a loss of their own.
     */
    void AppendGraph(std::string& out, double lossProbability) const;

    /// @return rates of the links of the graph, bit/s, ascending, each once.
    std::vector<double> Rates() const;

    /// @return the name of a node in the graph.
    std::string Name(uint32_t node) const;

  private:
    void ReadHeader(const std::vector<Word>& header, bool simAi, uint64_t& cableCount);
    void ReadSimAiHeader(const std::vector<Word>& header, uint64_t& cableCount);
    void ReadSwitchIds(LineReader& reader);
    void ReadCable(const std::vector<Word>& words);
    void TakeNvLinks();
    void NumberHosts();
    void Summarise();
    std::string HostName(uint32_t node) const;

    bool IsNvSwitch(uint32_t node) const
    {
        return !m_isNvSwitch.empty() && m_isNvSwitch[node];
    }

    /// @return the summed rate of its cables by node id.
    std::vector<double> Together() const;

    std::vector<bool> m_isNvSwitch; ///< by node id; empty without servers
};

} // namespace ns3::aifabric

#endif // AIFABRIC_HPCC_TOPOLOGY_H

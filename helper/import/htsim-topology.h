// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_HTSIM_TOPOLOGY_H
#define AIFABRIC_HTSIM_TOPOLOGY_H

#include "scenario-importer.h"

#include "ns3/fabric-time.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * A topology file (.topo) of htsim: a fat tree of two or three tiers, by lines `Key value`.
 *
 * Pods of Podsize hosts; in each, every switch of tier 0 has links to every one of tier 1, Bundle of
 * them side by side; the i-th switch of tier 1 of every pod has links to the i-th group of tier 2.
 * Two tiers are one pod.
 */
struct HtsimTopology
{
    /// What a tier's switches and their links downwards are like.
    struct Tier
    {
        uint32_t count{0}; ///< of switches, of all pods
        double bandwidth{0};
        Tick linkDelay{0};
        Tick switchLatency{0};
        uint32_t radixDown{0};
        uint32_t radixUp{0};
        uint32_t bundle{1}; ///< links side by side to each switch below
        double oversubscription{1};
    };

    /**
     * @param file its name is not used.
     * @throws ScenarioError with a line, or without one where numbers do not fit together.
     */
    static HtsimTopology Read(const ImportFile& file);

    /// @return the block `topology`, as JSON. @param hostNames of all hosts.
    std::string WriteTopology(const std::vector<std::string>& hostNames) const;

    uint32_t hostCount{0};
    uint32_t podSize{0};
    std::vector<Tier> tiers; ///< two or three
    std::vector<std::string> notices;
    std::vector<std::string> warnings;

  private:
    void Check();
    void Summarise();
    /// @return how long frames wait in every switch at least.
    Tick LeastSwitchLatency() const;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_HTSIM_TOPOLOGY_H

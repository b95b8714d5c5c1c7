// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SCENARIO_CONFIG_H
#define AIFABRIC_SCENARIO_CONFIG_H

#include "json-value.h"
#include "output-settings.h"
#include "price-list.h"
#include "run-origin.h"
#include "scenario-blocks.h"
#include "simulation-settings.h"

#include "ns3/topology-builder.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::aifabric
{

class NetworkSettings;

/**
 * @ingroup ai-fabric-scenario
 * One job. Blocks: "settings" (TrainingSettings), which has the others, of a training job; "collective"
 * (CollectiveBenchmark) of one that is a single collective.
 */
struct JobConfig
{
    std::string name; ///< unique among the jobs
    std::string path; ///< in the scenario file, "jobs[0]", for errors found later
    BlockSet blocks;
    BlockSet collectives; ///< as ScenarioConfig::collectives
    BlockSet transport;   ///< as ScenarioConfig::transport

    /// @return the section that the blocks are of.
    const char* GetSection() const
    {
        return blocks.Get("collective") ? "collective_job" : "job";
    }
};

/// @ingroup ai-fabric-scenario
/// One entry of `traffic`.
struct TrafficConfig
{
    std::string name;    ///< unique; "traffic0" where none was given
    std::string path;    ///< "traffic[0]"
    Ptr<Object> pattern; ///< of family TrafficPattern
    BlockSet transport;  ///< as ScenarioConfig::transport
};

/**
 * @ingroup ai-fabric-scenario
 * One run of a scenario, checked and with all defaults: a variant with a seed.
 */
struct ScenarioConfig
{
    std::string name;
    std::string variant; ///< empty where the scenario has none
    uint64_t randomSeed{1};
    std::string file;   ///< for errors found later; empty where there is none
    std::string folder; ///< of the file: where the files that it names are looked for

    Ptr<TopologyBuilder> topology;
    std::shared_ptr<const FabricGraph> graph; ///< what topology builds; shared by equal runs
    std::string nodeTemplate;                 ///< "hgx_h100"
    BlockSet node;                            ///< "nic"; "gpu", "scale_up", "pcie" in a server
    BlockSet
        network; ///< "settings" (NetworkSettings), "ecn", "pfc", "trimming", "buffer", "load_balancing"
    BlockSet transport; ///< "settings", "congestion_control", "retransmission"; the default of all
    BlockSet collectives; ///< "settings"
    std::vector<JobConfig> jobs;
    std::vector<TrafficConfig> traffic;
    Ptr<SimulationSettings> simulation;
    Ptr<OutputSettings> outputs;
    Ptr<PriceList> prices; ///< null where there are none

    RunOrigin origin;   ///< for errors found later
    JsonValue resolved; ///< the whole scenario with every default, as summary.json holds it
};

/**
 * Checks a scenario and makes what it describes.
 * @param json the scenario, without regard to its variants, seeds and checks.
 * @param graphs graphs built before, by the text of their topology; gets what is built here.
 * @throws ScenarioError with file and path.
 */
ScenarioConfig
ReadScenarioConfig(const JsonValue& json,
                   std::map<std::string, std::shared_ptr<const FabricGraph>>* graphs = nullptr);

/// @return the keys that a scenario may have.
const std::vector<std::string>& ScenarioKeys();

} // namespace ns3::aifabric

#endif // AIFABRIC_SCENARIO_CONFIG_H

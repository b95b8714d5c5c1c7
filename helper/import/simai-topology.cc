// SPDX-License-Identifier: GPL-2.0-only
#include "foreign-files.h"
#include "hpcc-topology.h"

#include "ns3/scenario-error.h"

#include <algorithm>
#include <map>

namespace ns3::aifabric
{

void
HpccTopology::ReadSimAiHeader(const std::vector<Word>& header, uint64_t& cableCount)
{
    if (header.size() != 6 || header[5].text.find_first_not_of("0123456789.") == std::string::npos)
    {
        throw ScenarioError("line " + std::to_string(header[0].line),
                            "found " + Count(header.size(), "field") +
                                ", expected 'nodes gpus_per_server nvswitches switches links "
                                "gpu_type'");
    }
    const uint64_t nodes = ReadWhole(header[0], "the number of nodes", 1, kMostNodes);
    servers.emplace();
    servers->gpus =
        static_cast<uint32_t>(ReadWhole(header[1], "the number of GPUs of a server", 1, nodes));
    servers->nvSwitches =
        static_cast<uint32_t>(ReadWhole(header[2], "the number of NVSwitches", 0, nodes - 1));
    switchCount = static_cast<uint32_t>(
        ReadWhole(header[3], "the number of other switches", 0, nodes - 1 - servers->nvSwitches));
    cableCount = ReadWhole(header[4], "the number of links", 0, kMostLinks);
    servers->gpuType = header[5].text;
    const uint64_t gpus = nodes - servers->nvSwitches - switchCount;
    if (gpus % servers->gpus != 0)
    {
        FailAt(header[1],
               "a divisor of the " + std::to_string(gpus) + " nodes that are no switches");
    }
    isSwitch.assign(nodes, false);
    degree.assign(nodes, 0);
    m_isNvSwitch.assign(nodes, false);
}

void
HpccTopology::TakeNvLinks()
{
    constexpr uint32_t kNone = 0xFFFFFFFF;
    std::map<uint32_t, uint32_t> serverOf; // by NVSwitch
    std::vector<uint32_t> nvLinks(isSwitch.size());
    const Cable* first = nullptr;
    bool lossy = false;
    std::vector<Cable> others;
    for (const Cable& cable : cables)
    {
        const bool isFrom = IsNvSwitch(cable.from);
        if (!isFrom && !IsNvSwitch(cable.to))
        {
            others.push_back(cable);
            continue;
        }
        const uint32_t nvSwitch = isFrom ? cable.from : cable.to;
        const uint32_t gpu = isFrom ? cable.to : cable.from;
        const uint32_t server = isSwitch[gpu] ? kNone : gpu / servers->gpus;
        if (server == kNone || serverOf.emplace(nvSwitch, server).first->second != server)
        {
            throw ScenarioError("",
                                "NVSwitch " + std::to_string(nvSwitch) + " is joined to node " +
                                    std::to_string(gpu) +
                                    ", expected GPUs of one server only: a scale-up network ends "
                                    "at its server");
        }
        first = first ? first : &cable;
        if (cable.spec.bandwidth != first->spec.bandwidth || cable.spec.delay != first->spec.delay)
        {
            throw ScenarioError("",
                                "the NVLink of GPU " + std::to_string(gpu) +
                                    " is of another rate or delay than the first one, expected "
                                    "the same in all servers");
        }
        lossy = lossy || cable.spec.lossProbability > 0;
        ++nvLinks[gpu];
        --degree[cable.from];
        --degree[cable.to];
    }
    if (!first)
    {
        if (servers->gpus > 1)
        {
            warnings.emplace_back("servers without NVLinks: each GPU is a server of its own");
        }
        servers->gpus = 1;
        cables = std::move(others);
        return;
    }
    for (uint32_t node = 0; node < isSwitch.size(); ++node)
    {
        if (!isSwitch[node] && nvLinks[node] != nvLinks[0])
        {
            throw ScenarioError("",
                                "GPU " + std::to_string(node) + " has " +
                                    Count(nvLinks[node], "NVLink") + ", GPU 0 has " +
                                    std::to_string(nvLinks[0]) +
                                    ", expected the same in all servers");
        }
    }
    servers->nvLinks = nvLinks[0];
    servers->nvLinkRate = first->spec.bandwidth;
    servers->nvLinkDelay = first->spec.delay;
    if (lossy)
    {
        warnings.emplace_back("NVLinks lose nothing: their error rates are left out");
    }
    cables = std::move(others);
}

} // namespace ns3::aifabric

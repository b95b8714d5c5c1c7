// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-scenario.h"

#include "foreign-files.h"
#include "hpcc-flows.h"
#include "hpcc-settings.h"

namespace ns3::aifabric
{

ImportResult
HpccFiles::MakeScenario(const HpccTopology& network,
                        const std::string& defaults,
                        const std::string& others) const
{
    ImportResult result;
    const ImportFile none{"defaults", defaults};
    const ImportFile& configFile = config ? *config : none;
    const HpccConfig values = InFile(configFile, [&] { return HpccConfig(configFile); });
    Tell(result.notices, *topology, network.notices);
    Tell(result.warnings, *topology, network.warnings);

    std::string list;
    HpccFlows found;
    if (flows)
    {
        const uint32_t packet =
            InFile(configFile, [&] { return HpccSettings::PacketBytes(values); });
        found = InFile(*flows, [&] { return HpccFlows::Append(*flows, network, packet, list); });
        Tell(result.notices, *flows, found.notices);
        Tell(result.warnings, *flows, found.warnings);
    }
    const double loss = InFile(configFile, [&] { return HpccSettings::LossProbability(values); });
    const HpccSettings settings =
        InFile(configFile, [&] { return HpccSettings(values, network, found.priorities); });
    Tell(result.notices, configFile, settings.notices);
    Tell(result.warnings, configFile, settings.warnings);
    if (trace)
    {
        Tell(result.notices, *trace, {"left out: frames are not captured"});
    }

    std::string& out = result.scenario;
    out.reserve(list.size() + 256 * network.cables.size() + others.size() + 4096);
    out += "{\n  \"schema_version\": \"1.0\",\n  \"name\": " + ScenarioName(topology->name);
    out += ",\n  \"topology\": {\n    \"type\": \"graph\",\n    \"switches\": ";
    out += settings.switches + ",\n";
    network.AppendGraph(out, loss);
    out += "\n  }";
    for (const auto& [name, text] : settings.blocks)
    {
        out += ",\n  \"" + name + "\": " + text;
    }
    out += others + ",\n  \"traffic\": [";
    if (found.count > 0)
    {
        out += "\n    {\n      \"name\": \"flows\",\n      \"pattern\": \"flows\",\n"
               "      \"flows\": [";
        out += list + "\n      ]\n    }\n  ";
    }
    out += "]\n}\n";
    return result;
}

} // namespace ns3::aifabric

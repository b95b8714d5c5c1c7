// SPDX-License-Identifier: GPL-2.0-only
#include "foreign-files.h"
#include "htsim-connections.h"
#include "htsim-topology.h"

namespace ns3::aifabric
{

namespace
{

enum Role
{
    kTopology,
    kConnections
};

/// Both begin with Nodes; connections go on with their number, topologies with tiers and pods.
Role
RoleOf(const ImportFile& file)
{
    LineReader reader(file.text);
    for (std::vector<Word> words; reader.NextLine(words);)
    {
        const std::string_view key = words[0].text;
        if (key == "Connections" || key == "Triggers" || key == "Failures" ||
            key.find("->") != std::string_view::npos)
        {
            return kConnections;
        }
        if (key.size() >= 4 && (key[0] == 'T' || key[0] == 't' || key[0] == 'P' || key[0] == 'p'))
        {
            return kTopology;
        }
    }
    throw ScenarioError("", "found no topology (.topo) or connections (.cm) of htsim");
}

/// @return names of that many hosts.
std::vector<std::string>
HostNames(uint32_t count)
{
    std::vector<std::string> names;
    for (uint32_t i = 0; i < count; ++i)
    {
        names.push_back("host" + std::to_string(i));
    }
    return names;
}

/// Files of htsim (Raiciu et al., SIGCOMM 2011; Handley et al., SIGCOMM 2017).
class Htsim : public ScenarioImporter
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::importer::Htsim")
                                .SetParent<ScenarioImporter>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<Htsim>();
        return tid;
    }

    ImportResult Import(const std::vector<ImportFile>& files) const override
    {
        const auto byRole = SortByRole(files, {"topology", "connections"}, RoleOf);
        ImportResult result;
        HtsimTopology network;
        HtsimConnections flows;
        if (const ImportFile* file = byRole[kTopology])
        {
            network = InFile(*file, [&] { return HtsimTopology::Read(*file); });
            Tell(result.notices, *file, network.notices);
            Tell(result.warnings, *file, network.warnings);
        }
        if (const ImportFile* file = byRole[kConnections])
        {
            flows = InFile(*file, [&] { return HtsimConnections::Read(*file); });
            Tell(result.notices, *file, flows.notices);
            Tell(result.warnings, *file, flows.warnings);
            CheckRoom(*file, flows, byRole[kTopology] ? &network : nullptr);
        }
        Write(byRole, network, flows, result);
        return result;
    }

  private:
    static void
    CheckRoom(const ImportFile& file, const HtsimConnections& flows, const HtsimTopology* network)
    {
        if (network && flows.nodeCount > network->hostCount)
        {
            throw ScenarioError("",
                                "has " + std::to_string(flows.nodeCount) +
                                    " nodes, expected no more than the " +
                                    std::to_string(network->hostCount) + " of the topology")
                .In(file.name);
        }
        if (!flows.triggers.empty())
        {
            throw ScenarioError("",
                                "has flows that start when others end, which entries of traffic "
                                "cannot say")
                .In(file.name);
        }
    }

    static void Write(const std::vector<const ImportFile*>& byRole,
                      const HtsimTopology& network,
                      const HtsimConnections& flows,
                      ImportResult& result)
    {
        const ImportFile* named = byRole[kConnections] ? byRole[kConnections] : byRole[kTopology];
        if (!named)
        {
            throw ScenarioError("", "found no file, expected a topology or connections");
        }
        std::string& out = result.scenario;
        out = "{\n  \"schema_version\": \"1.0\",\n  \"name\": " + ScenarioName(named->name);
        out += ",\n  \"topology\": ";
        if (byRole[kTopology])
        {
            out += network.WriteTopology(HostNames(network.hostCount));
        }
        else
        {
            out += "{\"type\": \"star\", \"host_count\": " + std::to_string(flows.nodeCount) + "}";
            result.notices.emplace_back("no topology: one switch joins all hosts at 400 Gb/s");
        }
        // Hosts add no latency there.
        out += ",\n  \"node\": {\"template\": \"single_nic_host\", \"nic\": "
               "{\"processing_latency_ns\": 0}},\n  \"traffic\": [";
        if (!flows.connections.empty())
        {
            out += "\n    " + flows.WriteFlows() + "\n  ";
        }
        out += "]\n}\n";
        result.notices.emplace_back("these files say nothing of transport, load balancing and "
                                    "marks: the defaults are taken");
    }
};

NS_OBJECT_ENSURE_REGISTERED(Htsim);

} // namespace

} // namespace ns3::aifabric

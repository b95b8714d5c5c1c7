// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-flows.h"
#include "hpcc-settings.h"
#include "hpcc-topology.h"

#include "ns3/scenario-error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace ns3::aifabric
{

namespace
{

enum Role
{
    kTopology,
    kFlows,
    kTrace,
    kConfig,
    kRoles
};

const char* const kRoleNames[] = {"topology", "flow", "trace", "config"};

bool
IsNumber(std::string_view word)
{
    return std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c); });
}

/// Knows a file by its first lines: KEY value; 'N'; 'N M L …' before links.
Role
RoleOf(const ImportFile& file)
{
    LineReader reader(file.text);
    std::vector<Word> first;
    std::vector<Word> second;
    std::vector<Word> third;
    reader.NextLine(first);
    reader.NextLine(second);
    reader.NextLine(third);
    auto isKey = [](std::string_view word) {
        return std::all_of(word.begin(), word.end(), [](unsigned char c) {
            return std::isupper(c) || std::isdigit(c) || c == '_';
        });
    };
    if (!first.empty() && !IsNumber(first[0].text) &&
        (isKey(first[0].text) || first[0].text[0] == '#'))
    {
        return kConfig;
    }
    if (first.empty() || !IsNumber(first[0].text))
    {
        throw ScenarioError("line 1",
                            "found no topology, flow, trace or config file of HPCC's simulator");
    }
    if (first.size() > 1)
    {
        return kTopology;
    }
    // Flows have 5 or 6 fields a line; so may a trace file that lists 5 or 6 nodes, in one line.
    bool flowWidth = second.size() == 5 || second.size() == 6;
    bool listsAll = std::to_string(second.size()) == first[0].text;
    bool alone = third.empty() || third.size() != second.size() || !IsNumber(third[0].text);
    return second.empty() || (flowWidth && !(listsAll && alone)) ? kFlows : kTrace;
}

/// Adds sentences with the file's name in front.
void
Tell(std::vector<std::string>& to, const ImportFile& file, const std::vector<std::string>& from)
{
    for (const auto& sentence : from)
    {
        to.push_back(file.name + ": " + sentence);
    }
}

/// Runs read and names the file in what it throws.
template <class F>
auto
In(const ImportFile& file, F read)
{
    try
    {
        return read();
    }
    catch (const ScenarioError& e)
    {
        throw e.In(file.name);
    }
}

/// "mix/fat.txt" is "fat", as JSON.
std::string
NameFrom(const std::string& path)
{
    return nlohmann::json(std::filesystem::path(path).stem().string())
        .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Files of the simulator of Li et al., "HPCC: High Precision Congestion Control" (SIGCOMM 2019),
/// and of those that descend from it.
class Hpcc : public ScenarioImporter
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::importer::Hpcc")
                                .SetParent<ScenarioImporter>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<Hpcc>();
        return tid;
    }

    ImportResult Import(const std::vector<ImportFile>& files) const override
    {
        const ImportFile* byRole[kRoles] = {};
        for (const ImportFile& file : files)
        {
            Role role = In(file, [&] { return RoleOf(file); });
            if (byRole[role])
            {
                throw ScenarioError("",
                                    std::string("is a ") + kRoleNames[role] + " file, as is " +
                                        byRole[role]->name + "; expected one of them")
                    .In(file.name);
            }
            byRole[role] = &file;
        }
        if (!byRole[kTopology])
        {
            throw ScenarioError("", "found no topology file, expected one");
        }
        return Write(byRole);
    }

  private:
    static ImportResult Write(const ImportFile* const (&byRole)[kRoles])
    {
        ImportResult result;
        const ImportFile none{"defaults", ""};
        const ImportFile& topologyFile = *byRole[kTopology];
        const ImportFile& configFile = byRole[kConfig] ? *byRole[kConfig] : none;
        const HpccConfig config = In(configFile, [&] { return HpccConfig(configFile); });
        const HpccTopology topology =
            In(topologyFile, [&] { return HpccTopology::Read(topologyFile); });
        Tell(result.notices, topologyFile, topology.notices);
        Tell(result.warnings, topologyFile, topology.warnings);

        std::string list;
        HpccFlows flows;
        if (const ImportFile* file = byRole[kFlows])
        {
            uint32_t packet = In(configFile, [&] { return HpccSettings::PacketBytes(config); });
            flows = In(*file, [&] { return HpccFlows::Append(*file, topology, packet, list); });
            Tell(result.notices, *file, flows.notices);
            Tell(result.warnings, *file, flows.warnings);
        }
        double loss = In(configFile, [&] { return HpccSettings::LossProbability(config); });
        const HpccSettings settings =
            In(configFile, [&] { return HpccSettings(config, topology, flows.priorities); });
        Tell(result.notices, configFile, settings.notices);
        Tell(result.warnings, configFile, settings.warnings);
        if (const ImportFile* file = byRole[kTrace])
        {
            Tell(result.notices, *file, {"left out: frames are not captured"});
        }

        std::string& out = result.scenario;
        out.reserve(list.size() + 256 * topology.cables.size() + 4096);
        out += "{\n  \"schema_version\": \"1.0\",\n  \"name\": " + NameFrom(topologyFile.name);
        out += ",\n  \"topology\": {\n    \"type\": \"graph\",\n    \"switches\": ";
        out += settings.switches + ",\n";
        topology.AppendGraph(out, loss);
        out += "\n  }";
        for (const auto& [name, text] : settings.blocks)
        {
            out += ",\n  \"" + name + "\": " + text;
        }
        out += ",\n  \"traffic\": [";
        if (flows.count > 0)
        {
            out += "\n    {\n      \"name\": \"flows\",\n      \"pattern\": \"flows\",\n"
                   "      \"flows\": [";
            out += list + "\n      ]\n    }\n  ";
        }
        out += "]\n}\n";
        return result;
    }
};

NS_OBJECT_ENSURE_REGISTERED(Hpcc);

} // namespace

} // namespace ns3::aifabric

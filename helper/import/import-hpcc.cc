// SPDX-License-Identifier: GPL-2.0-only
#include "foreign-files.h"
#include "hpcc-scenario.h"

#include <algorithm>
#include <cctype>

namespace ns3::aifabric
{

namespace
{

enum Role
{
    kTopology,
    kFlows,
    kTrace,
    kConfig
};

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
        const auto byRole = SortByRole(files, {"topology", "flow", "trace", "config"}, RoleOf);
        const ImportFile* topology = byRole[kTopology];
        if (!topology)
        {
            throw ScenarioError("", "found no topology file, expected one");
        }
        const HpccTopology network =
            InFile(*topology, [&] { return HpccTopology::Read(*topology); });
        return HpccFiles{topology, byRole[kFlows], byRole[kConfig], byRole[kTrace]}.MakeScenario(
            network, "", "");
    }
};

NS_OBJECT_ENSURE_REGISTERED(Hpcc);

} // namespace

} // namespace ns3::aifabric

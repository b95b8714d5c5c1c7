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
    kConfig
};

/// Frames of SimAI.conf; all else without a config file is as HPCC's simulator has it.
constexpr char kDefaults[] = "PACKET_PAYLOAD_SIZE 9000\n";

/// A topology begins with a number, a config file with a key.
Role
RoleOf(const ImportFile& file)
{
    LineReader reader(file.text);
    std::vector<Word> first;
    reader.NextLine(first);
    if (!first.empty())
    {
        const std::string_view word = first[0].text;
        if (std::isdigit(static_cast<unsigned char>(word[0])))
        {
            return kTopology;
        }
        if (word[0] == '#' || std::all_of(word.begin(), word.end(), [](unsigned char c) {
                return std::isupper(c) || std::isdigit(c) || c == '_';
            }))
        {
            return kConfig;
        }
    }
    throw ScenarioError("line 1", "found no topology or config file of SimAI");
}

/// Files of SimAI (Wang et al., NSDI 2025), whose network is a simulator of HPCC's family.
class SimAi : public ScenarioImporter
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::importer::Simai")
                                .SetParent<ScenarioImporter>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<SimAi>();
        return tid;
    }

    ImportResult Import(const std::vector<ImportFile>& files) const override
    {
        const auto byRole = SortByRole(files, {"topology", "config"}, RoleOf);
        HpccFiles own;
        own.topology = byRole[kTopology];
        own.config = byRole[kConfig];
        if (!own.topology)
        {
            throw ScenarioError("", "found no topology file, expected one");
        }
        const HpccTopology network =
            InFile(*own.topology, [&] { return HpccTopology::Read(*own.topology, true); });
        return own.MakeScenario(network, kDefaults, "");
    }
};

NS_OBJECT_ENSURE_REGISTERED(SimAi);

} // namespace

} // namespace ns3::aifabric

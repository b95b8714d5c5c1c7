// SPDX-License-Identifier: GPL-2.0-only
#include "temporary-folder.h"

#include "ns3/fabric-command.h"
#include "ns3/whole-file.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace ns3::aifabric
{
namespace
{

class FabricCommandTest : public ::testing::Test
{
  protected:
    FabricCommandTest()
    {
        WholeFile::Write(m_scenario,
                         R"({"topology": {"type": "star", "host_count": 2},
                             "traffic": [{"pattern": "permutation", "size_bytes": 1}]})");
    }

    /// Gives the command, and what it wrote to out and err.
    int Do(const std::vector<std::string>& arguments)
    {
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        const int status = FabricCommand(arguments);
        out = testing::internal::GetCapturedStdout();
        err = testing::internal::GetCapturedStderr();
        return status;
    }

    TemporaryFolder m_folder;
    std::string m_scenario{m_folder.Path() + "/s.json"};
    std::string out;
    std::string err;
};

TEST_F(FabricCommandTest, WrongInputIsOneLineAndStatusTwo)
{
    const std::vector<std::vector<std::string>> wrong{
        {},
        {""},
        {"ru"},
        {"run"},
        {"run", ""},
        {"run", m_scenario, m_scenario},
        {"run", m_scenario, "--output"},
        {"run", m_scenario, "--output", ""},
        {"run", m_scenario, "--output="},
        {"run", m_scenario, "--quiet=1"},
        {"run", m_scenario, "--quite"},
        {"run", m_scenario, "-q"},
        {"run", m_scenario, "--seed", "-1"},
        {"run", m_scenario, "--seed=0"},
        {"run", m_scenario, "--set", "=1"},
        {"run", m_scenario, "--set", "traffic.9.size_bytes=1"},
        {"run", m_scenario, "--output", m_scenario},
        {"run", m_folder.Path()},
        {"validate", m_scenario, "--plot", m_folder.Path() + "/no/plot.dot"},
        {"list", "topology"},
        {"import", "hpcc"},
        {"schema", "network"},
        {"help", "ru"},
        {"--quiet"},
    };
    for (const auto& arguments : wrong)
    {
        EXPECT_EQ(Do(arguments), 2) << testing::PrintToString(arguments);
        EXPECT_EQ(out, "") << testing::PrintToString(arguments);
        EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
    }
}

TEST_F(FabricCommandTest, HelpIsNoError)
{
    const std::vector<std::string> commands{"run", "validate", "import", "list", "schema"};
    for (const char* asks : {"--help", "-h", "help"})
    {
        EXPECT_EQ(Do({asks}), 0);
        EXPECT_EQ(err, "");
        for (const std::string& command : commands)
        {
            EXPECT_NE(out.find("  aifabric " + command), std::string::npos) << out;
        }
    }
    for (const std::string& command : commands)
    {
        EXPECT_EQ(Do({command, "--help"}), 0);
        EXPECT_EQ(out.rfind("Usage: aifabric " + command, 0), 0U) << out;
        EXPECT_EQ(err, "");
        const std::string help = out;
        EXPECT_EQ(Do({"help", command}), 0);
        EXPECT_EQ(out, help);
    }
    // Help is not a run, whatever else stands there.
    EXPECT_EQ(Do({"run", "none.json", "-h"}), 0);
    EXPECT_NE(out.find("--output DIR"), std::string::npos);
}

TEST_F(FabricCommandTest, EveryOptionIsExplained)
{
    // Each command names its options where it refuses another one.
    for (const char* command : {"run", "validate", "import", "list"})
    {
        EXPECT_EQ(Do({command, "--zzzzzzzzzzz"}), 2);
        std::istringstream words(err.substr(err.find("one of")));
        EXPECT_EQ(Do({command, "--help"}), 0);
        for (std::string word; words >> word;)
        {
            if (word.compare(0, 2, "--") == 0)
            {
                word.erase(word.find_last_not_of(',') + 1);
                EXPECT_NE(out.find("\n  " + word), std::string::npos) << word << out;
            }
        }
    }
}

TEST_F(FabricCommandTest, OptionsStandAnywhere)
{
    const std::string results = m_folder.Path() + "/results";
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"run", "--quiet", "--output", results, m_scenario},
          std::vector<std::string>{"run", m_scenario, "--output=" + results, "--quiet"}})
    {
        EXPECT_EQ(Do(arguments), 0) << err;
        EXPECT_EQ(out + err, "");
        EXPECT_TRUE(std::filesystem::exists(results + "/summary.json"));
        std::filesystem::remove_all(results);
    }
}

TEST_F(FabricCommandTest, ReadsOurScenariosByName)
{
    EXPECT_EQ(Do({"list", "scenarios"}), 0);
    std::istringstream names(out);
    std::string name;
    ASSERT_TRUE(std::getline(names, name));
    EXPECT_EQ(Do({"validate", name}), 0) << err;
    EXPECT_EQ(Do({"validate", name + "x"}), 2);
    EXPECT_EQ(err, name + "x: no such file, or it cannot be read\n");
}

TEST_F(FabricCommandTest, ListsScenariosWithWhatTheyAre)
{
    EXPECT_EQ(Do({"list", "scenarios", "--json"}), 0);
    const auto all = nlohmann::json::parse(out)["scenarios"];
    for (const auto& each : all)
    {
        if (each["name"] == "dcqcn-fairness")
        {
            EXPECT_EQ(each["description"].get<std::string>().rfind("Two DCQCN flows", 0), 0U);
            EXPECT_EQ(each["source"].get<std::string>().rfind("Zhu et al., SIGCOMM 2015", 0), 0U);
        }
    }
    EXPECT_EQ(Do({"list", "scenarios"}), 0);
    EXPECT_NE(("\n" + out).find("\ndcqcn-fairness\n    Two DCQCN flows"), std::string::npos) << out;
    EXPECT_EQ(Do({"list", "scenarios", "formats"}), 0);
    EXPECT_NE(out.find("\n  dcqcn-fairness\n  "), std::string::npos) << out;
    EXPECT_EQ(out.find("Two DCQCN flows"), std::string::npos) << out;
}

TEST_F(FabricCommandTest, SetsWhatAFileSays)
{
    const std::string file = m_folder.Path() + "/changes.json";
    WholeFile::Write(file, R"({"topology.host_count": 5, "name": "five"})");
    EXPECT_EQ(Do({"validate", m_scenario, "--set", "@" + file}), 0) << err;
    EXPECT_EQ(out.rfind("five: seed 1 ", 0), 0U) << out;
    EXPECT_NE(out.find(" hosts 5 "), std::string::npos) << out;
    EXPECT_EQ(Do({"validate", m_scenario, "--set", "@" + file, "--set", "name=six"}), 0);
    EXPECT_EQ(out.rfind("six: seed 1 ", 0), 0U) << "what comes later goes before: " << out;
    EXPECT_EQ(Do({"validate", m_scenario, "--set", "@nowhere"}), 2);
    EXPECT_NE(err.find("nowhere"), std::string::npos) << err;
}

// Where nothing is paused nothing waits.
TEST_F(FabricCommandTest, TellsWhetherPausesCanDeadlock)
{
    EXPECT_EQ(Do({"validate", m_scenario}), 0);
    EXPECT_NE(out.find("\n  no cyclic buffer dependency\n"), std::string::npos) << out;
    EXPECT_EQ(err, "");
    std::string nodes;
    std::string links;
    auto link = [&links](const std::string& from, const std::string& to) {
        links += (links.empty() ? "" : ", ") + (R"({"from": ")" + from) + R"(", "to": ")" + to +
                 R"(", "bandwidth_gbps": 100, "propagation_delay_ns": 0})";
    };
    for (int i = 0; i < 4; ++i)
    {
        const std::string n = std::to_string(i);
        nodes += (i ? ", " : "") + (R"({"name": "h)" + n) + R"(", "kind": "host"}, {"name": "s)" +
                 n + R"(", "kind": "switch"})";
        link("h" + n, "s" + n);
        link("s" + n, "s" + std::to_string((i + 1) % 4));
    }
    WholeFile::Write(m_scenario,
                     R"({"topology": {"type": "graph", "nodes": [)" + nodes + R"(], "links": [)" +
                         links + "]}}");
    EXPECT_EQ(Do({"validate", m_scenario}), 0);
    const std::string begin = "cyclic buffer dependency, so pauses may end in a deadlock: s";
    EXPECT_NE(out.find("\n  " + begin), std::string::npos) << out;
    EXPECT_EQ(err.rfind("warning: " + begin, 0), 0U) << err;
    EXPECT_EQ(Do({"run", m_scenario}), 0);
    EXPECT_NE(out.find(begin), std::string::npos) << out;
    EXPECT_EQ(Do({"validate", m_scenario, "--set", "network.pfc.enabled=false"}), 0);
    EXPECT_NE(out.find("\n  no cyclic buffer dependency\n"), std::string::npos) << out;
}

/// k³/4 hosts, 5k²/4 switches, 3k³/4 cables, k³/8 · C from half to half (Al-Fares et al., SIGCOMM 2008).
TEST_F(FabricCommandTest, ValidateCountsTheNetwork)
{
    WholeFile::Write(m_scenario,
                     R"({"topology": {"type": "fat_tree", "k": 4, "nics_per_server": 2}})");
    EXPECT_EQ(Do({"validate", m_scenario, "--json"}), 0) << err;
    const auto all = nlohmann::json::parse(out);
    for (const auto& counted : {all, all["runs"][0]})
    {
        EXPECT_EQ(counted["hosts"], 16);
        EXPECT_EQ(counted["gpus"], 16);
        EXPECT_EQ(counted["switches"], 20);
        EXPECT_EQ(counted["cables"], 48);
        EXPECT_EQ(counted["bisection_gbps"], 8 * 400);
    }
    const auto& run = all["runs"][0];
    EXPECT_EQ(run["servers"], 8);
    EXPECT_EQ(run["diameter_switch_hops"], 5);
    EXPECT_EQ(run["tiers"].size(), 3U);
    EXPECT_EQ(run["tiers"][1]["oversubscription_ratio"], 1);
    EXPECT_TRUE(run["tiers"][2]["oversubscription_ratio"].is_null());
    EXPECT_EQ(run["cable_layers"][0]["length_m"], 20);
    // Four more switches and four more cables of 300, 500 ns, both ways, and what their frames take.
    EXPECT_GT(run["longest_base_rtt_ns"].get<double>() - run["shortest_base_rtt_ns"].get<double>(),
              2 * (4 * 500 + 2 * 300 + 2 * 500));
    EXPECT_EQ(Do({"validate", m_scenario}), 0);
    EXPECT_NE(out.find("bisection 3200 Gb/s"), std::string::npos) << out;
    EXPECT_NE(out.find("diameter 5 switches"), std::string::npos) << out;
}

TEST_F(FabricCommandTest, ListsWhatIsAskedFor)
{
    EXPECT_EQ(Do({"list", "formats"}), 0);
    EXPECT_EQ(out.find(':'), std::string::npos);
    EXPECT_EQ(Do({"list", "formats", "topologies"}), 0);
    EXPECT_NE(out.find("formats:\n  hpcc\n"), std::string::npos);
    EXPECT_NE(out.find("topologies:\n"), std::string::npos);
    EXPECT_EQ(out.find("collectives:"), std::string::npos);
}

} // namespace
} // namespace ns3::aifabric

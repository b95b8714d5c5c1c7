// SPDX-License-Identifier: GPL-2.0-only
// Captures that a scenario asks for.
#include "captured-frames.h"
#include "error-of.h"
#include "temporary-folder.h"

#include "ns3/scenario-runner.h"

#include <map>
#include <sstream>

namespace ns3::aifabric::test
{

namespace
{

/// Incasts of an all-to-all over lossless switches whose buffers are small: data, ACKs, CNPs, pauses.
std::string
Scenario(const std::string& more)
{
    return R"({"topology": {"type": "leaf_spine", "leaf_count": 2, "spine_count": 2,
                   "hosts_per_leaf": 2, "switches": {"leaf": {"buffer_bytes": 600000},
                   "spine": {"buffer_bytes": 600000}}},
               "traffic": [{"pattern": "incast", "sources": "1-3", "destinations": [0],
                            "size_bytes": 200000}],
               "outputs": {)" +
           more + "}}";
}

struct LinkRow
{
    uint64_t frames;
    uint64_t dropped;
};

class ScenarioPcap : public ::testing::Test
{
  protected:
    ExitStatus Run(const std::string& json, const std::string& sub = "out")
    {
        RunOptions options;
        options.output = m_folder.Path() + "/" + sub;
        options.quiet = true;
        return RunScenario(ReadScenarioFile(JsonValue::Parse(json)), options);
    }

    /// @return the rows of links.csv in its order, by the port that sends.
    std::vector<std::pair<std::string, LinkRow>> Links(const std::string& sub = "out") const
    {
        std::istringstream text(m_folder.Read(sub + "/links.csv"));
        std::vector<std::pair<std::string, LinkRow>> rows;
        std::string line;
        std::getline(text, line);
        EXPECT_EQ(line.substr(0, 32), "link,from,to,bandwidth_gbps,fram");
        while (std::getline(text, line))
        {
            std::istringstream fields(line);
            std::vector<std::string> values;
            for (std::string value; std::getline(fields, value, ',');)
            {
                values.push_back(value);
            }
            rows.push_back({values.at(0), {std::stoull(values.at(4)), std::stoull(values.at(8))}});
        }
        return rows;
    }

    /// Every port has a file; it has what links.csv counts, there and back. @return data, by opcode.
    std::map<Opcode, uint64_t> ExpectAllCounted(bool dropsAreLosses)
    {
        const auto rows = Links();
        std::map<Opcode, uint64_t> kinds;
        EXPECT_EQ(rows.size(), 2U * (4 + 4));
        for (std::size_t i = 0; i < rows.size(); ++i)
        {
            const LinkRow& there = rows[i].second;
            const LinkRow& back = rows[i ^ 1].second;
            const auto frames = ReadCapture(m_folder.Path() + "/out/" + rows[i].first + ".pcap");
            EXPECT_EQ(frames.size(),
                      there.frames + back.frames - (dropsAreLosses ? back.dropped : 0))
                << rows[i].first;
            for (const Captured& captured : frames)
            {
                ++kinds[captured.frame.op];
            }
        }
        return kinds;
    }

    /// @return names of the files of captures in a folder.
    std::string Captures(const std::string& sub) const
    {
        std::string names;
        for (const auto& entry : std::filesystem::directory_iterator(m_folder.Path() + "/" + sub))
        {
            const std::string name = entry.path().filename().string();
            EXPECT_NE(name[0], '.') << name;
            names += entry.path().extension() == ".pcap" ? name + " " : "";
        }
        return names;
    }

    TemporaryFolder m_folder;
};

TEST_F(ScenarioPcap, EveryPortHasWhatLinksCount)
{
    EXPECT_EQ(Run(Scenario(R"("pcap": true)")), ExitStatus::Ok);
    auto kinds = ExpectAllCounted(false);
    EXPECT_GT(kinds[Opcode::WriteMiddle], 0U);
    EXPECT_GT(kinds[Opcode::Acknowledge], 0U);
    EXPECT_GT(kinds[Opcode::Pause], 0U);
}

TEST_F(ScenarioPcap, WhatLinksDestroyIsSentAndNotReceived)
{
    EXPECT_EQ(Run(R"({"topology": {"type": "leaf_spine", "leaf_count": 2, "spine_count": 2,
                          "hosts_per_leaf": 2, "links": {"leaf_to_spine": {"loss_probability": 0.02}}},
                      "traffic": [{"pattern": "permutation", "size_bytes": 400000}],
                      "transport": {"congestion_control": "none"},
                      "outputs": {"pcap": true}})"),
              ExitStatus::Ok);
    ExpectAllCounted(true);
    uint64_t dropped = 0;
    for (const auto& row : Links())
    {
        dropped += row.second.dropped;
    }
    EXPECT_GT(dropped, 0U);
}

TEST_F(ScenarioPcap, ARunThatIsCutOffHasWhatHadLeft)
{
    std::string json = Scenario(R"("pcap": true)");
    json.insert(1, R"("simulation": {"stop_time_us": 20},)");
    EXPECT_EQ(Run(json), ExitStatus::Ok);
    ExpectAllCounted(false);
}

TEST_F(ScenarioPcap, LookingChangesNothing)
{
    EXPECT_EQ(Run(Scenario(R"("pcap": true)")), ExitStatus::Ok);
    EXPECT_EQ(Run(Scenario(""), "plain"), ExitStatus::Ok);
    for (const char* file : {"/links.csv", "/flows.csv"})
    {
        EXPECT_EQ(m_folder.Read(std::string("out") + file),
                  m_folder.Read(std::string("plain") + file));
    }
    EXPECT_EQ(Captures("plain"), "");
}

TEST_F(ScenarioPcap, SomePortsByTheirNames)
{
    EXPECT_EQ(Run(Scenario(R"("pcap": ["host3", "host3"])")), ExitStatus::Ok);
    EXPECT_EQ(Captures("out"), "host3.pcap ");
    EXPECT_EQ(Run(Scenario(R"("pcap": false)"), "none"), ExitStatus::Ok);
    EXPECT_EQ(Captures("none"), "");
    EXPECT_EQ(Run(Scenario(R"("pcap": [])"), "empty"), ExitStatus::Ok);
    EXPECT_EQ(Captures("empty"), "");
}

TEST_F(ScenarioPcap, PortsOfServersAreKnownByTheirNames)
{
    EXPECT_EQ(
        Run(R"({"topology": {"type": "rail_optimized", "server_count": 2, "gpus_per_server": 2,
                          "nics_per_server": 2, "rail_count": 2, "spine_count": 1,
                          "leaf_uplink_count": 1},
                      "traffic": [{"pattern": "flows", "flows": [
                          {"source": 0, "destination": 2, "size_bytes": 5000}]}],
                      "outputs": {"pcap": ["server0.nic0.port0", "leaf0.port1"]}})"),
        ExitStatus::Ok);
    EXPECT_EQ(ReadCapture(m_folder.Path() + "/out/server0.nic0.port0.pcap").size(), 4U);
    EXPECT_EQ(ReadCapture(m_folder.Path() + "/out/leaf0.port1.pcap").size(), 4U);
}

TEST_F(ScenarioPcap, EveryVariantHasItsOwn)
{
    std::string json = Scenario(R"("pcap": ["host0"])");
    json.insert(1,
                R"("variants": [{"name": "a", "set": {}},
                     {"name": "b", "set": {"outputs.pcap": ["host1"]}}],)");
    EXPECT_EQ(Run(json), ExitStatus::Ok);
    EXPECT_EQ(Captures("out/a"), "host0.pcap ");
    EXPECT_EQ(Captures("out/b"), "host1.pcap ");
}

TEST_F(ScenarioPcap, WithoutAFolderThereAreNone)
{
    RunOptions options;
    options.quiet = true;
    const std::string json = Scenario(R"("pcap": true)");
    EXPECT_EQ(RunScenario(ReadScenarioFile(JsonValue::Parse(json)), options), ExitStatus::Ok);
}

TEST_F(ScenarioPcap, AFileThatCannotBeIsToldOfBeforeTheRun)
{
    std::filesystem::create_directories(m_folder.Path() + "/out/.host0.pcap.part");
    EXPECT_NE(
        ErrorOf([&] { Run(Scenario(R"("pcap": ["host0"])")); }).find("host0.pcap can't be written"),
        std::string::npos);
    EXPECT_EQ(m_folder.Names(), std::vector<std::string>{"out"});
}

} // namespace
} // namespace ns3::aifabric::test

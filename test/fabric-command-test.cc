// SPDX-License-Identifier: GPL-2.0-only
#include "temporary-folder.h"

#include "ns3/fabric-command.h"
#include "ns3/whole-file.h"

#include <gtest/gtest.h>

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
        {"run", m_scenario, "--seed", "-1"},
        {"run", m_scenario, "--seed=0"},
        {"run", m_scenario, "--set", "=1"},
        {"run", m_scenario, "--set", "traffic.9.size_bytes=1"},
        {"run", m_scenario, "--output", m_scenario},
        {"run", m_folder.Path()},
        {"validate", m_scenario, "--plot", m_folder.Path() + "/no/plot.dot"},
        {"list", "topology"},
        {"import", "hpcc"},
    };
    for (const auto& arguments : wrong)
    {
        EXPECT_EQ(Do(arguments), 2) << testing::PrintToString(arguments);
        EXPECT_EQ(out, "") << testing::PrintToString(arguments);
        EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
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

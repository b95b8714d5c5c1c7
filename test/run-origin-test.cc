// SPDX-License-Identifier: GPL-2.0-only
#include "error-of.h"
#include "temporary-folder.h"

#include "ns3/scenario-file.h"
#include "ns3/scenario-run.h"

#include <gtest/gtest.h>

namespace ns3::aifabric
{
namespace
{

/// @return what is wrong with a scenario in the file "a.json", whose topology is a star of four.
std::string
Wrong(const std::string& more)
{
    return ErrorOf([&] {
        const ScenarioFile file = ReadScenarioFile(JsonValue::Parse(
            R"({"topology": {"type": "star", "host_count": 4}, )" + more + "}", "a.json"));
        for (const ScenarioConfig& config : file.runs)
        {
            ScenarioRun run(config);
        }
    });
}

TEST(RunOrigin, NamesTheKeyWithTheUnitThatIsThere)
{
    EXPECT_EQ(
        Wrong(R"("transport": {"congestion_control": {
                  "type": "dcqcn", "variant": "paper", "alpha_interval_ns": 20000}})"),
        "a.json: transport.congestion_control.alpha_interval_ns: found 20 us, expected no less "
        "than the CNP interval of 50 us, or alpha decays under congestion");
    EXPECT_EQ(
        Wrong(R"("transport": {"congestion_control": {
                  "type": "dcqcn", "variant": "paper", "cnp_interval_ms": 0.1}})"),
        "a.json: transport.congestion_control.cnp_interval_ms: found 100 us, expected no more "
        "than the alpha interval of 55 us, or alpha decays under congestion");
    EXPECT_EQ(Wrong(R"("transport": {"congestion_control": {
                  "type": "dcqcn", "notification": "cnp", "cut_interval_us": 2}})"),
              "a.json: transport.congestion_control.cut_interval_us: found 2 us, expected no less "
              "than the CNP interval of 4 us, or alpha decays under congestion");
    EXPECT_EQ(Wrong(R"("transport": {"congestion_control": {"type": "fixed", "rate_gbps": 800}})"),
              "a.json: transport.congestion_control.rate_gbps: found 800.000000 Gb/s, expected no "
              "more than the port's 400.000000 Gb/s");
    EXPECT_EQ(Wrong(R"("traffic": [{"pattern": "on_off", "duration_us": 1, "on_time_us": 0}])"),
              "a.json: traffic[0].on_time_us: found 0, expected a time in which sources send");
}

TEST(RunOrigin, NamesTheObjectThatIsThere)
{
    const std::string dcqcn = R"({"congestion_control": {"type": "dcqcn", "min_rate_gbps": 400}})";
    const std::string why = "found 400000 Mb/s, expected less than the port's line rate";
    EXPECT_EQ(Wrong(R"("traffic": [{"pattern": "permutation"}], "transport": )" + dcqcn),
              "a.json: transport.congestion_control.min_rate_gbps: " + why);
    EXPECT_EQ(Wrong(R"("traffic": [{"pattern": "permutation", "transport": )" + dcqcn + "}]"),
              "a.json: traffic[0].transport.congestion_control.min_rate_gbps: " + why);
}

TEST(RunOrigin, NamesTheVariantThatSetsIt)
{
    const std::string good = R"({"name": "good"}, {"name": "bad", "set": )";
    EXPECT_EQ(Wrong(R"("variants": [)" + good + R"({"transport.retry_count": 9}}])"),
              "a.json: variants[1].set.transport.retry_count: found the number 9, expected an "
              "integer from 0 to 7");
    EXPECT_EQ(Wrong(R"("variants": [)" + good + R"({"transport": {"retry_count": 9}}}])"),
              "a.json: variants[1].set.transport.retry_count: found the number 9, expected an "
              "integer from 0 to 7");
    EXPECT_EQ(Wrong(R"("traffic": [{"pattern": "permutation"}], "variants": [)" + good +
                    R"({"traffic.0.sources": "0-9"}}])"),
              "a.json: variants[1].set.traffic.0.sources: there is no host 9, expected 0 to 3");
    // Of two that set it the nearer one.
    EXPECT_EQ(Wrong(R"("variants": [)" + good + R"({"network": {}, "network.ecn.pmax": "x"}}])"),
              "a.json: variants[1].set.network.ecn.pmax: found the string 'x', expected a number");
}

TEST(RunOrigin, NamesTheAxisThatSetsIt)
{
    const std::string axes = R"("traffic": [{"pattern": "permutation", "sources": "0-3"}],
        "variants": [[{"name": "a"}, {"name": "b", "set": {"transport": {"retry_count": 1}}}],
                     [{"name": "c"}, {"name": "d", "set": )";
    EXPECT_EQ(Wrong(axes + R"({"transport.retry_count": 9}}]])"),
              "a.json: variants[1][1].set.transport.retry_count: found the number 9, expected an "
              "integer from 0 to 7");
    EXPECT_EQ(Wrong(axes + R"({"topology.host_count": 3}}]])"),
              "a.json: traffic[0].sources: there is no host 3, expected 0 to 2 (variant 'a_d')");
}

TEST(RunOrigin, NamesTheVariantWhereItIsWrongElsewhere)
{
    EXPECT_EQ(Wrong(R"("traffic": [{"pattern": "permutation", "sources": "0-3"}], "variants":
                  [{"name": "good"}, {"name": "small", "set": {"topology.host_count": 3}}])"),
              "a.json: traffic[0].sources: there is no host 3, expected 0 to 2 (variant 'small')");
}

TEST(RunOrigin, NamesTheSeedInItsList)
{
    EXPECT_EQ(Wrong(R"("seeds": [1, 0])"),
              "a.json: seeds[1]: found the number 0, expected an integer from 1 to 4294967295");
}

TEST(RunOrigin, FilesThatAScenarioNamesHaveTheirOwnPlaces)
{
    const TemporaryFolder folder;
    const std::string sizes = folder.Write("sizes.txt", "100 0\n50 100\n");
    EXPECT_EQ(Wrong(R"("traffic": [{"pattern": "permutation", "size_distribution": ")" + sizes +
                    R"("}])"),
              sizes + ": line 2: sizes and cumulative shares must not fall");
    const std::string flows = folder.Write("flows.csv", "source,destination,size_bytes\n0,9,1\n");
    EXPECT_EQ(Wrong(R"("traffic": [{"pattern": "flows", "file": ")" + flows + R"("}])"),
              flows + ": line 2: found '9', expected a whole number from 0 to 3");
}

} // namespace
} // namespace ns3::aifabric

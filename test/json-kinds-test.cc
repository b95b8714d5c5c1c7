// SPDX-License-Identifier: GPL-2.0-only
#include "error-of.h"

#include "ns3/scenario-file.h"
#include "ns3/scenario-run.h"

#include <gtest/gtest.h>

namespace ns3::aifabric
{
namespace
{

/// @return what is wrong with a scenario.
std::string
Wrong(const std::string& json)
{
    return ErrorOf([&] {
        const ScenarioFile file = ReadScenarioFile(JsonValue::Parse(json));
        ScenarioRun run(file.runs.front());
    });
}

std::string
Star(const std::string& more)
{
    return R"({"topology": {"type": "star", "host_count": 4}, )" + more + "}";
}

std::string
Flow(const std::string& keys)
{
    return Star(R"("traffic": [{"pattern": "flows", "flows": [{)" + keys + "}]}]");
}

TEST(JsonKinds, WhatIsOfAnotherKindIsRefused)
{
    const std::pair<std::string, std::string> cases[] = {
        {Star(R"("outputs": {"directory": 3})"),
         "outputs.directory: found the number 3, expected a string"},
        {Star(R"("outputs": {"directory": ["a"]})"),
         "outputs.directory: found an array, expected a string"},
        {Star(R"("outputs": {"reports": {"queue_depth": true}})"),
         "outputs.reports: found an object, expected an array"},
        {Star(R"("outputs": {"reports": [3]})"),
         "outputs.reports[0]: found the number 3, expected a string"},
        {Star(R"("simulation": {"scheduler": false})"),
         "simulation.scheduler: found false, expected a string"},
        {Star(R"("simulation": {"stop_time_s": "1"})"),
         "simulation.stop_time_s: found the string '1', expected a number"},
        {Star(R"("network": {"queues": 3})"),
         "network.queues: found the number 3, expected an array"},
        {Star(R"("network": {"mtu_payload_bytes": "4096"})"),
         "network.mtu_payload_bytes: found the string '4096', expected an integer from 0"},
        {Star(R"("network": {"pfc": {"enabled": "true"}})"),
         "network.pfc.enabled: found the string 'true', expected true or false"},
        {Star(R"("network": {"pfc": {"headroom_bytes": "1000"}})"),
         "network.pfc.headroom_bytes: found the string '1000', expected 'auto' or a number"},
        {Star(R"("network": {"ecn": {"pmax": "0.2"}})"),
         "network.ecn.pmax: found the string '0.2', expected a number"},
        {Star(R"("network": {"load_balancing": {"type": "ecmp", "hash_fields": "src_ip"}})"),
         "network.load_balancing.hash_fields: found the string 'src_ip', expected an array"},
        {Star(R"("transport": {"congestion_control": 3})"),
         "transport.congestion_control: found the number 3, expected 'type'"},
        {Star(R"("transport": {"retry_count": true})"),
         "transport.retry_count: found true, expected an integer from 0"},
        {Star(R"("traffic": [{"pattern": "permutation", "tag": 3}])"),
         "traffic[0].tag: found the number 3, expected a string"},
        {Star(R"("traffic": [{"pattern": "permutation", "size_bytes": "1000"}])"),
         "traffic[0].size_bytes: found the string '1000', expected an integer from 0"},
        {Star(R"("traffic": [{"pattern": "permutation", "size_distribution": 3}])"),
         "traffic[0].size_distribution: found the number 3, expected a string"},
        {Star(R"("traffic": [{"pattern": "permutation", "sources": {"from": 1}}])"),
         "traffic[0].sources: found an object, expected a string, an array or a number"},
        {Flow(R"("source": "0", "destination": 1, "size_bytes": 1)"),
         "traffic[0].flows[0].source: found \"0\", expected a number"},
        {Flow(R"("source": 0, "destination": 1, "size_bytes": 1, "tag": 7)"),
         "traffic[0].flows[0].tag: found 7, expected a string"},
        {Flow(R"("source": 0, "destination": 1, "size_bytes": 1, "priority": true)"),
         "traffic[0].flows[0].priority: found true, expected a number"},
        {Star(R"("name": 3)"), "name: found the number 3, expected a string"},
        {Star(R"("checks": [{"metric": "flow_count", "minimum": "1"}])"),
         "checks[0].minimum: found the string '1', expected a number"},
        {Star(R"("collectives": {"all_reduce": ["ring"]})"),
         "collectives.all_reduce: found an array, expected a string or an object"},
        {Star(R"("node": {"scale_up": {"credit_buffer_bytes": "65536"}})"),
         "node.scale_up.credit_buffer_bytes: found the string '65536', expected 'auto' or a "
         "number"},
    };
    for (const auto& [json, expected] : cases)
    {
        EXPECT_EQ(Wrong(json).substr(0, expected.size()), expected) << json;
    }
}

TEST(JsonKinds, WhatIsMeantInTwoWaysMayBeWrittenSo)
{
    for (const char* more :
         {R"("network": {"pfc": {"headroom_bytes": "auto"}})",
          R"("network": {"pfc": {"headroom_bytes": 100000}})",
          R"("collectives": {"all_reduce": "ring"})",
          R"("collectives": {"all_reduce": {"algorithm": "ring", "channel_count": 2}})",
          R"("traffic": [{"pattern": "incast", "sources": "1-3", "destinations": 0}])",
          R"("traffic": [{"pattern": "incast", "sources": [1, "2-3"], "destinations": [0]}])",
          R"("traffic": [{"pattern": "permutation", "size_bytes": 1e6}])",
          R"("traffic": [{"pattern": "flows", "flows": [
              {"source": 0, "destination": 1, "size_bytes": 1e6, "tag": "7"}]}])"})
    {
        EXPECT_EQ(Wrong(Star(more)), "no error") << more;
    }
}

} // namespace
} // namespace ns3::aifabric

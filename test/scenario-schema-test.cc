// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/attribute-reader.h"
#include "ns3/congestion-control.h"
#include "ns3/fabric-registry.h"
#include "ns3/scenario-blocks.h"
#include "ns3/scenario-config.h"
#include "ns3/scenario-schema.h"
#include "ns3/topology-builder.h"
#include "ns3/traffic-pattern.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ns3::aifabric
{
namespace
{

/// @return all names under "properties", and all constants and choices, anywhere in a schema.
void
Collect(const nlohmann::json& schema, std::set<std::string>& names)
{
    if (schema.is_object() && schema.contains("properties"))
    {
        for (const auto& [name, value] : schema["properties"].items())
        {
            names.insert(name);
        }
    }
    for (const auto& [key, value] : schema.items())
    {
        if (key == "const" && value.is_string())
        {
            names.insert(value.get<std::string>());
        }
        if (key == "enum")
        {
            for (const auto& choice : value)
            {
                names.insert(choice.is_string() ? choice.get<std::string>() : choice.dump());
            }
        }
        if (value.is_structured())
        {
            Collect(value, names);
        }
    }
}

TEST(ScenarioSchema, NamesEveryKeyAndPlugin)
{
    const auto schema = nlohmann::json::parse(ScenarioSchema());
    EXPECT_EQ(schema["additionalProperties"], false);
    for (const std::string& key : ScenarioKeys())
    {
        EXPECT_TRUE(schema["properties"].contains(key)) << key;
    }
    std::set<std::string> names;
    Collect(schema, names);
    for (TypeId family : {CongestionControl::GetTypeId(),
                          TopologyBuilder::GetTypeId(),
                          TrafficPattern::GetTypeId()})
    {
        for (const std::string& id : PluginIds(family))
        {
            EXPECT_TRUE(names.count(id)) << family.GetName() << " " << id;
        }
    }
    for (const char* key : {"kmin_bytes",
                            "retransmission_timeout_us",
                            "headroom_bytes",
                            "link_bandwidth_gbps",
                            "achieved_tflops",
                            "global_batch_size",
                            "load_ratio",
                            "hosts_per_leaf",
                            "stop_time_s"})
    {
        EXPECT_TRUE(names.count(key)) << key;
    }
}

} // namespace
} // namespace ns3::aifabric

// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/scenario-error.h"
#include "ns3/scenario-file.h"
#include "ns3/scenario-run.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <random>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

using Json = nlohmann::ordered_json;

const char* const kGood[] = {
    R"({"topology": {"type": "leaf_spine", "leaf_count": 2, "spine_count": 2, "hosts_per_leaf": 2,
        "links": {"leaf_to_spine": {"bandwidth_gbps": 100, "length_km": 0.5}}}, "random_seed": 4,
     "node": {"nic": {"processing_latency_ns": 100}},
     "network": {"tas": {}, "mtu_payload_bytes": 1000, "load_balancing": "ecmp",
        "pfc": {"enabled": true, "lossless_priorities": [3]},
        "ecn": {"thresholds": [{"bandwidth_gbps": 100, "kmin_bytes": 5, "kmax_bytes": 9, "pmax": 1}]}},
     "transport": {"congestion_control": {"type": "dcqcn", "variant": "connectx", "gain": 0.1,
        "min_rate_mbps": 100}, "retransmission": "go_back_n", "retry_count": 7},
     "traffic": [{"name": "a", "pattern": "flows", "flows":
          [{"source": 0, "destination": 3, "size_bytes": 5000, "start_time_s": 0.1}]},
        {"name": "b", "pattern": "poisson", "load_ratio": 0.2, "duration_us": 20,
         "size_distribution": "web_search", "sources": "0-2", "destinations": [3]}],
     "variants": [{"name": "v", "set": {"network.ecn.pmax": 0.5}}], "seeds": [2],
     "checks": [{"metric": "v/fct_mean_s", "maximum": 1}],
     "outputs": {"reports": ["queue_depth"], "pcap": ["leaf0.port0"], "sampling_interval_us": 5}})",
    R"({"schema_version": "1.0", "topology": {"type": "graph", "nodes": [
          {"name": "server0.nic0.port0", "kind": "host"},
          {"name": "server1.nic0.port0", "kind": "host"}, {"name": "s", "kind": "switch"}],
        "links": [
          {"from": "server0.nic0.port0", "to": "s", "bandwidth_gbps": 400, "length_km": 0.1},
          {"from": "server1.nic0.port0", "to": "s", "bandwidth_gbps": 400,
           "propagation_delay_ns": 10}]},
     "node": {"template": "hgx_h100", "gpu": {"achieved_tflops": 400}},
     "collectives": {"all_reduce": {"algorithm": "ring", "channel_count": 2}},
     "jobs": [{"name": "j", "iterations": 2, "start_time_us": 3,
        "model": {"layer_count": 4, "hidden_size": 1024, "ffn_hidden_size": 4096,
          "attention_head_count": 16, "vocabulary_size": 32000, "sequence_length": 1024},
        "parallelism": {"tensor": 1, "data": 2}, "schedule": {"overlap_data_parallel": false},
        "batch": {"global_batch_size": 4, "micro_batch_size": 1}},
       {"name": "m", "start_time_us": 3,
        "model": {"type": "moe", "layer_count": 4, "hidden_size": 1024, "ffn_hidden_size": 4096,
          "attention_head_count": 16, "vocabulary_size": 32000, "sequence_length": 1024,
          "expert_count": 8, "experts_per_token": 2, "dense_layer_count": 1, "servers_per_token": 1},
        "parallelism": {"pipeline": 2, "virtual_pipeline_stages": 2}, "schedule": {"pipeline": "1f1b"},
        "batch": {"global_batch_size": 2}},
       {"name": "c", "collective": {"type": "all_gather", "algorithm": "ring", "size_bytes": 1000,
          "group": [0, 1], "iterations": 2}}],
     "simulation": {"stop_time_s": 1, "scheduler": "map"}})"};

const char* const kValues[] = {"null",
                               "true",
                               "-1",
                               "0",
                               "1",
                               "7",
                               "0.5",
                               "1e-300",
                               "-1e300",
                               "1e18",
                               "1e300",
                               "65535",
                               "65536",
                               "1048576",
                               "1e12",
                               "\"\"",
                               "\"x\"",
                               "[]",
                               "{}",
                               "[0]",
                               "[[]]",
                               "[-1]",
                               "[1e30]",
                               "[\"\"]",
                               "\"{\"",
                               "\"[1\"",
                               "\"all\"",
                               "\"0-9999999999\"",
                               "\"\\u0000\"",
                               "{\"type\": 3}",
                               "{\"type\": \"none\"}",
                               "9223372036854775807",
                               "18446744073709551615",
                               "4294967295",
                               "4294967296",
                               "1e400",
                               "NaN"};

using Random = std::mt19937;

std::size_t
Below(Random& random, std::size_t bound)
{
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
}

std::string
MutateText(std::string text, Random& random)
{
    const std::size_t at = Below(random, text.size());
    const std::size_t other = Below(random, text.size());
    const std::size_t count = 1 + Below(random, 12);
    switch (Below(random, 6))
    {
    case 0:
        text[at] = static_cast<char>(Below(random, 256));
        break;
    case 1:
        text.erase(at, count);
        break;
    case 2:
        text.insert(at, text.substr(other, count));
        break;
    case 3:
        text.resize(at);
        break;
    case 4:
        text.insert(at, 1, R"({}[],:"0-9eE.\ )"[Below(random, 15)]);
        break;
    default:
        std::swap(text[at], text[other]);
    }
    return text;
}

/// Replaces one value, whatever it is, or takes its key away.
std::string
MutateValue(const std::string& text, Random& random)
{
    Json json = Json::parse(text);
    const Json flat = json.flatten();
    const std::string pointer = std::next(flat.begin(), Below(random, flat.size())).key();
    Json::json_pointer path(pointer);
    if (json[path].is_number() && Below(random, 2) == 0)
    {
        const double factors[] = {0, 0.5, 2, 3, 16, 1000};
        json[path] = json[path].get<double>() * factors[Below(random, 6)];
        return json.dump();
    }
    // A leaf, or something that it is in.
    for (std::size_t up = Below(random, 3); up > 0 && !path.parent_pointer().empty(); --up)
    {
        path = path.parent_pointer();
    }
    constexpr const char* kMark = "(here)";
    json[path] = kMark;
    std::string mutated = json.dump();
    const std::string marked = std::string("\"") + kMark + "\"";
    return mutated.replace(
        mutated.find(marked), marked.size(), kValues[Below(random, std::size(kValues))]);
}

} // namespace

TEST(ScenarioMutation, EndsInAnErrorOrIsBuilt)
{
    Random random(20240607);
    int refused = 0;
    int built = 0;
    for (int i = 0; i < 2000; ++i)
    {
        const std::string good = kGood[i % 2];
        const std::string text = i % 3 == 0 ? MutateText(good, random) : MutateValue(good, random);
        SCOPED_TRACE(text);
        try
        {
            const ScenarioFile file = ReadScenarioFile(JsonValue::Parse(text, "m.json"));
            const ScenarioConfig& config = file.runs.front();
            if (i / 2 % 3 == 0 && config.graph->Nodes().size() < 100)
            {
                ScenarioRun run(config);
                ++built;
            }
        }
        catch (const ScenarioError& e)
        {
            ++refused;
            const std::string what = e.what();
            EXPECT_EQ(what.rfind("m.json: ", 0), 0U) << what;
            EXPECT_EQ(what.find('\n'), std::string::npos) << what;
            EXPECT_LT(what.size(), 600U) << what;
        }
    }
    EXPECT_GT(refused, 1000);
    EXPECT_GT(built, 20);
}

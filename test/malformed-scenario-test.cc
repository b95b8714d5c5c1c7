// SPDX-License-Identifier: GPL-2.0-only
#include "temporary-folder.h"

#include "ns3/scenario-error.h"
#include "ns3/scenario-file.h"
#include "ns3/scenario-run.h"

#include <gtest/gtest.h>

#include <chrono>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

/// Reads a scenario and puts it together.
void
Load(const JsonValue& json)
{
    const ScenarioFile file = ReadScenarioFile(json);
    for (const ScenarioConfig& config : file.runs)
    {
        ScenarioRun run(config);
    }
}

std::string
ErrorOf(const std::string& text)
{
    try
    {
        Load(JsonValue::Parse(text, "dir/bad.json"));
    }
    catch (const ScenarioError& e)
    {
        return e.what();
    }
    return "accepted";
}

struct Malformed
{
    std::string text;
    std::string error; ///< what it begins with, after the name of the file
};

/// A scenario of a star with other keys.
std::string
Star(const std::string& others)
{
    return R"({"topology": {"type": "star", "host_count": 8}, )" + others + "}";
}

/// A star with one entry of traffic.
std::string
Traffic(const std::string& entry)
{
    return Star(R"("traffic": [{)" + entry + "}]");
}

/// Two hosts at a switch, with nodes and links besides.
std::string
Graph(const std::string& nodes, const std::string& links, const std::string& others = "")
{
    return R"({"topology": {"type": "graph", "nodes": [{"name": "a", "kind": "host"},
        {"name": "b", "kind": "host"}, {"name": "s", "kind": "switch"})" +
           nodes + R"(], "links": [
        {"from": "a", "to": "s", "bandwidth_gbps": 100, "propagation_delay_ns": 100},
        {"from": "b", "to": "s", "bandwidth_gbps": 100, "propagation_delay_ns": 100})" +
           links + "]}" + others + "}";
}

/// Two servers of eight GPUs with one job.
std::string
Job(const std::string& keys)
{
    return R"({"topology": {"type": "rail_optimized", "server_count": 2}, "jobs": [{)" + keys +
           "}]}";
}

const std::string kModel =
    R"("model": {"layer_count": 4, "hidden_size": 1024, "ffn_hidden_size": 4096,
        "attention_head_count": 16, "vocabulary_size": 32000, "sequence_length": 1024}, )";
const std::string kBatch = R"("batch": {"global_batch_size": 16, "micro_batch_size": 1}, )";
const std::string kSplit = R"("parallelism": {"tensor": 8, "data": 2}, )";

void
ExpectErrors(const std::vector<Malformed>& cases)
{
    for (const Malformed& malformed : cases)
    {
        const auto start = std::chrono::steady_clock::now();
        const std::string error = ErrorOf(malformed.text);
        const auto took = std::chrono::steady_clock::now() - start;
        const std::string expected = "dir/bad.json: " + malformed.error;
        EXPECT_EQ(error.substr(0, expected.size()), expected) << error << "\n" << malformed.text;
        EXPECT_LT(error.size(), 500U) << error;
        EXPECT_EQ(error.find_first_of("\n\r\t"), std::string::npos) << error;
        EXPECT_LT(took, std::chrono::seconds(2)) << malformed.text;
    }
}

} // namespace

TEST(MalformedScenario, Text)
{
    ExpectErrors({
        {"", "line 1: found nothing, expected a JSON object"},
        {" \n\t ", "line 1: found nothing, expected a JSON object"},
        {R"({"topology": "star")", "line 1, column 20: "},
        {R"({"topology": {"type": "star", "host_count": )", ""},
        {"[]", "found an array, expected an object"},
        {"null", "found null, expected an object"},
        {"3", "found the number 3, expected an object"},
        {Star(R"("name": "a", "name": "b")"), "name: this key is given twice"},
        {Star(R"("random_seed": 1e400)"), "random_seed: "},
        {Star(R"("random_seed": NaN)"),
         "line 1, column 64: syntax error while parsing value - invalid literal; last read: "
         "'\"random_seed\": N'"},
        {Star(R"("random_seed": Infinity)"),
         "line 1, column 64: syntax error while parsing value - invalid literal; last read: "
         "'\"random_seed\": I'"},
        {Star("\"name\": \"\xff\xfe\""),
         "line 1, column 58: syntax error while parsing value - invalid string: ill-formed UTF-8 "
         "byte; last read: '\"?'"},
        {Star("\"\xc3\x28\": 1"),
         "line 1, column 51: syntax error while parsing object key - invalid string: ill-formed "
         "UTF-8 byte; last read: '\"?('; expected string literal"},
        {std::string("\0\0", 2),
         "line 1, column 1: syntax error while parsing value - unexpected end of input; expected "
         "'[', '{', or a literal"},
        {std::string(100000, '['), "[0][0][0]"},
        {R"({"topology": )" + std::string(100000, '[') + std::string(100000, ']') + "}",
         "topology[0][0][0]"},
        {Star(R"("name": "a",)"),
         "line 1, column 61: syntax error while parsing object key - unexpected '}'; expected "
         "string literal"},
        {Star(R"("name": 'a')"),
         "line 1, column 57: syntax error while parsing value - invalid literal; last read: "
         "'\"name\": ''"},
        {Star(R"("name": "a" // comment
)"),
         "line 1, column 61: syntax error while parsing object - invalid literal; last read: "
         "'\"a\" /'; expected '}'"},
        {"{} {}",
         "line 1, column 4: syntax error while parsing value - unexpected '{'; expected end of "
         "input"},
    });
}

TEST(MalformedScenario, Keys)
{
    ExpectErrors({
        {"{}",
         "topology: missing, expected an object like {\"type\": \"star\", \"host_count\": 16}"},
        {R"({"topolgy": "star"})", "topolgy: unknown key 'topolgy', did you mean 'topology'?"},
        {R"({"topology": null})",
         "topology: missing, expected an object like {\"type\": \"star\", \"host_count\": 16}"},
        {R"({"topology": 3})",
         "topology: found the number 3, expected 'type': one of clos, fat_tree, graph, leaf_spine, "
         "rail_optimized, star, three_tier_tree"},
        {R"({"topology": []})",
         "topology: found an array, expected 'type': one of clos, fat_tree, graph, leaf_spine, "
         "rail_optimized, star, three_tier_tree"},
        {R"({"topology": "stra"})",
         "topology: unknown topology_builder 'stra', did you mean 'star'?"},
        {R"({"topology": {"type": "zzzzzzzz"}})",
         "topology.type: unknown topology_builder 'zzzzzzzz', expected one of clos, fat_tree, "
         "graph, leaf_spine, rail_optimized, star, three_tier_tree"},
        {R"({"topology": {"type": 3}})", "topology.type: found the number 3, expected a string"},
        {R"({"topology": {"host_count": 3}})",
         "topology: found an object, expected 'type': one of clos, fat_tree, graph, leaf_spine, "
         "rail_optimized, star, three_tier_tree"},
        {R"({"topology": {"type": "star", "host_cont": 3}})",
         "topology.host_cont: unknown key, did you mean 'host_count'?"},
        {R"({"topology": {"type": "star", "host_count": "3"}})",
         "topology.host_count: found the string '3', expected an integer from 0"},
        {R"({"topology": {"type": "star", "host_count": null}})",
         "topology.host_count: found null, expected an integer from 1 to 65534"},
        {R"({"topology": {"type": "star", "host_count": 3, "parameters": {"host_count": 3}}})",
         "topology.parameters.host_count: given in topology too, expected one of them"},
        {R"({"topology": {"type": "star", "parameters": 3}})",
         "topology.parameters: found the number 3, expected an object"},
        {R"({"topology": {"type": "star", "links": []}})",
         "topology.links: found an array, expected an object"},
        {R"({"topology": {"type": "star", "links": {"nic_to_spine": {}}}})",
         "topology.links.nic_to_spine: unknown key 'nic_to_spine', expected one of nic_to_leaf"},
        {R"({"topology": {"type": "star", "links": {"nic_to_leaf": 3}}})",
         "topology.links.nic_to_leaf: found the number 3, expected an object"},
        {R"({"topology": {"type": "star", "switches": {"leaf": {"buffer": 3}}}})",
         "topology.switches.leaf.buffer: unknown key, expected one of radix, buffer_bytes, "
         "forwarding_latency_ns"},
        {R"({"topology": {"type": "star", "switches": 3}})",
         "topology.switches: found the number 3, expected an object"},
        {Star(R"("schema_version": "2.0")"),
         "schema_version: found the string '2.0', expected '1.0'"},
        {Star(R"("schema_version": 1)"), "schema_version: found the number 1, expected a string"},
        {Star(R"("description": 1)"), "description: found the number 1, expected a string"},
        {Star(R"("name": "")"),
         "name: found the string '', expected a name on one line, of 1 to 100 bytes"},
        {Star(R"("name": 3)"), "name: found the number 3, expected a string"},
        {Star(R"("name": "a\nb")"),
         "name: found the string 'a\\nb', expected a name on one line, of 1 to 100 bytes"},
        {Star(R"("random_seed": 0)"),
         "random_seed: found the number 0, expected an integer from 1 to 4294967295"},
        {Star(R"("random_seed": -1)"),
         "random_seed: found the number -1, expected an integer from 0"},
        {Star(R"("random_seed": 1.5)"), "random_seed: found the number 1.5, expected an integer"},
        {Star(R"("random_seed": 1180591620717411303424)"),
         "random_seed: found the number 1.1805916207174113e+21, expected an integer"},
        {Star(R"("traffic": {})"), "traffic: found an object, expected an array"},
        {Star(R"("traffic": [3])"), "traffic[0]: found the number 3, expected an object"},
        {Star(R"("jobs": "x")"), "jobs: found the string 'x', expected an array"},
        {Star(R"("network": 3)"), "network: found the number 3, expected an object"},
        {Star(R"("network": {"ecn": 3})"), "network.ecn: found the number 3, expected an object"},
        {Star(R"("network": {"ecn": null})"), "network.ecn: found null, expected an object"},
        {Star(R"("network": {"ecn": {"kmin_byte": 3}})"),
         "network.ecn.kmin_byte: unknown key, did you mean 'kmin_bytes'?"},
        {Star(R"("network": {"mode": "flow"})"),
         "network.mode: found the string 'flow', expected one of packet"},
        {Star(R"("network": {"flow_model": {"x": 3}})"),
         "network.flow_model: not supported: there is no flow mode, every frame is simulated"},
        {Star(R"("transport": {"type": "tcp"})"),
         "transport.type: found the string 'tcp', expected 'rocev2'"},
        {Star(R"("transport": {"congestion_control": "dcqn"})"),
         "transport.congestion_control: unknown congestion_control 'dcqn', did you mean 'dcqcn'?"},
        {Star(R"("transport": {"congestion_control": {"type": "dcqcn", "gane": 1}})"),
         "transport.congestion_control.gane: unknown key, did you mean 'gain'?"},
        {Star(R"("transport": {"congestion_control": null})"),
         "transport.congestion_control: found null, expected an object"},
        {Star(R"("transport": {"congestion_control": 3})"),
         "transport.congestion_control: found the number 3, expected 'type': one of dcqcn, fixed, "
         "none"},
        {Star(R"("network": {"load_balancing": "spray"})"),
         "network.load_balancing: unknown load_balancer 'spray', expected one of ecmp"},
        {Star(R"("network": {"buffer": "huge"})"),
         "network.buffer: unknown buffer_manager 'huge', expected one of dynamic_threshold"},
        {Star(R"("node": "hgx_h200x")"),
         "node: unknown node template 'hgx_h200x', did you mean 'hgx_b200'?"},
        {Star(R"("node": {"template": 3})"),
         "node.template: found the number 3, expected a string"},
        {Star(R"("node": {"nics": {}})"), "node.nics: unknown key 'nics', did you mean 'nic'?"},
        {Star(R"("node": 3)"), "node: found the number 3, expected an object"},
        {Star(R"("faults": [{"kind": "link_down"}])"),
         "faults: not supported: there is no injection of faults; loss_probability and "
         "bit_error_rate of topology.links make links lossy"},
        {Star(R"("operations": {"repair": {"x": 1}})"),
         "operations: not supported: there is neither detection nor recovery of faults"},
        {Star(R"("simulation": {"scheduler": "heep"})"),
         "simulation.scheduler: unknown scheduler 'heep', did you mean 'heap'?"},
        {Star(R"("simulation": {"stop_time": 1})"),
         "simulation.stop_time: unknown key, expected stop_time_ns, stop_time_us, stop_time_ms or "
         "stop_time_s"},
        {Star(R"("simulation": {"stop_time_s": 1, "stop_time_ms": 1000})"),
         "simulation.stop_time_ms: given as 'stop_time_s' too, expected one of the two"},
        {Star(R"("simulation": {"stop_time_s": -1})"),
         "simulation.stop_time_s: found the number -1, expected a time of at least 0"},
        {Star(R"("simulation": {"stop_time_s": 1e30})"),
         "simulation.stop_time_s: found the number 1e+30, expected a time of at least 0, below 106 "
         "days"},
        {Star(R"("simulation": {"stop_time_h": 1})"),
         "simulation.stop_time_h: unknown key, expected stop_time_ns, stop_time_us, stop_time_ms "
         "or stop_time_s"},
        {Star(R"("simulation": {"mpi": {"ranks": 2}})"),
         "simulation.mpi: not supported: a scenario runs on one rank"},
        {Star(R"("outputs": {"reports": ["everything"]})"),
         "outputs.reports[0]: unknown report 'everything', expected one of iteration_time, "
         "bytes_by_parallelism, collective_busbw, communication_share, queue_de"},
        {Star(R"("outputs": {"reports": "queue_depth"})"),
         "outputs.reports: found 'queue_depth', expected a list of reports"},
        {Star(R"("outputs": {"pcap": 3})"), "outputs.pcap: not supported: frames are not captured"},
        {Star(R"("outputs": {"sampling_interval_us": 0})"),
         "outputs.sampling_interval_us: found the number 0, expected a time of at least 0.001"},
        {Star(R"("checks": {})"), "checks: found an object, expected an array"},
        {Star(R"("checks": [{"metric": "x"}])"),
         "checks[0]: expected 'expected', 'minimum' or 'maximum'"},
        {Star(R"("checks": [{"expected": 1}])"), "checks[0].metric: found null, expected a string"},
        {Star(R"("checks": [{"metric": "x", "expected": 1, "relative_tolerance": -1}])"),
         "checks[0].relative_tolerance: found the number -1, expected 0 or more"},
        {Star(R"("checks": [{"metric": "x", "minimum": "1"}])"),
         "checks[0].minimum: found the string '1', expected a number"},
        {Star(R"("variants": [])"),
         "variants: found an empty list, expected variants or no such key"},
        {Star(R"("variants": [{"set": {}}])"), "variants[0].name: found null, expected a string"},
        {Star(R"("variants": [{"name": "a"}, {"name": "a"}])"),
         "variants[1].name: found the string 'a' a second time"},
        {Star(R"("variants": [{"name": "a/b"}])"),
         "variants[0].name: found the string 'a/b', expected a name without '/' and a leading '.'"},
        {Star(R"("variants": [{"name": "a", "set": {"transport.congestion_controll": "hpcc"}}])"),
         "transport.congestion_controll: unknown key, did you mean 'congestion_control'?"},
        {Star(R"("variants": [{"name": "a", "set": {"topology.host_count.x": 3}}])"),
         "topology.host_count: cannot set 'x' in what is no object"},
        {Star(R"("variants": [{"name": "a", "set": {"traffic.5": 3}}])"),
         "traffic: found an object, expected an array"},
        {Star(R"("variants": [{"name": "a", "set": {"a..b": 3}}])"),
         "'a..b' is no path of keys like a.b.0.c"},
        {Star(R"("seeds": [])"), "seeds: found an empty list, expected seeds or no such key"},
        {Star(R"("seeds": 3)"), "seeds: found the number 3, expected an array"},
        {Star(R"("seeds": [1, 1])"), "seeds[1]: found the number 1 a second time"},
        {Star(R"("seeds": [0])"),
         "random_seed: found the number 0, expected an integer from 1 to 4294967295"},
    });
}

TEST(MalformedScenario, Topology)
{
    ExpectErrors({
        {R"({"topology": {"type": "star", "host_count": 0}})",
         "topology.host_count: found the number 0, expected an integer from 1 to 65534"},
        {R"({"topology": {"type": "star", "host_count": 1000000000}})",
         "topology.host_count: found the number 1000000000, expected an integer from 1 to 65534"},
        {R"({"topology": {"type": "star", "host_count": 1180591620717411303424}})",
         "topology.host_count: found the number 1.1805916207174113e+21, expected an integer"},
        {R"({"topology": {"type": "leaf_spine", "leaf_count": 65534, "hosts_per_leaf": 65534}})",
         "topology: the topology has 4294705156 nodes and 4294705156 links or more, expected at "
         "most 2097152 and 4194304"},
        {R"({"topology": {"type": "fat_tree", "k": 5}})",
         "topology.parameters.k: found 5, expected an even number"},
        {R"({"topology": {"type": "fat_tree", "k": 60000}})",
         "topology.k: found the number 60000, expected an integer from 2 to 128"},
        {R"({"topology": {"type": "fat_tree", "k": 0}})",
         "topology.k: found the number 0, expected an integer from 2 to 128"},
        {R"({"topology": {"type": "rail_optimized", "server_count": 1048576,
            "gpus_per_server": 1024, "nics_per_server": 1024}})",
         "topology: the topology has 1073741824 nodes and 1073741824 links or more, expected at "
         "most 2097152 and 4194304"},
        {R"({"topology": {"type": "star", "nics_per_server": 3, "host_count": 8}})",
         "topology.parameters.nics_per_server: servers of 3 NICs with 1 ports do not divide the 8 "
         "hosts"},
        {R"({"topology": {"type": "star", "host_count": 8, "switches": {"leaf": {"radix": 4}}}})",
         "topology.switches.leaf.radix: 'leaf0' has 8 ports, expected no more than its radix of 4"},
        {R"({"topology": {"type": "star", "links": {"nic_to_leaf": {"bandwidth_gbps": -1}}}})",
         "topology.links.nic_to_leaf.bandwidth_gbps: found the number -1, expected a rate above 0 "
         "to 1000000000"},
        {R"({"topology": {"type": "star", "links": {"nic_to_leaf": {"bandwidth_gbps": 0}}}})",
         "topology.links.nic_to_leaf.bandwidth_gbps: found the number 0, expected a rate above 0 "
         "to 1000000000"},
        {R"({"topology": {"type": "star", "links": {"nic_to_leaf": {"bandwidth_gbps": 1e300}}}})",
         "topology.links.nic_to_leaf.bandwidth_gbps: found the number 1e+300, expected a rate "
         "above 0 to 1000000000"},
        {R"({"topology": {"type": "star", "links": {"nic_to_leaf": {"bandwidth_tbps": 1}}}})",
         "topology.links.nic_to_leaf.bandwidth_tbps: unknown key, expected bandwidth_gbps or "
         "bandwidth_mbps"},
        {R"({"topology": {"type": "star", "links": {"nic_to_leaf":
            {"bandwidth_gbps": 1, "bandwidth_mbps": 1000}}}})",
         "topology.links.nic_to_leaf.bandwidth_mbps: given as 'bandwidth_gbps' too, expected one "
         "of the two"},
        {R"({"topology": {"type": "star", "links": {"nic_to_leaf": {"loss_probability": 2}}}})",
         "topology.links.nic_to_leaf.loss_probability: found the number 2, expected a number from "
         "0 to 1"},
        {R"({"topology": {"type": "star", "links": {"nic_to_leaf": {"bit_error_rate": -1}}}})",
         "topology.links.nic_to_leaf.bit_error_rate: found the number -1, expected a number from 0 "
         "to 1"},
        {R"({"topology": {"type": "star", "links": {"nic_to_leaf":
            {"length_km": 1, "propagation_delay_ns": 5000}}}})",
         "topology.links.nic_to_leaf.propagation_delay_ns: given beside length_km, expected one of "
         "the two"},
        {R"({"topology": {"type": "star", "switches": {"leaf": {"buffer_bytes": 0}}}})",
         "topology.switches.leaf.buffer_bytes: found the number 0, expected an integer from 1 to "
         "1099511627776"},
        {R"({"topology": {"type": "graph"}})",
         "topology: the topology has no host, expected at least one"},
        {R"({"topology": {"type": "graph", "nodes": 3}})",
         "topology.nodes: expected a list of objects"},
        {R"({"topology": {"type": "graph", "nodes": "x", "links": []}})",
         "topology.nodes: expected a list of objects"},
        {Graph("", R"(, {"from": "a", "to": "a", "bandwidth_gbps": 1, "length_km": 1})"),
         "topology.links[2].from: host 'a' has a link already, expected one link per host: a host "
         "is one port of a NIC"},
        {Graph("", R"(, {"from": "a", "to": "c", "bandwidth_gbps": 1, "length_km": 1})"),
         "topology.links[2].to: unknown node 'c', did you mean 'a'?"},
        {Graph("", R"(, {"from": "a", "to": "b", "bandwidth_gbps": 1, "length_km": 1})"),
         "topology.links[2].from: host 'a' has a link already, expected one link per host: a host "
         "is one port of a NIC"},
        {Graph("", R"(, {"from": "s", "to": "s", "bandwidth_gbps": 1, "length_km": 1})"),
         "topology.links[2]: both ends are 's', expected two nodes"},
        {Graph(R"(, {"name": "c", "kind": "host"})",
               R"(, {"from": "c", "to": "s", "bandwidth_gbps": -1, "length_km": 1})"),
         "topology.links[2].bandwidth_gbps: found -1, expected 1e-9 to 1e9"},
        {Graph(R"(, {"name": "c", "kind": "host"})",
               R"(, {"from": "c", "to": "s", "bandwidth_gbps": 1e200, "length_km": 1})"),
         "topology.links[2].bandwidth_gbps: found 1e+200, expected 1e-9 to 1e9"},
        {Graph("", R"(, {"from": "a", "to": "s", "bandwidth_gbps": 1})"),
         "topology.links[2]: neither of propagation_delay_ns and length_km given, expected one"},
        {Graph("", R"(, {"from": "a", "to": "s", "length_km": 1})"),
         "topology.links[2].bandwidth_gbps: missing, expected a number"},
        {Graph("", R"(, {"from": 3, "to": "s", "bandwidth_gbps": 1, "length_km": 1})"),
         "topology.links[2].from: found 3, expected a string"},
        {Graph("", R"(, 3)"), "topology.links[2]: found 3, expected an object"},
        {Graph("", R"(, {"from": "a", "to": "s", "rate": 1, "length_km": 1})"),
         "topology.links[2].rate: unknown key, expected one of from, to, bandwidth_gbps, "
         "propagation_delay_ns, length_km, loss_probability, bit_error_rate"},
        {Graph(R"(, {"name": "a", "kind": "host"})", ""),
         "topology.nodes[3].name: 'a' is the name of nodes[0] already, expected a name of its own"},
        {Graph(R"(, {"name": "", "kind": "host"})", ""),
         "topology.nodes[3].name: found '', expected letters, digits, '.', '_' and '-'"},
        {Graph(R"(, {"name": "c/d", "kind": "switch"})", ""),
         "topology.nodes[3].name: found 'c/d', expected letters, digits, '.', '_' and '-'"},
        {Graph(R"(, {"name": "c", "kind": "router"})", ""),
         "topology.nodes[3].kind: unknown kind 'router', expected one of host, switch, gpu, "
         "nvswitch"},
        {Graph(R"(, {"kind": "host"})", ""), "topology.nodes[3].name: missing, expected a string"},
        {Graph(R"(, {"name": "c", "kind": "host"})", ""),
         "topology.nodes[3]: host 'c' has no link, expected one"},
        {Graph(R"(, {"name": "t", "kind": "switch"}, {"name": "c", "kind": "host"})",
               R"(, {"from": "c", "to": "t", "bandwidth_gbps": 1, "length_km": 1})",
               R"(, "traffic": [{"pattern": "flows", "flows":
               [{"source": 0, "destination": 2, "size_bytes": 1}]}])"),
         "topology: there is no path between 'a' and 'c', expected all hosts to reach each other"},
    });
}

TEST(MalformedScenario, Load)
{
    ExpectErrors({
        {Traffic(""),
         "traffic[0]: found an object, expected 'pattern': one of all_to_all, flows, incast, "
         "on_off, permutation, poisson"},
        {Traffic(R"("pattern": "flow")"),
         "traffic[0].pattern: unknown traffic_pattern 'flow', did you mean 'flows'?"},
        {Traffic(R"("pattern": 3)"), "traffic[0].pattern: found the number 3, expected a string"},
        {Traffic(R"("pattern": "flows")"), "traffic[0].flows: expected either flows or a file"},
        {Traffic(R"("pattern": "flows", "flows": 3)"),
         "traffic[0].flows: found no list, expected [{\"source\": …}, …]"},
        {Traffic(R"("pattern": "flows", "flows": [3])"),
         "traffic[0].flows[0]: found 3, expected an object"},
        {Traffic(R"("pattern": "flows", "flows": [{"source": 0}])"),
         "traffic[0].flows[0].destination: missing"},
        {Traffic(
             R"("pattern": "flows", "flows": [{"source": 0, "destination": 8, "size_bytes": 1}])"),
         "traffic[0].flows[0].destination: found '8', expected a whole number from 0 to 7"},
        {Traffic(
             R"("pattern": "flows", "flows": [{"source": 0, "destination": 0, "size_bytes": 1}])"),
         "traffic[0].flows[0].destination: found 0, expected another host than the source"},
        {Traffic(
             R"("pattern": "flows", "flows": [{"source": 0, "destination": 1, "size_bytes": -1}])"),
         "traffic[0].flows[0].size_bytes: found '-1', expected a whole number from 0 to "
         "18446744073709551615"},
        {Traffic(
             R"("pattern": "flows", "flows": [{"source": 0, "destination": 1, "size_bytes": 1e30}])"),
         "traffic[0].flows[0].size_bytes: found '1e+30', expected a whole number from 0 to "
         "18446744073709551615"},
        {Traffic(R"("pattern": "flows", "flows": [{"source": 0, "destination": 1, "size_bytes": 1,
            "start_time_s": -1}])"),
         "traffic[0].flows[0].start_time_s: found '-1', expected a number from 0.0 to 9200000.0"},
        {Traffic(R"("pattern": "flows", "flows": [{"source": 0, "destination": 1, "size_bytes": 1,
            "start_time_s": 1e30}])"),
         "traffic[0].flows[0].start_time_s: found '1e+30', expected a number from 0.0 to "
         "9200000.0"},
        {Traffic(R"("pattern": "flows", "flows": [{"source": 0, "destination": 1, "size_bytes": 1,
            "priority": 9}])"),
         "traffic[0].flows[0].priority: found '9', expected a whole number from 0 to 7"},
        {Traffic(R"("pattern": "flows", "flows": [{"source": 0, "destination": 1, "size": 1}])"),
         "traffic[0].flows[0]: unknown key 'size', expected one of source, destination, "
         "size_bytes, start_time_s, priority, tag, destination_port"},
        {Traffic(R"("pattern": "flows", "file": "none.csv")"),
         "traffic[0].file: found no file 'none.csv', expected one of ali_storage_2019, fb_hadoop, "
         "web_search"},
        {Traffic(R"("pattern": "flows", "file": "/")"),
         "traffic[0].file: found no file '/', expected one of ali_storage_2019, fb_hadoop, "
         "web_search"},
        {Traffic(R"("pattern": "permutation", "sources": "0-8")"),
         "traffic[0].sources: there is no host 8, expected 0 to 7"},
        {Traffic(R"("pattern": "permutation", "sources": "x")"),
         "traffic[0].sources: found 'x', expected hosts as \"all\", \"0-15\" or [3, 7]"},
        {Traffic(R"("pattern": "permutation", "sources": [])"),
         "traffic[0].sources: found '', expected hosts as \"all\", \"0-15\" or [3, 7]"},
        {Traffic(R"("pattern": "permutation", "sources": [99999999999999999999])"),
         "traffic[0].sources: found '1e+20', expected hosts as \"all\", \"0-15\" or [3, 7]"},
        {Traffic(R"("pattern": "permutation", "sources": [0], "destinations": [0])"),
         "traffic[0].destinations: host 0 would send to itself only"},
        {Traffic(R"("pattern": "incast", "sources": "0", "destinations": "0")"),
         "traffic[0].destinations: host 0 would send to itself only"},
        {Traffic(R"("pattern": "permutation", "size_bytes": -1)"),
         "traffic[0].size_bytes: found the number -1, expected an integer from 0"},
        {Traffic(R"("pattern": "permutation", "size_bytes": 1.5)"),
         "traffic[0].size_bytes: found the number 1.5, expected an integer"},
        {Traffic(R"("pattern": "permutation", "size_bytes": 5, "size_distribution": "web_search")"),
         "traffic[0].size_bytes: found beside size_distribution, expected one of them"},
        {Traffic(R"("pattern": "permutation", "size_distribution": "web_serch")"),
         "traffic[0].size_distribution: found no file 'web_serch', did you mean 'web_search'?"},
        {Traffic(R"("pattern": "permutation", "priority": 8)"),
         "traffic[0].priority: found the number 8, expected an integer from 0 to 7"},
        {Traffic(R"("pattern": "poisson")"),
         "traffic[0].duration: missing, expected how long messages begin"},
        {Traffic(R"("pattern": "poisson", "duration_s": 1, "load_ratio": -0.5)"),
         "traffic[0].load_ratio: found the number -0.5, expected a number from 0 to 1"},
        {Traffic(R"("pattern": "poisson", "duration_us": 1, "load_ratio": 1.5)"),
         "traffic[0].load_ratio: found the number 1.5, expected a number from 0 to 1"},
        {Traffic(R"("pattern": "poisson", "duration_s": 1000000, "size_bytes": 1)"),
         "traffic[0]: makes more than 20000000 flows, expected fewer"},
        {Traffic(R"("pattern": "poisson", "duration_us": 1, "size_bytes": 0)"),
         "traffic[0].size_bytes: found 0, expected a size that can make a load"},
        {Traffic(R"("pattern": "permutation", "start_time": 1)"),
         "traffic[0].start_time: unknown key, expected start_time_ns, start_time_us, start_time_ms "
         "or start_time_s"},
        {Traffic(R"("pattern": "permutation", "name": "a b")"),
         "traffic[0].name: found the string 'a b', expected a name of letters, digits and . _ + -, "
         "at most 100"},
        {Traffic(R"("pattern": "permutation", "transport": {"congestion_control": "dcqn"})"),
         "traffic[0].transport.congestion_control: unknown congestion_control 'dcqn', did you mean "
         "'dcqcn'?"},
        {Star(
             R"("traffic": [{"pattern": "incast", "name": "a"}, {"pattern": "incast", "name": "a"}])"),
         "traffic[1].name: the name 'a' is taken by an entry before"},
        {Star(R"("jobs": [{}])"),
         "jobs: found jobs, but no servers with GPUs to run them: expected a topology with servers "
         "(nics_per_server) and a node template with GPUs"},
        {Job(kModel + kBatch + R"("parallelism": {"tensor": 3})"),
         "jobs[0].parallelism.tensor: found 3, expected a divisor of attention_head_count = 16"},
        {Job(kModel + kBatch + R"("parallelism": {"tensor": 0})"),
         "jobs[0].parallelism.tensor: found the number 0, expected an integer from 1 to "
         "4294967295"},
        {Job(kModel + kBatch + R"("parallelism": {"tensor": 8, "data": 1000})"),
         "jobs[0].batch.global_batch_size: found 16, expected a multiple of data x "
         "micro_batch_size = 1000 x 1"},
        {Job(kModel + kBatch + R"("parallelism": {"tensor": 4294967295, "data": 4294967295})"),
         "jobs[0].batch.global_batch_size: found 16, expected a multiple of data x "
         "micro_batch_size = 4294967295 x 1"},
        {Job(kModel + kBatch + R"("parallelism": {"tensr": 8})"),
         "jobs[0].parallelism.tensr: unknown key, did you mean 'tensor'?"},
        {Job(kModel + kSplit + R"("batch": {"global_batch_size": 7, "micro_batch_size": 2})"),
         "jobs[0].batch.global_batch_size: found 7, expected a multiple of data x micro_batch_size "
         "= 2 x 2"},
        {Job(R"("model": {"layer_count": 0})"),
         "jobs[0].model.layer_count: missing or 0, expected at least 1"},
        {Job(R"("model": 3)"), "jobs[0].model: found the number 3, expected an object"},
        {Job(R"("iterations": 0)"),
         "jobs[0].iterations: found the number 0, expected an integer from 1 to 4294967295"},
        {Job(R"("iterations": 1e12)"),
         "jobs[0].iterations: found the number 1000000000000.0, expected an integer from 1 to "
         "4294967295"},
        {Job(kModel + kSplit + kBatch + R"("placement": {"first_server": 9})"),
         "jobs[0].parallelism: tensor x pipeline x data x context = 8 x 1 x 2 x 1 = 16 GPUs from "
         "server 9 on, expected at most the 0 that are there"},
        {Job(R"("name": "a"}, {"name": "a")"),
         "jobs[1].name: the name 'a' is taken by an entry before"},
        {Job(R"("name": "")"),
         "jobs[0].name: found the string '', expected a name of letters, digits and . _ + -, at "
         "most 100"},
        {Job(kModel + kSplit + kBatch + R"("collectives": {"all_reduce": "rng"})"),
         "collectives.all_reduce.algorithm: unknown collective_algorithm 'rng', did you "
         "mean 'ring'?"},
        {Job(kModel + kSplit + kBatch +
             R"("collectives": {"all_reduce": {"algorithm": "ring", "protocol": "ll"}})"),
         "collectives.all_reduce.protocol: found \"ll\", only \"simple\" is modelled: set "
         "the latencies of another protocol with step_latency_intra_ns and s"},
        {Job(R"("workload_file": "x.txt")"),
         "jobs[0].workload_file: not supported: convert it with `aifabric import`"},
        {Job(R"("transport": {"retry_count": 8})"),
         "jobs[0].transport.retry_count: found the number 8, expected an integer from 0 to 7"},
        {R"({"topology": {"type": "rail_optimized"}, "node": "single_nic_host", "jobs": [{}]})",
         "jobs: found jobs, but no servers with GPUs to run them: expected a topology with servers "
         "(nics_per_server) and a node template with GPUs"},
    });
}

TEST(MalformedScenario, Network)
{
    ExpectErrors({
        {Star(R"("network": {"mtu_payload_bytes": 0})"),
         "network.mtu_payload_bytes: found the number 0, expected an integer from 64 to 65000"},
        {Star(R"("network": {"mtu_payload_bytes": 1e9})"),
         "network.mtu_payload_bytes: found the number 1000000000.0, expected an integer from 64 to "
         "65000"},
        {Star(R"("network": {"ecn": {"kmin_bytes": 100, "kmax_bytes": 50}})"),
         "network.ecn.kmin_bytes: found 100, expected at most kmax_bytes, 50"},
        {Star(R"("network": {"ecn": {"pmax": 1.5}})"),
         "network.ecn.pmax: found the number 1.5, expected a number from 0 to 1"},
        {Star(R"("network": {"ecn": {"thresholds": 3}})"),
         "network.ecn.thresholds: found 3, expected a list of objects"},
        {Star(R"("network": {"ecn": {"thresholds": [{"bandwidth_gbps": 100}]}})"),
         "network.ecn.thresholds[0]: expected a key 'kmin_bytes'"},
        {Star(R"("network": {"ecn": {"thresholds": [{"bandwidth_gbps": 100, "kmin_bytes": 5,
            "kmax_bytes": 1, "pmax": 1}]}})"),
         "network.ecn.thresholds[0].kmin_bytes: found 5, expected at most kmax_bytes, 1"},
        {Star(R"("network": {"pfc": {"lossless_priorities": [9]}})"),
         "network.pfc.lossless_priorities: found [9], expected a list of priorities from 0 to 7"},
        {Star(R"("network": {"pfc": {"lossless_priorities": "x"}})"),
         "network.pfc.lossless_priorities: found x, expected a list of priorities from 0 to 7"},
        {R"({"topology": {"type": "star", "switches": {"leaf": {"buffer_bytes": 1000}}}})",
         "topology.switches.leaf.buffer_bytes: found 1000, expected more than the headrooms of all "
         "lossless ingresses, 295552"},
        {Star(R"("transport": {"congestion_control": {"type": "dcqcn", "variant": "paper",
            "cut_interval_us": 4}})"),
         "transport.congestion_control.cut_interval: found +4us, expected none: it belongs to "
         "variant 'connectx', and this is 'paper'"},
        {Star(R"("transport": {"congestion_control": {"type": "dcqcn", "variant": "melanox"}})"),
         "transport.congestion_control.variant: found the string 'melanox', expected one of paper, "
         "connectx"},
        {Star(R"("transport": {"congestion_control": {"type": "dcqcn", "gain": 7}})"),
         "transport.congestion_control.gain: found the number 7, expected a number from 0 to 1"},
        {Star(R"("transport": {"congestion_control": {"type": "dcqcn",
            "minimum_rate_mbps": -7}})"),
         "transport.congestion_control.minimum_rate_mbps: unknown key, did you mean "
         "'min_rate_mbps'?"},
        {Star(R"("transport": {"data_priority": 9})"),
         "transport.data_priority: found the number 9, expected an integer from 0 to 7"},
        {Star(R"("transport": {"ack_interval": 0})"),
         "transport.ack_interval: found the number 0, expected an integer from 1 to 65535"},
        {Star(R"("node": {"nic": {"processing_latency_ns": -1}})"),
         "node.nic.processing_latency_ns: found the number -1, expected a time of at least 0"},
    });
}

TEST(MalformedScenario, Files)
{
    TemporaryFolder folder;
    auto errorOf = [](const std::string& path) -> std::string {
        try
        {
            Load(JsonValue::ReadFile(path));
        }
        catch (const ScenarioError& e)
        {
            return e.what();
        }
        return "accepted";
    };
    const std::string empty = folder.Write("empty.json", "");
    EXPECT_EQ(errorOf(empty), empty + ": line 1: found nothing, expected a JSON object");
    EXPECT_EQ(errorOf("none.json"), "none.json: no such file, or it cannot be read");
    EXPECT_EQ(errorOf(folder.Path()), folder.Path() + ": is a directory, expected a JSON file");
    // What a scenario names is looked for beside it, and its own mistakes name its line.
    folder.Write("flows.csv", "source,destination,size_bytes\n0,1,100\n0,9,100\n");
    const std::string good =
        folder.Write("s.json", Traffic(R"("pattern": "flows", "file": "flows.csv")"));
    EXPECT_EQ(errorOf(good).find("line 3") == std::string::npos, false) << errorOf(good);
}

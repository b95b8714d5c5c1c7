// SPDX-License-Identifier: GPL-2.0-only
#include "malformed-scenario.h"
#include "temporary-folder.h"

using namespace ns3;
using namespace ns3::aifabric;

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
         "topology: found the number 3, expected 'type': one of clos, "
         "dragonfly, fat_tree, graph, leaf_spine, multi_dc, rail_only, rail_optimized, "
         "rail_optimized_dual_plane, star, three_tier_tree, torus_3d"},
        {R"({"topology": []})",
         "topology: found an array, expected 'type': one of clos, "
         "dragonfly, fat_tree, graph, leaf_spine, multi_dc, rail_only, rail_optimized, "
         "rail_optimized_dual_plane, star, three_tier_tree, torus_3d"},
        {R"({"topology": "stra"})",
         "topology: unknown topology_builder 'stra', did you mean 'star'?"},
        {R"({"topology": {"type": "zzzzzzzz"}})",
         "topology.type: unknown topology_builder 'zzzzzzzz', expected one of clos, "
         "dragonfly, fat_tree, graph, leaf_spine, multi_dc, rail_only, rail_optimized, "
         "rail_optimized_dual_plane, star, three_tier_tree, torus_3d"},
        {R"({"topology": {"type": 3}})", "topology.type: found the number 3, expected a string"},
        {R"({"topology": {"host_count": 3}})",
         "topology: found an object, expected 'type': one of clos, "
         "dragonfly, fat_tree, graph, leaf_spine, multi_dc, rail_only, rail_optimized, "
         "rail_optimized_dual_plane, star, three_tier_tree, torus_3d"},
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
         "topology.switches.leaf.buffer: unknown key, expected one of radix, buffer_bytes, preset, "
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
         "transport.congestion_control: found the number 3, expected 'type': one of dcqcn, "},
        {Star(R"("network": {"load_balancing": "spray"})"),
         "network.load_balancing: unknown load_balancer 'spray', expected one of adaptive, "
         "drill, "},
        {Star(R"("network": {"buffer": "huge"})"),
         "network.buffer: unknown buffer_manager 'huge', expected one of abm, dynamic_threshold, "
         "static_threshold"},
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
         "bytes_by_parallelism, collective_busbw, communication_share, fct_text"},
        {Star(R"("outputs": {"reports": "queue_depth"})"),
         "outputs.reports: found the string 'queue_depth', expected an array"},
        {Star(R"("outputs": {"pcap": 3})"),
         "outputs.pcap: found the number 3, expected true or false or an array"},
        {Star(R"("outputs": {"pcap": [3]})"),
         "outputs.pcap[0]: found the number 3, expected a string"},
        {Star(R"("outputs": {"pcap": ["leaf0.port0", "leef0.port1"]})"),
         "outputs.pcap[1]: unknown port 'leef0.port1', did you mean 'leaf0.port1'?"},
        {Star(R"("outputs": {"pcap": ["x"]})"),
         "outputs.pcap[0]: unknown port 'x', expected one of"},
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
         "variants[0].set.transport.congestion_controll: unknown key, did you mean "
         "'congestion_control'?"},
        {Star(R"("variants": [{"name": "a", "set": {"topology.host_count.x": 3}}])"),
         "variants[0].set.topology.host_count.x: cannot set 'x' in what is no object"},
        {Star(R"("variants": [{"name": "a", "set": {"traffic.5": 3}}])"),
         "traffic: found an object, expected an array"},
        {Star(R"("variants": [{"name": "a", "set": {"a..b": 3}}])"),
         "variants[0].set.a..b: 'a..b' is no path of keys like a.b.0.c"},
        {Star(R"("variants": [[]])"), "variants[0]: found an empty list, expected variants"},
        {Star(R"("variants": [[{"name": "a"}], {"name": "b"}])"),
         "variants[1]: found an object, expected an array"},
        {Star(R"("variants": [{"name": "a"}, [{"name": "b"}]])"),
         "variants[1]: found an array, expected an object"},
        {Star(R"("variants": [[{"name": "a"}, {"name": "a"}], [{"name": "b"}]])"),
         "variants[0][1].name: found the string 'a' a second time"},
        {Star(
             R"("variants": [[{"name": "a"}, {"name": "a_b"}], [{"name": "b_c"}, {"name": "c"}]])"),
         "variants[1][1].name: found the string 'c' a second time, in 'a_b_c'"},
        {Star(R"("name": null)"), "name: found null, expected a value or no such key"},
        {Star(R"("traffic": null)"), "traffic: found null, expected a value or no such key"},
        {Star(R"("variants": [{"name": "a", "set": null}])"),
         "variants[0].set: found null, expected a value or no such key"},
        {Star(R"("variants": [{"name": "a", "set": {"network": null}}])"),
         "variants[0].set.network: found null, expected a value or no such key"},
        {Star(R"("seeds": [3, null])"), "seeds[1]: found null, expected a value or no such key"},
        {Star(R"("seeds": [])"), "seeds: found an empty list, expected seeds or no such key"},
        {Star(R"("seeds": 3)"), "seeds: found the number 3, expected an array"},
        {Star(R"("seeds": [1, 1])"), "seeds[1]: found the number 1 a second time"},
        {Star(R"("seeds": [0])"),
         "seeds[0]: found the number 0, expected an integer from 1 to 4294967295"},
    });
}

TEST(MalformedScenario, Files)
{
    TemporaryFolder folder;
    auto errorOf = [](const std::string& path) {
        return ErrorOf([&] { ReadAndBuild(JsonValue::ReadFile(path)); });
    };
    const std::string empty = folder.Write("empty.json", "");
    EXPECT_EQ(errorOf(empty), empty + ": line 1: found nothing, expected a JSON object");
    EXPECT_EQ(errorOf("none.json"), "none.json: no such file, or it cannot be read");
    EXPECT_EQ(errorOf(folder.Path()), folder.Path() + ": is a directory, expected a JSON file");
    // What a scenario names is looked for beside it, and its own mistakes name its line.
    folder.Write("flows.csv", "source,destination,size_bytes\n0,1,100\n0,9,100\n");
    const std::string good =
        folder.Write("s.json", Traffic(R"("pattern": "flows", "file": "flows.csv")"));
    EXPECT_NE(errorOf(good).find("line 3"), std::string::npos) << errorOf(good);
}

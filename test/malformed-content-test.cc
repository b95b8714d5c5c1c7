// SPDX-License-Identifier: GPL-2.0-only
#include "malformed-scenario.h"

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

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

} // namespace

TEST(MalformedContent, Topology)
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
         "topology.k: found 5, expected an even number"},
        {R"({"topology": {"type": "fat_tree", "k": 60000}})",
         "topology.k: found the number 60000, expected an integer from 2 to 128"},
        {R"({"topology": {"type": "fat_tree", "k": 0}})",
         "topology.k: found the number 0, expected an integer from 2 to 128"},
        {R"({"topology": {"type": "rail_optimized", "server_count": 1048576,
            "gpus_per_server": 1024, "nics_per_server": 1024}})",
         "topology: the topology has 1073741824 nodes and 1073741824 links or more, expected at "
         "most 2097152 and 4194304"},
        {R"({"topology": {"type": "star", "nics_per_server": 3, "host_count": 8}})",
         "topology.nics_per_server: servers of 3 NICs with 1 ports do not divide the 8 hosts"},
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
        {R"({"topology": {"type": "star", "switches": {"leaf":
            {"preset": "tomahawk4", "buffer_bytes": 1000000}}}})",
         "topology.switches.leaf.buffer_bytes: given beside preset, expected one of the two"},
        {R"({"topology": {"type": "star", "switches": {"leaf": {"preset": "tomahawk44"}}}})",
         "topology.switches.leaf.preset: found the string 'tomahawk44', did you mean 'tomahawk4'?"},
        {R"({"topology": {"type": "graph"}})",
         "topology: the topology has no host, expected at least one"},
        {R"({"topology": {"type": "graph", "nodes": 3}})",
         "topology.nodes: found the number 3, expected an array"},
        {R"({"topology": {"type": "graph", "nodes": "x", "links": []}})",
         "topology.nodes: found the string 'x', expected an array"},
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

TEST(MalformedContent, Load)
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
         "traffic[0].flows: found the number 3, expected an array"},
        {Traffic(R"("pattern": "flows", "flows": [3])"),
         "traffic[0].flows[0]: found 3, expected an object"},
        {Traffic(R"("pattern": "flows", "flows": [{"source": 0}])"),
         "traffic[0].flows[0].destination: missing"},
        {Traffic(
             R"("pattern": "flows", "flows": [{"source": 0, "destination": 8, "size_bytes": 1}])"),
         "traffic[0].flows[0].destination: found '8', expected a whole number from 0 to 7"},
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
         "traffic[0].load_ratio: found the number -0.5, expected a number of at least 0"},
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
         "jobs[0].collectives.all_reduce.algorithm: unknown collective_algorithm 'rng', did you "
         "mean 'ring'?"},
        {Job(kModel + kSplit + kBatch +
             R"("collectives": {"all_reduce": {"algorithm": "ring", "protocol": "ll"}})"),
         "jobs[0].collectives.all_reduce.protocol: found \"ll\", only \"simple\" is modelled: set "
         "the latencies of another protocol with step_latency_intra_ns and step_latency_inter_ns"},
        {Job(R"("workload_file": "x.txt")"),
         "jobs[0].workload_file: not supported: convert it with `aifabric import`"},
        {Job(R"("transport": {"retry_count": 8})"),
         "jobs[0].transport.retry_count: found the number 8, expected an integer from 0 to 7"},
        {R"({"topology": {"type": "rail_optimized"}, "node": "single_nic_host", "jobs": [{}]})",
         "jobs: found jobs, but no servers with GPUs to run them: expected a topology with servers "
         "(nics_per_server) and a node template with GPUs"},
    });
}

TEST(MalformedContent, Network)
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
         "network.ecn.thresholds: found the number 3, expected an array"},
        {Star(R"("network": {"ecn": {"thresholds": [{"bandwidth_gbps": 100}]}})"),
         "network.ecn.thresholds[0]: expected a key 'kmin_bytes'"},
        {Star(R"("network": {"ecn": {"thresholds": [{"bandwidth_gbps": 100, "kmin_bytes": 5,
            "kmax_bytes": 1, "pmax": 1}]}})"),
         "network.ecn.thresholds[0].kmin_bytes: found 5, expected at most kmax_bytes, 1"},
        {Star(R"("network": {"ecn": {"thresholds": [{"priority": 8, "kmin_bytes": 5,
            "kmax_bytes": 5, "pmax": 1}]}})"),
         "network.ecn.thresholds[0].priority: found 8, expected an integer from 0 to 7"},
        {Star(R"("network": {"ecn": {"thresholds": [{"pmx": 1}]}})"),
         "network.ecn.thresholds[0]: unknown key 'pmx', did you mean 'pmax'?"},
        {Star(R"("network": {"ecn": {"position": "middle"}})"),
         "network.ecn.position: found the string 'middle', expected one of dequeue, enqueue"},
        {Star(R"("network": {"buffer": {"priorities": [{"priority": 1, "limit_bytes": 5}]}})"),
         "network.buffer.priorities[0]: unknown key 'limit_bytes', expected one of priority, "
         "reserved_bytes, alpha"},
        {Star(R"("network": {"buffer": {"type": "static_threshold", "priorities": [{}]}})"),
         "network.buffer.priorities[0]: expected a key 'priority'"},
        {Star(R"("network": {"buffer": {"reserved_bytes": 67108864}})"),
         "topology.switches.leaf.buffer_bytes: found 67108864, expected more than the headrooms"},
        {Star(R"("network": {"pfc": {"lossless_priorities": [9]}})"),
         "network.pfc.lossless_priorities: found [9], expected a list of priorities from 0 to 7"},
        {Star(R"("network": {"pfc": {"lossless_priorities": "x"}})"),
         "network.pfc.lossless_priorities: found the string 'x', expected an array"},
        {R"({"topology": {"type": "star", "switches": {"leaf": {"buffer_bytes": 1000}}}})",
         "topology.switches.leaf.buffer_bytes: found 1000, expected more than the headrooms of all "
         "lossless ingresses, 295552"},
        {Star(R"("transport": {"congestion_control": {"type": "dcqcn", "variant": "paper",
            "cut_interval_us": 4}})"),
         "transport.congestion_control.cut_interval_us: found 4 us, expected none: it belongs to "
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

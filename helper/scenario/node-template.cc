// SPDX-License-Identifier: GPL-2.0-only
#include "node-template.h"

#include "ns3/scenario-error.h"

#include <algorithm>

namespace ns3::aifabric
{

namespace
{

/*
 * Links per GPU and switches per server: NVIDIA's descriptions of the HGX boards. The rate is that of
 * one NVLink in one direction; the efficiency is the usable share that NCCL's planner counts with
 * (20.0, 20.6 and 40.1 GB/s of 25, 25 and 50). Peak TFLOPS are dense BF16 of the data sheets. A 400
 * Gb/s NIC needs PCIe 5, one of 200 Gb/s is served by PCIe 4. What an A100 achieves is what Narayanan
 * et al. report of a model of 1T parameters (SC'21).
 */
constexpr const char* kTemplates = R"json({
  "single_nic_host": {
    "nic": {"bandwidth_gbps": 400, "ports": 1}
  },
  "hgx_a100": {
    "gpu": {"model": "A100-SXM", "peak_tflops": 312, "achieved_tflops": 163,
            "hbm_bandwidth_gbytes_per_s": 2039},
    "scale_up": {"type": "nvswitch", "switch_count": 6, "links_per_gpu": 12,
                 "link_bandwidth_gbps": 200, "efficiency": 0.8, "hop_latency_ns": 936,
                 "in_network_reduction": false},
    "pcie": {"generation": 4, "lanes": 16, "max_payload_size_bytes": 256},
    "nic": {"bandwidth_gbps": 200, "ports": 1}
  },
  "hgx_h100": {
    "gpu": {"model": "H100-SXM", "peak_tflops": 989, "hbm_bandwidth_gbytes_per_s": 3350},
    "scale_up": {"type": "nvswitch", "switch_count": 4, "links_per_gpu": 18,
                 "link_bandwidth_gbps": 200, "efficiency": 0.824, "hop_latency_ns": 936,
                 "in_network_reduction": false},
    "pcie": {"generation": 5, "lanes": 16, "max_payload_size_bytes": 256},
    "nic": {"bandwidth_gbps": 400, "ports": 1}
  },
  "hgx_h800": {
    "gpu": {"model": "H800-SXM", "peak_tflops": 989, "hbm_bandwidth_gbytes_per_s": 3350},
    "scale_up": {"type": "nvswitch", "switch_count": 4, "links_per_gpu": 8,
                 "link_bandwidth_gbps": 200, "efficiency": 0.824, "hop_latency_ns": 936,
                 "in_network_reduction": false},
    "pcie": {"generation": 5, "lanes": 16, "max_payload_size_bytes": 256},
    "nic": {"bandwidth_gbps": 400, "ports": 1}
  },
  "hgx_b200": {
    "gpu": {"model": "B200-SXM", "peak_tflops": 2250, "hbm_bandwidth_gbytes_per_s": 8000},
    "scale_up": {"type": "nvswitch", "switch_count": 2, "links_per_gpu": 18,
                 "link_bandwidth_gbps": 400, "efficiency": 0.802, "hop_latency_ns": 936,
                 "in_network_reduction": false},
    "pcie": {"generation": 5, "lanes": 16, "max_payload_size_bytes": 256},
    "nic": {"bandwidth_gbps": 400, "ports": 1}
  }
})json";

} // namespace

std::vector<std::string>
NodeTemplateNames()
{
    std::vector<std::string> names = JsonValue::Parse(kTemplates).Keys();
    std::sort(names.begin(), names.end());
    return names;
}

JsonValue
GetNodeTemplate(const std::string& name)
{
    JsonValue found = JsonValue::Parse(kTemplates, "node templates")[name];
    if (found.IsNull())
    {
        throw ScenarioError(
            "", "unknown node template '" + name + "'" + SuggestFrom(name, NodeTemplateNames()));
    }
    return found;
}

} // namespace ns3::aifabric

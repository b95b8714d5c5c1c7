// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-settings.h"

#include "ns3/node-template.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace ns3::aifabric
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr double kKilobyte = 1000;
constexpr uint64_t kMebibyte = 1 << 20;
constexpr double kKminPer25G = 100 * kKilobyte;
constexpr double kKmaxPer25G = 400 * kKilobyte;
constexpr double kPmax = 0.2;

/// Marks of each link rate: by table, by the single values of ns3-rdma, or HPCC's defaults.
Json
ReadEcn(const HpccConfig& config, const HpccTopology& topology, std::vector<std::string>& warnings)
{
    constexpr double kMost = 4e6;
    std::map<double, std::pair<double, double>> bounds;
    std::map<double, double> shares;
    for (auto [rate, kilobytes] : config.ByRate("KMIN_MAP", kMost))
    {
        bounds[rate].first = kilobytes * kKilobyte;
    }
    for (auto [rate, kilobytes] : config.ByRate("KMAX_MAP", kMost))
    {
        bounds[rate].second = kilobytes * kKilobyte;
    }
    for (auto [rate, share] : config.ByRate("PMAX_MAP", 1))
    {
        shares[rate] = share;
    }
    const bool single = config.Has("KMIN") && config.Has("KMAX");
    const double kmin = config.Number("KMIN", 0, 0, kMost) * kKilobyte;
    const double kmax = config.Number("KMAX", 0, 0, kMost) * kKilobyte;
    const double pmax = config.Number("PMAX", kPmax, 0, 1);

    Json thresholds = Json::array();
    for (double rate : topology.Rates())
    {
        double scale = rate / 25e9;
        std::pair<double, double> k{kKminPer25G * scale, kKmaxPer25G * scale};
        if (bounds.count(rate))
        {
            k = bounds[rate];
        }
        else if (single)
        {
            k = {kmin, kmax};
        }
        else if (!bounds.empty())
        {
            warnings.push_back("KMIN_MAP and KMAX_MAP have no entry for " +
                               Json(rate / 1e9).dump() + " Gb/s: 100 and 400 KB per 25 Gb/s taken");
        }
        if (k.first > k.second)
        {
            config.Fail(bounds.count(rate) ? "KMIN_MAP" : "KMIN",
                        "marking begins above its end at " + Json(rate / 1e9).dump() +
                            " Gb/s, expected Kmin up to Kmax");
        }
        thresholds.push_back({{"bandwidth_gbps", rate / 1e9},
                              {"kmin_bytes", std::llround(k.first)},
                              {"kmax_bytes", std::llround(k.second)},
                              {"pmax", shares.count(rate) ? shares[rate] : pmax}});
    }
    return {{"enabled", config.Flag("ENABLE_QCN", true)}, {"thresholds", thresholds}};
}

std::string
ReadLoadBalancing(const HpccConfig& config)
{
    static const std::map<uint64_t, std::string> kModes{
        {0, "ecmp"}, {2, "drill"}, {3, "conga"}, {6, "letflow"}, {9, "conweave"}};
    uint64_t mode = config.Whole("LB_MODE", 0, 0, 9);
    if (kModes.count(mode) == 0)
    {
        config.Fail("LB_MODE",
                    "found LB_MODE " + std::to_string(mode) +
                        ", expected 0 (ECMP), 2 (DRILL), 3 (CONGA), 6 (LetFlow) or 9 "
                        "(ConWeave)");
    }
    config.Use("FLOW_LEVEL_ECMP");
    return config.Flag("PACKET_LEVEL_ECMP", false) ? "random_spray" : kModes.at(mode);
}

Json
ReadNetwork(const HpccConfig& config,
            const HpccTopology& topology,
            uint8_t priorities,
            std::vector<std::string>& warnings)
{
    Json lossless = Json::array();
    for (int priority = 0; priority < 8; ++priority)
    {
        if (priorities >> priority & 1)
        {
            lossless.push_back(priority);
        }
    }
    if (!config.Flag("USE_DYNAMIC_PFC_THRESHOLD", true))
    {
        warnings.push_back("USE_DYNAMIC_PFC_THRESHOLD 0: thresholds are dynamic all the same");
    }
    return {{"header_profile", "hpcc"},
            {"mtu_payload_bytes", HpccSettings::PacketBytes(config)},
            {"load_balancing", ReadLoadBalancing(config)},
            {"buffer", {{"type", "dynamic_threshold"}, {"scale_with_rate", true}}},
            {"pfc",
             {{"enabled", config.Flag("ENABLE_PFC", true)},
              {"lossless_priorities", lossless},
              {"dynamic_threshold_alpha", 0.125},
              {"sticky", true}}},
            {"ecn", ReadEcn(config, topology, warnings)}};
}

Json
ReadTransport(const HpccConfig& config, uint8_t priorities, std::vector<std::string>& warnings)
{
    constexpr uint32_t kControlPriority = 6;
    int lowest = 0;
    while (!(priorities >> lowest & 1))
    {
        ++lowest;
    }
    const bool ackFirst = config.Flag("ACK_HIGH_PRIO", false);
    if (!ackFirst && priorities != 1U << lowest)
    {
        warnings.push_back("acknowledgements of all flows have priority " + std::to_string(lowest));
    }
    uint64_t payload = HpccSettings::PacketBytes(config);
    uint64_t ackBytes = config.Whole("L2_ACK_INTERVAL", 1, 0, 1'000'000'000);
    if (ackBytes == 0)
    {
        warnings.push_back("L2_ACK_INTERVAL 0: every packet is acknowledged all the same");
    }
    if (config.Flag("L2_BACK_TO_ZERO", false))
    {
        warnings.push_back("L2_BACK_TO_ZERO 1: losses are recovered by go-back-N");
    }
    if (config.Flag("HAS_WIN", false) && !config.Flag("VAR_WIN", false))
    {
        warnings.push_back("VAR_WIN 0: windows follow the rate all the same");
    }
    if (config.Flag("GLOBAL_T", false))
    {
        warnings.push_back("GLOBAL_T 1: each flow has the base RTT of its own path all the same");
    }
    // 4.096 us * 2^8: code 8 of a queue pair's local ACK timeout.
    constexpr double kTimeoutUs = 1048.576;
    std::string control = HpccCongestionControl(config, warnings);
    return {{"congestion_control", Json::parse(control)},
            {"retransmission", config.Flag("ENABLE_IRN", false) ? "selective_repeat" : "go_back_n"},
            {"retransmission_timeout_us", kTimeoutUs},
            {"retry_count", 7},
            {"ack_interval", std::clamp<uint64_t>((ackBytes + payload - 1) / payload, 1, 65535)},
            {"ack_priority", ackFirst ? kControlPriority : lowest}};
}

/// Hosts without latency; with the NVLinks of SimAI's servers, and what computes there.
Json
WriteNode(const HpccTopology& topology, std::vector<std::string>& warnings)
{
    Json node{{"template", "single_nic_host"}, {"nic", {{"processing_latency_ns", 0}}}};
    if (!topology.servers)
    {
        return node;
    }
    const HpccTopology::Servers& servers = *topology.servers;
    static const std::map<std::string, std::string> kTemplates{
        {"A100", "hgx_a100"}, {"A800", "hgx_a100"}, {"H100", "hgx_h100"}, {"H800", "hgx_h800"}};
    const auto found = kTemplates.find(servers.gpuType);
    if (found == kTemplates.end())
    {
        warnings.push_back("GPU type '" + Printable(servers.gpuType) +
                           "' is not known: an H100 computes in its place");
    }
    const std::string like = found == kTemplates.end() ? "hgx_h100" : found->second;
    node["gpu"] = Json::parse(GetNodeTemplate(like)["gpu"].ToText());
    const uint32_t links = std::max(servers.nvLinks, 1U);
    const uint32_t perServer = servers.nvSwitches / (topology.hostCount / servers.gpus);
    node["scale_up"] = {{"links_per_gpu", links},
                        {"switch_count", std::clamp(perServer, 1U, links)},
                        {"efficiency", 1},
                        {"hop_latency_ns", static_cast<double>(servers.nvLinkDelay) / kNanosecond}};
    if (servers.nvLinks > 0)
    {
        node["scale_up"]["link_bandwidth_gbps"] = servers.nvLinkRate / 1e9;
    }
    return node;
}

/// "LINK_DOWN t a b": the link between a and b fails t us after 2 s, for good. No scenario can say so.
void
WarnOfFault(const HpccConfig& config,
            const HpccTopology& topology,
            std::vector<std::string>& warnings)
{
    const std::vector<double> down = config.Numbers("LINK_DOWN", 3);
    if (down.empty() || down == std::vector<double>{0, 0, 0})
    {
        return;
    }
    auto isIt = [&](const HpccTopology::Cable& c) {
        return (c.from == down[1] && c.to == down[2]) || (c.from == down[2] && c.to == down[1]);
    };
    auto cable = std::find_if(topology.cables.begin(), topology.cables.end(), isIt);
    if (cable == topology.cables.end() || down[0] > 1e12)
    {
        config.Fail("LINK_DOWN", "LINK_DOWN names no link, expected 'microseconds node node'");
    }
    warnings.push_back("LINK_DOWN: the link between " + topology.Name(cable->from) + " and " +
                       topology.Name(cable->to) + " stays up, there are no faults");
}

} // namespace

HpccSettings::HpccSettings(const HpccConfig& config,
                           const HpccTopology& topology,
                           uint8_t priorities)
{
    priorities = priorities == 0 ? 1U << 3 : priorities;
    // Files come as arguments; pauses last until they are taken back; the run lasts as long as it
    // takes.
    for (const char* key : {"TOPOLOGY_FILE", "FLOW_FILE", "FLOW_INPUT_FILE", "TRACE_FILE"})
    {
        config.Use(key);
    }
    const uint64_t buffer = config.Whole("BUFFER_SIZE", 32, 1, 1 << 20) * kMebibyte;
    switches = Json{{"switch", {{"buffer_bytes", buffer}, {"forwarding_latency_ns", 0}}}}.dump();
    blocks.emplace_back("node", WriteNode(topology, warnings).dump());
    blocks.emplace_back("network", ReadNetwork(config, topology, priorities, warnings).dump());
    blocks.emplace_back("transport", ReadTransport(config, priorities, warnings).dump());
    WarnOfFault(config, topology, warnings);
    constexpr double kForever = 1e6;
    double stop = config.Number("SIMULATOR_STOP_TIME", kForever, 0, 1e300);
    if (stop > 0 && stop < kForever)
    {
        blocks.emplace_back("simulation", Json{{"stop_time_s", stop}}.dump());
    }
    if (config.Has("RANDOM_SEED"))
    {
        blocks.emplace_back("random_seed",
                            std::to_string(config.Whole("RANDOM_SEED", 1, 1, 4294967295)));
    }
    std::string unused;
    for (const auto& key : config.Unused())
    {
        unused += (unused.empty() ? "left out " : ", ") + key;
    }
    if (!unused.empty())
    {
        notices.push_back(unused);
    }
    for (const auto& sentence : config.Unknown())
    {
        warnings.push_back(sentence);
    }
}

uint32_t
HpccSettings::PacketBytes(const HpccConfig& config)
{
    return static_cast<uint32_t>(config.Whole("PACKET_PAYLOAD_SIZE", 1000, 64, 65000));
}

double
HpccSettings::LossProbability(const HpccConfig& config)
{
    return config.Number("ERROR_RATE_PER_LINK", 0, 0, 1);
}

} // namespace ns3::aifabric

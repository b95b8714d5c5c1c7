// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-config.h"

#include "ns3/scenario-error.h"

#include <algorithm>

namespace ns3::aifabric
{

namespace
{

/// What HPCC's, ns3-rdma's, ConWeave's, ASTRA-sim's and SimAI's simulators read, sorted.
const std::vector<std::string> kKnown{"ACK_HIGH_PRIO",
                                      "ALPHA_RESUME_INTERVAL",
                                      "APP_START_TIME",
                                      "APP_STOP_TIME",
                                      "BUFFER_SIZE",
                                      "BW_MON_FILE",
                                      "BW_MON_INTERVAL",
                                      "BYTE_COUNTER",
                                      "CC_MODE",
                                      "CLAMP_TARGET_RATE",
                                      "CNP_INTERVAL",
                                      "CNP_MON_FILE",
                                      "CNP_OUTPUT_FILE",
                                      "CONN_MON_FILE",
                                      "DCTCP_RATE_AI",
                                      "ENABLE_IRN",
                                      "ENABLE_PFC",
                                      "ENABLE_QCN",
                                      "ENABLE_TRACE",
                                      "ERROR_RATE_PER_LINK",
                                      "EST_ERROR_MON_FILE",
                                      "EST_ERROR_OUTPUT_FILE",
                                      "EWMA_GAIN",
                                      "FAST_REACT",
                                      "FAST_RECOVERY_TIMES",
                                      "FCT_OUTPUT_FILE",
                                      "FLOWGEN_START_TIME",
                                      "FLOWGEN_STOP_TIME",
                                      "FLOW_FILE",
                                      "FLOW_INPUT_FILE",
                                      "FLOW_LEVEL_ECMP",
                                      "GLOBAL_T",
                                      "HAS_WIN",
                                      "INT_MULTI",
                                      "KMAX",
                                      "KMAX_MAP",
                                      "KMIN",
                                      "KMIN_MAP",
                                      "L2_ACK_INTERVAL",
                                      "L2_BACK_TO_ZERO",
                                      "L2_CHUNK_SIZE",
                                      "L2_WAIT_FOR_ACK",
                                      "LB_MODE",
                                      "LINK_DOWN",
                                      "LOAD",
                                      "MIN_RATE",
                                      "MI_THRESH",
                                      "MON_END",
                                      "MON_START",
                                      "MULTI_RATE",
                                      "NIC_TOTAL_PAUSE_TIME",
                                      "NP_SAMPLING_INTERVAL",
                                      "PACKET_LEVEL_ECMP",
                                      "PACKET_PAYLOAD_SIZE",
                                      "PAUSE_TIME",
                                      "PFC_OUTPUT_FILE",
                                      "PINT_LOG_BASE",
                                      "PINT_PROB",
                                      "PMAX",
                                      "PMAX_MAP",
                                      "QLEN_MON_END",
                                      "QLEN_MON_FILE",
                                      "QLEN_MON_INTERVAL",
                                      "QLEN_MON_START",
                                      "QP_MON_INTERVAL",
                                      "RANDOM_SEED",
                                      "RATE_AI",
                                      "RATE_BOUND",
                                      "RATE_DECREASE_INTERVAL",
                                      "RATE_HAI",
                                      "RATE_MON_FILE",
                                      "RP_TIMER",
                                      "SAMPLE_FEEDBACK",
                                      "SEND_IN_CHUNKS",
                                      "SIMULATOR_STOP_TIME",
                                      "SW_MONITORING_INTERVAL",
                                      "TOPOLOGY_FILE",
                                      "TRACE_FILE",
                                      "TRACE_OUTPUT_FILE",
                                      "UPLINK_MON_FILE",
                                      "USE_DYNAMIC_PFC_THRESHOLD",
                                      "U_TARGET",
                                      "VAR_WIN",
                                      "VOQ_MON_DETAIL_FILE",
                                      "VOQ_MON_FILE"};

} // namespace

HpccConfig::HpccConfig(const ImportFile& file)
{
    LineReader reader(file.text);
    for (Words words; reader.NextLine(words);)
    {
        if (words[0].text[0] == '#')
        {
            continue;
        }
        if (words.size() < 2)
        {
            FailAt(words[0], "a key and its value");
        }
        auto [entry, isNew] = m_entries.emplace(words[0].text, words);
        if (!isNew)
        {
            FailAt(words[0],
                   "each key once; line " + std::to_string(entry->second[0].line) + " has it too");
        }
    }
}

const HpccConfig::Words*
HpccConfig::Find(const std::string& key, std::size_t values) const
{
    Use(key);
    auto found = m_entries.find(key);
    if (found == m_entries.end())
    {
        return nullptr;
    }
    if (found->second.size() != values + 1)
    {
        Fail(key,
             key + " has " + std::to_string(found->second.size() - 1) + " values, expected " +
                 std::to_string(values));
    }
    return &found->second;
}

double
HpccConfig::Number(const std::string& key, double fallback, double low, double high) const
{
    const Words* words = Find(key, 1);
    return words ? ReadNumber((*words)[1], key, low, high) : fallback;
}

uint64_t
HpccConfig::Whole(const std::string& key, uint64_t fallback, uint64_t low, uint64_t high) const
{
    const Words* words = Find(key, 1);
    return words ? ReadWhole((*words)[1], key, low, high) : fallback;
}

bool
HpccConfig::Flag(const std::string& key, bool fallback) const
{
    return Whole(key, fallback, 0, 1) == 1;
}

double
HpccConfig::Rate(const std::string& key, double fallback) const
{
    const Words* words = Find(key, 1);
    return words ? ReadRate((*words)[1]) : fallback;
}

std::vector<std::pair<double, double>>
HpccConfig::ByRate(const std::string& key, double high) const
{
    std::vector<std::pair<double, double>> pairs;
    auto found = m_entries.find(key);
    if (found == m_entries.end())
    {
        return pairs;
    }
    uint64_t count = ReadWhole(found->second[1], "the number of rates", 0, 1000);
    const Words& words = *Find(key, 1 + 2 * count);
    for (std::size_t i = 2; i < words.size(); i += 2)
    {
        pairs.emplace_back(ReadRate(words[i]), ReadNumber(words[i + 1], key, 0, high));
    }
    return pairs;
}

std::vector<double>
HpccConfig::Numbers(const std::string& key, std::size_t count) const
{
    std::vector<double> numbers;
    const Words* words = Find(key, count);
    for (std::size_t i = 1; words && i < words->size(); ++i)
    {
        numbers.push_back(ReadNumber((*words)[i], key, 0, 1e18));
    }
    return numbers;
}

void
HpccConfig::Fail(const std::string& key, const std::string& message) const
{
    auto found = m_entries.find(key);
    bool has = found != m_entries.end();
    throw ScenarioError(has ? "line " + std::to_string(found->second[0].line) : "", message);
}

std::vector<std::string>
HpccConfig::Unused() const
{
    std::vector<std::string> unused;
    for (const auto& [key, words] : m_entries)
    {
        if (Knows(key) && m_used.count(key) == 0)
        {
            unused.push_back(key);
        }
    }
    return unused;
}

std::vector<std::string>
HpccConfig::Unknown() const
{
    std::vector<std::string> sentences;
    for (const auto& [key, words] : m_entries)
    {
        if (!Knows(key))
        {
            std::string hint = SuggestFrom(key, kKnown);
            hint = hint.rfind(", did", 0) == 0 ? hint : ", left out";
            sentences.push_back("line " + std::to_string(words[0].line) + ": unknown key '" +
                                Printable(key) + "'" + hint);
        }
    }
    return sentences;
}

bool
HpccConfig::Knows(const std::string& key)
{
    return key.rfind("CONWEAVE_", 0) == 0 || std::binary_search(kKnown.begin(), kKnown.end(), key);
}

} // namespace ns3::aifabric

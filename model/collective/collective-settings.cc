// SPDX-License-Identifier: GPL-2.0-only
#include "collective-settings.h"

#include "ns3/abort.h"
#include "ns3/fabric-registry.h"
#include "ns3/scenario-error.h"
#include "ns3/string.h"
#include "ns3/text-checker.h"
#include "ns3/uinteger.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(CollectiveSettings);

namespace
{

/// The text of an attribute of an operation as an object with keys.
nlohmann::json
AsObject(const std::string& text)
{
    if (text.find('{') == std::string::npos)
    {
        return {{"algorithm", text}};
    }
    nlohmann::json object = nlohmann::json::parse(text, nullptr, false);
    if (!object.is_object())
    {
        throw ScenarioError("", "found '" + text + "', expected an id or a JSON object");
    }
    return object;
}

} // namespace

TypeId
CollectiveSettings::GetTypeId()
{
    using S = CollectiveSettings;
    static TypeId tid =
        TypeId("ns3::aifabric::CollectiveSettings")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<S>()
            .AddAttribute("AllReduce",
                          "Algorithm of all-reduces: an id, or JSON text with algorithm, protocol, "
                          "channel_count.",
                          StringValue("ring"),
                          MakeStringAccessor(&S::m_allReduce),
                          MakeTextChecker("string|object"))
            .AddAttribute(
                "ReduceScatter",
                "Algorithm of reduce-scatters: an id, or JSON text with algorithm, protocol, "
                "channel_count.",
                StringValue("ring"),
                MakeStringAccessor(&S::m_reduceScatter),
                MakeTextChecker("string|object"))
            .AddAttribute("AllGather",
                          "Algorithm of all-gathers: an id, or JSON text with algorithm, protocol, "
                          "channel_count.",
                          StringValue("ring"),
                          MakeStringAccessor(&S::m_allGather),
                          MakeTextChecker("string|object"))
            .AddAttribute("AllToAll",
                          "Algorithm of all-to-alls: an id, or JSON text with algorithm, protocol, "
                          "channel_count and use_rail_forwarding.",
                          StringValue("pairwise"),
                          MakeStringAccessor(&S::m_allToAll),
                          MakeTextChecker("string|object"))
            .AddAttribute("Broadcast",
                          "Algorithm of broadcasts: an id, or JSON text with algorithm, protocol, "
                          "channel_count.",
                          StringValue("ring"),
                          MakeStringAccessor(&S::m_broadcast),
                          MakeTextChecker("string|object"))
            .AddAttribute("Reduce",
                          "Algorithm of reduces: an id, or JSON text with algorithm, protocol, "
                          "channel_count.",
                          StringValue("ring"),
                          MakeStringAccessor(&S::m_reduce),
                          MakeTextChecker("string|object"))
            .AddAttribute("ChunkSizeBytes",
                          "Grain of what is pipelined, trees and the chains of a ring's broadcast "
                          "and reduce: 8 chunks are under way (NCCL: 4 MiB in 8 slots). The other "
                          "steps of a ring send each part whole.",
                          UintegerValue(524288),
                          MakeUintegerAccessor(&S::m_chunkBytes),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("StepLatencyIntra",
                          "What a step of 0 bytes lasts inside a server (NCCL's ring, protocol "
                          "Simple, over NVLink).",
                          TimeValue(NanoSeconds(3400)),
                          MakeTimeAccessor(&S::m_stepLatencyIntra),
                          MakeTimeChecker())
            .AddAttribute("StepLatencyInter",
                          "What a step of 0 bytes lasts between servers, wire included (NCCL's "
                          "ring, protocol Simple, over the network).",
                          TimeValue(NanoSeconds(14000)),
                          MakeTimeAccessor(&S::m_stepLatencyInter),
                          MakeTimeChecker())
            .AddAttribute("LaunchLatency",
                          "What starting a collective costs each rank, once.",
                          TimeValue(NanoSeconds(8400)),
                          MakeTimeAccessor(&S::m_launchLatency),
                          MakeTimeChecker());
    return tid;
}

CollectiveChoice
CollectiveSettings::Choose(CollectiveOperation operation) const
{
    NS_ABORT_MSG_IF(operation == CollectiveOperation::Send, "a send needs no algorithm");
    const std::string* texts[] = {
        &m_allReduce, &m_reduceScatter, &m_allGather, &m_allToAll, &m_broadcast, &m_reduce};
    try
    {
        return Choose(operation, *texts[static_cast<int>(operation)]);
    }
    catch (const ScenarioError& e)
    {
        throw e.Under(ToString(operation));
    }
}

CollectiveChoice
CollectiveSettings::Choose(CollectiveOperation operation, const std::string& text)
{
    std::vector<std::string> keys{"algorithm", "protocol", "channel_count"};
    if (operation == CollectiveOperation::AllToAll)
    {
        keys.emplace_back("use_rail_forwarding");
    }
    CollectiveChoice choice;
    std::string id;
    bool railForwarding = false;
    const nlohmann::json object = AsObject(text);
    for (const auto& [key, value] : object.items())
    {
        if (key == "algorithm" && value.is_string())
        {
            id = value;
        }
        else if (key == "protocol")
        {
            if (value != "simple")
            {
                throw ScenarioError(key,
                                    "found " + value.dump() +
                                        ", only \"simple\" is modelled: set the latencies of "
                                        "another protocol with step_latency_intra_ns and "
                                        "step_latency_inter_ns");
            }
        }
        else if (key == "channel_count" && value.is_number_unsigned() && value > 0 &&
                 value <= kEveryChannel)
        {
            choice.channels = value;
        }
        else if (key == "use_rail_forwarding" && keys.size() == 4 && value.is_boolean())
        {
            railForwarding = value;
        }
        else if (std::find(keys.begin(), keys.end(), key) == keys.end())
        {
            throw ScenarioError(key, "unknown key" + SuggestFrom(key, keys));
        }
        else
        {
            throw ScenarioError(key,
                                "found " + value.dump() + ", expected " +
                                    (key == "algorithm"       ? "an id"
                                     : key == "channel_count" ? "a whole number from 1 to 64"
                                                              : "true or false"));
        }
    }
    if (id.empty())
    {
        throw ScenarioError("algorithm", "missing");
    }
    if (railForwarding && id != "pairwise" && id != "rail_pairwise")
    {
        throw ScenarioError("use_rail_forwarding",
                            "found true, possible with pairwise only, not with '" + id + "'");
    }
    try
    {
        choice.algorithm = MakePlugin<CollectiveAlgorithm>(railForwarding ? "rail_pairwise" : id);
    }
    catch (const ScenarioError& e)
    {
        throw e.Under("algorithm");
    }
    if (!choice.algorithm->Does(operation))
    {
        throw ScenarioError("algorithm",
                            "'" + PluginId(choice.algorithm->GetInstanceTypeId()) + "' does no " +
                                ToString(operation));
    }
    return choice;
}

void
CollectiveSettings::Check() const
{
    using Op = CollectiveOperation;
    for (Op op :
         {Op::AllReduce, Op::ReduceScatter, Op::AllGather, Op::AllToAll, Op::Broadcast, Op::Reduce})
    {
        Choose(op);
    }
    Latency();
}

StepLatency
CollectiveSettings::Latency() const
{
    auto read = [](const char* key, const Time& t) {
        if (t.IsStrictlyNegative())
        {
            throw ScenarioError(
                key, "found " + std::to_string(t.GetNanoSeconds()) + ", a latency is at least 0");
        }
        return ToTick(t);
    };
    return {read("step_latency_intra_ns", m_stepLatencyIntra),
            read("step_latency_inter_ns", m_stepLatencyInter),
            read("launch_latency_ns", m_launchLatency)};
}

CollectiveCall
CollectiveSettings::Call(CollectiveOperation operation, const CollectiveChoice& choice) const
{
    return {operation, {}, 0, 1, m_chunkBytes, choice.channels, Latency(), ""};
}

} // namespace ns3::aifabric

// SPDX-License-Identifier: GPL-2.0-only
#include "parallelism-settings.h"

#include "ns3/boolean.h"
#include "ns3/scenario-error.h"
#include "ns3/string.h"
#include "ns3/text-checker.h"
#include "ns3/uinteger.h"

#include <boost/algorithm/string.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(ParallelismSettings);

TypeId
ParallelismSettings::GetTypeId()
{
    using S = ParallelismSettings;
    static TypeId tid =
        TypeId("ns3::aifabric::ParallelismSettings")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<S>()
            .AddAttribute("Tensor",
                          "Degree of tensor parallelism.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&S::tensor),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Pipeline",
                          "Degree of pipeline parallelism.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&S::pipeline),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Data",
                          "Degree of data parallelism: replicas of the model.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&S::data),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "Context",
                "Degree of context parallelism: sequences are divided, and keys and values "
                "gathered for each layer.",
                UintegerValue(1),
                MakeUintegerAccessor(&S::context),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "Expert",
                "Degree of expert parallelism: over so many of the ranks that hold the same "
                "dense parameters, the experts of each layer are divided.",
                UintegerValue(1),
                MakeUintegerAccessor(&S::expert),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("SequenceParallel",
                          "Whether each all-reduce of the tensor group is a reduce-scatter and an "
                          "all-gather (Korthikanti et al., 2022).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&S::sequenceParallel),
                          MakeBooleanChecker())
            .AddAttribute(
                "VocabularyParallel",
                "Whether the embedding and the loss are divided over the tensor group, which costs "
                "an all-reduce of activations and three of a number per token (Megatron-LM).",
                BooleanValue(true),
                MakeBooleanAccessor(&S::vocabularyParallel),
                MakeBooleanChecker())
            .AddAttribute("VirtualPipelineStages",
                          "Stages per rank of an interleaved pipeline.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&S::virtualPipelineStages),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "UnevenStages",
                "Whether layer_count need be no multiple of the stages: the last one, and "
                "then the first, have a layer less (Llama 3).",
                BooleanValue(false),
                MakeBooleanAccessor(&S::unevenStages),
                MakeBooleanChecker())
            .AddAttribute("ZeroStage",
                          "0: gradients are all-reduced. 1, 2: reduce-scattered, and parameters "
                          "gathered after the step (ZeRO). 3: parameters are gathered, a layer "
                          "ahead, before each layer's forward and again before its backward pass.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&S::zeroStage),
                          MakeUintegerChecker<uint32_t>(0, 3))
            .AddAttribute(
                "RankOrder",
                "Dimensions from the fastest-changing one on, with commas or as a JSON list.",
                StringValue("tensor,context,data,pipeline"),
                MakeStringAccessor(&S::rankOrder),
                MakeTextChecker("string|array"));
    return tid;
}

namespace
{

constexpr const char* kDimensions[] = {"tensor", "context", "data", "pipeline"};

/// The dimensions from the fastest on.
std::array<int, 4>
ParseOrder(const std::string& text)
{
    std::vector<std::string> words;
    boost::split(words, text, boost::is_any_of("[]\", "), boost::token_compress_on);
    words.erase(std::remove(words.begin(), words.end(), ""), words.end());
    std::array<int, 4> order{};
    std::set<int> seen;
    for (const std::string& word : words)
    {
        int d = std::find(kDimensions, kDimensions + 4, word) - kDimensions;
        if (d == 4)
        {
            throw ScenarioError("rank_order",
                                "found '" + word + "'" +
                                    SuggestFrom(word, {kDimensions, kDimensions + 4}));
        }
        if (!seen.insert(d).second)
        {
            throw ScenarioError("rank_order", "'" + word + "' stands twice");
        }
        order[seen.size() - 1] = d;
    }
    if (seen.size() < 4)
    {
        throw ScenarioError("rank_order",
                            "found " + std::to_string(seen.size()) +
                                " dimensions, expected tensor, context, data and pipeline");
    }
    return order;
}

} // namespace

void
ParallelismSettings::Check() const
{
    for (auto [key, degree] : {std::pair{"tensor", tensor},
                               std::pair{"pipeline", pipeline},
                               std::pair{"data", data},
                               std::pair{"context", context},
                               std::pair{"expert", expert},
                               std::pair{"virtual_pipeline_stages", virtualPipelineStages}})
    {
        if (degree == 0)
        {
            throw ScenarioError(key, "found 0, expected at least 1");
        }
    }
    if (uint64_t{data} * context % expert != 0)
    {
        throw ScenarioError("expert",
                            "found " + std::to_string(expert) +
                                ", expected a divisor of data x context = " +
                                std::to_string(uint64_t{data} * context));
    }
    ParseOrder(rankOrder);
}

std::vector<std::vector<uint32_t>>
ParallelismSettings::Groups(uint32_t dimensions) const
{
    const uint32_t degrees[] = {tensor, context, data, pipeline};
    const std::array<int, 4> order = ParseOrder(rankOrder);
    std::vector<std::vector<uint32_t>> groups;
    std::map<uint32_t, std::size_t> groupOf; // by the lowest rank
    for (uint32_t rank = 0; rank < RankCount(); ++rank)
    {
        uint32_t lowest = rank;
        uint32_t stride = 1;
        for (int d : order)
        {
            if (dimensions >> d & 1)
            {
                lowest -= rank / stride % degrees[d] * stride;
            }
            stride *= degrees[d];
        }
        const auto [place, isNew] = groupOf.emplace(lowest, groups.size());
        if (isNew)
        {
            groups.emplace_back();
        }
        groups[place->second].push_back(rank);
    }
    return groups;
}

} // namespace ns3::aifabric

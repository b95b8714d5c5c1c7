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
            .AddAttribute("Context",
                          "Degree of context parallelism.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&S::context),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Expert",
                          "Degree of expert parallelism.",
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
            .AddAttribute("ZeroStage",
                          "0: gradients are all-reduced. 1, 2: reduce-scattered, and parameters "
                          "gathered after the step (ZeRO). 3 is not simulated.",
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
    for (auto [key, degree] : {std::pair{"context", context},
                               std::pair{"expert", expert},
                               std::pair{"virtual_pipeline_stages", virtualPipelineStages}})
    {
        if (degree != 1)
        {
            throw ScenarioError(key,
                                "found " + std::to_string(degree) +
                                    ", only 1 is simulated; tensor, pipeline and data may be more");
        }
    }
    for (auto [key, degree] :
         {std::pair{"tensor", tensor}, std::pair{"pipeline", pipeline}, std::pair{"data", data}})
    {
        if (degree == 0)
        {
            throw ScenarioError(key, "found 0, expected at least 1");
        }
    }
    if (zeroStage > 2)
    {
        throw ScenarioError(
            "zero_stage", "found " + std::to_string(zeroStage) + ", only 0, 1 and 2 are simulated");
    }
    ParseOrder(rankOrder);
}

std::vector<std::vector<uint32_t>>
ParallelismSettings::Groups(Dimension dimension) const
{
    const uint32_t degrees[] = {tensor, context, data, pipeline};
    uint32_t stride = 1;
    for (int d : ParseOrder(rankOrder))
    {
        if (d == dimension)
        {
            break;
        }
        stride *= degrees[d];
    }
    std::vector<std::vector<uint32_t>> groups;
    for (uint32_t first = 0; first < RankCount(); ++first)
    {
        if (first / stride % degrees[dimension] == 0)
        {
            auto& group = groups.emplace_back();
            for (uint32_t i = 0; i < degrees[dimension]; ++i)
            {
                group.push_back(first + i * stride);
            }
        }
    }
    return groups;
}

} // namespace ns3::aifabric

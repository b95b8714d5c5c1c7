// SPDX-License-Identifier: GPL-2.0-only
#include "transformer-model.h"

#include "ns3/boolean.h"
#include "ns3/scenario-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <vector>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(TransformerModel);

TypeId
TransformerModel::GetTypeId()
{
    using S = TransformerModel;
    static TypeId tid =
        TypeId("ns3::aifabric::TransformerModel")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<S>()
            .AddAttribute("Type",
                          "Kind of model: dense, or moe, a mixture of experts.",
                          StringValue("dense"),
                          MakeStringAccessor(&S::type),
                          MakeStringChecker())
            .AddAttribute("LayerCount",
                          "Transformer layers.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&S::layerCount),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("HiddenSize",
                          "Width of the residual stream.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&S::hiddenSize),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("AttentionHeadCount",
                          "Heads of queries.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&S::attentionHeadCount),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("KeyValueHeadCount",
                          "Heads of keys and values; 0: attention_head_count.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&S::keyValueHeadCount),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("FfnHiddenSize",
                          "Inner width of the feed-forward network; 0: 4 x hidden_size.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&S::ffnHiddenSize),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("FfnType",
                          "gelu (two matrices: GPT) or swiglu (three: Llama).",
                          StringValue("gelu"),
                          MakeStringAccessor(&S::ffnType),
                          MakeStringChecker())
            .AddAttribute("SequenceLength",
                          "Tokens per sequence.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&S::sequenceLength),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("VocabularySize",
                          "Tokens of the vocabulary.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&S::vocabularySize),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("TiedEmbeddings",
                          "Whether the output layer is the input embedding.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&S::tiedEmbeddings),
                          MakeBooleanChecker())
            .AddAttribute("AttentionMask",
                          "full, or causal: half the operations of the scores are left out.",
                          StringValue("full"),
                          MakeStringAccessor(&S::attentionMask),
                          MakeStringChecker())
            .AddAttribute("ExpertCount",
                          "Routed experts of each layer of a mixture of experts.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&S::expertCount),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ExpertsPerToken",
                          "Routed experts that each token goes to.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&S::expertsPerToken),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("SharedExpertCount",
                          "Experts that all tokens go to, of the same size.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&S::sharedExpertCount),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ExpertFfnHiddenSize",
                          "Inner width of an expert; 0: that of a dense layer.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&S::expertFfnHiddenSize),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("DenseLayerCount",
                          "How many of the first layers have no experts.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&S::denseLayerCount),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "ServersPerToken",
                "To how many servers a token goes at most: it crosses the network once for "
                "each, and is passed on within the server (DeepSeek-V3). 0: once for each "
                "expert.",
                UintegerValue(0),
                MakeUintegerAccessor(&S::serversPerToken),
                MakeUintegerChecker<uint32_t>());
    return tid;
}

void
TransformerModel::Check() const
{
    auto expect = [](const char* key, const std::string& found, std::vector<std::string> valid) {
        if (std::find(valid.begin(), valid.end(), found) == valid.end())
        {
            throw ScenarioError(key, "found '" + found + "'" + SuggestFrom(found, valid));
        }
    };
    expect("type", type, {"dense", "moe"});
    expect("ffn_type", ffnType, {"gelu", "swiglu"});
    expect("attention_mask", attentionMask, {"causal", "full"});
    for (auto [key, value] : {std::pair{"layer_count", layerCount},
                              std::pair{"hidden_size", hiddenSize},
                              std::pair{"attention_head_count", attentionHeadCount},
                              std::pair{"sequence_length", sequenceLength},
                              std::pair{"vocabulary_size", vocabularySize}})
    {
        if (value == 0)
        {
            throw ScenarioError(key, "missing or 0, expected at least 1");
        }
    }
    auto divides = [](const char* key, uint32_t divisor, const char* of, uint32_t number) {
        if (divisor > 0 && number % divisor != 0)
        {
            throw ScenarioError(key,
                                "found " + std::to_string(divisor) + ", expected a divisor of " +
                                    of + " = " + std::to_string(number));
        }
    };
    divides("attention_head_count", attentionHeadCount, "hidden_size", hiddenSize);
    divides("key_value_head_count", keyValueHeadCount, "attention_head_count", attentionHeadCount);
    auto below = [](const char* key, uint32_t found, uint32_t least, uint32_t most) {
        if (found < least || found > most)
        {
            throw ScenarioError(key,
                                "found " + std::to_string(found) + ", expected " +
                                    std::to_string(least) + " to " + std::to_string(most));
        }
    };
    below("expert_count", expertCount, type == "moe", type == "moe" ? 1 << 20 : 0);
    if (type == "moe")
    {
        below("experts_per_token", expertsPerToken, 1, expertCount);
        below("dense_layer_count", denseLayerCount, 0, layerCount);
    }
}

bool
TransformerModel::IsGpt() const
{
    return ffnType == "gelu";
}

uint64_t
TransformerModel::KeyValueSize() const
{
    uint32_t heads = keyValueHeadCount ? keyValueHeadCount : attentionHeadCount;
    return uint64_t{hiddenSize} / attentionHeadCount * heads;
}

uint64_t
TransformerModel::FfnSize() const
{
    return ffnHiddenSize ? ffnHiddenSize : 4 * uint64_t{hiddenSize};
}

uint64_t
TransformerModel::AttentionParameters() const
{
    return 2 * uint64_t{hiddenSize} * (hiddenSize + KeyValueSize());
}

uint64_t
TransformerModel::FfnParameters() const
{
    return (IsGpt() ? 2 : 3) * uint64_t{hiddenSize} * FfnSize();
}

uint64_t
TransformerModel::ExpertMatrixParameters() const
{
    return (IsGpt() ? 2 : 3) * uint64_t{hiddenSize} *
           (expertFfnHiddenSize ? expertFfnHiddenSize : FfnSize());
}

uint32_t
TransformerModel::ExpertLayerCount() const
{
    return type == "moe" ? layerCount - denseLayerCount : 0;
}

uint64_t
TransformerModel::RoutedParameters() const
{
    return ExpertLayerCount() * uint64_t{expertCount} * ExpertMatrixParameters();
}

uint64_t
TransformerModel::MatrixParameters() const
{
    const uint64_t router = uint64_t{hiddenSize} * expertCount;
    return layerCount * AttentionParameters() +
           (layerCount - ExpertLayerCount()) * FfnParameters() + RoutedParameters() +
           ExpertLayerCount() * (router + sharedExpertCount * ExpertMatrixParameters()) +
           (tiedEmbeddings ? 1 : 2) * uint64_t{vocabularySize} * hiddenSize;
}

uint64_t
TransformerModel::Parameters() const
{
    const uint64_t h = hiddenSize;
    if (IsGpt())
    {
        // Biases of Q, K, V and of the projection, of the FFN, and two norms of 2h: 13h in a GPT.
        // Experts have none.
        const uint64_t perLayer = h + 2 * KeyValueSize() + h + 4 * h;
        return MatrixParameters() + layerCount * perLayer +
               (layerCount - ExpertLayerCount()) * (FfnSize() + h) + sequenceLength * h;
    }
    return MatrixParameters() + layerCount * 2 * h + h;
}

uint64_t
TransformerModel::ActiveParameters() const
{
    const uint64_t idle = ExpertLayerCount() ? expertCount - expertsPerToken : 0;
    return Parameters() - ExpertLayerCount() * idle * ExpertMatrixParameters();
}

double
TransformerModel::ScoreFlops(uint32_t sequences) const
{
    return double{1} * sequences * sequenceLength * 4.0 * sequenceLength * hiddenSize *
           (attentionMask == "causal" ? 0.5 : 1.0);
}

double
TransformerModel::AttentionFlops(uint32_t sequences) const
{
    return 2.0 * sequences * sequenceLength * AttentionParameters() + ScoreFlops(sequences);
}

double
TransformerModel::FfnFlops(uint32_t sequences, uint32_t layer) const
{
    uint64_t parameters = FfnParameters();
    if (HasExperts(layer))
    {
        parameters = uint64_t{hiddenSize} * expertCount +
                     (expertsPerToken + sharedExpertCount) * ExpertMatrixParameters();
    }
    return 2.0 * sequences * sequenceLength * parameters;
}

double
TransformerModel::HeadFlops(uint32_t sequences) const
{
    return (tiedEmbeddings ? 2.0 : 4.0) * sequences * sequenceLength * vocabularySize * hiddenSize;
}

double
TransformerModel::LayerFlops(uint32_t sequences) const
{
    double flops = layerCount * AttentionFlops(sequences);
    for (uint32_t layer = 0; layer < layerCount; ++layer)
    {
        flops += FfnFlops(sequences, layer);
    }
    return flops;
}

double
TransformerModel::IterationFlops(uint32_t sequences) const
{
    return 3 * (LayerFlops(sequences) + HeadFlops(sequences));
}

} // namespace ns3::aifabric

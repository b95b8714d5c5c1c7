// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_TRANSFORMER_MODEL_H
#define AIFABRIC_TRANSFORMER_MODEL_H

#include "ns3/object.h"

#include <cstdint>
#include <string>

namespace ns3::aifabric
{

/**
 * @defgroup ai-fabric-training Training
 * @ingroup ai-fabric
 *
 * From a model and how it is divided to a Plan: sizes of collectives and times of computations after
 * Narayanan et al., "Efficient Large-Scale Language Model Training on GPU Clusters Using
 * Megatron-LM", SC'21.
 */

/**
 * @ingroup ai-fabric-training
 * The block "model" of a job: a dense transformer, its parameters and floating-point operations.
 *
 * `ffn_type` tells the family: `gelu` is GPT's (two matrices, biases, LayerNorm, learned positions),
 * `swiglu` is Llama's (three matrices, RMSNorm, no biases).
 */
class TransformerModel : public Object
{
  public:
    static TypeId GetTypeId();

    /// @throws ScenarioError for sizes that are missing or do not divide, or another type.
    void Check() const;

    /// @return hidden size of keys, and of values: hidden size x key-value heads / heads.
    uint64_t KeyValueSize() const;

    /// @return parameters of the matrices: of attention and FFN of each layer, and the embeddings.
    uint64_t MatrixParameters() const;

    /**
     * @return all parameters: the matrices, and the vectors of the family (biases, norms,
     * positions). 8,030,261,248 for Llama-3-8B; SC'21 eq. 2 for a GPT.
     */
    uint64_t Parameters() const;

    /// @return the part of them that is in routed experts: divided by expert parallelism too.
    uint64_t RoutedParameters() const;

    /// @return parameters that a token meets: without the experts that it is not routed to.
    uint64_t ActiveParameters() const;

    /// @return whether that layer, counted from 0, has experts in place of one FFN.
    bool HasExperts(uint32_t layer) const
    {
        return type == "moe" && layer >= denseLayerCount;
    }

    /// @return how many layers have experts.
    uint32_t ExpertLayerCount() const;

    /// @return floating-point operations of one layer's attention, forward, of that many sequences.
    double AttentionFlops(uint32_t sequences) const;

    /// @return the part of them that is for the scores, and has no weights.
    double ScoreFlops(uint32_t sequences) const;

    /// @return the same of that layer's FFN, or of its experts and what routes to them.
    double FfnFlops(uint32_t sequences, uint32_t layer) const;

    /// @return the same of all layers.
    double LayerFlops(uint32_t sequences) const;

    /// @return the same of the output layer; with untied embeddings 2V h per token more, so that the
    /// whole is the customary 6 per parameter and token with the backward pass at twice the forward.
    double HeadFlops(uint32_t sequences) const;

    /// @return operations of forward and backward pass without recomputation, of that many sequences.
    double IterationFlops(uint32_t sequences) const;

    std::string type;             ///< attribute Type
    uint32_t layerCount;          ///< attribute LayerCount
    uint32_t hiddenSize;          ///< attribute HiddenSize
    uint32_t attentionHeadCount;  ///< attribute AttentionHeadCount
    uint32_t keyValueHeadCount;   ///< attribute KeyValueHeadCount; 0: as many as attention heads
    uint32_t ffnHiddenSize;       ///< attribute FfnHiddenSize; 0: 4 x hidden size
    std::string ffnType;          ///< attribute FfnType
    uint32_t sequenceLength;      ///< attribute SequenceLength
    uint32_t vocabularySize;      ///< attribute VocabularySize
    bool tiedEmbeddings;          ///< attribute TiedEmbeddings
    std::string attentionMask;    ///< attribute AttentionMask
    uint32_t expertCount;         ///< attribute ExpertCount
    uint32_t expertsPerToken;     ///< attribute ExpertsPerToken
    uint32_t sharedExpertCount;   ///< attribute SharedExpertCount
    uint32_t expertFfnHiddenSize; ///< attribute ExpertFfnHiddenSize; 0: FfnHiddenSize
    uint32_t denseLayerCount;     ///< attribute DenseLayerCount
    uint32_t serversPerToken;     ///< attribute ServersPerToken; 0: no limit

  private:
    uint64_t AttentionParameters() const;
    uint64_t FfnParameters() const;
    uint64_t ExpertMatrixParameters() const;
    uint64_t FfnSize() const;
    bool IsGpt() const;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_TRANSFORMER_MODEL_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_POOLED_BUFFER_H
#define AIFABRIC_POOLED_BUFFER_H

#include "buffer-manager.h"
#include "number-table.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * What policies with a shared pool have in common: who holds how much of it.
 *
 * Each queue has some bytes of its own, each ingress of a lossless priority a headroom besides; the
 * rest of the buffer is the pool. Lossless priorities are limited at their ingress: above a threshold
 * the sender is paused, and what still comes goes to the ingress' own headroom; their egress has no
 * limit. Lossy priorities are limited at their egress: above a threshold the frame is dropped.
 * Headrooms and reserves are counters, not places: whatever frame of the ingress leaves first makes
 * room there.
 *
 * A priority may be lossless at some ingresses only. A policy is what the thresholds are: see
 * ThresholdBuffer.
 */
class PooledBuffer : public BufferManager
{
  public:
    static TypeId GetTypeId();

    void Configure(const BufferLayout& layout) final;
    uint64_t GetUsedBytes() const final;
    uint64_t GetPeakHeadroomBytes() const final;
    uint64_t GetPeakHeadroomBytes(PortIdx in, uint8_t priority) const final;
    uint64_t GetIngressBytes(PortIdx in, uint8_t priority) const final;
    uint64_t GetHeadroomBytes(PortIdx in, uint8_t priority) const final;

  protected:
    static constexpr int kPriorities = 8;

    /// All that a frame asks about its ingress, in 16 bytes.
    struct Ingress
    {
        int64_t shared{0}; ///< bytes without headroom, less what is reserved
        uint32_t headroom{0};
        uint32_t alpha : 30; ///< multiple of 2^-16: a comparison costs one product of integers
        uint32_t lossless : 1;
        uint32_t stopped : 1;
    };

    /**
     * Ends the set-up of a policy, once the pool is known.
     * @param scale of each port: its rate over that of the slowest one where ScaleWithRate asks for
     * it, else 1.
     */
    virtual void DoConfigure(const BufferLayout& layout, const std::vector<double>& scale) = 0;
    /// @return the key of the list Priorities that says what a queue may take.
    virtual NumberKey GetShareKey() const = 0;

    /// @return what the list Priorities has under the share key.
    std::optional<double> GetShare(uint8_t priority) const
    {
        return m_shares[priority];
    }

    /// @return alpha for Share; the largest possible where it is too large.
    uint32_t Fixed(double alpha) const;

    static int64_t Share(int64_t free, int64_t alpha)
    {
        return free * alpha >> 16;
    }

    int64_t Free() const
    {
        return std::max<int64_t>(m_pool - m_used, 0);
    }

    // By priority and then by port: what is in use lies together.
    std::size_t Index(PortIdx port, uint8_t priority) const
    {
        return priority * m_portCount + port;
    }

    /// @return how much of a rise of an account by bytes, up to after, goes to the pool: what is
    /// above 0.
    static int64_t FromPool(int64_t after, int64_t bytes)
    {
        return after >= bytes ? bytes : std::max<int64_t>(after, 0);
    }

    /// A frame of a lossless priority is above its threshold.
    Verdict Stop(Ingress& in, const BufferSlot& slot, uint32_t bytes);

    // What every frame touches, in two lines and one of its ingress.
    int64_t m_pool{0};
    int64_t m_used{0}; ///< of the pool
    uint32_t m_portCount{0};
    uint32_t m_xonOffset{0};
    std::vector<Ingress> m_ingress; ///< by priority and port
    std::array<uint32_t, kPriorities> m_reserved{};

  private:
    int64_t ReservedAt(const Ingress& in, uint8_t priority) const
    {
        return in.lossless ? m_reserved[priority] : 0;
    }

    Verdict ToHeadroom(Ingress& in, const BufferSlot& slot, uint32_t bytes, PauseEdge edge);
    void SetPriorities(std::string json);
    std::string GetPriorities() const;

    std::vector<uint32_t> m_headroom;     ///< by port, per priority
    std::vector<uint32_t> m_peakHeadroom; ///< by priority and port
    std::array<std::optional<double>, kPriorities> m_shares;
    NumberTable m_priorities;
    uint32_t m_reservedBytes{0};
    bool m_scaleWithRate{false};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_POOLED_BUFFER_H

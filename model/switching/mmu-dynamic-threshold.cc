// SPDX-License-Identifier: GPL-2.0-only
#include "buffer-manager.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/scenario-error.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Dynamic thresholds (Choudhury and Hahne, ToN 1998) over one shared pool, as in merchant silicon
 * and in the simulators of HPCC and DCQCN.
 *
 * Lossless priorities are limited at their ingress: above alpha times the free pool the sender is
 * paused, and what still comes goes to the ingress' own headroom. Headrooms are counters, not
 * places: whatever frame of the ingress leaves first makes room there. Lossy priorities are limited at
 * their egress: above their alpha times the free pool the frame is dropped.
 */
class DynamicThreshold final : public BufferManager
{
  public:
    static TypeId GetTypeId();

    void Configure(const BufferLayout& layout) override;
    Verdict Admit(const BufferSlot& slot, uint32_t bytes, bool exact) override;
    PauseEdge Release(const BufferSlot& slot, uint32_t bytes) override;
    uint64_t GetUsedBytes() const override;
    uint64_t GetPeakHeadroomBytes() const override;
    uint64_t GetIngressBytes(PortIdx in, uint8_t priority) const override;

  private:
    /// All that a frame of a lossless priority asks about its ingress, in 16 bytes.
    struct Ingress
    {
        int64_t shared{0};
        uint32_t headroom{0};
        uint32_t alpha : 31; ///< multiple of 2^-16: a comparison costs one product of integers
        uint32_t stopped : 1;
    };

    Verdict AdmitLossless(Ingress& in, PortIdx port, uint32_t bytes, bool exact);
    Verdict ToHeadroom(Ingress& in, PortIdx port, uint32_t bytes, PauseEdge edge);

    int64_t Free() const
    {
        return std::max<int64_t>(m_pool - m_used, 0);
    }

    // By priority and then by port: what is in use lies together.
    std::size_t Index(PortIdx port, uint8_t priority) const
    {
        return priority * m_portCount + port;
    }

    static int64_t Share(int64_t free, int64_t alpha)
    {
        return free * alpha >> 16;
    }

    // What every frame touches, in one line and one of its ingress.
    int64_t m_pool{0};
    int64_t m_used{0};
    uint8_t m_losslessMask{0};
    uint32_t m_portCount{0};
    uint32_t m_xonOffset;
    std::vector<Ingress> m_ingress; ///< by priority and port

    int64_t m_lossyAlphaScaled{0};
    std::vector<int64_t> m_egress; ///< lossy bytes by priority and port
    int64_t m_held{0};             ///< in headrooms
    uint64_t m_peakHeadroom{0};
    std::vector<uint32_t> m_headroom; ///< by port, per priority
    double m_lossyAlpha;
    bool m_scaleWithRate;
};

NS_OBJECT_ENSURE_REGISTERED(DynamicThreshold);

TypeId
DynamicThreshold::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::DynamicThreshold")
            .SetParent<BufferManager>()
            .SetGroupName("AiFabric")
            .AddConstructor<DynamicThreshold>()
            .AddAttribute("LossyAlpha",
                          "A lossy egress queue may hold this times the free pool.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&DynamicThreshold::m_lossyAlpha),
                          MakeDoubleChecker<double>(0, 1024))
            .AddAttribute("ScaleWithRate",
                          "Multiply the alpha of lossless ingresses by the port's rate over the "
                          "slowest port's (HPCC's simulator).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&DynamicThreshold::m_scaleWithRate),
                          MakeBooleanChecker())
            .AddAttribute("XonOffsetBytes",
                          "A paused ingress resumes this far below its threshold.",
                          UintegerValue(3072),
                          MakeUintegerAccessor(&DynamicThreshold::m_xonOffset),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

void
DynamicThreshold::Configure(const BufferLayout& layout)
{
    double slowest = 0;
    int64_t headrooms = 0;
    const int lossless = __builtin_popcount(layout.losslessMask);
    for (const auto& port : layout.ports)
    {
        slowest = slowest == 0 ? port.bandwidthBps : std::min(slowest, port.bandwidthBps);
        headrooms += lossless * port.headroomBytes;
        m_headroom.push_back(port.headroomBytes);
    }
    m_pool = static_cast<int64_t>(layout.bytes) - headrooms;
    if (m_pool <= 0)
    {
        throw ScenarioError("buffer_bytes",
                            "found " + std::to_string(layout.bytes) +
                                ", expected more than the headrooms of all lossless ingresses, " +
                                std::to_string(headrooms));
    }
    m_losslessMask = layout.losslessMask;
    m_lossyAlphaScaled = static_cast<int64_t>(m_lossyAlpha * 65536 + 0.5);
    m_portCount = static_cast<uint32_t>(layout.ports.size());
    m_egress.resize(8 * m_portCount);
    for (uint32_t i = 0; i < 8 * m_portCount; ++i)
    {
        const double scale =
            m_scaleWithRate ? layout.ports[i % m_portCount].bandwidthBps / slowest : 1;
        const double alpha = std::min(layout.alpha * scale * 65536 + 0.5, 0x7FFFFFFF + 0.);
        m_ingress.push_back({0, 0, static_cast<uint32_t>(alpha), false});
    }
}

Verdict
DynamicThreshold::Admit(const BufferSlot& slot, uint32_t bytes, bool exact)
{
    if (m_losslessMask >> slot.priority & 1)
    {
        return AdmitLossless(m_ingress[Index(slot.in, slot.priority)], slot.in, bytes, exact);
    }
    int64_t& egress = m_egress[Index(slot.out, slot.priority)];
    if (egress + bytes > Share(Free(), m_lossyAlphaScaled) || m_used + bytes > m_pool)
    {
        return {exact ? Admission::Drop : Admission::Unsure};
    }
    egress += bytes;
    m_used += bytes;
    return {Admission::Shared};
}

Verdict
DynamicThreshold::AdmitLossless(Ingress& in, PortIdx port, uint32_t bytes, bool exact)
{
    const int64_t after = Share(std::max<int64_t>(m_pool - m_used - bytes, 0), in.alpha);
    if (!in.stopped && in.shared + bytes <= after)
    {
        in.shared += bytes;
        m_used += bytes;
        return {Admission::Shared};
    }
    if (!exact)
    {
        return {Admission::Unsure};
    }
    if (in.stopped)
    {
        return ToHeadroom(in, port, bytes, PauseEdge::None);
    }
    if (m_used + bytes > m_pool)
    {
        Verdict verdict = ToHeadroom(in, port, bytes, PauseEdge::Xoff);
        // Only an ingress that holds something will see the release that ends its pause.
        in.stopped = in.shared + in.headroom > 0;
        verdict.pause = in.stopped ? PauseEdge::Xoff : PauseEdge::None;
        return verdict;
    }
    in.stopped = true;
    in.shared += bytes;
    m_used += bytes;
    return {Admission::Shared, PauseEdge::Xoff};
}

Verdict
DynamicThreshold::ToHeadroom(Ingress& in, PortIdx port, uint32_t bytes, PauseEdge edge)
{
    if (in.headroom + bytes > m_headroom[port])
    {
        return {Admission::Drop, edge};
    }
    in.headroom += bytes;
    m_held += bytes;
    m_peakHeadroom = std::max<uint64_t>(m_peakHeadroom, in.headroom);
    return {Admission::Headroom, edge};
}

PauseEdge
DynamicThreshold::Release(const BufferSlot& slot, uint32_t bytes)
{
    if (!(m_losslessMask >> slot.priority & 1))
    {
        m_egress[Index(slot.out, slot.priority)] -= bytes;
        m_used -= bytes;
        return PauseEdge::None;
    }
    Ingress& in = m_ingress[Index(slot.in, slot.priority)];
    if (in.headroom > 0)
    {
        const uint32_t fromHeadroom = std::min(bytes, in.headroom);
        in.headroom -= fromHeadroom;
        m_held -= fromHeadroom;
        bytes -= fromHeadroom;
    }
    in.shared -= bytes;
    m_used -= bytes;
    // An ingress that holds nothing resumes however full the pool is: nothing else would wake it.
    if (in.stopped && in.headroom == 0 &&
        (in.shared == 0 || in.shared + m_xonOffset <= Share(Free(), in.alpha)))
    {
        in.stopped = false;
        return PauseEdge::Xon;
    }
    return PauseEdge::None;
}

uint64_t
DynamicThreshold::GetUsedBytes() const
{
    return m_used + m_held;
}

uint64_t
DynamicThreshold::GetPeakHeadroomBytes() const
{
    return m_peakHeadroom;
}

uint64_t
DynamicThreshold::GetIngressBytes(PortIdx in, uint8_t priority) const
{
    return m_ingress[Index(in, priority)].shared;
}

} // namespace ns3::aifabric

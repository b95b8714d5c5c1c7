// SPDX-License-Identifier: GPL-2.0-only
#include "threshold-buffer.h"

#include "ns3/uinteger.h"

#include <cmath>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * A limit in bytes for each lossless ingress and each lossy queue, while the pool lasts.
 */
class StaticThreshold final : public ThresholdBuffer<StaticThreshold>
{
  public:
    static TypeId GetTypeId();

    int64_t IngressThreshold(const Ingress& /* in */, std::size_t index, int64_t free) const
    {
        return free > 0 ? m_limit[index] : 0;
    }

    int64_t EgressThreshold(std::size_t index, int64_t free) const
    {
        return free > 0 ? m_limit[index] : 0;
    }

  private:
    void DoConfigure(const BufferLayout& layout, const std::vector<double>& scale) override;

    NumberKey GetShareKey() const override
    {
        return {"limit_bytes", 0x1p40};
    }

    std::vector<int64_t> m_limit; ///< without what is reserved, by priority and port
    uint64_t m_limitBytes;
};

NS_OBJECT_ENSURE_REGISTERED(StaticThreshold);

TypeId
StaticThreshold::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::StaticThreshold")
            .SetParent<PooledBuffer>()
            .SetGroupName("AiFabric")
            .AddConstructor<StaticThreshold>()
            .AddAttribute("LimitBytes",
                          "A lossy egress queue holds no more than this; a lossless ingress is "
                          "paused above it.",
                          UintegerValue(1000000),
                          MakeUintegerAccessor(&StaticThreshold::m_limitBytes),
                          MakeUintegerChecker<uint64_t>(1, 1ULL << 40));
    return tid;
}

void
StaticThreshold::DoConfigure(const BufferLayout& /* layout */, const std::vector<double>& scale)
{
    m_limit.resize(m_ingress.size());
    for (uint8_t priority = 0; priority < kPriorities; ++priority)
    {
        const double limit = GetShare(priority).value_or(static_cast<double>(m_limitBytes));
        for (PortIdx port = 0; port < m_portCount; ++port)
        {
            m_limit[Index(port, priority)] =
                std::max<int64_t>(std::llround(limit * scale[port]) - m_reserved[priority], 0);
        }
    }
}

} // namespace ns3::aifabric

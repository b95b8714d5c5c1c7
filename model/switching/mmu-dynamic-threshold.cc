// SPDX-License-Identifier: GPL-2.0-only
#include "threshold-buffer.h"

#include "ns3/double.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Dynamic thresholds (Choudhury and Hahne, ToN 1998), as in merchant silicon and in the simulators
 * of HPCC and DCQCN: each may take its alpha times what is free of the pool.
 */
class DynamicThreshold final : public ThresholdBuffer<DynamicThreshold>
{
  public:
    static TypeId GetTypeId();

    int64_t IngressThreshold(const Ingress& in, std::size_t /* index */, int64_t free) const
    {
        return Share(free, in.alpha);
    }

    int64_t EgressThreshold(std::size_t index, int64_t free) const
    {
        return Share(free, m_alpha[index]);
    }

  private:
    void DoConfigure(const BufferLayout& layout, const std::vector<double>& scale) override;

    NumberKey GetShareKey() const override
    {
        return {"alpha", 1024};
    }

    std::vector<uint32_t> m_alpha; ///< of lossy queues, by priority and port
    double m_lossyAlpha;
};

NS_OBJECT_ENSURE_REGISTERED(DynamicThreshold);

TypeId
DynamicThreshold::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::DynamicThreshold")
                            .SetParent<PooledBuffer>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<DynamicThreshold>()
                            .AddAttribute("LossyAlpha",
                                          "A lossy egress queue may hold this times the free pool.",
                                          DoubleValue(1),
                                          MakeDoubleAccessor(&DynamicThreshold::m_lossyAlpha),
                                          MakeDoubleChecker<double>(0, 1024));
    return tid;
}

void
DynamicThreshold::DoConfigure(const BufferLayout& layout, const std::vector<double>& scale)
{
    m_alpha.resize(m_ingress.size());
    for (uint8_t priority = 0; priority < kPriorities; ++priority)
    {
        for (PortIdx port = 0; port < m_portCount; ++port)
        {
            const std::size_t index = Index(port, priority);
            m_ingress[index].alpha = Fixed(GetShare(priority).value_or(layout.alpha) * scale[port]);
            m_alpha[index] = Fixed(GetShare(priority).value_or(m_lossyAlpha));
        }
    }
}

} // namespace ns3::aifabric

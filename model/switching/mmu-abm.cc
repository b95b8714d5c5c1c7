// SPDX-License-Identifier: GPL-2.0-only
#include "threshold-buffer.h"

#include "ns3/double.h"
#include "ns3/fabric-time.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Active buffer management (Addanki et al., SIGCOMM 2022): a lossy queue of priority p may take
 * alpha_p / n_p times its share of its port's rate times what is free of the pool, where n_p are the
 * congested queues of the priority. How long a queue takes to drain is so bounded, and how much of the
 * buffer a priority takes. Lossless ingresses have dynamic thresholds.
 *
 * Shares and numbers are taken anew by the first frame that comes in after UpdateInterval. The share
 * is what the queue has sent since, over what its port could have sent; 1 if it was ever empty.
 */
class Abm final : public ThresholdBuffer<Abm>
{
  public:
    static TypeId GetTypeId();

    Verdict Admit(const BufferSlot& slot, uint32_t bytes, uint32_t queued, bool exact) override
    {
        const Tick now = ToTick(Simulator::Now());
        if (now >= m_next)
        {
            if (!exact)
            {
                return {Admission::Unsure};
            }
            Update(now);
        }
        const Verdict verdict = ThresholdBuffer::Admit(slot, bytes, queued, exact);
        if (verdict.admission == Admission::Shared || verdict.admission == Admission::Headroom)
        {
            SetLength(m_queues[Index(slot.out, slot.priority)], queued + bytes, queued == 0);
        }
        return verdict;
    }

    PauseEdge
    Release(PortIdx in, PortIdx out, uint8_t priority, uint32_t bytes, uint32_t queued) override
    {
        Queue& queue = m_queues[Index(out, priority)];
        queue.sent += bytes;
        ++queue.frames;
        SetLength(queue, queued, queued == 0);
        return ThresholdBuffer::Release(in, out, priority, bytes, queued);
    }

    int64_t IngressThreshold(const Ingress& in, std::size_t /* index */, int64_t free) const
    {
        return Share(free, in.alpha);
    }

    int64_t EgressThreshold(std::size_t index, int64_t free) const
    {
        return Share(free, m_queues[index].alpha);
    }

  private:
    struct Queue
    {
        uint64_t sent{0};    ///< bytes, since the last update
        uint32_t frames{0};  ///< likewise
        uint32_t length{0};  ///< bytes
        uint32_t alpha{0};   ///< of all that the threshold has but what is free
        bool wasEmpty{true}; ///< since the last update
    };

    static void SetLength(Queue& queue, uint32_t length, bool empty)
    {
        queue.length = length;
        queue.wasEmpty |= empty;
    }

    void DoConfigure(const BufferLayout& layout, const std::vector<double>& scale) override;
    void Update(Tick now);
    bool IsCongested(std::size_t index, uint8_t priority) const;

    NumberKey GetShareKey() const override
    {
        return {"alpha", 1024};
    }

    double AlphaOf(uint8_t priority) const
    {
        return GetShare(priority).value_or(m_alpha);
    }

    std::vector<Queue> m_queues; ///< by priority and port
    std::vector<BufferLayout::Port> m_ports;
    Tick m_updated{0};
    Tick m_next{0};
    double m_alpha;
    double m_congestedRatio;
    Time m_interval;
};

NS_OBJECT_ENSURE_REGISTERED(Abm);

TypeId
Abm::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::Abm")
            .SetParent<PooledBuffer>()
            .SetGroupName("AiFabric")
            .AddConstructor<Abm>()
            .AddAttribute("LossyAlpha",
                          "A congested queue that has its port for itself may hold this times the "
                          "free pool.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&Abm::m_alpha),
                          MakeDoubleChecker<double>(0, 1024))
            .AddAttribute("CongestedRatio",
                          "A queue is congested from this share of its threshold on.",
                          DoubleValue(0.9),
                          MakeDoubleAccessor(&Abm::m_congestedRatio),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("UpdateInterval",
                          "How often drain rates and congested queues are taken; long against the "
                          "time of a frame.",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&Abm::m_interval),
                          MakeTimeChecker(NanoSeconds(1)));
    return tid;
}

void
Abm::DoConfigure(const BufferLayout& layout, const std::vector<double>& scale)
{
    m_ports = layout.ports;
    m_queues.resize(m_ingress.size());
    for (uint8_t priority = 0; priority < kPriorities; ++priority)
    {
        for (PortIdx port = 0; port < m_portCount; ++port)
        {
            const std::size_t index = Index(port, priority);
            m_ingress[index].alpha = Fixed(GetShare(priority).value_or(layout.alpha) * scale[port]);
            m_queues[index].alpha = Fixed(AlphaOf(priority));
        }
    }
    m_next = ToTick(m_interval);
}

void
Abm::Update(Tick now)
{
    for (uint8_t priority = 0; priority < kPriorities; ++priority)
    {
        uint32_t congested = 0;
        for (PortIdx port = 0; port < m_portCount; ++port)
        {
            congested += IsCongested(Index(port, priority), priority);
        }
        const double alpha = AlphaOf(priority) / std::max(congested, 1U);
        for (PortIdx port = 0; port < m_portCount; ++port)
        {
            Queue& queue = m_queues[Index(port, priority)];
            const double could = m_ports[port].bandwidthBps * (now - m_updated) / 8e12;
            const double did = queue.sent + 1.0 * queue.frames * m_ports[port].gapBytes;
            queue.alpha = Fixed(queue.wasEmpty ? alpha : alpha * std::min(did / could, 1.0));
            queue.sent = 0;
            queue.frames = 0;
            queue.wasEmpty = queue.length == 0;
        }
    }
    m_updated = now;
    m_next = now + ToTick(m_interval);
}

bool
Abm::IsCongested(std::size_t index, uint8_t priority) const
{
    const int64_t held = static_cast<int64_t>(m_queues[index].length) - m_reserved[priority];
    return held > 0 && held >= m_congestedRatio * EgressThreshold(index, Free());
}

} // namespace ns3::aifabric

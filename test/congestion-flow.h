// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_CONGESTION_FLOW_H
#define AIFABRIC_CONGESTION_FLOW_H

#include "ns3/congestion-control.h"
#include "ns3/fabric-registry.h"
#include "ns3/string.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aifabric::test
{

/// Attributes and their values as texts.
using AttributeTexts = std::vector<std::pair<std::string, std::string>>;

/// @return the congestion control of that id, with attributes set.
inline Ptr<CongestionControl>
MakeControl(const std::string& id, const AttributeTexts& attributes = {})
{
    UsePicoseconds();
    auto control = MakePlugin<CongestionControl>(id);
    for (const auto& [name, value] : attributes)
    {
        control->SetAttribute(name, StringValue(value));
    }
    return control;
}

/// A flow without a network, and what a queue pair does with it.
class CongestionFlow
{
  public:
    static constexpr uint32_t kMtu = 1000;

    /// @param overhead of a full frame, bytes on the wire.
    CongestionFlow(Ptr<const CongestionControl> control,
                   double lineRate,
                   Tick baseRtt,
                   uint32_t overhead = 0)
        : m_control(control->ForLineRate(lineRate))
    {
        view.rate = view.lineRate = lineRate;
        view.baseRtt = baseRtt;
        view.mtuBytes = kMtu;
        view.frameBytes = kMtu + overhead;
        m_control->Begin(view, m_state);
    }

    /// The far end has acknowledged so much payload altogether, of so much sent, and the frame had
    /// been told that by the ports on its way.
    void Hear(Tick now, uint64_t acknowledged, uint64_t sent, const std::vector<HopRecord>& hops)
    {
        HopLog log;
        log.count = static_cast<uint8_t>(hops.size());
        std::copy(hops.begin(), hops.end(), log.hops);
        Hear(now, acknowledged, sent, log);
    }

    void Hear(Tick now, uint64_t acknowledged, uint64_t sent, const HopLog& log)
    {
        Acknowledge({now,
                     view.baseRtt,
                     static_cast<uint32_t>(acknowledged - m_acknowledged),
                     sent - acknowledged,
                     acknowledged,
                     false,
                     &log});
    }

    void Acknowledge(const AckEvent& event)
    {
        m_acknowledged = event.acknowledged;
        m_control->Ack(view, m_state, event);
    }

    void Lose(Tick now, LossKind kind)
    {
        m_control->Loss(view, m_state, now, kind);
    }

    void Grant(uint32_t credit, Tick now = 0)
    {
        m_control->Credit(view, m_state, credit, now);
    }

    uint64_t Announce(const SendBacklog& backlog)
    {
        return m_control->Announce(view, m_state, backlog);
    }

    /// A frame of so many bytes starts.
    void Send(uint32_t bytes, Tick now = 0)
    {
        m_control->Sent(view, m_state, bytes, now);
    }

    const CongestionControl& GetControl() const
    {
        return *m_control;
    }

    FlowView view;

  private:
    Ptr<const CongestionControl> m_control;
    uint64_t m_acknowledged{0};
    alignas(std::max_align_t) unsigned char m_state[CongestionControl::kStateBytes];
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_CONGESTION_FLOW_H

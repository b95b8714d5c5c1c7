// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_CONTROL_FLOW_H
#define AIFABRIC_CONTROL_FLOW_H

#include "ns3/congestion-control.h"
#include "ns3/fabric-registry.h"
#include "ns3/scenario-error.h"
#include "ns3/string.h"

#include <cstddef>
#include <map>
#include <string>

namespace ns3::aifabric::test
{

using Attributes = std::map<std::string, std::string>;

inline Ptr<CongestionControl>
MakeControl(const std::string& id, const Attributes& attributes)
{
    UsePicoseconds();
    auto control = MakePlugin<CongestionControl>(id);
    for (const auto& [name, value] : attributes)
    {
        control->SetAttribute(name, StringValue(value));
    }
    return control;
}

inline Ptr<const CongestionControl>
MakeControl(const std::string& id, const Attributes& attributes, double lineRate)
{
    return MakeControl(id, attributes)->ForLineRate(lineRate);
}

/// @return the path of the ScenarioError that such attributes lead to; empty: none.
inline std::string
RefusedAttribute(const std::string& id, const Attributes& attributes, double lineRate = 100e9)
{
    try
    {
        MakeControl(id, attributes, lineRate);
    }
    catch (const ScenarioError& e)
    {
        return e.GetPath();
    }
    return "";
}

/// A flow under a congestion control, without a queue pair.
struct ControlFlow
{
    /// Takes what of the view is known before the flow begins; lineRate is needed.
    ControlFlow(Ptr<const CongestionControl> c, const FlowView& v)
        : control(c),
          view(v)
    {
        view.rate = view.lineRate;
        control->Begin(view, state);
    }

    /// An acknowledgement, one of the last frame sent unless more is in flight.
    void Ack(Tick now, Tick rtt, uint32_t bytes, bool marked = false, const HopLog* hops = nullptr)
    {
        acknowledged += bytes;
        control->Ack(view, state, {now, rtt, bytes, inFlight, acknowledged, marked, hops});
    }

    void Lose(Tick now, LossKind kind)
    {
        control->Loss(view, state, now, kind);
    }

    Ptr<const CongestionControl> control;
    FlowView view;
    uint64_t acknowledged{0};
    uint64_t inFlight{0};
    alignas(std::max_align_t) unsigned char state[CongestionControl::kStateBytes];
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_CONTROL_FLOW_H

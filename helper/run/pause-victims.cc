// SPDX-License-Identifier: GPL-2.0-only
#include "pause-victims.h"

#include "flow-ports.h"

#include "ns3/fabric.h"
#include "ns3/flow-statistics.h"
#include "ns3/run-result.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <unordered_map>

namespace ns3::aifabric
{

namespace
{

bool
WasPausedDuring(const FlowResult& flow, const PausedPort& port)
{
    const Tick end = flow.fct == kNever ? kNever : flow.start + flow.fct;
    return port.priority == flow.priority && port.first < end && port.last > flow.start;
}

} // namespace

void
FindPauseVictims(const Fabric& fabric, RunResult& result)
{
    PauseReport& pauses = result.pauses;
    if (pauses.ports.empty())
    {
        return;
    }
    std::unordered_map<std::string, std::vector<uint32_t>> byName;
    for (uint32_t i = 0; i < pauses.ports.size(); ++i)
    {
        byName[pauses.ports[i].port].push_back(i);
    }
    const FlowPorts ports(fabric);
    for (uint32_t i = 0; i < result.flows.size(); ++i)
    {
        const FlowResult& flow = result.flows[i];
        std::set<std::string> names;
        for (const auto& [node, port] : ports.Of(flow))
        {
            names.insert(fabric.GetGraph().PortName(node, port));
        }
        uint32_t worst = PausedPort::kNone;
        for (const std::string& name : names)
        {
            auto found = byName.find(name);
            for (uint32_t p : found == byName.end() ? std::vector<uint32_t>() : found->second)
            {
                const PausedPort& port = pauses.ports[p];
                const bool isVictim =
                    WasPausedDuring(flow, port) && names.count(pauses.roots[port.root].port) == 0;
                if (isVictim &&
                    (worst == PausedPort::kNone || port.total > pauses.ports[worst].total))
                {
                    worst = p;
                }
            }
        }
        if (worst != PausedPort::kNone)
        {
            pauses.victims.push_back({i, worst});
        }
    }
}

void
AddPauseMetrics(RunResult& result)
{
    const PauseReport& pauses = result.pauses;
    result.metrics["pfc_paused_port_count"] = static_cast<double>(pauses.ports.size());
    result.metrics["pfc_root_count"] = static_cast<double>(pauses.roots.size());
    result.metrics["pfc_deadlock_count"] = static_cast<double>(pauses.deadlocks.size());
    result.metrics["pfc_victim_flow_count"] = static_cast<double>(pauses.victims.size());
    double sum = 0;
    uint64_t count = 0;
    for (const PauseVictim& victim : pauses.victims)
    {
        const double slowdown = Slowdown(result.flows[victim.flow]);
        if (std::isfinite(slowdown))
        {
            sum += slowdown;
            ++count;
        }
    }
    if (count > 0)
    {
        result.metrics["pfc_victim_slowdown_mean"] = sum / static_cast<double>(count);
    }
}

} // namespace ns3::aifabric

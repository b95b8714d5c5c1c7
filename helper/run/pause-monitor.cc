// SPDX-License-Identifier: GPL-2.0-only
#include "pause-monitor.h"

#include "ns3/fabric.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace ns3::aifabric
{

/// On account of what a pause is.
struct PauseMonitor::Account
{
    PortIdx out;
    bool isPaused;   ///< by a switch
    bool isReceiver; ///< the far end is no switch, and pauses the port

    bool operator<(const Account& other) const
    {
        return std::tie(out, isPaused, isReceiver) <
               std::tie(other.out, other.isPaused, other.isReceiver);
    }
};

/// All pauses of one priority of an ingress.
struct PauseMonitor::Pause
{
    Watched* at{nullptr};
    PortIdx in{0};
    uint8_t priority{0};
    bool stops{false};
    bool isDeadlocked{false};
    uint64_t count{0};
    Tick since{0}; ///< of the last one
    Tick first{0};
    Tick last{0};
    Tick total{0};
    Account account{0, false, false};
    std::map<Account, Tick> accounts; ///< how long on which account

    void End(Tick now)
    {
        total += now - since;
        accounts[account] += now - since;
        last = now;
    }

    const Account& GetMain() const
    {
        auto shorter = [](const auto& a, const auto& b) { return a.second < b.second; };
        return std::max_element(accounts.begin(), accounts.end(), shorter)->first;
    }
};

struct PauseMonitor::Watched
{
    uint32_t node;
    Ptr<FabricSwitch> at;
    std::vector<FarEnd> far;
};

PauseMonitor::PauseMonitor(std::function<std::string(uint32_t, PortIdx)> name, bool mayDeadlock)
    : m_name(std::move(name)),
      m_mayDeadlock(mayDeadlock)
{
}

PauseMonitor::PauseMonitor(const Fabric& fabric, bool mayDeadlock)
    : PauseMonitor(
          [&fabric](uint32_t node, PortIdx port) { return fabric.GetGraph().PortName(node, port); },
          mayDeadlock)
{
    const FabricGraph& graph = fabric.GetGraph();
    const GraphPorts ports(graph);
    for (GraphNodeIdx node = 0; node < graph.Nodes().size(); ++node)
    {
        if (auto at = fabric.GetSwitch(node))
        {
            std::vector<FarEnd> far;
            for (const auto& port : ports.Of(node))
            {
                far.push_back({port.peer, port.peerPort});
            }
            Watch(node, at, std::move(far));
        }
    }
}

PauseMonitor::~PauseMonitor() = default;

void
PauseMonitor::Watch(uint32_t node, Ptr<FabricSwitch> at, std::vector<FarEnd> far)
{
    auto& watched = m_watched[node];
    watched = std::make_unique<Watched>(Watched{node, at, std::move(far)});
    at->TraceConnectWithoutContext(
        "Pause",
        Callback<void, PortIdx, uint8_t, bool, PortIdx>(
            [this, &at = *watched](PortIdx in, uint8_t priority, bool stops, PortIdx out) {
                OnPause(at, in, priority, stops, out);
            }));
}

void
PauseMonitor::OnPause(Watched& at, PortIdx in, uint8_t priority, bool stops, PortIdx out)
{
    const Tick now = ToTick(Simulator::Now());
    auto& pause = m_pauses[{at.node, 8U * in + priority}];
    if (!pause)
    {
        pause = std::make_unique<Pause>();
        pause->at = &at;
        pause->in = in;
        pause->priority = priority;
        pause->first = now;
    }
    if (stops)
    {
        ++pause->count;
        pause->since = now;
        pause->account = FindAccount(at, priority, out, now);
        Arm();
    }
    else if (pause->stops)
    {
        pause->End(now);
        pause->isDeadlocked = false;
    }
    pause->stops = stops;
}

PauseMonitor::Account
PauseMonitor::FindAccount(Watched& at, uint8_t priority, PortIdx out, Tick now) const
{
    if (at.at->GetPort(out).GetPausedUntil(priority) <= now)
    {
        return {out, false, false};
    }
    const bool bySwitch = m_watched.count(at.far[out].node) > 0;
    return {out, bySwitch, !bySwitch};
}

PauseMonitor::Pause*
PauseMonitor::FindPause(const Watched& at, PortIdx port, uint8_t priority) const
{
    const FarEnd& far = at.far[port];
    auto found = m_pauses.find({far.node, 8U * far.port + priority});
    return found == m_pauses.end() ? nullptr : found->second.get();
}

void
PauseMonitor::Arm()
{
    if (m_mayDeadlock && !m_armed)
    {
        m_armed = true;
        Simulator::Schedule(FromTick(kPatience), &PauseMonitor::Look, this);
    }
}

void
PauseMonitor::Look()
{
    ++m_looks;
    m_armed = false;
    const Tick now = ToTick(Simulator::Now());
    std::vector<Pause*> stopped;
    bool isYoung = false;
    for (const auto& [key, pause] : m_pauses)
    {
        const bool isOld = pause->since <= now - kPatience;
        isYoung |= pause->stops && !isOld;
        if (pause->stops && isOld)
        {
            stopped.push_back(pause.get());
        }
    }
    FindBlocked(stopped);
    NoteDeadlocks(stopped);
    if (isYoung)
    {
        Arm();
    }
}

/// Leaves of the pauses those whose frames all wait for others that are left.
void
PauseMonitor::FindBlocked(std::vector<Pause*>& stopped) const
{
    std::set<const Pause*> blocked(stopped.begin(), stopped.end());
    auto isBlocked = [&](const Pause& pause) {
        bool holds = false;
        bool moves = false;
        FabricSwitch& at = *pause.at->at;
        for (PortIdx out = 0; out < at.GetPortCount() && !moves; ++out)
        {
            // A port that is blocked itself cannot be what keeps this one from being so.
            const bool waits = blocked.count(FindPause(*pause.at, out, pause.priority)) > 0;
            if (waits && holds)
            {
                continue;
            }
            at.GetPort(out).ForEachWaiting(pause.priority, [&](const Frame& f) {
                const bool isIts = f.ingress == pause.in;
                holds |= isIts && waits;
                moves |= isIts && !waits;
                return !isIts;
            });
        }
        return holds && !moves;
    };
    for (std::size_t before = stopped.size() + 1; stopped.size() < before;)
    {
        before = stopped.size();
        for (const Pause* pause : std::vector<Pause*>(stopped))
        {
            if (!isBlocked(*pause))
            {
                blocked.erase(pause);
            }
        }
        stopped.erase(std::remove_if(stopped.begin(),
                                     stopped.end(),
                                     [&](const Pause* p) { return blocked.count(p) == 0; }),
                      stopped.end());
    }
}

/// From pause to pause by one that it waits for: each such walk ends in a circle.
void
PauseMonitor::NoteDeadlocks(const std::vector<Pause*>& blocked)
{
    const std::set<const Pause*> all(blocked.begin(), blocked.end());
    std::map<const Pause*, std::size_t> walks;
    for (std::size_t walk = 0; walk < blocked.size(); ++walk)
    {
        std::vector<Pause*> way;
        Pause* pause = blocked[walk];
        while (walks.emplace(pause, walk).second)
        {
            way.push_back(pause);
            FabricSwitch& at = *pause->at->at;
            Pause* next = nullptr;
            for (PortIdx out = 0; out < at.GetPortCount() && !next; ++out)
            {
                Pause* candidate = FindPause(*pause->at, out, pause->priority);
                at.GetPort(out).ForEachWaiting(pause->priority, [&](const Frame& f) {
                    next = f.ingress == pause->in && all.count(candidate) ? candidate : nullptr;
                    return !next;
                });
            }
            pause = next;
        }
        auto begin = std::find(way.begin(), way.end(), pause);
        if (begin == way.end() || (*begin)->isDeadlocked)
        {
            continue;
        }
        PauseDeadlock deadlock;
        deadlock.priority = pause->priority;
        for (; begin != way.end(); ++begin)
        {
            (*begin)->isDeadlocked = true;
            deadlock.since = std::max(deadlock.since, (*begin)->since);
            const FarEnd& paused = (*begin)->at->far[(*begin)->in];
            deadlock.ports.push_back(m_name(paused.node, paused.port));
        }
        m_deadlocks.push_back(std::move(deadlock));
    }
}

PauseReport
PauseMonitor::Report(Tick now)
{
    PauseReport report;
    report.deadlocks = m_deadlocks;
    std::vector<Pause*> pauses;
    for (const auto& [key, pause] : m_pauses)
    {
        if (pause->stops)
        {
            pause->End(now);
            pause->since = now;
        }
        pauses.push_back(pause.get());
    }
    std::stable_sort(pauses.begin(), pauses.end(), [](const Pause* a, const Pause* b) {
        return a->total > b->total;
    });
    // Roots first, then pauses of what is placed already; what is left then goes round in circles.
    std::map<const Pause*, uint32_t> placed;
    auto place = [&](const Pause& pause, uint32_t root, uint32_t parent) {
        const FarEnd& far = pause.at->far[pause.in];
        placed[&pause] = static_cast<uint32_t>(report.ports.size());
        report.ports.push_back({m_name(far.node, far.port),
                                pause.priority,
                                pause.count,
                                pause.first,
                                pause.last,
                                pause.total,
                                root,
                                parent});
    };
    auto rootOf = [&](const Pause& pause, PauseRoot::Cause cause) {
        const std::string port = m_name(pause.at->node, pause.GetMain().out);
        auto is = [&](const PauseRoot& root) {
            return root.port == port && root.priority == pause.priority && root.cause == cause;
        };
        auto found = std::find_if(report.roots.begin(), report.roots.end(), is);
        const auto index = static_cast<uint32_t>(found - report.roots.begin());
        if (found == report.roots.end())
        {
            report.roots.push_back({port, pause.priority, cause});
        }
        return index;
    };
    std::vector<Pause*> left;
    for (Pause* pause : pauses)
    {
        if (pause->GetMain().isPaused)
        {
            left.push_back(pause);
            continue;
        }
        place(*pause,
              rootOf(*pause,
                     pause->GetMain().isReceiver ? PauseRoot::Receiver : PauseRoot::Congestion),
              PausedPort::kNone);
    }
    while (!left.empty())
    {
        auto parentOf = [&](const Pause* pause) {
            auto found = placed.find(FindPause(*pause->at, pause->GetMain().out, pause->priority));
            return found == placed.end() ? PausedPort::kNone : found->second;
        };
        std::vector<Pause*> waiting;
        for (Pause* pause : left)
        {
            const uint32_t parent = parentOf(pause);
            if (parent == PausedPort::kNone)
            {
                waiting.push_back(pause);
                continue;
            }
            place(*pause, report.ports[parent].root, parent);
        }
        if (waiting.size() == left.size())
        {
            // Of a circle the longest paused one stands for the root.
            place(*waiting[0], rootOf(*waiting[0], PauseRoot::Circle), PausedPort::kNone);
            waiting.erase(waiting.begin());
        }
        left = std::move(waiting);
    }
    return report;
}

} // namespace ns3::aifabric

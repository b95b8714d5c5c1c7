// SPDX-License-Identifier: GPL-2.0-only
#include "pause-summary.h"

#include "readable-units.h"
#include "report-sections.h"
#include "text-table.h"

#include "ns3/flow-statistics.h"
#include "ns3/run-result.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace ns3::aifabric
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr std::size_t kRootsShown = 8;

double
Nanoseconds(Tick time)
{
    return static_cast<double>(time) / kNanosecond;
}

std::string
CauseName(PauseRoot::Cause cause)
{
    return cause == PauseRoot::Congestion ? "congestion"
           : cause == PauseRoot::Receiver ? "receiver"
                                          : "circle";
}

/// @return victims, the slowest first; those that are not done before all others.
std::vector<PauseVictim>
SlowestFirst(const RunResult& result)
{
    auto slowness = [&](const PauseVictim& victim) {
        const double slowdown = Slowdown(result.flows[victim.flow]);
        return std::isnan(slowdown) ? HUGE_VAL : slowdown;
    };
    std::vector<PauseVictim> victims = result.pauses.victims;
    std::stable_sort(victims.begin(), victims.end(), [&](const auto& a, const auto& b) {
        return slowness(a) > slowness(b);
    });
    return victims;
}

} // namespace

std::string
PauseSummary(const RunResult& result)
{
    const PauseReport& pauses = result.pauses;
    std::vector<Json> roots;
    for (const PauseRoot& root : pauses.roots)
    {
        roots.push_back({{"port", root.port},
                         {"priority", root.priority},
                         {"cause", CauseName(root.cause)},
                         {"paused", Json::array()}});
    }
    // Children come after their parents: what is complete moves up from the end.
    std::vector<Json> ports;
    for (const PausedPort& port : pauses.ports)
    {
        ports.push_back({{"port", port.port},
                         {"pauses", port.pauses},
                         {"first_ns", Nanoseconds(port.first)},
                         {"pause_time_ns", Nanoseconds(port.total)},
                         {"paused", Json::array()}});
    }
    for (std::size_t i = ports.size(); i-- > 0;)
    {
        const PausedPort& port = pauses.ports[i];
        std::reverse(ports[i]["paused"].begin(), ports[i]["paused"].end());
        Json& above = port.parent == PausedPort::kNone ? roots[port.root] : ports[port.parent];
        above["paused"].push_back(std::move(ports[i]));
    }
    Json json{{"deadlocks", Json::array()}, {"roots", Json::array()}, {"victims", Json::array()}};
    for (Json& root : roots)
    {
        std::reverse(root["paused"].begin(), root["paused"].end());
        json["roots"].push_back(std::move(root));
    }
    for (const PauseDeadlock& deadlock : pauses.deadlocks)
    {
        json["deadlocks"].push_back({{"since_ns", Nanoseconds(deadlock.since)},
                                     {"priority", deadlock.priority},
                                     {"ports", deadlock.ports}});
    }
    std::vector<PauseVictim> victims = SlowestFirst(result);
    victims.resize(std::min(victims.size(), kVictimsShown));
    for (const PauseVictim& victim : victims)
    {
        const FlowResult& flow = result.flows[victim.flow];
        const PausedPort& port = pauses.ports[victim.port];
        const double slowdown = Slowdown(flow);
        json["victims"].push_back(
            {{"flow", victim.flow},
             {"source", flow.source},
             {"destination", flow.destination},
             {"port", port.port},
             {"root", pauses.roots[port.root].port},
             {"slowdown", std::isnan(slowdown) ? Json(nullptr) : Json(slowdown)}});
    }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string
DeadlockText(const PauseDeadlock& deadlock)
{
    std::string text = "deadlock in priority " + std::to_string(deadlock.priority) + " since " +
                       ReadableTime(static_cast<double>(deadlock.since) / kSecond) + ": ";
    for (const std::string& port : deadlock.ports)
    {
        text += port + " waits for ";
    }
    return text + deadlock.ports.front();
}

std::string
PausesReport(const RunResult& result)
{
    const PauseReport& pauses = result.pauses;
    if (pauses.roots.empty())
    {
        return "";
    }
    TextTable table(3);
    table.Row({"began at", "cause", "slowest victim", "paused ports", "paused", "victims"});
    const auto victims = SlowestFirst(result);
    for (uint32_t r = 0; r < std::min(pauses.roots.size(), kRootsShown); ++r)
    {
        std::size_t ports = 0;
        Tick total = 0;
        for (const PausedPort& port : pauses.ports)
        {
            ports += port.root == r;
            total += port.root == r ? port.total : 0;
        }
        std::string slowest = "-";
        std::size_t count = 0;
        for (const PauseVictim& victim : victims)
        {
            const FlowResult& flow = result.flows[victim.flow];
            if (pauses.ports[victim.port].root == r && count++ == 0)
            {
                const double slowdown = Slowdown(flow);
                slowest = flow.source + " to " + flow.destination + ": " +
                          (std::isnan(slowdown) ? flow.status : ReadableDigits(slowdown));
            }
        }
        table.Row({pauses.roots[r].port,
                   CauseName(pauses.roots[r].cause),
                   slowest,
                   std::to_string(ports),
                   ReadableTime(static_cast<double>(total) / kSecond),
                   std::to_string(count)});
    }
    return "Pauses, " + std::to_string(pauses.roots.size()) + " places where they began\n" +
           table.Text();
}

} // namespace ns3::aifabric

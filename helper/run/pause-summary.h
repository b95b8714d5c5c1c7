// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PAUSE_SUMMARY_H
#define AIFABRIC_PAUSE_SUMMARY_H

#include <string>

namespace ns3::aifabric
{

struct PauseDeadlock;
struct RunResult;

/**
 * @ingroup ai-fabric-run
 * @return the section `pfc` of summary.json as JSON text: `deadlocks` (`since_ns`, `priority`, `ports`),
 * `roots` (`port`, `priority`, `cause`: congestion, receiver or circle, `paused`) and `victims` (`flow`
 * counted in flows.csv, `source`, `destination`, `port`, `root`, `slowdown`), the kVictimsShown slowest.
 * `paused` are the ports that were on that account (`port`, `pauses`, `first_ns`, `pause_time_ns`),
 * each with its own `paused`.
 */
std::string PauseSummary(const RunResult& result);

inline constexpr std::size_t kVictimsShown = 100;

/// @ingroup ai-fabric-run
/// @return a line for the warnings.
std::string DeadlockText(const PauseDeadlock& deadlock);

} // namespace ns3::aifabric

#endif // AIFABRIC_PAUSE_SUMMARY_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PAUSE_REPORT_H
#define AIFABRIC_PAUSE_REPORT_H

#include "ns3/fabric-time.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/// @ingroup ai-fabric-telemetry
/// Where pauses began: a queue that was not paused itself when others were on its account.
struct PauseRoot
{
    enum Cause
    {
        Congestion, ///< more came for the port than it can send
        Receiver,   ///< the host at its far end paused it
        Circle      ///< it was paused too, on account of its own pauses
    };

    std::string port; ///< as LinkResult::link
    uint8_t priority{0};
    Cause cause{Congestion};
};

/// @ingroup ai-fabric-telemetry
/// A port that the switch at its far end paused, in one priority.
struct PausedPort
{
    static constexpr uint32_t kNone = 0xFFFFFFFF;

    std::string port; ///< as LinkResult::link
    uint8_t priority{0};
    uint64_t pauses{0}; ///< without refreshes
    Tick first{0};      ///< when the switch first decided on one
    Tick last{0};       ///< when it ended the last one, or the end of the run
    Tick total{0};      ///< between the decisions
    uint32_t root{0};   ///< index into PauseReport::roots: where it began, for most of the time
    uint32_t parent{
        kNone}; ///< index into PauseReport::ports: the pause before it, if it is not that
                ///< of the root itself
};

/// @ingroup ai-fabric-telemetry
/// Ports of which each was paused for good until the next one of them sends.
struct PauseDeadlock
{
    Tick since{0}; ///< when the last of them was paused
    uint8_t priority{0};
    std::vector<std::string> ports;
};

/// @ingroup ai-fabric-telemetry
/// A flow that crossed a paused port though it does not cross the root of the pause.
struct PauseVictim
{
    uint32_t flow{0}; ///< index into RunResult::flows
    uint32_t port{0}; ///< index into PauseReport::ports
};

/// @ingroup ai-fabric-telemetry
/// Who paused whom, and on account of what: a forest.
struct PauseReport
{
    std::vector<PauseRoot> roots;
    std::vector<PausedPort> ports; ///< the longest paused ones of a root first
    std::vector<PauseDeadlock> deadlocks;
    std::vector<PauseVictim> victims;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_PAUSE_REPORT_H

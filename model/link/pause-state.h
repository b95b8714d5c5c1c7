// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PAUSE_STATE_H
#define AIFABRIC_PAUSE_STATE_H

#include "ns3/fabric-time.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::aifabric
{

class EgressPort;

/**
 * @ingroup ai-fabric
 * Told of what pauses do to a port.
 */
class PauseListener
{
  public:
    /**
     * A priority is stopped, or goes on.
     * @param port who is paused; its far end is who pauses.
     * @param at the exact instant; that a pause has run out is told later, when somebody looks.
     */
    virtual void OnPause(const EgressPort& port, uint8_t priority, bool stops, Tick at) = 0;

  protected:
    ~PauseListener() = default;
};

/// @ingroup ai-fabric
/// What one priority of a port has had to do with pauses since the start.
struct PauseCounters
{
    uint64_t xoffSent{0}; ///< pause frames that stop, refreshes included
    uint64_t xonSent{0};  ///< pause frames that resume
    uint64_t xoffReceived{0};
    uint64_t xonReceived{0};
    Tick pausedTime{0}; ///< without a pause that lasts
};

/// @ingroup ai-fabric
/// What only ports have that somebody paused, or that paused somebody.
struct PauseState
{
    static constexpr int kPriorities = 8;

    std::array<Tick, kPriorities> until{}; ///< not later than the present where nobody stops it
    std::array<Tick, kPriorities> since{};
    std::array<PauseCounters, kPriorities> counters{};
    std::vector<PauseListener*> listeners;

    void Tell(const EgressPort& port, uint8_t priority, bool stops, Tick at) const
    {
        for (PauseListener* listener : listeners)
        {
            listener->OnPause(port, priority, stops, at);
        }
    }
};

} // namespace ns3::aifabric

#endif // AIFABRIC_PAUSE_STATE_H

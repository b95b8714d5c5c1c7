// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PAUSE_MONITOR_H
#define AIFABRIC_PAUSE_MONITOR_H

#include "ns3/fabric-switch.h"
#include "ns3/pause-report.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aifabric
{

class Fabric;

/**
 * @ingroup ai-fabric-run
 * Follows the pauses of switches: who is paused by whom, on account of which queue, and whether some
 * of them wait for each other for good.
 *
 * A pause is put down to the queue of the frame that was too much. It is in a deadlock if all frames
 * of its ingress wait for ports that are in one too (the largest such set), and all of these pauses have
 * lasted kPatience. Pauses are looked at from kPatience to twice that after one has begun, and not
 * at all while there are none.
 */
class PauseMonitor
{
  public:
    static constexpr Tick kPatience = 200 * kMicrosecond;

    /// The far end of a port. Nodes are numbered by whoever uses this.
    struct FarEnd
    {
        uint32_t node;
        PortIdx port;
    };

    /// @param name of a port of a node. @param mayDeadlock whether to look for deadlocks.
    PauseMonitor(std::function<std::string(uint32_t, PortIdx)> name, bool mayDeadlock);
    /// Watches all switches of a fabric, which outlives this.
    PauseMonitor(const Fabric& fabric, bool mayDeadlock);
    ~PauseMonitor();
    PauseMonitor(const PauseMonitor&) = delete;
    PauseMonitor& operator=(const PauseMonitor&) = delete;

    /// @param far by port.
    void Watch(uint32_t node, Ptr<FabricSwitch> at, std::vector<FarEnd> far);

    /// @return what was seen up to now; victims are not known here.
    PauseReport Report(Tick now);

    /// @return events that it took to look for deadlocks.
    uint64_t CountLooks() const
    {
        return m_looks;
    }

  private:
    struct Pause;
    struct Watched;
    struct Account;
    using Key = std::pair<uint32_t, uint32_t>; ///< node that pauses; 8 × ingress + priority

    void OnPause(Watched& at, PortIdx in, uint8_t priority, bool stops, PortIdx out);
    Account FindAccount(Watched& at, uint8_t priority, PortIdx out, Tick now) const;
    /// @return the pause of a port, or null where no switch has ever paused it.
    Pause* FindPause(const Watched& at, PortIdx port, uint8_t priority) const;
    void Arm();
    void Look();
    void FindBlocked(std::vector<Pause*>& stopped) const;
    void NoteDeadlocks(const std::vector<Pause*>& blocked);

    std::function<std::string(uint32_t, PortIdx)> m_name;
    bool m_mayDeadlock;
    bool m_armed{false};
    uint64_t m_looks{0};
    std::map<uint32_t, std::unique_ptr<Watched>> m_watched; ///< by node
    std::map<Key, std::unique_ptr<Pause>> m_pauses;
    std::vector<PauseDeadlock> m_deadlocks;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_PAUSE_MONITOR_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PFC_WATCHDOG_H
#define AIFABRIC_PFC_WATCHDOG_H

#include "pfc-watchdog-settings.h"

#include "ns3/event-impl.h"
#include "ns3/fabric-time.h"
#include "ns3/frame.h"

#include <cstdint>
#include <vector>

namespace ns3::aifabric
{

class FabricSwitch;

/**
 * @ingroup ai-fabric
 * Frees the queues of a switch that pauses have stopped for too long (the PFC watchdog of SONiC and of
 * vendors): those that hold frames and have sent none since the detection time, paused throughout.
 * What it does then is its settings' action; it ends once no pause frame has come for the restoration
 * time.
 *
 * It looks only while some priority is paused, or a storm is on: once per interval, counted from the
 * pause that made it look.
 */
class PfcWatchdog
{
  public:
    /// @param at the switch. @param settings not to change. Both outlive this.
    PfcWatchdog(FabricSwitch& at, Ptr<const PfcWatchdogSettings> settings);

    /// A pause frame that stops has come; before the port obeys it.
    void OnXoff(PortIdx port, uint8_t priority, Tick now);

    /// @return whether frames of that priority are to be dropped that come in at one port and would
    /// leave by the other.
    bool Discards(PortIdx in, PortIdx out, uint8_t priority) const
    {
        return ((m_discards[in] | m_discards[out]) >> priority & 1) != 0;
    }

    /// @return storms that it has detected.
    uint64_t GetDetected() const
    {
        return m_detected;
    }

    /// @return queues that it is freeing now.
    uint32_t GetActive() const
    {
        return m_active;
    }

  private:
    /// A priority of a port that is looked at.
    struct Watched
    {
        PortIdx port;
        uint8_t priority;
        bool storm;
        Tick stuckSince; ///< kNever: it was not stuck when last looked at
        Tick lastXoff;
    };

    class PollEvent final : public EventImpl
    {
      public:
        PfcWatchdog* watchdog{nullptr};

      private:
        void Notify() override;
    };

    void Poll(Tick now);
    void Look(Watched& watched, Tick now);
    void Detect(Watched& watched, Tick now);
    void Restore(Watched& watched, Tick now);
    Tick StuckSince(const Watched& watched, Tick now) const;

    FabricSwitch& m_switch;
    Ptr<const PfcWatchdogSettings> m_settings;
    std::vector<Watched> m_watched;
    std::vector<uint8_t> m_discards; ///< priorities by port, one bit each
    uint64_t m_detected{0};
    uint32_t m_active{0};
    PollEvent m_event;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_PFC_WATCHDOG_H

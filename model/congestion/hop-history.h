// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_HOP_HISTORY_H
#define AIFABRIC_HOP_HISTORY_H

#include "ns3/hop-log.h"

#include <algorithm>
#include <cstdint>

namespace ns3::aifabric
{

/// What became of a port between two frames of a flow.
struct HopChange
{
    double passed;         ///< between their departures, ps, above 0
    double sent;           ///< bytes in that time, preamble and gap included
    double byteTime;       ///< of the port, ps
    uint32_t queuedBefore; ///< bytes that the first one left behind
    uint32_t queued;       ///< bytes that the second one left behind
};

/**
 * @ingroup ai-fabric
 * What the ports on the way of a flow said last, for the state of congestion controls that measure by
 * INT records. It is kept as short as makes no difference.
 */
class HopHistory
{
  public:
    /**
     * Compares with what the ports say now.
     * @param log of an acknowledged frame. @param now when the acknowledgement came.
     * @param visit called with the HopChange of each port in turn.
     * @return whether these are the ports of last time, and that is not long ago: they have not gone
     * back, nor sent more than they can. If not, visit may have seen some of them.
     */
    template <class F>
    bool Compare(const HopLog& log, Tick now, F visit) const
    {
        if (m_count != log.count || now - m_heard >= kLongest)
        {
            return false;
        }
        for (uint8_t i = 0; i < log.count; ++i)
        {
            const Port& before = m_ports[i];
            const Port after(log.hops[i]);
            const HopChange change{64.0 * static_cast<int32_t>(after.at - before.at),
                                   static_cast<double>(after.sent - before.sent),
                                   8e12 / log.hops[i].bandwidthBps,
                                   before.queued,
                                   after.queued};
            if (change.passed <= 0 ||
                change.sent * change.byteTime > kRounding * change.passed + kClockError)
            {
                return false;
            }
            visit(change);
        }
        return true;
    }

    /// What they say now is what they said last from here on.
    void Keep(const HopLog& log, Tick now)
    {
        m_heard = now;
        m_count = log.count;
        std::copy_n(log.hops, log.count, m_ports);
    }

  private:
    /// Its clock runs round in 0.27 s, its bytes in 10 ms at 3.4 Tb/s.
    struct Port
    {
        Port() = default;

        Port(const HopRecord& hop)
            : at(static_cast<uint32_t>(hop.at >> 6)),
              sent(static_cast<uint32_t>(hop.sentBytes)),
              queued(hop.queuedBytes)
        {
        }

        uint32_t at;     ///< in units of 64 ps
        uint32_t sent;   ///< bytes, modulo 2^32
        uint32_t queued; ///< bytes
    };

    static constexpr Tick kLongest = 10 * kMillisecond;
    static constexpr double kRounding = 1.01;  ///< a frame's time on the wire is in whole ps
    static constexpr double kClockError = 128; ///< ps, of the difference of two

    Tick m_heard{0};
    uint8_t m_count{0};
    Port m_ports[HopLog::kMaxHops];
};

} // namespace ns3::aifabric

#endif // AIFABRIC_HOP_HISTORY_H

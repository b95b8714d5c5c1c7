// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_ECN_SETTINGS_H
#define AIFABRIC_ECN_SETTINGS_H

#include "number-table.h"

#include "ns3/object.h"

#include <cstdint>
#include <string>

namespace ns3::aifabric
{

/// When a queue marks: RED on its length at one instant, without averaging.
struct RedThresholds
{
    uint32_t kmin; ///< bytes up to which nothing is marked
    uint32_t kmax; ///< bytes above which everything is
    double pmax;   ///< probability at kmax

    /// @return probability of a mark at a queue of that many bytes (Zhu et al., SIGCOMM'15, eq. 5).
    double Probability(uint32_t queued) const
    {
        return queued <= kmin ? 0 : queued > kmax ? 1 : pmax * (queued - kmin) / (kmax - kmin);
    }
};

/**
 * @ingroup ai-fabric
 * Marking by switches: one set of thresholds, or some by link rate and priority.
 */
class EcnSettings : public Object
{
  public:
    static TypeId GetTypeId();

    /// When a frame is marked, by the length that its queue has then without it.
    enum Position
    {
        kDequeue, ///< when it begins to leave
        kEnqueue  ///< when it joins the queue
    };

    /**
     * @param bandwidthBps rate of the port.
     * @param priority of the queue, 0 to 7.
     * @throws ScenarioError if thresholds contradict each other.
     */
    RedThresholds For(double bandwidthBps, uint8_t priority) const;

    bool IsEnabled() const
    {
        return m_enabled;
    }

    Position GetPosition() const
    {
        return m_position;
    }

    /// @return whether frames of lossy priorities that must not be marked are dropped instead.
    bool DropsUnmarkable() const
    {
        return m_dropsUnmarkable;
    }

  private:
    void SetThresholds(std::string json);
    std::string GetThresholds() const;

    bool m_enabled;
    Position m_position;
    bool m_dropsUnmarkable;
    uint32_t m_kmin;
    uint32_t m_kmax;
    double m_pmax;
    double m_reference;
    NumberTable m_table;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_ECN_SETTINGS_H

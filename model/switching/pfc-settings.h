// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PFC_SETTINGS_H
#define AIFABRIC_PFC_SETTINGS_H

#include "pfc-watchdog-settings.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aifabric
{

/// @ingroup ai-fabric
/// What one end of a link has to do with pauses: priorities, one bit each.
struct PfcEnd
{
    uint8_t sends; ///< it pauses its far end instead of dropping: lossless on the way to here
    uint8_t obeys; ///< it heeds the pause frames that it gets
};

/**
 * @ingroup ai-fabric
 * Priority flow control (IEEE 802.1Qbb) of a fabric.
 */
class PfcSettings : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return priorities that pause their sender where `Ports` does not say otherwise, one bit each; 0
    /// where PFC is off.
    uint8_t GetLosslessMask() const
    {
        return m_enabled ? m_mask : 0;
    }

    /// A node at one end of a link.
    struct Node
    {
        std::string name;
        std::string layer; ///< "leaf"
    };

    /// @return what the port of a node that leads to another has to do with pauses.
    PfcEnd GetEnd(const Node& at, const Node& toward) const;
    /// @return names in `Ports`, each as a path of the scenario and what stands there.
    std::vector<std::pair<std::string, std::string>> GetNames() const;

    /// @return what the user gave, or nothing where it is to be computed.
    std::optional<uint64_t> GetHeadroomBytes() const
    {
        return m_headroom;
    }

    double GetAlpha() const
    {
        return m_alpha;
    }

    /// @return length asked for in pause frames: quanta, or kStickyPause.
    uint32_t GetQuanta() const;

    /// @return how long the far end may go on sending once it has the pause frame.
    Time GetResponseTime() const
    {
        return m_responseTime;
    }

    /// @return never null.
    Ptr<const PfcWatchdogSettings> GetWatchdog() const
    {
        return m_watchdog;
    }

  private:
    void SetPriorities(std::string json);
    std::string GetPriorities() const;

    /// An entry of `Ports`.
    struct Exception
    {
        std::string at;     ///< name of a node or a layer
        std::string toward; ///< likewise; empty is any
        std::optional<uint8_t> sends;
        std::optional<uint8_t> obeys;
    };

    void SetPorts(std::string json);
    std::string GetPorts() const;
    void SetHeadroom(std::string json);
    std::string GetHeadroom() const;

    bool m_enabled;
    uint8_t m_mask{0};
    std::vector<Exception> m_exceptions;
    std::optional<uint64_t> m_headroom;
    double m_alpha;
    uint32_t m_quanta;
    bool m_sticky;
    Time m_responseTime;
    Ptr<PfcWatchdogSettings> m_watchdog{CreateObject<PfcWatchdogSettings>()};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_PFC_SETTINGS_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_RECEIVE_BUFFER_H
#define AIFABRIC_RECEIVE_BUFFER_H

#include "ns3/event-impl.h"
#include "ns3/flight-ring.h"
#include "ns3/frame.h"

#include <array>
#include <cstdint>

namespace ns3::aifabric
{

class RdmaNic;

/// @ingroup ai-fabric-transport
/// How a port of a NIC takes what arrives.
struct ReceiveBufferSettings
{
    double rateBps{0};           ///< of frames, without preamble and gap; 0: it takes all at once
    uint32_t bytes{1 << 20};     ///< of each priority; what does not fit is dropped
    uint32_t xoffBytes{1 << 19}; ///< a lossless priority that holds more pauses its sender
    uint32_t xonBytes{1 << 18};  ///< until it holds no more than this
    uint8_t losslessMask{0};     ///< those priorities, one bit each
};

/**
 * @ingroup ai-fabric-transport
 * The receiving side of a port of a NIC that is slower than its link: a slow receiver. It stands
 * between the link and the NIC, hands frames on in the order of their arrival, each when its last
 * byte has been taken, and pauses the sender before it has to drop.
 *
 * Pause frames pass by.
 */
class ReceiveBuffer final : public FrameSink, public EventImpl
{
  public:
    /// @param nic and its port that frames are for; it outlives this.
    ReceiveBuffer(RdmaNic& nic, PortIdx port, const ReceiveBufferSettings& settings);
    ~ReceiveBuffer() override;

    void Receive(Frame* f, PortIdx in, Tick now) override;

    /// @return bytes that wait, all priorities.
    uint64_t GetHeldBytes() const;

    /// @return the most bytes of a priority that ever waited.
    uint32_t GetPeakBytes(uint8_t priority) const
    {
        return m_classes[priority].peak;
    }

    /// @return frames that did not fit.
    uint64_t GetDropped(uint8_t priority) const
    {
        return m_classes[priority].dropped;
    }

  private:
    struct Class
    {
        uint32_t held{0};
        uint32_t peak{0};
        uint64_t dropped{0};
        bool stops{false}; ///< its sender is paused
    };

    void Notify() override;

    RdmaNic& m_nic;
    PortIdx m_port;
    ReceiveBufferSettings m_settings;
    ByteTime m_byteTime;
    FlightRing m_waiting; ///< with the instants at which they have been taken, as if alone
    Tick m_free{0};       ///< when all that waits will have been taken
    std::array<Class, 8> m_classes;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_RECEIVE_BUFFER_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FRAME_H
#define AIFABRIC_FRAME_H

#include "fabric-time.h"
#include "opcode.h"

#include <cstdint>
#include <type_traits>

namespace ns3
{
class Packet;
}

namespace ns3::aifabric
{

/// Dense number of an endpoint (a NIC port, a GPU): what frames are addressed by.
using NodeIdx = uint32_t;
/// Number of a port within its switch or NIC.
using PortIdx = uint16_t;

/// No such port, or no such endpoint.
inline constexpr PortIdx kNoPort = 0xFFFF;
inline constexpr NodeIdx kNoNode = 0xFFFFFFFF;

/// Bits of Frame::flags.
enum FrameFlag : uint8_t
{
    kCe = 1,         ///< congestion experienced
    kEct = 2,        ///< may be marked instead of dropped
    kBecn = 4,       ///< this acknowledgement also notifies of congestion
    kAckReq = 8,     ///< the responder must acknowledge
    kCorrupt = 16,   ///< its check sum will not hold at the receiving end
    kExtended = 32,  ///< owns a FrameExtension
    kSolicited = 64, ///< the receiver's completion is an event of its own (SE)
    kTrimmed = 128,  ///< a switch has cut its payload off
};

/**
 * @ingroup ai-fabric
 * One packet on one wire: what its headers say, not their bytes.
 *
 * A plain value from the FramePool, one cache line. Who receives a `Frame*` owns it and passes it on
 * or gives it back to the pool.
 */
struct alignas(64) Frame
{
    Frame* next; ///< in the queue that holds it
    Tick ready;  ///< it leaves the port that holds it no earlier than this

    union {
        Tick
            sentAt; ///< RoCE: when the requester put it on its wire, see AckEvent::rtt; its ACK has it too
        const Packet* packet; ///< Ordinary: a counted reference, owned by the frame
    };

    NodeIdx src;
    NodeIdx dst;
    uint32_t flow;  ///< number of the destination's queue pair; Pause: class-enable vector
    uint32_t psn;   ///< 24 bits; Pause: quanta
    uint32_t bytes; ///< from the first byte of the destination address to the FCS

    union {
        uint32_t payload; ///< bytes for the application, without padding
        uint32_t aeth;    ///< ACK: syndrome in the top 8 bits, MSN below
    };

    uint32_t hopLog; ///< handle of its HopLog; 0 is none

    union {
        uint32_t extension; ///< handle of its FrameExtension, where flags say that it has one
        uint32_t length;    ///< else RETH: bytes of the message that begins here
        uint32_t immediate; ///< else ImmDt, or IETH: the key to invalidate
        uint32_t readAeth;  ///< else READ response: as aeth
        uint32_t sack;      ///< ACK: kSacks and a sequence number that has arrived; 0 is none
    };

    uint16_t entropy; ///< UDP source port
    PortIdx ingress;  ///< where it came into the switch that holds it
    Opcode op;
    uint8_t priority; ///< 802.1Q priority, 0 to 7
    uint8_t flags;    ///< FrameFlag
    uint8_t hops;     ///< switches crossed
};

/// Bit of Frame::sack.
inline constexpr uint32_t kSacks = 1U << 31;

static_assert(std::is_trivially_copyable_v<Frame> && sizeof(Frame) == 64);

class ArrivalOrder;
class EgressPort;

/**
 * @ingroup ai-fabric
 * Where frames arrive: a switch, a NIC, a GPU's scale-up port.
 */
class FrameSink
{
  public:
    /**
     * @param f the frame; the sink owns it from here.
     * @param in the sink's port.
     * @param now the instant of its arrival, which is Simulator::Now().
     */
    virtual void Receive(Frame* f, PortIdx in, Tick now) = 0;

    /// The frame will arrive within the next few events: request the memory that it will need. A
    /// hint only. @return the port that it will likely be put to, null if none.
    virtual const EgressPort* Prefetch(const Frame& /* f */, PortIdx /* in */) const
    {
        return nullptr;
    }

    /// @return who decides which comes first of the frames that arrive at one instant; null where
    /// nothing depends on it.
    virtual ArrivalOrder* GetArrivalOrder()
    {
        return nullptr;
    }

  protected:
    ~FrameSink() = default;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_FRAME_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_BUFFER_MANAGER_H
#define AIFABRIC_BUFFER_MANAGER_H

#include "ns3/frame.h"
#include "ns3/object.h"

#include <cstdint>
#include <vector>

namespace ns3::aifabric
{

/// Where a frame lies in the buffer: it is counted at its way in and at its way out. To be passed by
/// reference: as a value it would be read from the stack in one piece just after it was written in
/// three, which stalls the processor (a tenth of a large fabric's time).
struct BufferSlot
{
    PortIdx in;
    PortIdx out;
    uint8_t priority;
};

/// What becomes of a frame.
enum class Admission : uint8_t
{
    Shared,   ///< accepted into the shared pool
    Headroom, ///< accepted into the headroom of its ingress
    Drop,
    Unsure, ///< not to be decided on counters that lag
};

/// Whether the sender at the other end of an ingress has to stop or may go on.
enum class PauseEdge : uint8_t
{
    None,
    Xoff,
    Xon,
};

/// Answer to a frame that wants in.
struct Verdict
{
    Admission admission;
    PauseEdge pause{PauseEdge::None};
};

/// What a buffer manager knows of its switch.
struct BufferLayout
{
    struct Port
    {
        double bandwidthBps;
        uint64_t headroomBytes; ///< for each lossless priority
        uint8_t losslessMask;   ///< priorities that pause their sender instead of dropping
        uint32_t gapBytes;      ///< on the wire around each frame
    };

    uint64_t bytes{0}; ///< of the whole buffer
    std::vector<Port> ports;
    double alpha{0.125}; ///< of the dynamic threshold of lossless ingresses
};

/**
 * @ingroup ai-fabric
 * Policy of a shared packet buffer: decides on admission, and on when an ingress has to be paused.
 * It sees neither frames nor links; the switch acts on what it returns.
 *
 * The bytes that are stored can be counted in two ways: by where they came in, which is what a policy
 * keeps, and by the queue in which they wait, of which it is told the length. Both sums are the
 * same.
 *
 * Counters may lag behind at Admit, which then are too high: departures are accounted when somebody
 * looks (see EgressPort). A policy must be such that a frame accepted without an edge on high
 * counters were accepted without an edge on exact ones; it says Unsure about the others, and is
 * asked again once the counters are exact. The frame's own queue is exact at all times.
 */
class BufferManager : public Object
{
  public:
    static TypeId GetTypeId();

    /// Called once before time 0. @throws ScenarioError if the buffer cannot hold what it must.
    virtual void Configure(const BufferLayout& layout) = 0;
    /**
     * A frame wants in.
     * @param slot where it came in and where it is to go.
     * @param bytes its length.
     * @param queued bytes in the queue to which it is to go.
     * @param exact whether no departure is outstanding; Unsure is no answer then.
     */
    virtual Verdict Admit(const BufferSlot& slot, uint32_t bytes, uint32_t queued, bool exact) = 0;
    /**
     * A frame leaves.
     * @param in,out,priority the slot in which it lay.
     * @param bytes its length.
     * @param queued bytes in the queue behind it.
     */
    virtual PauseEdge
    Release(PortIdx in, PortIdx out, uint8_t priority, uint32_t bytes, uint32_t queued) = 0;
    /// @return bytes that a lossless ingress holds when its sender is paused, if no other ingress
    /// holds any; the largest number where it never is.
    virtual uint64_t GetPauseBytes(PortIdx in, uint8_t priority) const = 0;
    /// @return bytes held, wherever.
    virtual uint64_t GetUsedBytes() const = 0;
    /// @return the highest fill of any ingress' headroom since the start, in bytes.
    virtual uint64_t GetPeakHeadroomBytes() const = 0;
    /// @return the highest fill of that ingress' headroom since the start, in bytes.
    virtual uint64_t GetPeakHeadroomBytes(PortIdx in, uint8_t priority) const = 0;
    /// @return bytes held that came in there, without those in headroom.
    virtual uint64_t GetIngressBytes(PortIdx in, uint8_t priority) const = 0;
    /// @return bytes held in the headroom of that ingress.
    virtual uint64_t GetHeadroomBytes(PortIdx in, uint8_t priority) const = 0;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_BUFFER_MANAGER_H

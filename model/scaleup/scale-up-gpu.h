// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SCALE_UP_GPU_H
#define AIFABRIC_SCALE_UP_GPU_H

#include "scale-up-message.h"

#include "ns3/egress-port.h"

#include <cstdint>
#include <vector>

namespace ns3::aifabric
{

/// Bytes of a packet's header flit on NVLink, and of a message without payload.
inline constexpr uint32_t kScaleUpFlitBytes = 16;
/// Payload of the longest packet on NVLink: what a switch waits for before it passes a cell on.
inline constexpr uint32_t kScaleUpPacketBytes = 256;

/**
 * @ingroup ai-fabric-scaleup
 * A GPU's end of the scale-up network: cuts messages into cells when its link is free for them, and
 * takes what arrives at once.
 *
 * Destinations with messages take turns of MaxCellBytes each, whatever the sizes of their cells.
 */
class ScaleUpGpu final : public FrameSink, public FrameSource
{
  public:
    /**
     * Wires both directions of the link.
     * @param index of this GPU in its domain.
     * @param settings of its link to the switch.
     * @param downlink the switch's port that sends here.
     * @param messages of the domain.
     * @param turnBytes what a destination may send before it is another's turn.
     */
    void Wire(NodeIdx index,
              const PortSettings& settings,
              EgressPort& downlink,
              ScaleUpMessages& messages,
              uint32_t turnBytes);

    /// Sends that message of the domain after all earlier ones to its destination.
    void Send(uint32_t message, Tick now);

    EgressPort& GetUplink()
    {
        return m_uplink;
    }

    void Receive(Frame* f, PortIdx in, Tick now) override;
    const EgressPort* Prefetch(const Frame& f, PortIdx in) const override;
    Tick NextStart(uint8_t priority, Tick from) override;
    Frame* TakeFrame(uint8_t priority, Tick start) override;

  private:
    /// The messages to one destination.
    struct Stream
    {
        NodeIdx to;
        uint32_t head;
        uint32_t tail;
        int64_t turn; ///< bytes left of its turn
    };

    EgressPort m_uplink;
    NodeIdx m_index{0};
    uint32_t m_turnBytes{0};
    uint32_t m_current{0}; ///< whose turn it is
    std::vector<Stream> m_streams;
    ScaleUpMessages* m_messages{nullptr};
    EgressPort* m_downlink{nullptr};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_SCALE_UP_GPU_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SCALE_UP_DOMAIN_H
#define AIFABRIC_SCALE_UP_DOMAIN_H

#include "scale-up-message.h"

#include "ns3/frame.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <memory>

namespace ns3::aifabric
{

class EgressPort;
class FabricSwitch;
class ScaleUpGpu;
class ScaleUpSettings;

/**
 * @ingroup ai-fabric-scaleup
 * The GPUs of a server, or of an NVLink domain, around one non-blocking switch that stands for all
 * NVSwitches of the domain: every GPU has one link to it, of the payload rate of all its links
 * together.
 *
 * A message travels in cells, each of which stands for a train of packets; the switch passes the
 * head of a cell on when its first packet is there (cut-through). Links are lossless by credits for
 * the buffer at their far end; a switch returns them when a cell begins to leave, a GPU when it has
 * it. Nothing is acknowledged.
 *
 * Latency: ScaleUpSettings' HopLatency on each of the two links, the switch itself adds none; a
 * message of S bytes takes 2 x HopLatency + (256 B + S) / rate on an idle network.
 *
 * Costs one event per cell and link, and memory in proportion to GPUs and unfinished messages.
 * Must live until Simulator::Destroy.
 */
class ScaleUpDomain
{
  public:
    /**
     * @param settings not to be changed later.
     * @param gpus how many, 1 at least.
     * @param context ns-3's node id, in which arrivals run.
     * @throws ScenarioError if the settings contradict each other.
     */
    ScaleUpDomain(Ptr<const ScaleUpSettings> settings, uint32_t gpus, uint32_t context);
    ~ScaleUpDomain();
    ScaleUpDomain(const ScaleUpDomain&) = delete;
    ScaleUpDomain& operator=(const ScaleUpDomain&) = delete;

    /**
     * Sends a message, from Simulator::Now() on. Messages of a GPU to the same destination go in
     * order, its destinations share its link evenly.
     * @param from,to numbers of two GPUs of the domain.
     * @param bytes payload; a message of 0 bytes travels as a single flit.
     * @param receiver told at the arrival of the last byte, never from within this call; may be null.
     * @param id what receiver knows the message by.
     */
    void Send(uint32_t from, uint32_t to, uint64_t bytes, ScaleUpReceiver* receiver, uint64_t id);

    /// @return time from Send() to the arrival of a message of 0 bytes on an idle network.
    Tick ZeroByteLatency() const;

    /// @return number of GPUs.
    uint32_t GetGpuCount() const
    {
        return m_gpuCount;
    }

    /// @return the link of a GPU to the switch.
    EgressPort& GetUplink(uint32_t gpu);
    /// @return the link of the switch to a GPU.
    EgressPort& GetDownlink(uint32_t gpu);

    /// @return messages that have not arrived yet.
    uint32_t CountMessages() const
    {
        return m_messages.GetCount();
    }

  private:
    Ptr<const ScaleUpSettings> m_settings;
    uint32_t m_gpuCount;
    ScaleUpMessages m_messages;
    std::unique_ptr<ScaleUpGpu[]> m_gpus;
    Ptr<FabricSwitch> m_switch;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_SCALE_UP_DOMAIN_H

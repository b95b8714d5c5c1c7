// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_HELD_SWITCH_H
#define AIFABRIC_HELD_SWITCH_H

#include "fabric-bed.h"

#include <memory>
#include <utility>
#include <vector>

namespace ns3::aifabric::test
{

/**
 * A switch of which every way out is paused, so that its queues are as long as they are made, until
 * Drain. Endpoint i is behind port i.
 */
class HeldSwitch : public FrameSink
{
  public:
    static constexpr uint8_t kData = 3; ///< PFC's default priority

    /// @param settings all but the table. @param gbps rate by port.
    explicit HeldSwitch(SwitchSettings settings, const std::vector<double>& gbps = {100, 100})
        : m_switch(CreateObject<FabricSwitch>())
    {
        UseSequentialSimulator();
        UsePicoseconds();
        m_switch->MakePorts(gbps.size());
        std::vector<std::vector<PortIdx>> groups;
        std::vector<ForwardingTable::Run> runs;
        for (PortIdx port = 0; port < gbps.size(); ++port)
        {
            PortSettings link;
            link.bandwidthBps = gbps[port] * 1e9;
            link.peer = this;
            Port(port).Wire(link, port, PeekPointer(m_switch), m_switch->GetWatching());
            groups.push_back({port});
            runs.push_back({port, port, port});
        }
        if (settings.bufferBytes > 0 && !settings.buffer)
        {
            settings.buffer = MakePlugin<BufferManager>("dynamic_threshold");
        }
        settings.table = ForwardingTable(groups, runs, gbps.size());
        m_switch->Seal(settings, std::vector<Tick>(gbps.size()));
        PauseAll(kNever);
    }

    ~HeldSwitch()
    {
        Simulator::Destroy();
        m_switch = nullptr;
        EXPECT_EQ(FramePool::Out(), m_framesBefore);
    }

    /// Sends a frame into the switch. @return whether it was admitted.
    bool Send(uint32_t bytes,
              uint8_t priority = kData,
              PortIdx in = 1,
              PortIdx out = 0,
              uint8_t flags = kEct)
    {
        Frame* f = FramePool::Take();
        *f = {};
        f->op = Opcode::WriteMiddle;
        f->dst = out;
        f->bytes = bytes;
        f->flags = flags;
        f->priority = priority;
        const uint64_t before = Port(out).GetCounters().dropped;
        m_switch->Receive(f, in, ToTick(Simulator::Now()));
        return Port(out).GetCounters().dropped == before;
    }

    /// Sends frames until one is dropped. @return bytes in the queue then.
    uint64_t Fill(uint32_t bytes, uint8_t priority = kData, PortIdx in = 1, PortIdx out = 0)
    {
        while (Send(bytes, priority, in, out))
        {
        }
        return Port(out).GetQueuedBytes(priority);
    }

    /// Sends frames until their sender is told to stop. @return bytes that it has in the pool then.
    uint64_t
    FillUntilStopped(uint32_t bytes, PortIdx in = 1, PortIdx out = 0, uint8_t priority = kData)
    {
        const uint32_t before = m_switch->GetPfc().GetStopped();
        while (m_switch->GetPfc().GetStopped() == before)
        {
            EXPECT_TRUE(Send(bytes, priority, in, out));
        }
        return Buffer().GetIngressBytes(in, priority);
    }

    /// Lets everything go that the switch holds.
    void Drain()
    {
        PauseAll(ToTick(Simulator::Now()));
        Simulator::Run();
    }

    EgressPort& Port(PortIdx port = 0)
    {
        return m_switch->GetPort(port);
    }

    FabricSwitch& Switch()
    {
        return *m_switch;
    }

    BufferManager& Buffer()
    {
        return *m_switch->GetBuffer();
    }

    void Receive(Frame* f, PortIdx, Tick) override
    {
        FramePool::Return(f);
    }

  private:
    void PauseAll(Tick until)
    {
        for (PortIdx port = 0; port < m_switch->GetPortCount(); ++port)
        {
            for (uint8_t priority = 0; priority < EgressPort::kPriorities; ++priority)
            {
                Port(port).Pause(priority, until, ToTick(Simulator::Now()));
            }
        }
    }

    Ptr<FabricSwitch> m_switch;
    uint64_t m_framesBefore{FramePool::Out()}; ///< of switches that are still there
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_HELD_SWITCH_H

// SPDX-License-Identifier: GPL-2.0-only
#include "scale-up-domain.h"

#include "scale-up-gpu.h"
#include "scale-up-settings.h"

#include "ns3/abort.h"
#include "ns3/fabric-switch.h"
#include "ns3/simulator.h"

#include <vector>

namespace ns3::aifabric
{

ScaleUpDomain::ScaleUpDomain(Ptr<const ScaleUpSettings> settings, uint32_t gpus, uint32_t context)
    : m_settings(settings),
      m_gpuCount(gpus),
      m_gpus(std::make_unique<ScaleUpGpu[]>(gpus)),
      m_switch(CreateObject<FabricSwitch>())
{
    settings->Validate();
    UsePicoseconds();
    m_switch->MakePorts(gpus, true);
    PortSettings up;
    up.bandwidthBps = settings->GetGpuBandwidth();
    up.delay = ToTick(settings->GetHopLatency());
    up.creditBytes = settings->GetCreditBufferBytes();
    up.peerNode = context;
    PortSettings down = up;
    up.cutThroughBytes = kScaleUpPacketBytes;
    up.peer = PeekPointer(m_switch);

    SwitchSettings center;
    std::vector<std::vector<PortIdx>> groups;
    std::vector<ForwardingTable::Run> runs;
    for (uint32_t i = 0; i < gpus; ++i)
    {
        up.peerPort = i;
        down.peer = &m_gpus[i];
        m_gpus[i].Wire(i, up, m_switch->GetPort(i), m_messages, settings->GetMaxCellBytes());
        m_switch->GetPort(i).Wire(down, i, PeekPointer(m_switch), m_switch->GetWatching());
        m_switch->ReturnCredits(i, m_gpus[i].GetUplink(), down.delay);
        groups.push_back({static_cast<PortIdx>(i)});
        runs.push_back({i, i, i});
    }
    center.table = ForwardingTable(groups, std::move(runs), gpus);
    m_switch->Seal(center, std::vector<Tick>(gpus, up.delay));
}

ScaleUpDomain::~ScaleUpDomain() = default;

void
ScaleUpDomain::Send(uint32_t from,
                    uint32_t to,
                    uint64_t bytes,
                    ScaleUpReceiver* receiver,
                    uint64_t id)
{
    NS_ABORT_MSG_IF(from >= m_gpuCount || to >= m_gpuCount || from == to,
                    "a message from GPU " << from << " to GPU " << to << " of " << m_gpuCount);
    const uint32_t message = m_messages.Add(
        {bytes, bytes, receiver, id, to, m_settings->GetCellBytes(bytes), ScaleUpMessages::kNone});
    m_gpus[from].Send(message, Simulator::Now().GetTimeStep());
}

Tick
ScaleUpDomain::ZeroByteLatency() const
{
    const EgressPort& port = m_switch->GetPort(0);
    return 2 * (port.WireTime(kScaleUpFlitBytes) + port.GetSettings().delay);
}

EgressPort&
ScaleUpDomain::GetUplink(uint32_t gpu)
{
    return m_gpus[gpu].GetUplink();
}

EgressPort&
ScaleUpDomain::GetDownlink(uint32_t gpu)
{
    return m_switch->GetPort(gpu);
}

} // namespace ns3::aifabric

// SPDX-License-Identifier: GPL-2.0-only
#include "start-up-advice.h"

#include "readable-units.h"

#include "ns3/congestion-control.h"
#include "ns3/fabric-registry.h"
#include "ns3/fabric.h"
#include "ns3/load-balancer.h"
#include "ns3/loss-recovery.h"
#include "ns3/path-model.h"
#include "ns3/scenario-config.h"
#include "ns3/scenario-error.h"
#include "ns3/simulator.h"
#include "ns3/transport-settings.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <set>

namespace ns3::aifabric
{

namespace
{

/// Longest payload of a frame of InfiniBand and RoCE (IBA vol. 1, path MTU).
constexpr uint32_t kLongestMtu = 4096;

std::string
Bytes(uint64_t bytes)
{
    return std::to_string(bytes) + " bytes";
}

std::string
Readable(Tick time)
{
    return ReadableTime(static_cast<double>(time) / kSecond);
}

std::string
NameOf(const CongestionControl& control)
{
    return "congestion control " + PluginId(control.GetInstanceTypeId());
}

/// One look at a scenario.
class Advisor
{
  public:
    Advisor(const ScenarioConfig& config, const Fabric& fabric)
        : m_config(config),
          m_fabric(fabric),
          m_settings(fabric.GetSettings())
    {
    }

    std::vector<std::string> Look()
    {
        CheckFrames();
        CheckTrimming();
        CheckPausesAndMarks();
        for (const TrafficConfig& traffic : m_config.traffic)
        {
            CheckTransport(traffic.transport);
        }
        for (const JobConfig& job : m_config.jobs)
        {
            CheckTransport(job.transport);
        }
        return std::move(m_advice);
    }

  private:
    void Say(const std::string& text)
    {
        if (m_said.insert(text).second)
        {
            m_advice.push_back(text);
        }
    }

    bool Marks() const
    {
        return m_settings.ecn && m_settings.ecn->IsEnabled();
    }

    uint8_t GetLossless() const
    {
        return m_settings.pfc ? m_settings.pfc->GetLosslessMask() : 0;
    }

    void CheckFrames();
    void CheckTrimming();
    void CheckPausesAndMarks();
    void CheckQueue(FabricSwitch& at, const std::string& name, PortIdx port, uint8_t priority);
    void CheckTransport(const BlockSet& blocks);
    void CheckControl(const CongestionControl& control);
    void CheckRecovery(const BlockSet& blocks, const TransportSettings& settings);
    Tick GetLongestRtt();

    const ScenarioConfig& m_config;
    const Fabric& m_fabric;
    const FabricSettings& m_settings;
    std::vector<std::string> m_advice;
    std::set<std::string> m_said;
    std::set<std::array<uint64_t, 3>> m_seen; ///< pause threshold, kmin and kmax of a queue
    Tick m_rtt{0};
};

void
Advisor::CheckFrames()
{
    if (m_settings.mtuPayloadBytes > kLongestMtu)
    {
        Say("network.mtu_payload_bytes of " + std::to_string(m_settings.mtuPayloadBytes) +
            " is more than the " + std::to_string(kLongestMtu) + " that RDMA has");
    }
}

void
Advisor::CheckTrimming()
{
    const uint8_t mask = m_settings.trimming ? m_settings.trimming->GetTrimmedMask() : 0;
    for (uint8_t priority = 0; priority < EgressPort::kPriorities; ++priority)
    {
        if (!(mask >> priority & 1))
        {
            continue;
        }
        const std::string name = "network.trimming.trimmed_priorities: " + std::to_string(priority);
        if (GetLossless() >> priority & 1)
        {
            Say(name +
                " is one of network.pfc.lossless_priorities: it is paused before anything has "
                "to be trimmed");
        }
        if (m_settings.trimming->GetPriority() <= priority)
        {
            Say(name + " is no lower than network.trimming.priority " +
                std::to_string(m_settings.trimming->GetPriority()) +
                ": headers do not overtake the data");
        }
    }
}

/// Marks are to slow flows down before pauses stop them: what a queue holds when the only ingress
/// that fills it is paused has to be beyond where it marks (Zhu et al., SIGCOMM 2015, section 4).
void
Advisor::CheckPausesAndMarks()
{
    const FabricGraph& graph = m_fabric.GetGraph();
    for (GraphNodeIdx node = 0; node < graph.Nodes().size(); ++node)
    {
        auto at = m_fabric.GetSwitch(node);
        for (PortIdx port = 0; at && at->GetBuffer() && port < at->GetPortCount(); ++port)
        {
            for (uint8_t priority = 0; priority < EgressPort::kPriorities; ++priority)
            {
                if (GetLossless() >> priority & 1)
                {
                    CheckQueue(*at, graph.PortName(node, port), port, priority);
                }
            }
        }
    }
}

void
Advisor::CheckQueue(FabricSwitch& at, const std::string& name, PortIdx port, uint8_t priority)
{
    const uint64_t paused = at.GetBuffer()->GetPauseBytes(port, priority);
    const uint32_t frame = m_settings.headers.DataFrame(m_settings.mtuPayloadBytes, true);
    const std::string queue = name + ", priority " + std::to_string(priority) + ": ";
    // One port stands for all that are alike.
    if (paused < 2ULL * frame && !m_seen.count({paused, 0, 0}))
    {
        m_seen.insert({paused, 0, 0});
        Say(queue + "pauses its sender at " + Bytes(paused) + ", less than two frames of " +
            std::to_string(frame));
    }
    if (!Marks())
    {
        return;
    }
    const RedThresholds red = m_settings.ecn->For(at.GetPort(port).GetBandwidth(), priority);
    if (red.kmax < paused || !m_seen.insert({paused, red.kmin, red.kmax}).second)
    {
        return;
    }
    if (red.kmin >= paused)
    {
        Say(queue + "pauses a lone sender at " + Bytes(paused) + ", before kmin_bytes of " +
            std::to_string(red.kmin) + ": marks cannot act before pauses do");
    }
    else
    {
        Say(queue + "pauses a lone sender at " + Bytes(paused) + ", below kmax_bytes of " +
            std::to_string(red.kmax) + ": at most " +
            ReadableDigits(100 * red.Probability(static_cast<uint32_t>(paused)), 3) +
            " % of the frames are marked before pauses act");
    }
}

/// @return the base round trip between the hosts that builders put farthest apart; 0 if there is none.
Tick
Advisor::GetLongestRtt()
{
    const uint32_t hosts = m_fabric.GetGraph().HostCount();
    if (m_rtt == 0 && hosts > 1)
    {
        try
        {
            m_rtt = PathModel(m_fabric).BaseRtt(0, hosts - 1);
        }
        catch (const ScenarioError&)
        {
            m_rtt = kNever;
        }
    }
    return m_rtt == kNever ? 0 : m_rtt;
}

void
Advisor::CheckTransport(const BlockSet& blocks)
{
    auto settings = blocks.Get<TransportSettings>("settings");
    if (auto control = blocks.Get<CongestionControl>("congestion_control"))
    {
        const double rate = m_fabric.GetHostPort(0).GetBandwidth();
        CheckControl(*control->ForLineRate(rate));
    }
    if (settings)
    {
        CheckRecovery(blocks, *settings);
    }
}

void
Advisor::CheckControl(const CongestionControl& control)
{
    if (control.GetNotification().mode != CongestionNotification::None && !Marks())
    {
        Say(NameOf(control) +
            " waits for marks, but network.ecn has no queue mark: it will slow no flow");
    }
    FlowView flow;
    flow.rate = flow.lineRate = m_fabric.GetHostPort(0).GetBandwidth();
    flow.baseRtt = GetLongestRtt();
    const FabricSettings& settings = m_fabric.GetSettings();
    flow.mtuBytes = settings.mtuPayloadBytes;
    flow.frameBytes = settings.headers.DataFrame(flow.mtuBytes, false) + settings.headers.gapBytes;
    if (flow.baseRtt == 0)
    {
        return;
    }
    for (const std::string& advice : ControlAdvice(control, flow))
    {
        Say(advice);
    }
}

void
Advisor::CheckRecovery(const BlockSet& blocks, const TransportSettings& settings)
{
    const Tick timeout = ToTick(settings.retransmissionTimeout);
    if (timeout > 0 && timeout <= GetLongestRtt())
    {
        Say("transport.retransmission_timeout_us: " + Readable(timeout) +
            " is no longer than a round trip without queues, " + Readable(GetLongestRtt()) +
            ": everything is sent twice");
    }
    auto recovery = blocks.Get<LossRecovery>("retransmission");
    const bool goesBack = !recovery || recovery->GetReorderFrames() == 0;
    if (goesBack && m_settings.balancer->Reorders())
    {
        Say("network.load_balancing lets frames of a flow overtake each other, which "
            "transport.retransmission takes for losses: each has a window sent again; "
            "out_of_order places them");
    }
    if (GetLossless() && !(GetLossless() >> settings.dataPriority & 1) && goesBack)
    {
        Say("transport.data_priority " + std::to_string(settings.dataPriority) +
            " is none of network.pfc.lossless_priorities: its frames are dropped, and each loss "
            "has all that follows sent again");
    }
}

} // namespace

std::vector<std::string>
ControlAdvice(const CongestionControl& control, const FlowView& flow)
{
    const std::string name = NameOf(control) + ": ";
    std::vector<std::string> said = control.Advise(flow);
    for (std::string& text : said)
    {
        text = name + text;
    }
    FlowView begun = flow;
    alignas(std::max_align_t) unsigned char state[CongestionControl::kStateBytes];
    control.Begin(begun, state);
    const double product = flow.lineRate * static_cast<double>(flow.baseRtt) / 8e12;
    // Windows of one bandwidth-delay product are rounded, some to whole frames.
    if (static_cast<double>(begun.window) < 0.9 * product)
    {
        said.push_back(name + "the window that flows begin with, " + Bytes(begun.window) +
                       ", is less than the " + Bytes(std::llround(product)) +
                       " of one bandwidth-delay product at a round trip of " +
                       Readable(flow.baseRtt) + ": it keeps a flow alone below line rate");
    }
    return said;
}

std::vector<std::string>
StartUpAdvice(const ScenarioConfig& config, const Fabric& fabric)
{
    return Advisor(config, fabric).Look();
}

std::string
CongestionNotice(const Fabric& fabric)
{
    const FabricGraph& graph = fabric.GetGraph();
    const FabricSettings& settings = fabric.GetSettings();
    const Tick now = ToTick(Simulator::Now());
    uint64_t frames = 0;
    for (GraphNodeIdx node = 0; node < graph.Nodes().size(); ++node)
    {
        auto at = fabric.GetSwitch(node);
        for (PortIdx i = 0; at && i < at->GetPortCount(); ++i)
        {
            EgressPort& port = at->GetPort(i);
            port.Sync(now);
            const PortCounters& counters = port.GetCounters();
            // A frame is in its queue while it is forwarded, even if it does not wait.
            const double forwarded =
                static_cast<double>(graph.Nodes()[node].spec.forwardingLatency) *
                    port.GetBandwidth() / 8e12 +
                2. * settings.headers.DataFrame(settings.mtuPayloadBytes, true);
            if (counters.marked + counters.dropped + counters.pauses + at->GetTrimmed(i) > 0 ||
                counters.maxQueueBytes > forwarded)
            {
                return "";
            }
            frames += counters.dataFrames;
        }
    }
    for (NodeIdx host = 0; host < graph.HostCount(); ++host)
    {
        if (fabric.GetHostPort(host).GetCounters().pauses > 0)
        {
            return "";
        }
    }
    return frames == 0 ? ""
                       : "nothing was ever marked, paused, dropped or queued: congestion control "
                         "had nothing to do";
}

} // namespace ns3::aifabric

// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FABRIC_CASE_H
#define AIFABRIC_FABRIC_CASE_H

#include "ns3/completion-queue.h"
#include "ns3/fabric-helper.h"
#include "ns3/frame-pool.h"
#include "ns3/names.h"
#include "ns3/queue-pair.h"
#include "ns3/rdma-nic.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/// A case of the ns-3 suites over a star that FabricHelper builds: links of 100 Gb/s and 1 us, no
/// latency in the switch, no congestion control; nothing may be left in the end.
class FabricCase : public TestCase
{
  protected:
    // Bytes last 80 ps at 100 Gb/s. A frame of RoCEv2 has 82 B around its payload, preamble and gap
    // included, the first of a message 16 B more; an acknowledgement has 86 (IBA vol. 1, A17).
    static constexpr Tick kByte = 80;
    static constexpr Tick kFrame = (4096 + 82) * kByte;
    static constexpr Tick kAddress = 16 * kByte;
    static constexpr Tick kAck = 86 * kByte;
    static constexpr Tick kDelay = kMicrosecond;
    static constexpr uint64_t kBuffer = 32000000;

    /// A work request that has ended.
    struct Ended
    {
        Tick at;
        WorkCompletion completion;
    };

    explicit FabricCase(const std::string& name)
        : TestCase(name)
    {
    }

    /// @return the helper of a star with that many hosts, before Install().
    FabricHelper& UseStar(uint32_t hosts)
    {
        m_helper.emplace("star");
        m_helper->SetTopology("HostCount", UintegerValue(hosts));
        m_helper->SetLinks(DataRate("100Gbps"), FromTick(kDelay));
        m_helper->SetSwitches(kBuffer, Time(0));
        m_helper->SetCongestionControl("none");
        return *m_helper;
    }

    Fabric& Install()
    {
        m_fabric = &m_helper->Install();
        return *m_fabric;
    }

    /// @return the switch in the middle.
    FabricSwitch& Switch() const
    {
        return *PeekPointer(m_fabric->GetSwitch(m_fabric->GetGraph().Find("leaf0")));
    }

    /// @return counters of its port to a host.
    const PortCounters& CountersTo(NodeIdx host) const
    {
        EgressPort& port = Switch().GetPort(host);
        port.Sync(Simulator::Now().GetTimeStep());
        return port.GetCounters();
    }

    QueuePairs Connect(NodeIdx from, NodeIdx to)
    {
        return m_helper->Connect(from, to, m_completions);
    }

    /// Posts a WRITE on a new connection.
    QueuePairs Write(NodeIdx from, NodeIdx to, uint64_t bytes)
    {
        QueuePairs pair = Connect(from, to);
        const bool posted = pair.sender->PostSend({0, bytes}) == Status::Ok;
        NS_TEST_EXPECT_MSG_EQ(posted, true, "a WRITE may be posted");
        return pair;
    }

    /// @return bytes of payload that a host has taken.
    uint64_t DeliveredTo(NodeIdx host) const
    {
        return m_fabric->GetNic(host).GetCounters().deliveredBytes;
    }

    std::vector<Ended> ended; ///< in order

  private:
    void DoSetup() override
    {
        UsePicoseconds();
    }

    void DoTeardown() override
    {
        if (m_fabric)
        {
            for (const std::string& leftover : m_fabric->FindLeftovers())
            {
                NS_TEST_EXPECT_MSG_EQ(leftover, "", "something is left");
            }
        }
        Simulator::Destroy();
        m_helper.reset();
        Names::Clear();
        NS_TEST_EXPECT_MSG_EQ(FramePool::Out(), 0, "frames are left");
    }

    std::optional<FabricHelper> m_helper;
    Fabric* m_fabric{nullptr};
    CompletionQueue m_completions{[this](const WorkCompletion& completion) {
        ended.push_back({Simulator::Now().GetTimeStep(), completion});
    }};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_FABRIC_CASE_H

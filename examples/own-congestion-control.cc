// SPDX-License-Identifier: GPL-2.0-only
// A congestion control of one's own, in a script of one's own: it halves the window at a mark and
// opens it by a frame per round trip. Two senders share one receiver.
#include "ns3/ai-fabric-module.h"
#include "ns3/core-module.h"

#include <algorithm>
#include <iostream>

using namespace ns3;
using namespace ns3::aifabric;

struct RenoState
{
    uint64_t cutAt{0}; ///< payload acknowledged by when the next cut may come
};

class Reno : public CongestionControlFor<Reno, RenoState>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("Reno").SetParent<CongestionControl>().AddConstructor<Reno>();
        return tid;
    }

    void OnBegin(FlowView& flow, RenoState&) const
    {
        flow.window = static_cast<uint64_t>(flow.lineRate * flow.baseRtt / 8e12);
    }

    void OnAck(FlowView& flow, RenoState& s, const AckEvent& ack) const
    {
        if (ack.congestionNotified && ack.acknowledged > s.cutAt)
        {
            flow.window = std::max<uint64_t>(flow.window / 2, flow.mtuBytes);
            s.cutAt = ack.GetSent();
        }
        else if (!ack.congestionNotified)
        {
            flow.window += uint64_t(flow.mtuBytes) * ack.ackedBytes / flow.window;
        }
    }

    CongestionNotification GetNotification() const override
    {
        return {CongestionNotification::InAck};
    }
};

NS_OBJECT_ENSURE_REGISTERED(Reno);

int
main(int argc, char** argv)
{
    CommandLine(__FILE__).Parse(argc, argv);
    FabricHelper helper("star");
    helper.SetTopology("HostCount", UintegerValue(3));
    helper.SetLinks(DataRate("100Gbps"), MicroSeconds(1));
    helper.SetCongestionControl("reno");
    Fabric& fabric = helper.Install();
    CompletionQueue completions([](const WorkCompletion& done) {
        std::cout << done.bytes << " B written at " << Simulator::Now().As(Time::MS) << "\n";
    });
    for (NodeIdx sender : {0, 1})
    {
        WorkRequest write;
        write.bytes = 100000000;
        helper.Connect(sender, 2, completions).sender->PostSend(write);
    }
    Simulator::Run();
    const NicCounters counters = fabric.GetNic(2).GetCounters();
    std::cout << counters.markedFrames << " frames were marked\n";
    Simulator::Destroy();
    return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "engine.h"

#include "ns3/applications-module.h"
#include "ns3/fabric-event.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"

#include <gtest/gtest.h>

#include <random>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

/// What happened, in order.
struct Step
{
    int64_t at;
    uint32_t context;
    int64_t what;

    bool operator==(const Step& o) const
    {
        return at == o.at && context == o.context && what == o.what;
    }
};

using History = std::vector<Step>;

/// An application that does at random all that the simulator offers.
class Chaos
{
  public:
    Chaos(uint64_t seed, const std::string& scheduler)
        : m_random(seed),
          m_scheduler(scheduler)
    {
    }

    History Play(int events)
    {
        m_left = events;
        for (int i = 0; i < 200; ++i)
        {
            Simulator::ScheduleWithContext(i, Draw(), &Chaos::Fire, this, i);
        }
        Simulator::ScheduleDestroy(&Chaos::Note, this, -1);
        EventId cancelled = Simulator::ScheduleDestroy(&Chaos::Note, this, -2);
        EventId removed = Simulator::ScheduleDestroy(&Chaos::Note, this, -3);
        Simulator::Cancel(cancelled);
        Simulator::Remove(removed);
        while (m_left > 0)
        {
            Simulator::Stop(Draw());
            Simulator::Run();
            Note(Simulator::IsFinished());
            // Between two runs, possibly before what comes next.
            Simulator::ScheduleWithContext(9, Draw(), &Chaos::Fire, this, 1);
            m_ids[m_random() % m_ids.size()] =
                Simulator::Schedule(Draw(), &Chaos::Fire, this, m_next++);
        }
        Note(Simulator::GetEventCount());
        Simulator::Destroy();
        return m_history;
    }

  private:
    Time Draw()
    {
        uint64_t r = m_random();
        switch (r % 16)
        {
        case 0:
            return Time(0);
        case 1:
            return Time(r % (1ULL << 32));
        case 2:
            return Time(r % (1ULL << 45));
        default:
            return Time((r >> 8) % 40 * 50 + (r % 3 ? 1000000 : 0));
        }
    }

    void Note(int64_t what)
    {
        m_history.push_back({Simulator::Now().GetTimeStep(), Simulator::GetContext(), what});
    }

    void Fire(int64_t what)
    {
        Note(what);
        if (--m_left <= 0)
        {
            Simulator::Stop();
            return;
        }
        uint64_t r = m_random();
        if (m_history.size() % 4096 == 0)
        {
            ObjectFactory factory;
            factory.SetTypeId(m_scheduler);
            Simulator::SetScheduler(factory);
        }
        auto& id = m_ids[r % m_ids.size()];
        Note(id.IsExpired());
        Note(Simulator::GetDelayLeft(id).GetTimeStep());
        switch (r / 64 % 8)
        {
        case 0:
            id.Cancel();
            break;
        case 1:
            id.Remove();
            break;
        case 2:
            id = Simulator::ScheduleNow(&Chaos::Fire, this, m_next++);
            return;
        default:
            break;
        }
        if (r / 1024 % 8 == 0)
        {
            id = Simulator::Schedule(Draw(), &Chaos::Fire, this, m_next++);
        }
        Simulator::ScheduleWithContext(r % 100, Draw(), &Chaos::Fire, this, m_next++);
    }

    std::mt19937_64 m_random;
    std::string m_scheduler;
    History m_history;
    std::array<EventId, 64> m_ids;
    int m_left{0};
    int m_next{0};
};

History
PlayChaos(const std::string& simulator, const std::string& scheduler, uint64_t seed)
{
    Engine engine(simulator, scheduler);
    return Chaos(seed, scheduler).Play(100000);
}

/// An event that its owner arms again and again.
class Ticker final : public EventImpl
{
  public:
    void Start(Tick first, Tick period, int times)
    {
        m_period = period;
        m_times = times;
        ArmEvent(this, 0, first, 5);
    }

    std::vector<Tick> fired;

  private:
    void Notify() override
    {
        Tick now = Simulator::Now().GetTimeStep();
        EXPECT_EQ(Simulator::GetContext(), 5U);
        fired.push_back(now);
        if (--m_times > 0)
        {
            ArmEvent(this, now, now + m_period, 5);
        }
    }

    Tick m_period{0};
    int m_times{0};
};

History
PlayApplications(const std::string& simulator, const std::string& scheduler)
{
    Engine engine(simulator, scheduler);
    History history;
    NodeContainer nodes(6);
    auto channel = CreateObject<SimpleChannel>();
    channel->SetAttribute("Delay", TimeValue(MicroSeconds(3)));
    NetDeviceContainer devices;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        auto device = CreateObject<SimpleNetDevice>();
        device->SetAttribute("DataRate", StringValue("100Mbps"));
        device->SetAddress(Mac48Address::Allocate());
        device->SetChannel(channel);
        nodes.Get(i)->AddDevice(device);
        devices.Add(device);
    }
    InternetStackHelper internet;
    internet.Install(nodes);
    internet.AssignStreams(nodes, 100);
    Ipv4AddressHelper addresses("10.1.0.0", "255.255.0.0");
    auto interfaces = addresses.Assign(devices);
    ApplicationContainer applications = UdpEchoServerHelper(9).Install(nodes.Get(0));
    for (uint32_t i = 1; i < 6; ++i)
    {
        UdpEchoClientHelper echo(interfaces.GetAddress(0), 9);
        echo.SetAttribute("MaxPackets", UintegerValue(200));
        echo.SetAttribute("Interval", TimeValue(MicroSeconds(700)));
        applications.Add(echo.Install(nodes.Get(i)));
        OnOffHelper onOff("ns3::TcpSocketFactory", InetSocketAddress(interfaces.GetAddress(0), 80));
        onOff.SetAttribute("OnTime",
                           StringValue("ns3::ExponentialRandomVariable[Mean=0.01|Stream=5]"));
        onOff.SetAttribute("OffTime", StringValue("ns3::ConstantRandomVariable[Constant=0.01]"));
        onOff.SetAttribute("DataRate", StringValue("30Mbps"));
        applications.Add(onOff.Install(nodes.Get(i)));
    }
    applications.Add(
        PacketSinkHelper("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 80))
            .Install(nodes.Get(0)));
    applications.Start(MilliSeconds(1));
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        auto note = [&history](Ptr<const Packet> p, Ptr<Ipv4>, uint32_t) {
            history.push_back(
                {Simulator::Now().GetTimeStep(), Simulator::GetContext(), p->GetSize()});
        };
        auto ip = nodes.Get(i)->GetObject<Ipv4L3Protocol>();
        using Trace = Callback<void, Ptr<const Packet>, Ptr<Ipv4>, uint32_t>;
        ip->TraceConnectWithoutContext("Tx", Trace(note));
        ip->TraceConnectWithoutContext("Rx", Trace(note));
    }
    Simulator::Stop(MilliSeconds(200));
    Simulator::Run();
    history.push_back({Simulator::Now().GetTimeStep(), 0, int64_t(Simulator::GetEventCount())});
    return history;
}

} // namespace

TEST(SequentialSimulator, DoesAllInTheOrderOfNs3)
{
    for (uint64_t seed = 1; seed <= 3; ++seed)
    {
        History expected = PlayChaos(kDefaultEngine, kMapScheduler, seed);
        ASSERT_GT(expected.size(), 200000U);
        EXPECT_TRUE(PlayChaos(kDefaultEngine, kRadixScheduler, seed) == expected) << seed;
        EXPECT_TRUE(PlayChaos(kSequentialEngine, kMapScheduler, seed) == expected) << seed;
        EXPECT_TRUE(PlayChaos(kSequentialEngine, kRadixScheduler, seed) == expected) << seed;
    }
}

TEST(SequentialSimulator, OrdinaryApplicationsSeeNoDifference)
{
    History expected = PlayApplications(kDefaultEngine, kMapScheduler);
    ASSERT_GT(expected.size(), 5000U);
    EXPECT_TRUE(PlayApplications(kDefaultEngine, kRadixScheduler) == expected);
    EXPECT_TRUE(PlayApplications(kSequentialEngine, kRadixScheduler) == expected);
}

TEST(SequentialSimulator, EventsAreUsedAgain)
{
    for (const auto& simulator : {kDefaultEngine, kSequentialEngine})
    {
        Ticker ticker; // must outlive the engine, which drops what is pending
        Engine engine(simulator, kRadixScheduler);
        Simulator::Stop(Time(10000000));
        EXPECT_EQ(SequentialSimulatorImpl::Current() != nullptr, simulator == kSequentialEngine);
        ticker.Start(1000, 3000, 4);
        Simulator::Run();
        EXPECT_EQ(ticker.fired, (std::vector<Tick>{1000, 4000, 7000, 10000}));
        EXPECT_EQ(ticker.GetReferenceCount(), 1U);
        Tick now = Simulator::Now().GetTimeStep();
        ArmEvent(&ticker, now, now + 1, 5);
        EXPECT_EQ(ticker.GetReferenceCount(), 2U);
        Simulator::Destroy();
        EXPECT_EQ(ticker.GetReferenceCount(), 1U);
    }
    EXPECT_EQ(SequentialSimulatorImpl::Current(), nullptr);
}

TEST(SequentialSimulator, ObjectsThatAreNotTheSimulatorStayAside)
{
    Engine engine(kSequentialEngine, kRadixScheduler);
    Simulator::Now();
    auto* current = SequentialSimulatorImpl::Current();
    ASSERT_NE(current, nullptr);
    CreateObject<SequentialSimulatorImpl>();
    EXPECT_EQ(SequentialSimulatorImpl::Current(), current);
}

TEST(SequentialSimulator, UidsWrap)
{
    Engine engine(kSequentialEngine, kRadixScheduler);
    Simulator::Now();
    SequentialSimulatorImpl::Current()->SetNextUid(0xFFFFFFFE);
    std::vector<int> fired;
    std::vector<EventId> ids;
    for (int i = 0; i < 5; ++i)
    {
        ids.push_back(Simulator::Schedule(Time(1000), [&fired, &ids, i]() {
            fired.push_back(i);
            for (int j = 0; j < 5; ++j)
            {
                EXPECT_EQ(ids[j].IsExpired(), j <= i || j == 3);
            }
        }));
    }
    EXPECT_EQ(ids[1].GetUid(), 0xFFFFFFFFU);
    EXPECT_EQ(ids[2].GetUid(), uint32_t(EventId::VALID));
    ids[3].Cancel();
    Simulator::Run();
    EXPECT_EQ(fired, (std::vector<int>{0, 1, 2, 4}));
}

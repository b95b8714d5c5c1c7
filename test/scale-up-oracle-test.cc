// SPDX-License-Identifier: GPL-2.0-only
#include "scale-up-fixture.h"

#include <deque>
#include <random>

namespace ns3::aifabric
{
namespace
{

/// The star as one would write it without thought for speed: an event for the end of every
/// transmission, for every arrival and for every return of credit.
class EagerStar
{
  public:
    EagerStar(const ScaleUpSettings& settings, uint32_t gpus)
        : m_settings(settings),
          m_time(settings.GetGpuBandwidth()),
          m_hop(ToTick(settings.GetHopLatency())),
          m_up(gpus),
          m_down(gpus)
    {
        for (uint32_t i = 0; i < gpus; ++i)
        {
            m_up[i].credit = m_down[i].credit = settings.GetCreditBufferBytes();
        }
    }

    void Send(uint32_t from, uint32_t to, uint64_t bytes, uint64_t id)
    {
        TryUp(from);
        auto& streams = m_up[from].streams;
        std::size_t i = 0;
        while (i < streams.size() && streams[i].to != to)
        {
            ++i;
        }
        if (i == streams.size())
        {
            streams.push_back({to, m_settings.GetMaxCellBytes(), {}});
        }
        streams[i].messages.push_back({id, bytes, m_settings.GetCellBytes(bytes)});
        TryUp(from);
    }

    std::map<uint64_t, Tick> arrived;
    /// When two cells for the same GPU first came into the switch at once: which is first is open.
    Tick firstTie{kNever};

  private:
    struct Cell
    {
        uint32_t from;
        uint32_t to;
        uint32_t bytes;
        uint64_t lastOf; ///< id of the message that it ends
    };

    struct Message
    {
        uint64_t id;
        uint64_t bytes;
        uint32_t cellBytes;
    };

    struct Stream
    {
        uint32_t to;
        int64_t turn;
        std::deque<Message> messages;
    };

    struct Port
    {
        Tick free{0};
        Tick last{-1}; ///< arrival of a cell for it
        int64_t credit{0};
        std::deque<Stream> streams; ///< of a GPU; the first has its turn
        std::deque<Cell> queue;     ///< of the switch
    };

    static constexpr uint64_t kNone = UINT64_MAX;

    static Tick Now()
    {
        return Simulator::Now().GetTimeStep();
    }

    template <class F>
    static void In(Tick delay, F&& f)
    {
        Simulator::Schedule(Time(delay), std::forward<F>(f));
    }

    Cell Cut(uint32_t from)
    {
        auto& streams = m_up[from].streams;
        Stream& stream = streams.front();
        Message& message = stream.messages.front();
        const uint32_t payload = std::min<uint64_t>(message.bytes, message.cellBytes);
        Cell cell{from, stream.to, std::max(payload, 16U), kNone};
        message.bytes -= payload;
        stream.turn -= cell.bytes;
        if (message.bytes == 0)
        {
            cell.lastOf = message.id;
            stream.messages.pop_front();
        }
        if (stream.messages.empty())
        {
            streams.pop_front();
        }
        else if (stream.turn <= 0)
        {
            stream.turn += m_settings.GetMaxCellBytes();
            streams.push_back(std::move(stream));
            streams.pop_front();
        }
        return cell;
    }

    void TryUp(uint32_t gpu)
    {
        Port& port = m_up[gpu];
        if (Now() < port.free || port.streams.empty() || port.credit <= 0)
        {
            return;
        }
        const Cell cell = Cut(gpu);
        port.credit -= cell.bytes;
        port.free = Now() + m_time(cell.bytes);
        In(port.free - Now(), [=] { TryUp(gpu); });
        In(m_time(std::min(cell.bytes, 256U)) + m_hop, [=] {
            Port& port = m_down[cell.to];
            TryDown(cell.to);
            if (port.last == Now())
            {
                firstTie = std::min(firstTie, Now());
            }
            port.last = Now();
            port.queue.push_back(cell);
            TryDown(cell.to);
        });
    }

    void TryDown(uint32_t gpu)
    {
        Port& port = m_down[gpu];
        if (Now() < port.free || port.queue.empty() || port.credit <= 0)
        {
            return;
        }
        const Cell cell = port.queue.front();
        port.queue.pop_front();
        port.credit -= cell.bytes;
        port.free = Now() + m_time(cell.bytes);
        In(port.free - Now(), [=] { TryDown(gpu); });
        In(m_hop, [=] {
            m_up[cell.from].credit += cell.bytes;
            TryUp(cell.from);
        });
        In(m_time(cell.bytes) + m_hop, [=] {
            if (cell.lastOf != kNone)
            {
                arrived[cell.lastOf] = Now();
            }
            In(m_hop, [=] {
                m_down[gpu].credit += cell.bytes;
                TryDown(gpu);
            });
        });
    }

    const ScaleUpSettings& m_settings;
    ByteTime m_time;
    Tick m_hop;
    std::vector<Port> m_up;
    std::vector<Port> m_down;
};

class ScaleUpOracle : public ScaleUpFixture,
                      public testing::WithParamInterface<std::tuple<int, const char*, int>>
{
};

TEST_P(ScaleUpOracle, AgreesWithAnEventForEverything)
{
    const auto [seed, buffer, hop] = GetParam();
    settings->SetAttribute("CreditBufferBytes", StringValue(buffer));
    settings->SetAttribute("HopLatency", TimeValue(NanoSeconds(hop)));
    constexpr uint32_t kGpus = 6;

    struct Item
    {
        Tick at;
        uint32_t from;
        uint32_t to;
        uint64_t bytes;
    };

    std::mt19937 random(seed);
    std::vector<Item> items;
    for (uint32_t i = 0; i < 300; ++i)
    {
        const uint32_t from = random() % kGpus;
        // Half of it to one GPU.
        const uint32_t to = from != 0 && random() % 2 ? 0 : (from + 1 + random() % 5) % kGpus;
        const uint64_t bytes = random() % (random() % 2 ? 2000 : 700000);
        items.push_back({Tick(random() % (seed % 2 ? 50 : 200) * kMicrosecond + random() % 1000003),
                         from,
                         to,
                         random() % 9 ? bytes : 0});
    }
    Make(kGpus);
    for (uint32_t i = 0; i < items.size(); ++i)
    {
        Simulator::Schedule(Time(items[i].at), [=, this_ = this] {
            this_->Send(items[i].from, items[i].to, items[i].bytes, i);
        });
    }
    Simulator::Run();
    const auto lazily = arrived;
    Clear();

    EagerStar star(*settings, kGpus);
    for (uint32_t i = 0; i < items.size(); ++i)
    {
        Simulator::Schedule(Time(items[i].at), [=, &star] {
            star.Send(items[i].from, items[i].to, items[i].bytes, i);
        });
    }
    Simulator::Run();
    ASSERT_EQ(lazily.size(), items.size());
    ASSERT_EQ(star.arrived.size(), items.size());
    for (const auto& [id, at] : lazily)
    {
        if (std::min(at, star.arrived[id]) <= star.firstTie)
        {
            ASSERT_EQ(at, star.arrived[id]) << "message " << id;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Random,
                         ScaleUpOracle,
                         testing::Combine(testing::Range(1, 9),
                                          testing::Values("1", "20000", "300000", "auto"),
                                          testing::Values(1, 936, 5000)));

} // namespace
} // namespace ns3::aifabric

// SPDX-License-Identifier: GPL-2.0-only
#include "ideal-fct.h"

#include "ns3/header-profile.h"

#include <algorithm>
#include <utility>

namespace ns3::aifabric
{

namespace
{

/// A wire on the way of a flow's frames, or of their acknowledgements.
struct Wire
{
    ByteTime time;
    Tick delay;
    uint32_t gapBytes;
    bool back; ///< carries acknowledgements
};

/// The way there and, if answered, the way back.
std::vector<Wire>
Unroll(const std::vector<IdealHop>& hops, bool answered)
{
    std::vector<Wire> wires;
    for (const IdealHop& hop : hops)
    {
        wires.push_back({hop.forward, hop.forwardDelay, hop.gapBytes, false});
    }
    for (auto hop = hops.rbegin(); answered && hop != hops.rend(); ++hop)
    {
        wires.push_back({hop->back, hop->backDelay, hop->gapBytes, true});
    }
    return wires;
}

/// The frames of a flow on their way: when each wire has sent, and delivered, the latest of them.
/// At the receiver each frame turns into its acknowledgement.
class Train
{
  public:
    Train(std::vector<Wire> wires, uint32_t ackBytes, double busBps)
        : m_wires(std::move(wires)),
          m_ackBytes(ackBytes),
          m_bus(busBps > 0 ? ByteTime(busBps) : ByteTime()),
          m_starts(m_wires.size()),
          m_free(m_wires.size()),
          m_busy(m_wires.size())
    {
    }

    /// Sends frames of one size.
    void Send(uint32_t payload, uint32_t frameBytes, uint64_t count)
    {
        m_busTime = m_bus(payload);
        for (uint64_t sent = 0; sent < count; ++sent)
        {
            if (Advance(frameBytes) && count - sent > 2)
            {
                Skip(frameBytes, count - sent - 2);
                sent = count - 2;
            }
        }
    }

    /**
     * Sends messages of one size, each by a call of sendOne.
     *
     * When the latest frame leaves wire i, f[i], is a max-plus linear function of the instants
     * before the message on wires up to i. Where f[i] has risen by the longest time that a message
     * occupies any of these wires, for two messages on end, it goes on to do so: what does not rise
     * as fast can have decided the first of them only by a tie, and the second not at all.
     */
    template <class SendOne>
    void Repeat(uint64_t count, SendOne sendOne)
    {
        int steady = 0;
        for (uint64_t sent = 0; sent < count; ++sent)
        {
            const std::vector<Tick> free = m_free;
            const std::vector<Tick> busy = m_busy;
            sendOne();
            std::vector<Tick> rise;
            bool rises = true;
            for (std::size_t i = 0; i < free.size(); ++i)
            {
                rise.push_back(std::max(i > 0 ? rise[i - 1] : 0, m_busy[i] - busy[i]));
                rises &= m_free[i] - free[i] == rise[i];
            }
            steady = rises ? steady + 1 : 0;
            if (steady == 2 && count - sent > 2)
            {
                const auto skipped = static_cast<Tick>(count - sent - 2);
                for (std::size_t i = 0; i < rise.size(); ++i)
                {
                    m_starts[i] += skipped * rise[i];
                    m_free[i] += skipped * rise[i];
                }
                sent = count - 2;
            }
        }
    }

    /**
     * @param first bytes of the first frame of a message. @param other bytes of the others.
     * @return whether that many full frames may take longer than there is time.
     */
    bool IsEndless(uint32_t payload, uint32_t first, uint32_t other, double messages, double frames)
    {
        constexpr double kLongest = 9.22e18;
        double pace = static_cast<double>(m_bus(payload)) * frames;
        double once = 0;
        for (const Wire& wire : m_wires)
        {
            const auto begin = static_cast<double>(WireTime(wire, first));
            const auto each = static_cast<double>(WireTime(wire, other));
            pace = std::max(pace, messages * begin + (frames - messages) * each);
            once += begin + static_cast<double>(wire.delay);
        }
        return pace + once > kLongest;
    }

    /// @return when the latest frame has arrived at the end of the last wire.
    Tick GetArrival() const
    {
        return m_arrival;
    }

  private:
    /// @return whether every wire now sends at the pace of the slowest up to it: it will go on
    /// so for as long as frames of that size come.
    bool Advance(uint32_t frameBytes)
    {
        Tick arrival = 0;
        Tick pace = 0;
        bool steady = m_latest == frameBytes;
        for (std::size_t i = 0; i < m_wires.size(); ++i)
        {
            const Tick wire = WireTime(m_wires[i], frameBytes);
            const Tick start = std::max(arrival, m_free[i]);
            const Tick busy = std::max(wire, i == 0 ? m_busTime : 0);
            pace = std::max(pace, busy);
            steady &= start - m_starts[i] == pace;
            m_starts[i] = start;
            m_free[i] = start + busy;
            m_busy[i] += busy;
            arrival = start + wire + m_wires[i].delay;
        }
        m_arrival = arrival;
        m_latest = frameBytes;
        return steady;
    }

    void Skip(uint32_t frameBytes, uint64_t count)
    {
        Tick pace = 0;
        for (std::size_t i = 0; i < m_wires.size(); ++i)
        {
            const Tick busy = std::max(WireTime(m_wires[i], frameBytes), i == 0 ? m_busTime : 0);
            pace = std::max(pace, busy);
            m_starts[i] += static_cast<Tick>(count) * pace;
            m_free[i] += static_cast<Tick>(count) * pace;
            m_busy[i] += static_cast<Tick>(count) * busy;
        }
    }

    Tick WireTime(const Wire& wire, uint32_t frameBytes) const
    {
        return wire.time((wire.back ? m_ackBytes : frameBytes) + wire.gapBytes);
    }

    std::vector<Wire> m_wires;
    uint32_t m_ackBytes;
    ByteTime m_bus;
    std::vector<Tick> m_starts;
    std::vector<Tick> m_free;
    std::vector<Tick> m_busy; ///< for how long each wire has sent
    Tick m_busTime{0};
    Tick m_arrival{0};
    uint32_t m_latest{0};
};

/// Sends all frames of a flow. @return the arrival of the last; kNever if that is too late.
Tick
Arrival(Train train, const IdealFlow& flow, const HeaderProfile& headers)
{
    const double messages = static_cast<double>(flow.bytes / flow.largestMessage) + 1;
    if (train.IsEndless(flow.mtu,
                        headers.DataFrame(flow.mtu, true),
                        headers.DataFrame(flow.mtu, false),
                        messages,
                        static_cast<double>(flow.bytes) / flow.mtu + messages))
    {
        return kNever;
    }
    auto send = [&](uint64_t message) {
        const uint64_t frames = std::max<uint64_t>((message + flow.mtu - 1) / flow.mtu, 1);
        const auto last = static_cast<uint32_t>(message - (frames - 1) * flow.mtu);
        if (frames > 1)
        {
            train.Send(flow.mtu, headers.DataFrame(flow.mtu, true), 1);
            train.Send(flow.mtu, headers.DataFrame(flow.mtu, false), frames - 2);
        }
        train.Send(last, headers.DataFrame(last, frames == 1), 1);
    };
    train.Repeat(flow.bytes / flow.largestMessage, [&] { send(flow.largestMessage); });
    const uint64_t rest = flow.bytes % flow.largestMessage;
    if (rest > 0 || flow.bytes == 0)
    {
        send(rest);
    }
    return train.GetArrival();
}

} // namespace

Tick
DeliveryTime(const std::vector<IdealHop>& hops, const IdealFlow& flow, const HeaderProfile& headers)
{
    return Arrival({Unroll(hops, false), 0, flow.busBps}, flow, headers);
}

Tick
IdealFct(const std::vector<IdealHop>& hops, const IdealFlow& flow, const HeaderProfile& headers)
{
    if (flow.ackInterval == 1)
    {
        return Arrival({Unroll(hops, true), headers.ackBytes, flow.busBps}, flow, headers);
    }
    Tick fct = DeliveryTime(hops, flow, headers);
    for (const IdealHop& hop : hops)
    {
        if (fct == kNever)
        {
            break;
        }
        fct += hop.back(headers.ackBytes + hop.gapBytes) + hop.backDelay;
    }
    return fct;
}

} // namespace ns3::aifabric

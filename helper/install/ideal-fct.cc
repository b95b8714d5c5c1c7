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
          m_free(m_wires.size())
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
            arrival = start + wire + m_wires[i].delay;
        }
        m_arrival = arrival;
        m_latest = frameBytes;
        return steady;
    }

    void Skip(uint32_t frameBytes, uint64_t count)
    {
        Tick pace = m_busTime;
        for (std::size_t i = 0; i < m_wires.size(); ++i)
        {
            pace = std::max(pace, WireTime(m_wires[i], frameBytes));
            m_starts[i] += static_cast<Tick>(count) * pace;
            m_free[i] += static_cast<Tick>(count) * pace;
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
    Tick m_busTime{0};
    Tick m_arrival{0};
    uint32_t m_latest{0};
};

/// Sends all frames of a flow.
Tick
Arrival(Train train, const IdealFlow& flow, const HeaderProfile& headers)
{
    uint64_t left = flow.bytes;
    do
    {
        const uint64_t message = std::min(left, flow.largestMessage);
        left -= message;
        const uint64_t frames = std::max<uint64_t>((message + flow.mtu - 1) / flow.mtu, 1);
        const auto last = static_cast<uint32_t>(message - (frames - 1) * flow.mtu);
        if (frames > 1)
        {
            train.Send(flow.mtu, headers.DataFrame(flow.mtu, true), 1);
            train.Send(flow.mtu, headers.DataFrame(flow.mtu, false), frames - 2);
        }
        train.Send(last, headers.DataFrame(last, frames == 1), 1);
    } while (left > 0);
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
        fct += hop.back(headers.ackBytes + hop.gapBytes) + hop.backDelay;
    }
    return fct;
}

} // namespace ns3::aifabric

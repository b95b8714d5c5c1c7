// SPDX-License-Identifier: GPL-2.0-only
#include "ideal-fct.h"

#include "ns3/header-profile.h"

#include <algorithm>

namespace ns3::aifabric
{

namespace
{

/// The frames of a flow on their way: when each link has sent, and delivered, the latest of them.
class Train
{
  public:
    Train(const std::vector<IdealHop>& hops, double busBps)
        : m_hops(hops),
          m_bus(busBps > 0 ? ByteTime(busBps) : ByteTime()),
          m_starts(hops.size()),
          m_free(hops.size())
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

    /// @return when the latest frame has arrived at the receiver.
    Tick GetArrival() const
    {
        return m_arrival;
    }

  private:
    /// @return whether every link now sends at the pace of the slowest link up to it: it will go on
    /// so for as long as frames of that size come.
    bool Advance(uint32_t frameBytes)
    {
        Tick arrival = 0;
        Tick pace = 0;
        bool steady = m_latest == frameBytes;
        for (std::size_t i = 0; i < m_hops.size(); ++i)
        {
            const Tick wire = m_hops[i].forward(frameBytes + m_hops[i].gapBytes);
            const Tick start = std::max(arrival, m_free[i]);
            const Tick busy = std::max(wire, i == 0 ? m_busTime : 0);
            pace = std::max(pace, busy);
            steady &= start - m_starts[i] == pace;
            m_starts[i] = start;
            m_free[i] = start + busy;
            arrival = start + wire + m_hops[i].forwardDelay;
        }
        m_arrival = arrival;
        m_latest = frameBytes;
        return steady;
    }

    void Skip(uint32_t frameBytes, uint64_t count)
    {
        Tick pace = m_busTime;
        for (std::size_t i = 0; i < m_hops.size(); ++i)
        {
            pace = std::max(pace, m_hops[i].forward(frameBytes + m_hops[i].gapBytes));
            m_starts[i] += static_cast<Tick>(count) * pace;
            m_free[i] += static_cast<Tick>(count) * pace;
        }
    }

    const std::vector<IdealHop>& m_hops;
    ByteTime m_bus;
    std::vector<Tick> m_starts;
    std::vector<Tick> m_free;
    Tick m_busTime{0};
    Tick m_arrival{0};
    uint32_t m_latest{0};
};

} // namespace

Tick
DeliveryTime(const std::vector<IdealHop>& hops, const IdealFlow& flow, const HeaderProfile& headers)
{
    Train train(hops, flow.busBps);
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

Tick
IdealFct(const std::vector<IdealHop>& hops, const IdealFlow& flow, const HeaderProfile& headers)
{
    Tick fct = DeliveryTime(hops, flow, headers);
    for (const IdealHop& hop : hops)
    {
        fct += hop.back(headers.ackBytes + hop.gapBytes) + hop.backDelay;
    }
    return fct;
}

} // namespace ns3::aifabric

// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_TWO_EVENT_SWITCH_H
#define AIFABRIC_TWO_EVENT_SWITCH_H

#include "ns3/deficit-round-robin.h"
#include "ns3/fabric-switch.h"
#include "ns3/frame-pool.h"
#include "ns3/link-frames.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <vector>

namespace ns3::aifabric::test
{

/**
 * A switch and its links as one would write them without thought for speed: an event for the end of
 * every transmission, one for every arrival, one for the end of every wait. It stands in the place
 * of a FabricSwitch, of which it asks next hops, rates and headrooms, and to whose counters it adds.
 *
 * At one instant come first the departures by ports, over and over until none is possible, then
 * refreshes of pauses, then arrivals by ports, each with the departures that it makes possible.
 */
class TwoEventSwitch final : public FrameSink
{
  public:
    struct Settings
    {
        uint32_t id{0};
        int64_t bufferBytes{0};
        Tick latency{0};
        Ptr<const EcnSettings> ecn;
        uint8_t losslessMask{0};
        double alpha{0};
        uint32_t quanta{kStickyPause};
        std::array<uint32_t, 8> weights{};
    };

    std::function<void(PortIdx in, uint8_t priority, bool stops, int64_t held)> onPause;
    std::function<void(const Frame& f)> onDrop;

    TwoEventSwitch(FabricSwitch& real, const Settings& settings)
        : m_real(real),
          m_settings(settings),
          m_ports(real.GetPortCount()),
          m_pool(settings.bufferBytes)
    {
        for (PortIdx i = 0; i < m_ports.size(); ++i)
        {
            Port& port = m_ports[i];
            port.peer = real.GetPort(i).GetSettings().peer;
            port.sharing = DeficitRoundRobin(settings.weights);
            port.marks = RandomStream((static_cast<int64_t>(settings.id) << 17) + 2 * i);
            m_pool -= __builtin_popcount(settings.losslessMask) *
                      static_cast<int64_t>(real.GetHeadroomBytes(i));
        }
    }

    ~TwoEventSwitch()
    {
        EXPECT_EQ(m_used, 0);
        EXPECT_EQ(m_stops, 0);
    }

    /// Exchanges who stands at the far end of a port's link.
    void SetPeer(PortIdx port, FrameSink* peer)
    {
        m_ports[port].peer = peer;
    }

    void Receive(Frame* f, PortIdx in, Tick /* now */) override
    {
        if (m_inbox.empty())
        {
            // All that arrives now was scheduled before now, hence comes before this event.
            Simulator::ScheduleNow(&TwoEventSwitch::TakeArrivals, this);
        }
        m_inbox.emplace(in, f);
    }

  private:
    static constexpr int kQueues = 9;

    struct Port
    {
        FrameSink* peer;
        Tick free{0};
        std::deque<Frame*> queues[kQueues];
        Tick pausedUntil[8]{};
        Tick pausedSince[8]{};
        DeficitRoundRobin sharing;
        RandomStream marks;
        int64_t ingressShared[8]{};
        int64_t ingressHeadroom[8]{};
        bool stopped[8]{};
        Tick refreshAt[8]{};
        int64_t egress[8]{};
    };

    static Tick Now()
    {
        return Simulator::Now().GetTimeStep();
    }

    bool IsLossless(uint8_t priority) const
    {
        return m_settings.losslessMask >> priority & 1;
    }

    double Threshold(double alpha, int64_t more) const
    {
        return alpha * static_cast<double>(std::max<int64_t>(m_pool - m_used - more, 0));
    }

    /// Looks for departures then.
    void LookAt(Tick at)
    {
        if (at != kNever && m_looks.insert(at).second)
        {
            Simulator::Schedule(FromTick(at - Now()), [this, at] {
                m_looks.erase(at);
                Depart();
            });
        }
    }

    void Depart()
    {
        for (bool any = true; any;)
        {
            any = false;
            for (PortIdx i = 0; i < m_ports.size(); ++i)
            {
                any |= TryStart(i);
            }
        }
    }

    void TakeArrivals()
    {
        Depart();
        for (auto [in, f] : std::exchange(m_inbox, {}))
        {
            if (IsLinkLocal(f->op))
            {
                Obey(in, f);
            }
            else
            {
                Forward(in, f);
            }
            Depart();
        }
    }

    void Obey(PortIdx in, Frame* f)
    {
        Port& port = m_ports[in];
        const uint8_t priority = f->priority;
        const double quantum = 512e12 / m_real.GetPort(in).GetBandwidth();
        Tick until = f->psn == kStickyPause ? kNever : Now() + Tick(f->psn * quantum + 0.5);
        FramePool::Return(f);
        EndPauses(in);
        PortCounters& counters = m_real.GetPort(in).Counters();
        const bool wasPaused = port.pausedUntil[priority] > Now();
        if (until > Now() && !wasPaused)
        {
            ++counters.pauses;
            port.pausedSince[priority] = Now();
        }
        if (until > Now() || wasPaused)
        {
            port.pausedUntil[priority] = until;
            LookAt(until);
        }
    }

    /// Accounts for pauses that are over.
    void EndPauses(PortIdx in)
    {
        Port& port = m_ports[in];
        for (int priority = 0; priority < 8; ++priority)
        {
            const Tick until = port.pausedUntil[priority];
            if (until > port.pausedSince[priority] && until <= Now())
            {
                m_real.GetPort(in).Counters().pausedTime += until - port.pausedSince[priority];
                port.pausedSince[priority] = until;
            }
        }
    }

    void Forward(PortIdx in, Frame* f)
    {
        ++f->hops;
        const PortIdx out = m_real.NextHop(*f, in);
        ASSERT_NE(out, kNoPort);
        f->ingress = in;
        f->ready = Now() + m_settings.latency;
        const bool early = m_settings.ecn->GetPosition() == EcnSettings::kEnqueue;
        const bool marked = early && Mark(out, *f);
        if (!Admit(in, out, *f))
        {
            ++m_real.GetPort(out).Counters().dropped;
            onDrop(*f);
            FramePool::Return(f);
            return;
        }
        m_real.GetPort(out).Counters().marked += marked;
        m_ports[out].queues[f->priority].push_back(f);
        LookAt(f->ready);
    }

    /// The dynamic thresholds of Choudhury and Hahne, as class DynamicThreshold describes them.
    bool Admit(PortIdx in, PortIdx out, const Frame& f)
    {
        const uint8_t priority = f.priority;
        const int64_t bytes = f.bytes;
        if (!IsLossless(priority))
        {
            int64_t& queue = m_ports[out].egress[priority];
            if (queue + bytes > Threshold(1, 0) || m_used + bytes > m_pool)
            {
                return false;
            }
            queue += bytes;
            m_used += bytes;
            return true;
        }
        Port& port = m_ports[in];
        int64_t& shared = port.ingressShared[priority];
        int64_t& headroom = port.ingressHeadroom[priority];
        const auto limit = static_cast<int64_t>(m_real.GetHeadroomBytes(in));
        const bool fits = m_used + bytes <= m_pool;
        const bool within = shared + bytes <= Threshold(m_settings.alpha, bytes);
        const bool toHeadroom = port.stopped[priority] || (!within && !fits);
        const bool dropped = toHeadroom && headroom + bytes > limit;
        if (!dropped)
        {
            (toHeadroom ? headroom : shared) += bytes;
            m_used += toHeadroom ? 0 : bytes;
        }
        if (!port.stopped[priority] && !within && shared + headroom > 0)
        {
            SetStopped(in, priority, true);
        }
        return !dropped;
    }

    void Release(PortIdx out, const Frame& f)
    {
        const uint8_t priority = f.priority;
        if (!IsLossless(priority))
        {
            m_ports[out].egress[priority] -= f.bytes;
            m_used -= f.bytes;
            return;
        }
        Port& in = m_ports[f.ingress];
        int64_t& shared = in.ingressShared[priority];
        int64_t& headroom = in.ingressHeadroom[priority];
        const int64_t fromHeadroom = std::min<int64_t>(f.bytes, headroom);
        headroom -= fromHeadroom;
        shared -= f.bytes - fromHeadroom;
        m_used -= f.bytes - fromHeadroom;
        if (in.stopped[priority] && headroom == 0 &&
            (shared == 0 || shared + kXonOffset <= Threshold(m_settings.alpha, 0)))
        {
            SetStopped(f.ingress, priority, false);
        }
    }

    void SetStopped(PortIdx in, uint8_t priority, bool stops)
    {
        Port& port = m_ports[in];
        port.stopped[priority] = stops;
        m_stops += stops ? 1 : -1;
        onPause(in, priority, stops, port.ingressShared[priority]);
        port.queues[EgressPort::kLinkQueue].push_back(
            MakePauseFrame(priority, stops ? m_settings.quanta : 0));
        if (stops)
        {
            Refresh(in, priority);
        }
    }

    void Refresh(PortIdx in, uint8_t priority)
    {
        if (m_settings.quanta == kStickyPause)
        {
            return;
        }
        const Tick period = m_settings.quanta * 256e12 / m_real.GetPort(in).GetBandwidth();
        const Tick at = m_ports[in].refreshAt[priority] = Now() + period;
        Simulator::Schedule(FromTick(period), [=] {
            Depart();
            if (m_ports[in].stopped[priority] && m_ports[in].refreshAt[priority] == at)
            {
                m_ports[in].queues[EgressPort::kLinkQueue].push_back(
                    MakePauseFrame(priority, m_settings.quanta));
                Refresh(in, priority);
                Depart();
            }
        });
    }

    /// @return whether a frame begins to leave now.
    bool TryStart(PortIdx index)
    {
        const Tick now = Now();
        Port& port = m_ports[index];
        EndPauses(index);
        uint32_t eligible = 0;
        uint32_t backlogged = 0;
        uint32_t sharing = 0;
        for (int i = 0; i < kQueues && port.free <= now; ++i)
        {
            const bool any = !port.queues[i].empty();
            const bool paused = i < 8 && port.pausedUntil[i] > now;
            backlogged |= any << i;
            eligible |= (any && !paused && port.queues[i].front()->ready <= now) << i;
            sharing |= (i < 8 && m_settings.weights[i] > 0) << i;
        }
        if (!eligible)
        {
            return false;
        }
        int chosen = 31 - __builtin_clz(eligible);
        if (sharing >> chosen & 1)
        {
            chosen = port.sharing.Choose(eligible & sharing, backlogged);
            port.sharing.Charge(chosen, port.queues[chosen].front()->bytes);
        }
        Frame* f = port.queues[chosen].front();
        port.queues[chosen].pop_front();
        EgressPort& real = m_real.GetPort(index);
        PortCounters& counters = real.Counters();
        if (!IsLinkLocal(f->op))
        {
            if (m_settings.ecn->GetPosition() == EcnSettings::kDequeue)
            {
                counters.marked += Mark(index, *f);
            }
            Release(index, *f);
        }
        ++counters.frames;
        counters.dataFrames += CarriesPayload(f->op);
        port.free = now + real.WireTime(f->bytes);
        LookAt(port.free);
        const PortSettings& link = real.GetSettings();
        const Tick arrival = port.free + link.delay;
        Simulator::Schedule(FromTick(arrival - now), [peer = port.peer, f, &link, arrival] {
            peer->Receive(f, link.peerPort, arrival);
        });
        return true;
    }

    /// By the queue that f, which is not in it, comes to or leaves.
    bool Mark(PortIdx index, Frame& f)
    {
        uint32_t queued = 0;
        for (const Frame* other : m_ports[index].queues[f.priority])
        {
            queued += other->ready <= Now() ? other->bytes : 0;
        }
        const RedThresholds red =
            m_settings.ecn->For(m_real.GetPort(index).GetBandwidth(), f.priority);
        if (!(f.flags & kEct) || f.flags & kCe || queued <= red.kmin ||
            (queued <= red.kmax && m_ports[index].marks.Uniform() >= red.Probability(queued)))
        {
            return false;
        }
        f.flags |= kCe;
        return true;
    }

    static constexpr int64_t kXonOffset = 3072;

    FabricSwitch& m_real;
    Settings m_settings;
    std::vector<Port> m_ports;
    int64_t m_pool;
    int64_t m_used{0};
    int m_stops{0};
    std::set<Tick> m_looks;
    std::multimap<PortIdx, Frame*> m_inbox;
};

/// The port of a host, of which every departure is an event as well.
class EagerHost final : public PortOwner
{
  public:
    explicit EagerHost(EgressPort& port, FrameSink* peer)
        : m_port(port)
    {
        static const uint32_t always = 1;
        PortSettings changed = port.GetSettings();
        changed.peer = peer;
        port.Wire(changed, port.GetIndex(), this, &always);
    }

    void OnDeparture(EgressPort&, Frame&, uint32_t, Tick start, Tick now) override
    {
        EXPECT_EQ(start, now);
    }

    void CatchUpAll(Tick now) override
    {
        m_port.CatchUp(now);
    }

  private:
    EgressPort& m_port;
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_TWO_EVENT_SWITCH_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_UNRULY_CABLE_H
#define AIFABRIC_UNRULY_CABLE_H

#include "ns3/frame-extension.h"
#include "ns3/frame-pool.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <functional>
#include <random>

namespace ns3::aifabric::test
{

/// A wire's far end that loses frames, or their payload, doubles them, and holds some back so that
/// others overtake them.
class UnrulyCable final : public FrameSink
{
  public:
    FrameSink* nic{nullptr}; ///< who stands there
    std::mt19937_64* dice{nullptr};
    double loses{0};      ///< probability of each frame
    double doubles{0};    ///< the same
    double delays{0};     ///< the same
    double marks{0};      ///< the same: congestion experienced
    double trims{0};      ///< the same: of frames with payload, which lose that
    Tick longestDelay{0}; ///< a frame that is held back is so for up to that long
    bool cut{false};      ///< loses everything
    std::function<void(const Frame&)> onLeft;    ///< called for what comes off the wire
    std::function<void(const Frame&)> onArrival; ///< and for what is left of it, in the end

    void Receive(Frame* f, PortIdx in, Tick now) override
    {
        if (onLeft)
        {
            onLeft(*f);
        }
        if (cut || Happens(loses))
        {
            FramePool::Discard(f);
            return;
        }
        if (Happens(marks))
        {
            f->flags |= f->flags & kEct ? kCe : 0;
        }
        if (CarriesPayload(f->op) && Happens(trims))
        {
            f->bytes -= f->payload;
            f->payload = 0;
            f->flags |= kTrimmed;
        }
        if (Happens(doubles))
        {
            Pass(Copy(*f), in, now);
        }
        Pass(f, in, now);
    }

    /// @return frames that are held back.
    uint64_t CountHeld() const
    {
        return m_held;
    }

  private:
    bool Happens(double probability)
    {
        return probability > 0 && std::generate_canonical<double, 32>(*dice) < probability;
    }

    static Frame* Copy(const Frame& f)
    {
        Frame* copy = FramePool::Take();
        *copy = f;
        if (f.flags & kExtended)
        {
            const FrameExtension extension = FrameExtension::Of(f);
            FrameExtension::AddTo(*copy) = extension;
        }
        return copy;
    }

    void Pass(Frame* f, PortIdx in, Tick now)
    {
        if (!Happens(delays))
        {
            Deliver(f, in, now);
            return;
        }
        ++m_held;
        const Tick delay = 1 + static_cast<Tick>((*dice)() % static_cast<uint64_t>(longestDelay));
        Simulator::Schedule(TimeStep(delay), [this, f, in] {
            --m_held;
            Deliver(f, in, Simulator::Now().GetTimeStep());
        });
    }

    void Deliver(Frame* f, PortIdx in, Tick now)
    {
        if (onArrival)
        {
            onArrival(*f);
        }
        nic->Receive(f, in, now);
    }

    uint64_t m_held{0};
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_UNRULY_CABLE_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_TAMPER_H
#define AIFABRIC_TAMPER_H

#include "ns3/frame-pool.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <functional>

namespace ns3::aifabric::test
{

/// A wire's far end that may lose, mark, delay or look at frames before who stands there gets them.
class Tamper final : public FrameSink
{
  public:
    FrameSink* nic{nullptr};                ///< who stands there
    std::function<bool(Frame&, Tick)> lose; ///< called per frame; true loses it
    std::function<Tick(Frame&)> hold;       ///< called per frame that is not lost; its delay

    void Receive(Frame* f, PortIdx in, Tick now) override
    {
        if (lose && lose(*f, now))
        {
            FramePool::Discard(f);
            return;
        }
        const Tick delay = hold ? hold(*f) : 0;
        if (delay > 0)
        {
            Simulator::Schedule(FromTick(delay), [this, f, in] {
                nic->Receive(f, in, Simulator::Now().GetTimeStep());
            });
            return;
        }
        nic->Receive(f, in, now);
    }
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_TAMPER_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_TAMPER_H
#define AIFABRIC_TAMPER_H

#include "ns3/frame-pool.h"

#include <functional>

namespace ns3::aifabric::test
{

/// A wire's far end that may lose, mark or look at frames before who stands there gets them.
class Tamper final : public FrameSink
{
  public:
    FrameSink* nic{nullptr};                ///< who stands there
    std::function<bool(Frame&, Tick)> lose; ///< called per frame; true loses it

    void Receive(Frame* f, PortIdx in, Tick now) override
    {
        if (lose && lose(*f, now))
        {
            FramePool::Discard(f);
            return;
        }
        nic->Receive(f, in, now);
    }
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_TAMPER_H

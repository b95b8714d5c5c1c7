// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_FRAME_TAP_H
#define AIFABRIC_FRAME_TAP_H

#include "ns3/frame.h"

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Who looks at the frames of a link.
 */
class FrameTap
{
  public:
    /**
     * Called when the departure is committed.
     * @param f the frame, as it is on the wire.
     * @param start when its first byte leaves.
     * @param arrival when it is handed over at the far end.
     * @param lost whether the link destroys it.
     */
    virtual void OnFrame(const Frame& f, Tick start, Tick arrival, bool lost) = 0;

  protected:
    ~FrameTap() = default;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_FRAME_TAP_H

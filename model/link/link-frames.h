// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_LINK_FRAMES_H
#define AIFABRIC_LINK_FRAMES_H

#include "egress-port.h"

#include "ns3/frame-pool.h"

namespace ns3::aifabric
{

/// Bytes of a pause frame from destination address to FCS (IEEE 802.3 Annex 31D).
inline constexpr uint32_t kPauseFrameBytes = 64;
/// The longest pause that a frame can ask for, in quanta of 512 bit times.
inline constexpr uint32_t kMaxPauseQuanta = 65535;
/// A pause that lasts until it is taken back: not in the standard, but in other simulators.
inline constexpr uint32_t kStickyPause = kMaxPauseQuanta + 1;

/**
 * @ingroup ai-fabric
 * Makes a pause frame of IEEE 802.1Qbb, which concerns one priority here.
 * @param quanta its length; 0 resumes.
 */
inline Frame*
MakePauseFrame(uint8_t priority, uint32_t quanta)
{
    Frame* f = FramePool::Take();
    *f = {};
    f->op = Opcode::Pause;
    f->priority = priority;
    f->psn = quanta;
    f->bytes = kPauseFrameBytes;
    return f;
}

/**
 * @ingroup ai-fabric
 * Obeys a frame of the link itself, and takes it.
 * @param port the port that sends on the link over which f came.
 */
inline void
ObeyLinkFrame(EgressPort& port, Frame* f, Tick now)
{
    port.ReceivePause(f->priority, f->psn, now);
    FramePool::Return(f);
}

} // namespace ns3::aifabric

#endif // AIFABRIC_LINK_FRAMES_H

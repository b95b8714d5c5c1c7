// SPDX-License-Identifier: GPL-2.0-only
// What the frames of requests that are more than plain ones have in their headers.
#include "address-handle.h"
#include "protection-domain.h"
#include "request-cutter.h"
#include "sack-board.h"
#include "transport-profile.h"

#include "ns3/frame-extension.h"

#include <algorithm>

namespace ns3::aifabric
{

/// Lets a frame collect what the ports on its way tell.
void
RequestCutter::Log(const QueuePairContext& c, Frame& f)
{
    f.hopLog = HopLog::Pool().Take();
    HopLog& log = HopLog::Pool()[f.hopLog];
    log.stamper = c.profile->telemetry.stamper;
    if (c.profile->telemetry.announces)
    {
        log.backlogBytes = Announce(c, f);
    }
}

/// @return what a frame tells of what waits behind it.
uint64_t
RequestCutter::Announce(const QueuePairContext& c, const Frame& f)
{
    const TransportProfile& p = *c.profile;
    SendBacklog backlog{};
    backlog.posted = m_queue.BytesBefore(m_queue.GetEndFrame(), p.mtu);
    backlog.frameBytes = f.bytes + p.headers.gapBytes;
    if (m_board)
    {
        // This frame counts as lost until it has been sent again.
        const uint64_t lost =
            m_board->CountLost(m_acked) - (m_board->FindLost(m_acked, kNone) + 1 == m_next ? 1 : 0);
        backlog.frames = m_queue.GetEndFrame() - m_highest + lost;
        backlog.payload = backlog.posted - m_queue.BytesBefore(m_highest, p.mtu) + lost * p.mtu;
    }
    else
    {
        backlog.frames = m_queue.GetEndFrame() - m_next;
        backlog.payload = backlog.posted - m_sentBytes;
    }
    return p.control->Announce(m_view, m_control, backlog);
}

/// Gives a frame what makes its message more than a plain one.
/// @return how many sequence numbers it takes.
uint32_t
RequestCutter::Extend(QueuePairContext& c, Frame& f, bool last)
{
    RequestDetails& details = SendQueue::Details()[m_details];
    const WorkRequest& r = details.request;
    const HeaderProfile& headers = c.profile->headers;
    if (opcodes::Has(opcodes::kAtomics, f.op) || OperationOf(f.op) >= Opcode::ReadRequest)
    {
        return Ask(c, f, details);
    }
    if (m_begins && !details.source && c.domain && !r.inlined && r.localKey && r.bytes > 0)
    {
        // Once: what is sent again is what was sent.
        const MemoryRegion* region = c.domain->FindFor(r.localKey, r.address, r.bytes, 0);
        if (const std::byte* bytes = region ? region->At(r.address) : nullptr)
        {
            details.source = CopyBytes(bytes, r.bytes);
        }
    }
    const bool immediate =
        r.opcode == WrOpcode::SendWithImmediate || r.opcode == WrOpcode::WriteWithImmediate;
    const bool invalidate = r.opcode == WrOpcode::SendWithInvalidate;
    if (last)
    {
        if (immediate)
        {
            f.op = static_cast<Opcode>(static_cast<uint8_t>(f.op) + 1);
        }
        else if (invalidate)
        {
            f.op = OperationOf(f.op) == Opcode::SendLast ? Opcode::SendLastInvalidate
                                                         : Opcode::SendOnlyInvalidate;
        }
        f.flags |= r.solicited ? kSolicited : 0;
        f.immediate = immediate || invalidate ? r.immediate : 0;
    }
    const bool addressed = opcodes::Has(opcodes::kWithReth, f.op);
    const bool addressedToo = !addressed && c.profile->addressesEveryFrame && headers.extensions &&
                              opcodes::Has(opcodes::kWrites, f.op);
    f.bytes = headers.FrameBytes(f.op, f.payload) + (addressedToo ? kRethBytes : 0);
    if (addressed)
    {
        f.length = m_left;
    }
    const bool datagram = c.type == QpType::Ud;
    if (datagram || (m_begins && details.source) ||
        (addressed && (r.remoteKey || r.remoteAddress || (last && immediate))))
    {
        FrameExtension& extension = FrameExtension::AddTo(f);
        extension.address = r.remoteAddress;
        extension.key = r.remoteKey;
        extension.length = addressed ? m_left : 0;
        extension.immediate = last && (immediate || invalidate) ? r.immediate : 0;
        if (m_begins)
        {
            extension.source = details.source;
        }
        if (datagram)
        {
            extension.qkey = r.remoteQkey;
            extension.sourceNumber = c.number;
            f.flow = r.remoteNumber;
            const AddressVector& path = r.addressHandle->path;
            f.dst = path.destination;
            f.entropy = path.entropy ? path.entropy : c.entropy;
        }
    }
    return 1;
}

/// @return behind what is missing from m_next on of an answer.
uint64_t
RequestCutter::FindGapEnd() const
{
    const uint64_t end = m_queue.EndOf(m_message);
    if (!m_answered || m_next >= m_highest)
    {
        return end;
    }
    if (m_answered->IsTrimmed(m_next))
    {
        return m_next + 1;
    }
    const uint64_t lostEnd = m_answered->GetLostEnd();
    return m_answered->FindPresent(m_next, lostEnd > m_next ? std::min(lostEnd, end) : end);
}

/// Makes a frame the request for an answer, or for what is missing of it from m_next on.
/// @return how many sequence numbers it takes.
uint32_t
RequestCutter::Ask(QueuePairContext& c, Frame& f, const RequestDetails& details)
{
    const WorkRequest& r = details.request;
    const bool atomic = r.opcode != WrOpcode::Read;
    const auto frames = static_cast<uint32_t>(FindGapEnd() - m_next);
    const auto length =
        static_cast<uint32_t>(std::min<uint64_t>(m_left, uint64_t{frames} * c.profile->mtu));
    f.op = static_cast<Opcode>(m_opcode);
    f.payload = 0;
    f.length = length;
    f.bytes = c.profile->headers.FrameBytes(f.op, 0);
    if (atomic || r.remoteKey || r.remoteAddress || length < r.bytes)
    {
        FrameExtension& extension = FrameExtension::AddTo(f);
        extension.address = r.remoteAddress + (r.bytes - m_left);
        extension.key = r.remoteKey;
        extension.length = length;
        const bool swaps = r.opcode == WrOpcode::CompareSwap;
        extension.swapOrAdd = swaps ? r.swap : r.compareAdd;
        extension.compare = swaps ? r.compareAdd : 0;
    }
    if (m_next >= m_highest)
    {
        m_answers.Push(m_message);
        UpdateGuard();
    }
    return frames;
}

} // namespace ns3::aifabric

// SPDX-License-Identifier: GPL-2.0-only
#include "response-queue.h"

#include "protection-domain.h"
#include "transport-profile.h"

#include "ns3/frame-extension.h"
#include "ns3/frame-pool.h"

#include <algorithm>

namespace ns3::aifabric
{

namespace
{

uint32_t
CountFrames(const Response& r, uint32_t mtu)
{
    return r.kind == Response::Read && r.length > 0 ? (r.length - 1) / mtu + 1 : 1;
}

/// @return whether it is the first answer to a READ or atomic. The peer may have had what is given
/// again, and count on that.
bool
IsOwed(const Response& r)
{
    return r.kind != Response::Acknowledgement && !r.again;
}

} // namespace

void
ResponseQueue::Answer(const Response& response, uint32_t remembered)
{
    m_remembered.push_back(response);
    if (m_remembered.size() > remembered)
    {
        m_remembered.pop_front();
    }
    Push(response);
}

void
ResponseQueue::Acknowledge(const Response& response)
{
    const bool positive = response.aeth >> 29 == kAethAck;
    if (!IsEmpty() && positive && m_pending.back().kind == Response::Acknowledgement &&
        m_pending.back().aeth >> 29 == kAethAck)
    {
        m_pending.back() = response;
    }
    else
    {
        m_pending.push_back(response);
    }
}

bool
ResponseQueue::AnswerAgain(Response::Kind kind,
                           uint32_t psn,
                           uint32_t length,
                           uint32_t key,
                           uint64_t address,
                           uint32_t mtu,
                           bool keeps)
{
    for (const Response& r : m_remembered)
    {
        const int32_t frames = PsnDistance(psn, r.psn);
        const uint64_t offset = static_cast<uint64_t>(frames) * mtu;
        if (r.kind != kind || frames < 0 || frames >= static_cast<int32_t>(CountFrames(r, mtu)) ||
            (kind == Response::Read &&
             (r.key != key || (key != 0 && r.address + offset != address) ||
              (keeps ? r.length - offset < length : r.length - offset != length))))
        {
            continue;
        }
        Response again = r;
        again.psn = psn;
        again.length = length;
        again.address = address;
        again.again = true;
        if (keeps)
        {
            Insert(again, mtu);
        }
        else
        {
            Truncate(psn, mtu);
            Push(again);
        }
        return true;
    }
    return false;
}

void
ResponseQueue::Push(const Response& response)
{
    m_requests += IsOwed(response);
    m_pending.push_back(response);
}

/// Drops all answers from that frame on.
void
ResponseQueue::Truncate(uint32_t psn, uint32_t mtu)
{
    while (!IsEmpty())
    {
        Response& last = m_pending.back();
        const int32_t frames = PsnDistance(psn, last.psn);
        if (frames >= static_cast<int32_t>(CountFrames(last, mtu)))
        {
            return;
        }
        // Of one that began before, what precedes the frame stays, if it has not left yet.
        const uint64_t keep = frames > 0 ? static_cast<uint64_t>(frames) * mtu : 0;
        if (keep > last.sent)
        {
            last.length = static_cast<uint32_t>(keep);
            return;
        }
        m_requests -= IsOwed(last);
        m_pending.pop_back();
    }
}

/// Puts what is missed before what has not been given yet, unless that is it.
void
ResponseQueue::Insert(const Response& again, uint32_t mtu)
{
    const auto count = static_cast<int32_t>(CountFrames(again, mtu));
    const auto isIt = [&](const Response& r) {
        const int32_t next = PsnDistance(r.psn, again.psn) + static_cast<int32_t>(r.sent / mtu);
        const int32_t end =
            PsnDistance(r.psn, again.psn) + static_cast<int32_t>(CountFrames(r, mtu));
        return r.kind == again.kind && next >= 0 && next < count && end <= count;
    };
    m_requests -= static_cast<uint32_t>(
        std::count_if(m_pending.begin(), m_pending.end(), [&](const Response& r) {
            return isIt(r) && IsOwed(r);
        }));
    m_pending.erase(std::remove_if(m_pending.begin(), m_pending.end(), isIt), m_pending.end());
    m_pending.insert(std::find_if(m_pending.begin(),
                                  m_pending.end(),
                                  [](const Response& r) { return !r.again; }),
                     again);
}

Frame*
ResponseQueue::Cut(const QueuePairContext& c, Tick start)
{
    const TransportProfile& p = *c.profile;
    Response& r = m_pending.front();
    Frame* f = FramePool::Take();
    *f = Frame{};
    f->sentAt = r.echo;
    f->src = c.self;
    f->dst = c.peer;
    f->flow = c.peerNumber;
    f->psn = r.psn;
    f->aeth = r.aeth;
    f->entropy = c.entropy;
    f->priority = c.priority;
    bool ends = true;
    if (r.kind == Response::Acknowledgement)
    {
        f->op = Opcode::Acknowledge;
        f->bytes = p.headers.ackBytes;
    }
    else if (r.kind == Response::Atomic)
    {
        f->op = Opcode::AtomicAcknowledge;
        f->bytes = p.headers.FrameBytes(f->op, 0);
        FrameExtension::AddTo(*f).swapOrAdd = r.original;
    }
    else
    {
        const uint32_t left = r.length - r.sent;
        const bool begins = r.sent == 0;
        ends = left <= p.mtu;
        f->op = begins ? (ends ? Opcode::ReadResponseOnly : Opcode::ReadResponseFirst)
                       : (ends ? Opcode::ReadResponseLast : Opcode::ReadResponseMiddle);
        f->psn = (r.psn + r.sent / p.mtu) & kPsnMask;
        f->payload = ends ? left : p.mtu;
        f->bytes = p.headers.FrameBytes(f->op, f->payload);
        f->flags = kEct;
        f->sentAt = start;
        f->readAeth = opcodes::Has(opcodes::kWithAeth, f->op) ? r.aeth : 0;
        // The memory may have gone since: then there are no bytes to look at.
        const MemoryRegion* region =
            begins && c.domain ? c.domain->FindFor(r.key, r.address, r.length, kRemoteRead)
                               : nullptr;
        if (region && region->At(r.address))
        {
            r.bytes = CopyBytes(region->At(r.address), r.length);
        }
        if (r.bytes)
        {
            // Whoever may miss the first frame is given the bytes with each.
            FrameExtension& extension = FrameExtension::AddTo(*f);
            extension.source = SharedBytes(r.bytes, r.bytes.get() + r.sent);
            extension.aeth = r.aeth;
        }
        if (p.reorderFrames == 0)
        {
            r.bytes.reset();
        }
        r.sent += f->payload;
    }
    if (ends)
    {
        m_requests -= IsOwed(r);
        m_pending.pop_front();
    }
    return f;
}

void
ResponseQueue::Clear()
{
    m_pending.clear();
    m_remembered.clear();
    m_requests = 0;
}

} // namespace ns3::aifabric

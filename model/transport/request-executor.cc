// SPDX-License-Identifier: GPL-2.0-only
#include "request-executor.h"

#include "completion-queue.h"
#include "protection-domain.h"
#include "shared-receive-queue.h"
#include "transport-profile.h"

#include "ns3/frame-extension.h"

#include <cstring>

namespace ns3::aifabric
{

using opcodes::Has;
using opcodes::kBegins;
using opcodes::kEnds;

WorkCompletion
RequestExecutor::Describe(const QueuePairContext& c, const Frame& f) const
{
    WorkCompletion done{0,
                        c.number,
                        static_cast<uint32_t>(m_arrived),
                        WcStatus::Success,
                        IsSend(f.op) ? WcOpcode::Receive : WcOpcode::ReceiveWriteWithImmediate};
    done.hasImmediate = Has(opcodes::kImmediates, f.op);
    done.invalidated = Has(opcodes::kInvalidates, f.op);
    done.solicited = f.flags & kSolicited;
    done.immediate = done.hasImmediate || done.invalidated ? GetImmediate(f) : 0;
    return done;
}

RequestExecutor::Fault
RequestExecutor::Examine(QueuePairContext& c, const Frame& f)
{
    const TransportProfile& p = *c.profile;
    if (!(m_legal >> static_cast<int>(f.op) & 1))
    {
        return Fault::Invalid;
    }
    const bool full = Has(opcodes::kFirsts | opcodes::kMiddles, f.op);
    if (CarriesPayload(f.op) && (f.payload > p.mtu || (full && f.payload != p.mtu) ||
                                 (Has(opcodes::kLasts, f.op) && f.payload == 0)))
    {
        return Fault::Invalid;
    }
    if (c.type == QpType::Ud)
    {
        const bool mine = Has(opcodes::Set(Opcode::SendOnly, Opcode::SendOnlyImmediate), f.op) &&
                          f.flags & kExtended && FrameExtension::Of(f).qkey == c.qkey;
        return mine ? ExamineSend(c, f, kGrhBytes) : Fault::Invalid;
    }
    if (IsSend(f.op))
    {
        const Fault fault = ExamineSend(c, f, 0);
        const bool stale =
            c.domain && Has(opcodes::kInvalidates, f.op) && !c.domain->Find(GetImmediate(f));
        return fault == Fault::None && stale ? Fault::Access : fault;
    }
    if (Has(opcodes::kWrites, f.op))
    {
        if (c.domain && !(c.accessFlags & kRemoteWrite))
        {
            return Fault::Invalid;
        }
        if (Has(opcodes::kImmediates, f.op) && !TakeReceive(c))
        {
            return Fault::NotReady;
        }
        return ExamineTarget(c, f);
    }
    const bool atomic = f.op != Opcode::ReadRequest;
    const uint32_t access = atomic ? kRemoteAtomic : kRemoteRead;
    if (c.type != QpType::Rc || m_unanswered >= p.maxDestReadAtomic ||
        (c.domain && !(c.accessFlags & access)))
    {
        return Fault::Invalid;
    }
    const Target target = GetTarget(f);
    const uint32_t bytes = atomic ? kAtomicBytes : target.length;
    if (bytes > kMaxMessageBytes || (atomic && target.address % kAtomicBytes != 0))
    {
        return Fault::Invalid;
    }
    const bool allowed =
        !c.domain || bytes == 0 || c.domain->FindFor(target.key, target.address, bytes, access);
    return allowed ? Fault::None : Fault::Access;
}

/// @return whether there is a receive.
bool
RequestExecutor::TakeReceive(QueuePairContext& c)
{
    if (c.sharedReceives && m_receives.IsEmpty() && c.sharedReceives->GetSize() > 0)
    {
        m_receives.Push(c.sharedReceives->Take());
    }
    return !m_receives.IsEmpty();
}

/// @param front bytes that the receive needs before the message.
RequestExecutor::Fault
RequestExecutor::ExamineSend(QueuePairContext& c, const Frame& f, uint32_t front)
{
    if (!TakeReceive(c))
    {
        return Fault::NotReady;
    }
    const ReceiveRequest& receive = m_receives.Front();
    if (m_arrived + front + f.payload > receive.bytes)
    {
        return Fault::Length;
    }
    const bool allowed =
        !c.domain || receive.localKey == 0 || f.payload == 0 ||
        c.domain->FindFor(
            receive.localKey, receive.address + m_arrived, front + f.payload, kLocalWrite);
    return allowed ? Fault::None : Fault::Protection;
}

/// A WRITE's memory, and whether it is as long as it says.
RequestExecutor::Fault
RequestExecutor::ExamineTarget(const QueuePairContext& c, const Frame& f) const
{
    const bool begins = Has(kBegins, f.op);
    const Target target = begins ? GetTarget(f) : m_target;
    const uint64_t behind = m_arrived + f.payload;
    if (!c.domain)
    {
        return Fault::None;
    }
    if (behind > target.length || (Has(kEnds, f.op) && behind != target.length))
    {
        return Fault::Invalid;
    }
    const uint64_t bytes = begins ? target.length : f.payload;
    const bool allowed =
        bytes == 0 ||
        c.domain->FindFor(target.key, target.address + m_arrived, bytes, kRemoteWrite);
    return allowed ? Fault::None : Fault::Access;
}

RequestExecutor::Target
RequestExecutor::GetTarget(const Frame& f)
{
    if (!(f.flags & kExtended))
    {
        return {0, 0, Has(opcodes::kWithReth, f.op) ? f.length : 0, nullptr};
    }
    const FrameExtension& extension = FrameExtension::Of(f);
    return {extension.address, extension.key, extension.length, extension.source};
}

uint32_t
RequestExecutor::GetImmediate(const Frame& f)
{
    return f.flags & kExtended ? FrameExtension::Of(f).immediate : f.immediate;
}

void
RequestExecutor::Place(QueuePairContext& c, const Frame& f)
{
    const bool send = IsSend(f.op);
    const uint32_t front = c.type == QpType::Ud ? kGrhBytes : 0;
    if (Has(kBegins, f.op))
    {
        m_target = GetTarget(f);
    }
    if (c.domain && m_target.source && f.payload > 0)
    {
        const ReceiveRequest* receive = send ? &m_receives.Front() : nullptr;
        const uint64_t address = (send ? receive->address : m_target.address) + m_arrived;
        const MemoryRegion* region =
            c.domain->FindFor(send ? receive->localKey : m_target.key, address, f.payload, 0);
        if (std::byte* to = region ? region->At(address) : nullptr)
        {
            std::memcpy(to, m_target.source.get() + m_arrived - front, f.payload);
        }
    }
    if (c.domain && Has(opcodes::kInvalidates, f.op))
    {
        c.domain->Find(GetImmediate(f))->Invalidate();
    }
    m_arrived += f.payload;
    m_legal = FollowersOf(f.op);
    c.counters.deliveredBytes += f.payload;
}

uint64_t
RequestExecutor::DoAtomic(const QueuePairContext& c, const Frame& f)
{
    const Target target = GetTarget(f);
    const MemoryRegion* region =
        c.domain ? c.domain->FindFor(target.key, target.address, kAtomicBytes, kRemoteAtomic)
                 : nullptr;
    std::byte* at = region ? region->At(target.address) : nullptr;
    if (!at)
    {
        return 0;
    }
    const FrameExtension& operands = FrameExtension::Of(f);
    uint64_t original;
    std::memcpy(&original, at, kAtomicBytes);
    uint64_t result = original;
    if (f.op == Opcode::FetchAdd)
    {
        result += operands.swapOrAdd;
    }
    else if (original == operands.compare)
    {
        result = operands.swapOrAdd;
    }
    std::memcpy(at, &result, kAtomicBytes);
    return original;
}

void
RequestExecutor::Forget()
{
    m_receives.Clear();
    m_freed = m_receives.GetEnd();
    m_flushing = false;
    Begin();
}

WcStatus
RequestExecutor::CompleteReceive(QueuePairContext& c, WorkCompletion completion)
{
    completion.wrId = m_receives.Pop().wrId;
    return c.receiveQueue->Push(completion, {&m_freed, m_receives.GetBegin()})
               ? WcStatus::Success
               : WcStatus::WrFlushError;
}

void
RequestExecutor::Flush(QueuePairContext& c)
{
    m_arrived = 0;
    m_flushing = true;
    // A callback may post: that is flushed behind what was posted before; or reset the queue pair.
    while (m_flushing && !m_receives.IsEmpty())
    {
        const ReceiveRequest r = m_receives.Pop();
        c.receiveQueue->Push({r.wrId, c.number, 0, WcStatus::WrFlushError, WcOpcode::Receive},
                             {&m_freed, m_receives.GetBegin()});
    }
    m_flushing = false;
}

void
RequestExecutor::PostFlushed(QueuePairContext& c, const ReceiveRequest& request)
{
    m_receives.Push(request);
    if (!m_flushing)
    {
        Flush(c);
    }
}

} // namespace ns3::aifabric

// SPDX-License-Identifier: GPL-2.0-only
#include "request-cutter.h"

#include "address-handle.h"
#include "protection-domain.h"
#include "rdma-nic.h"
#include "sack-board.h"
#include "send-scheduler.h"
#include "transport-profile.h"

#include "ns3/frame-pool.h"
#include "ns3/path-selector.h"

#include <algorithm>

namespace ns3::aifabric
{

namespace
{

/// @return the operation of the first frame of such a message.
Opcode
FirstOperation(WrOpcode opcode)
{
    switch (opcode)
    {
    case WrOpcode::Write:
    case WrOpcode::WriteWithImmediate:
        return Opcode::WriteFirst;
    case WrOpcode::Read:
        return Opcode::ReadRequest;
    case WrOpcode::CompareSwap:
        return Opcode::CompareSwap;
    case WrOpcode::FetchAdd:
        return Opcode::FetchAdd;
    default:
        return Opcode::SendFirst;
    }
}

/// @return whether a request says all that matters by its length.
bool
IsPlain(const WorkRequest& r)
{
    return (r.opcode == WrOpcode::Send || r.opcode == WrOpcode::Write) && !r.fence &&
           !r.solicited && !r.inlined && !r.localKey && !r.remoteKey && !r.remoteAddress &&
           !r.addressHandle;
}

uint32_t
TakeDetails(const WorkRequest& request)
{
    const uint32_t handle = SendQueue::Details().Take();
    RequestDetails& details = SendQueue::Details()[handle];
    details.request = request;
    if (request.inlined && request.address != 0)
    {
        const auto* bytes = reinterpret_cast<const std::byte*>(request.address);
        details.source = CopyBytes(bytes, request.bytes);
    }
    return handle;
}

} // namespace

RequestCutter::RequestCutter() = default;
RequestCutter::~RequestCutter() = default;

void
RequestCutter::Start(QueuePairContext& c, Tick baseRtt)
{
    const TransportProfile& p = *c.profile;
    m_view = FlowView();
    m_view.rate = m_view.lineRate = p.lineRate;
    m_view.baseRtt = baseRtt;
    m_view.mtuBytes = p.mtu;
    m_view.frameBytes = p.headers.DataFrame(p.mtu, p.addressesEveryFrame) + p.headers.gapBytes;
    if (p.control)
    {
        p.control->Begin(m_view, m_control);
    }
    m_maxOutstanding = kMaxOutstanding;
    m_board.reset();
    m_answered.reset();
    m_paths = p.paths && c.type == QpType::Rc ? p.paths->MakeSelector(c.entropy, baseRtt) : nullptr;
    if (c.type != QpType::Rc)
    {
        // Nothing comes back that a window could wait for.
        m_view.window = std::numeric_limits<uint64_t>::max();
    }
    else if (p.reorderFrames > 0)
    {
        const auto window =
            static_cast<uint32_t>(p.lineRate * (baseRtt / 8e12) / m_view.frameBytes) + 1;
        m_maxOutstanding = std::min(p.reorderFrames, p.recovery->GetMaxOutstanding(window));
        m_board = std::make_unique<SackBoard>(
            window, m_maxOutstanding, p.recovery->CountsArrived() ? 0 : p.reorderFrames);
    }
    m_rate = 0;
    m_lastWire = 0;
    m_burstLeft = 0;
    Pace(c);
}

void
RequestCutter::Begin(const QueuePairContext& c, uint32_t psn)
{
    m_firstPsn = psn - static_cast<uint32_t>(m_next);
    m_retries = c.profile->retryCount;
    m_rnrRetries = c.profile->rnrRetryCount;
}

void
RequestCutter::Reset()
{
    m_queue.Clear();
    m_answers.Clear();
    m_board.reset();
    m_answered.reset();
    // What was never sent takes no sequence numbers.
    m_firstPsn -= static_cast<uint32_t>(m_queue.GetEndFrame() - m_highest);
    m_next = m_acked = m_highest = m_limit = m_queue.GetEndFrame();
    m_headEnd = m_guard = m_askedAgain = kNone;
    m_sentBytes = m_ackedBytes;
    m_deadline = kNever;
    m_freed = m_queue.GetEnd();
    m_left = 0;
    m_burstLeft = 0;
    m_details = 0;
    m_unasked = 0;
    m_waits = false;
    m_draining = false;
    m_flushing = false;
    m_failure = WcStatus::Success;
}

void
RequestCutter::Post(QueuePairContext& c, const WorkRequest& request, Tick now)
{
    const bool idle = m_next == m_queue.GetEndFrame();
    const uint32_t number = m_queue.GetEnd();
    const bool oldest = m_queue.IsEmpty();
    m_queue.Push(request, IsPlain(request) ? 0 : TakeDetails(request), m_sentBytes, c.profile->mtu);
    if (oldest)
    {
        m_headEnd = m_queue.GetEndFrame();
    }
    if (idle)
    {
        Load(c, number);
        c.notBefore = now + c.scheduler->GetLatency();
        c.available = std::max(c.available, c.notBefore);
    }
    UpdateLimit(c);
    if (idle)
    {
        c.scheduler->Update(c, now);
    }
}

/// A frame of that many bytes leaves: the next one waits as the rate wants.
/// @param continues whether it belongs to a burst, of which it is not the first one.
inline void
RequestCutter::Leave(QueuePairContext& c,
                     const CongestionControl* control,
                     uint32_t bytes,
                     Tick start,
                     bool continues)
{
    const uint32_t wire = bytes + c.profile->headers.gapBytes;
    if (continues)
    {
        m_lastWire += wire;
    }
    else
    {
        m_lastStart = start;
        m_lastWire = wire;
    }
    if (control)
    {
        control->Sent(m_view, m_control, wire, start);
    }
    Pace(c);
}

/// A frame with that payload is the next of a burst, or begins one.
/// @param ends whether it ends its message, and so the burst.
/// @return whether it is not the first one.
bool
RequestCutter::Burst(Frame& f, uint32_t payload, bool ends)
{
    const bool continues = m_burstLeft > 0;
    if (continues)
    {
        f.sentAt = m_lastStart + static_cast<Tick>(m_lastWire * 8e12 / m_view.lineRate + 0.5);
    }
    else
    {
        m_burstLeft = m_view.burstBytes;
    }
    m_burstLeft = ends || payload >= m_burstLeft ? 0 : m_burstLeft - payload;
    return continues;
}

/// @tparam kRare whether the message is more than a plain one, or frames may arrive out of order.
template <bool kRare>
inline Frame*
RequestCutter::CutFrame(QueuePairContext& c, Tick start)
{
    const TransportProfile& p = *c.profile;
    const CongestionControl* control = PeekPointer(p.control);
    if (m_view.timerAt <= start)
    {
        control->CatchUp(m_view, m_control, start);
    }
    const bool last = m_left <= p.mtu;
    const uint32_t payload = last ? m_left : p.mtu;
    // First, Middle, Last and Only of an operation are numbered 0, 1, 2 and 4 from its first one.
    const uint8_t part = m_begins ? (last ? 4 : 0) : (last ? 2 : 1);
    const auto first = static_cast<Opcode>(m_opcode);
    const bool write = (kRare ? OperationOf(first) : first) == Opcode::WriteFirst;
    const bool addressed = m_begins && write;

    Frame* f = FramePool::Take();
    f->ready = 0;
    f->sentAt = start;
    f->src = c.self;
    f->dst = c.peer;
    f->flow = c.peerNumber;
    f->psn = (m_firstPsn + static_cast<uint32_t>(m_next)) & kPsnMask;
    f->bytes = p.headers.DataFrame(payload, addressed || (kRare && write && p.addressesEveryFrame));
    f->payload = payload;
    f->hopLog = 0;
    f->length = addressed ? m_left : 0;
    f->entropy = kRare && m_paths ? m_paths->Next(start) : c.entropy;
    f->ingress = 0;
    f->op = static_cast<Opcode>(m_opcode + part);
    f->priority = c.priority;
    f->flags = kEct;
    f->hops = 0;

    if (m_next == m_acked)
    {
        m_deadline = p.retransmissionTimeout == kNever ? kNever : start + p.retransmissionTimeout;
        Watch(c, m_deadline);
    }
    uint64_t next = m_next + 1;
    bool ends = last;
    if (kRare && m_details)
    {
        next += Extend(c, *f, last) - 1;
        ends = next == m_queue.EndOf(m_message);
    }
    m_next = next;
    const bool again = next <= m_highest;
    if (again)
    {
        c.counters.retransmittedBytes += kRare ? f->payload : payload;
    }
    else
    {
        m_highest = next;
    }
    ++c.counters.dataFramesSent;
    m_left -= payload;
    m_sentBytes += kRare ? f->payload : payload;
    m_begins = false;
    bool continues = false;
    bool endsBurst = ends;
    if (kRare && m_view.burstBytes > 0)
    {
        continues = Burst(*f, f->payload, ends);
        endsBurst = m_burstLeft == 0;
    }
    if (++m_unasked >= p.ackInterval || endsBurst || m_sentBytes - m_ackedBytes >= m_view.window ||
        m_next - m_acked >= m_maxOutstanding)
    {
        f->flags |= kRare && c.type != QpType::Rc ? 0 : kAckReq;
        m_unasked = 0;
        if (p.telemetry.wanted)
        {
            Log(c, *f);
        }
    }
    if (ends && m_next < m_queue.GetEndFrame())
    {
        Load(c, m_message + 1);
    }
    if (kRare && again && m_board)
    {
        m_board->NoteResent(m_next);
        if (m_answered)
        {
            m_answered->NoteResent(m_next);
        }
        SeekNext(c);
    }
    Leave(c, control, f->bytes, start, continues);
    return f;
}

Frame*
RequestCutter::Cut(QueuePairContext& c, Tick start)
{
    return m_rare ? CutFrame<true>(c, start) : CutFrame<false>(c, start);
}

void
RequestCutter::NoteSent(QueuePairContext& c, uint32_t bytes, Tick start)
{
    // Credits are for what the peer has not asked for.
    const bool counts = !c.profile->telemetry.announces;
    Leave(c, counts ? PeekPointer(c.profile->control) : nullptr, bytes, start, false);
}

void
RequestCutter::OnCredit(QueuePairContext& c, uint32_t credit, Tick now)
{
    const TransportProfile& p = *c.profile;
    if (!p.control)
    {
        return;
    }
    c.scheduler->GetPort().CatchUp(now);
    p.control->Credit(m_view, m_control, credit, now);
    NoteHeard(c, now);
    Pace(c);
    c.scheduler->Update(c, now);
}

void
RequestCutter::NoteHeard(const QueuePairContext& c, Tick now)
{
    if (m_deadline != kNever && !m_waits && m_acked < m_next)
    {
        m_deadline = now + c.profile->retransmissionTimeout;
    }
}

void
RequestCutter::AwaitCredit(QueuePairContext& c, Tick now)
{
    const Tick timeout = c.profile->retransmissionTimeout;
    if (m_deadline == kNever && m_next < m_limit && !CanSend() && timeout != kNever)
    {
        m_deadline = now + timeout;
        Watch(c, m_deadline);
    }
}

void
RequestCutter::Seek(QueuePairContext& c, uint64_t index)
{
    m_next = index;
    m_unasked = 0;
    m_burstLeft = 0;
    m_sentBytes = m_queue.BytesBefore(index, c.profile->mtu);
    if (index < m_queue.GetEndFrame())
    {
        Load(c, m_queue.Find(index));
    }
}

/// Begins to cut a message, or goes on with it at m_next.
void
RequestCutter::Load(QueuePairContext& c, uint32_t number)
{
    const SendQueue::Message& m = m_queue[number];
    m_message = number;
    m_left = m.bytes - static_cast<uint32_t>((m_next - m.first) * c.profile->mtu);
    m_begins = m_next == m.first;
    m_details = m.details;
    m_rare = m_details || m_board || m_paths || m_view.burstBytes > 0 || c.type != QpType::Rc;
    m_opcode = c.bthTransport | static_cast<uint8_t>(FirstOperation(m.opcode));
    if (m_details)
    {
        UpdateLimit(c);
    }
}

/// Examines the message that comes next.
/// @return what it has to fail with, when all before have ended.
WcStatus
RequestCutter::Examine(const QueuePairContext& c) const
{
    const SendQueue::Message& m = m_queue[m_message];
    const WorkRequest& r = m.GetDetails().request;
    if (m.IsAnswered() && c.profile->maxReadAtomic == 0)
    {
        return WcStatus::LocalOperationError;
    }
    if (!c.domain || r.inlined || r.localKey == 0 || r.bytes == 0)
    {
        return WcStatus::Success;
    }
    const uint32_t access = m.IsAnswered() ? static_cast<uint32_t>(kLocalWrite) : 0;
    return c.domain->FindFor(r.localKey, r.address, r.bytes, access)
               ? WcStatus::Success
               : WcStatus::LocalProtectionError;
}

/// @return whether the message that comes next has to wait, for answers or, a datagram that goes
/// another way out of the NIC or in another priority, for those before to have left. That costs no
/// time: the wire is not free for it any sooner.
bool
RequestCutter::Stalls(QueuePairContext& c) const
{
    const SendQueue::Message& m = m_queue[m_message];
    if (c.type == QpType::Ud)
    {
        const AddressVector& path = m.GetDetails().request.addressHandle->path;
        SendScheduler& way = c.nic->GetScheduler(c.port, path.destination);
        const uint8_t priority = c.profile->PriorityOf(path);
        if ((&way != c.scheduler || priority != c.priority) && m_acked < m_next)
        {
            return true;
        }
        c.scheduler = &way;
        c.priority = priority;
        return false;
    }
    if (m.GetDetails().request.fence && !m_answers.IsEmpty())
    {
        return true;
    }
    // Half of the sequence numbers, the answer's included (IBA vol. 1, 9.7.3.1).
    return m.IsAnswered() && (CountUnanswered() >= c.profile->maxReadAtomic ||
                              m_queue.EndOf(m_message) - m_acked > kMaxOutstanding + 1);
}

void
RequestCutter::UpdateLimit(QueuePairContext& c)
{
    uint64_t limit = m_waits ? m_next : m_draining ? m_drainEnd : m_queue.GetEndFrame();
    m_failure = WcStatus::Success;
    if (m_details && m_begins && m_next < limit && m_next >= m_highest)
    {
        m_failure = Examine(c);
        if (m_failure != WcStatus::Success)
        {
            limit = m_next;
            if (m_acked == m_next)
            {
                m_deadline = 0;
                Watch(c, 0);
            }
        }
        else if (Stalls(c))
        {
            limit = m_next;
        }
    }
    m_limit = limit;
    UpdateGuard();
}

void
RequestCutter::UpdateGuard()
{
    const bool stalled = m_limit == m_next && m_next > m_acked;
    if ((m_board && m_board->IsBusy(m_acked)) || m_failure != WcStatus::Success ||
        (stalled && m_answers.IsEmpty()))
    {
        m_guard = m_acked;
    }
    else
    {
        m_guard = GetAnswerFrame();
    }
}

uint64_t
RequestCutter::GetAnswerFrame() const
{
    return m_answers.IsEmpty() ? kNone : std::max(m_acked, m_queue[m_answers.Front()].first);
}

void
RequestCutter::Drain(QueuePairContext& c, Tick now)
{
    m_draining = true;
    m_drainEnd = m_highest;
    if (m_highest < m_queue.GetEndFrame())
    {
        const uint32_t number = m_queue.Find(m_highest);
        if (m_queue[number].first < m_highest)
        {
            m_drainEnd = m_queue.EndOf(number);
        }
    }
    UpdateLimit(c);
    c.scheduler->Update(c, now);
}

void
RequestCutter::Resume(QueuePairContext& c, Tick now)
{
    m_draining = false;
    UpdateLimit(c);
    c.scheduler->Update(c, now);
}

void
RequestCutter::SeekNext(QueuePairContext& c)
{
    m_maxOutstanding = m_board->GetLimit();
    const uint64_t next = std::min(FindLostRequest(), FindLostAnswer());
    if (next < m_highest)
    {
        // What is sent again has been under way already.
        m_maxOutstanding = std::max(m_maxOutstanding, static_cast<uint32_t>(next - m_acked + 1));
    }
    if (next != m_next)
    {
        Seek(c, next);
    }
}

/// @return the lost frame that is to be sent again next, or the first that was never sent.
uint64_t
RequestCutter::FindLostRequest()
{
    uint64_t next = m_board->FindLost(m_acked, m_highest);
    while (next > m_acked && next < m_highest && !m_queue.IsEmpty())
    {
        // The request of a READ stands for all numbers of its answer.
        const uint32_t number = m_queue.Find(next);
        const bool arrived = m_answered && m_answered->Has(next);
        if (!m_queue[number].IsAnswered() || (m_queue[number].first == next && !arrived))
        {
            break;
        }
        m_board->NoteResent(m_queue.EndOf(number));
        next = m_board->FindLost(m_acked, m_highest);
    }
    return next;
}

uint64_t
RequestCutter::FindLostAnswer()
{
    uint64_t next = m_answered ? m_answered->FindLost(m_acked, m_highest) : m_highest;
    while (next < m_highest && !m_queue.IsEmpty())
    {
        const uint32_t number = m_queue.Find(next);
        if (m_queue[number].IsAnswered())
        {
            break;
        }
        m_answered->NoteResent(m_queue.EndOf(number));
        next = m_answered->FindLost(m_acked, m_highest);
    }
    return next;
}

void
RequestCutter::Watch(QueuePairContext& c, Tick deadline)
{
    if (deadline < watchedAt)
    {
        watchedAt = deadline;
        c.nic->Watch(c.number, deadline);
    }
}

} // namespace ns3::aifabric

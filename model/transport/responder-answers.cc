// SPDX-License-Identifier: GPL-2.0-only
// What the responder answers to READs and atomics, and what waits behind those answers.
#include "responder.h"
#include "response-queue.h"
#include "send-scheduler.h"
#include "transport-profile.h"

#include "ns3/frame-pool.h"

#include <algorithm>

namespace ns3::aifabric
{

/// A READ or atomic operation is done, and its answer takes its turn.
void
Responder::Serve(QueuePairContext& c, Frame* f, Tick now)
{
    c.scheduler->GetPort().CatchUp(now);
    const Target target = GetTarget(*f);
    Response response{};
    response.psn = f->psn;
    response.echo = f->sentAt;
    response.key = target.key;
    response.address = target.address;
    uint32_t frames = 1;
    if (f->op == Opcode::ReadRequest)
    {
        response.kind = Response::Read;
        response.length = target.length;
        frames = target.length == 0 ? 1 : (target.length - 1) / c.profile->mtu + 1;
    }
    else
    {
        response.kind = Response::Atomic;
        response.original = DoAtomic(c, *f);
    }
    ++m_messages;
    response.aeth = kSyndromeAck << 24 | (m_messages & kPsnMask);
    m_expected = (m_expected + frames) & kPsnMask;
    Begin();
    m_refused = false;
    // From now on acknowledgements must not overtake such answers.
    m_ackPriority = c.priority;
    if (!m_responses)
    {
        m_responses = std::make_unique<ResponseQueue>();
    }
    m_responses->Answer(response, c.profile->maxDestReadAtomic);
    FramePool::Discard(f);
    Respond(c, now);
}

/// A READ or atomic operation came again.
void
Responder::ServeAgain(QueuePairContext& c, const Frame& f, Tick now)
{
    c.scheduler->GetPort().CatchUp(now);
    const bool read = f.op == Opcode::ReadRequest;
    const Target target = GetTarget(f);
    if (m_responses && m_responses->AnswerAgain(read ? Response::Read : Response::Atomic,
                                                f.psn,
                                                read ? target.length : 0,
                                                target.key,
                                                target.address,
                                                c.profile->mtu,
                                                m_kept != nullptr))
    {
        Respond(c, now);
    }
}

/// Answers wait: they leave when the NIC has made them.
void
Responder::Respond(QueuePairContext& c, Tick now)
{
    c.responding = true;
    m_unanswered = m_responses->CountRequests();
    c.notBefore = std::max(c.notBefore, now + c.scheduler->GetLatency());
    c.available = std::max(c.available, c.notBefore);
    c.scheduler->Update(c, now);
}

Frame*
Responder::Cut(QueuePairContext& c, Tick start)
{
    Frame* f = m_responses->Cut(c, start);
    c.responding = !m_responses->IsEmpty();
    m_unanswered = m_responses->CountRequests();
    return f;
}

void
Responder::Stop(QueuePairContext& c)
{
    c.responding = false;
    m_unanswered = 0;
    m_responses.reset();
}

/// An acknowledgement takes its turn behind the answers.
void
Responder::Defer(const Frame& f)
{
    Response response{};
    response.kind = Response::Acknowledgement;
    response.psn = f.psn;
    response.aeth = f.aeth;
    response.echo = f.sentAt;
    m_responses->Acknowledge(response);
}

} // namespace ns3::aifabric

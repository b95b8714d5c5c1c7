// SPDX-License-Identifier: GPL-2.0-only
#include "queue-pair.h"

#include "completion-queue.h"
#include "rdma-nic.h"
#include "send-scheduler.h"
#include "transport-profile.h"

#include "ns3/abort.h"
#include "ns3/frame-pool.h"
#include "ns3/huge-memory.h"
#include "ns3/simulator.h"

#include <cstddef>
#include <utility>

namespace ns3::aifabric
{

namespace
{

constexpr uint32_t
Bit(QpState s)
{
    return 1U << static_cast<int>(s);
}

/// Steps from each state (IBA vol. 1, figure 124; Sqd and Sqe are not offered).
constexpr uint32_t kSteps[] = {Bit(QpState::Reset) | Bit(QpState::Init) | Bit(QpState::Err),
                               Bit(QpState::Reset) | Bit(QpState::Init) | Bit(QpState::Rtr) |
                                   Bit(QpState::Err),
                               Bit(QpState::Reset) | Bit(QpState::Rts) | Bit(QpState::Err),
                               Bit(QpState::Reset) | Bit(QpState::Rts) | Bit(QpState::Err),
                               0,
                               0,
                               Bit(QpState::Reset) | Bit(QpState::Err)};

} // namespace

QueuePairCounters&
QueuePairCounters::operator+=(const QueuePairCounters& o)
{
    dataFramesSent += o.dataFramesSent;
    retransmittedBytes += o.retransmittedBytes;
    notificationsReceived += o.notificationsReceived;
    naksReceived += o.naksReceived;
    rnrNaksReceived += o.rnrNaksReceived;
    timeouts += o.timeouts;
    cnpsSent += o.cnpsSent;
    naksSent += o.naksSent;
    markedFrames += o.markedFrames;
    deliveredBytes += o.deliveredBytes;
    duplicateFrames += o.duplicateFrames;
    return *this;
}

QueuePair::QueuePair(RdmaNic& nic,
                     SendScheduler& scheduler,
                     NodeIdx self,
                     uint32_t number,
                     std::shared_ptr<const TransportProfile> profile,
                     CompletionQueue& sendQueue,
                     CompletionQueue& receiveQueue)
    : m_profile(std::move(profile))
{
    this->nic = &nic;
    this->scheduler = &scheduler;
    this->self = self;
    this->number = number;
    this->profile = m_profile.get();
    this->sendQueue = &sendQueue;
    this->receiveQueue = &receiveQueue;
    priority = m_profile->dataPriority;
}

void*
QueuePair::operator new(std::size_t bytes)
{
    return HugeMemory::Take(bytes);
}

void
QueuePair::operator delete(void* memory, std::size_t bytes)
{
    HugeMemory::Return(memory, bytes);
}

Status
QueuePair::Connect(const AddressVector& path,
                   uint32_t peerNumber,
                   uint32_t sendPsn,
                   uint32_t receivePsn)
{
    if (state != QpState::Reset)
    {
        return Status::WrongState;
    }
    peer = path.destination;
    this->peerNumber = peerNumber;
    priority = path.priority < 0 ? profile->dataPriority : path.priority;
    // The private range of UDP ports, by a mix of what tells queue pairs apart.
    const uint32_t mix = (self * 0x9E3779B1U) ^ (number * 0x85EBCA77U);
    entropy = path.entropy ? path.entropy : 0xC000 | (mix >> 12 & 0x3FFF);
    m_requester.Start(*this, sendPsn, path.baseRtt);
    m_responder.Start(receivePsn);
    state = QpState::Rts;
    return Status::Ok;
}

Status
QueuePair::Modify(QpState to)
{
    if (!(kSteps[static_cast<int>(state)] & Bit(to)))
    {
        return Status::IllegalTransition;
    }
    if (to == QpState::Rtr || to == QpState::Rts)
    {
        return Status::WrongState;
    }
    if (to == QpState::Err)
    {
        Fail(WcStatus::WrFlushError);
        return Status::Ok;
    }
    if (to == QpState::Reset)
    {
        const Tick now = Simulator::Now().GetTimeStep();
        scheduler->GetPort().CatchUp(now);
        m_requester.Reset();
        m_responder.Reset();
        scheduler->Update(*this, now);
    }
    state = to;
    return Status::Ok;
}

Status
QueuePair::PostSend(const WorkRequest& request)
{
    if (request.bytes > kMaxMessageBytes)
    {
        return Status::InvalidLength;
    }
    if (state == QpState::Err)
    {
        sendQueue->Push({request.wrId,
                         number,
                         static_cast<uint32_t>(request.bytes),
                         WcStatus::WrFlushError,
                         request.opcode == WrOpcode::Send ? WcOpcode::Send : WcOpcode::Write});
        return Status::Ok;
    }
    if (state != QpState::Rts)
    {
        return Status::WrongState;
    }
    const Tick now = Simulator::Now().GetTimeStep();
    scheduler->GetPort().CatchUp(now);
    m_requester.Post(*this, request, now);
    return Status::Ok;
}

Status
QueuePair::PostReceive(const ReceiveRequest& request)
{
    if (state == QpState::Reset)
    {
        return Status::WrongState;
    }
    if (state == QpState::Err)
    {
        receiveQueue->Push({request.wrId, number, 0, WcStatus::WrFlushError, WcOpcode::Receive});
        return Status::Ok;
    }
    m_responder.Post(request);
    return Status::Ok;
}

bool
QueuePair::Receive(Frame* f, Tick now)
{
    if (f->src != peer || state < QpState::Rtr || state == QpState::Err)
    {
        FramePool::Return(f);
        return false;
    }
    WcStatus verdict = WcStatus::Success;
    if (f->op < Opcode::Acknowledge)
    {
        // What the receiving half fails with has been reported there.
        if (m_responder.OnData(*this, f, now) != WcStatus::Success)
        {
            verdict = WcStatus::WrFlushError;
        }
    }
    else
    {
        if (f->op == Opcode::Acknowledge)
        {
            verdict = m_requester.OnAcknowledge(*this, *f, now);
        }
        else
        {
            m_requester.OnNotification(*this, now);
        }
        FramePool::Return(f);
        m_requester.Complete(*this);
    }
    if (verdict != WcStatus::Success && state != QpState::Reset)
    {
        Fail(verdict);
    }
    return true;
}

void
QueuePair::OnTimer(Tick at, Tick now)
{
    if (at != m_requester.watchedAt)
    {
        return;
    }
    m_requester.watchedAt = kNever;
    scheduler->GetPort().CatchUp(now);
    const WcStatus verdict = m_requester.OnDeadline(*this, now);
    if (verdict != WcStatus::Success)
    {
        Fail(verdict);
    }
}

void
QueuePair::Prefetch(Opcode op) const
{
    constexpr std::size_t kLine = 64;
    const auto* context =
        reinterpret_cast<const std::byte*>(static_cast<const QueuePairContext*>(this));
    for (std::size_t at = 0; at < sizeof(QueuePairContext); at += kLine)
    {
        __builtin_prefetch(context + at, 1);
    }
    if (op < Opcode::Acknowledge)
    {
        __builtin_prefetch(&m_responder, 1);
        return;
    }
    const auto* requester = reinterpret_cast<const std::byte*>(&m_requester);
    __builtin_prefetch(requester, 1);
    __builtin_prefetch(requester + kLine, 1);
}

void
QueuePair::Fail(WcStatus status)
{
    RdmaNic::Inside inside(*nic);
    scheduler->GetPort().CatchUp(Simulator::Now().GetTimeStep());
    state = QpState::Err;
    m_requester.Flush(*this, status);
    m_responder.Flush(*this);
}

void
ConnectQueuePairs(QueuePair& a, QueuePair& b, Tick baseRtt, uint16_t entropy)
{
    const Status first = a.Connect({b.GetAddress(), -1, entropy, baseRtt}, b.GetNumber());
    const Status second = b.Connect({a.GetAddress(), -1, entropy, baseRtt}, a.GetNumber());
    NS_ABORT_MSG_IF(first != Status::Ok || second != Status::Ok,
                    "queue pairs that are connected already");
}

} // namespace ns3::aifabric

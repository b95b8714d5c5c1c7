// SPDX-License-Identifier: GPL-2.0-only
#include "queue-pair.h"

#include "address-handle.h"
#include "completion-queue.h"
#include "rdma-nic.h"
#include "send-scheduler.h"
#include "transport-profile.h"

#include "ns3/abort.h"
#include "ns3/credit-policy.h"
#include "ns3/huge-memory.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ns3::aifabric
{

namespace
{

/// @return the local ACK timeout of code 1 to 31 (IBA vol. 1, 9.7.6.1.3).
Tick
TimeoutOf(int code)
{
    return (4096 * kNanosecond) << code;
}

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
    answersLost += o.answersLost;
    cnpsSent += o.cnpsSent;
    naksSent += o.naksSent;
    rnrNaksSent += o.rnrNaksSent;
    markedFrames += o.markedFrames;
    deliveredBytes += o.deliveredBytes;
    duplicateFrames += o.duplicateFrames;
    return *this;
}

QueuePair::QueuePair(RdmaNic& nic, uint32_t number, const QueuePairInit& init)
    : m_profile(init.profile),
      m_maxSendRequests(init.maxSendRequests),
      m_maxReceiveRequests(init.maxReceiveRequests)
{
    this->nic = &nic;
    this->number = number;
    profile = m_profile.get();
    sendQueue = init.sendQueue;
    receiveQueue = init.receiveQueue;
    sharedReceives = init.sharedReceives;
    domain = init.domain;
    maxInlineBytes = init.maxInlineBytes;
    signalAll = init.signalAll;
    type = init.type;
    constexpr BthTransport kTransports[] = {BthTransport::Rc, BthTransport::Uc, BthTransport::Ud};
    bthTransport = static_cast<uint8_t>(kTransports[static_cast<int>(type)]);
    priority = m_profile->dataPriority;
    port = init.port;
    self = nic.GetAddress(port);
    scheduler = &nic.GetScheduler(port, peer);
    m_attributes.port = static_cast<uint8_t>(init.port);
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
    QueuePairAttributes a = m_attributes;
    a.addressVector = path;
    a.destinationNumber = peerNumber;
    a.sendPsn = sendPsn;
    a.receivePsn = receivePsn;
    a.accessFlags = kRemoteWrite | kRemoteRead | kRemoteAtomic;
    Apply(a, kQpAccessFlags | kQpAddressVector | kQpDestinationNumber | kQpSendPsn | kQpReceivePsn);
    Become(QpState::Rtr);
    Become(QpState::Rts);
    return Status::Ok;
}

Status
QueuePair::Modify(QpState to)
{
    QueuePairAttributes a;
    a.state = to;
    return Modify(a, kQpState);
}

Status
QueuePair::Modify(const QueuePairAttributes& a, uint32_t mask)
{
    const QpState to = mask & kQpState ? a.state : state;
    if (Status status = CheckTransition(type, state, to, mask); status != Status::Ok)
    {
        return status;
    }
    if (Status status = CheckValues(a, mask); status != Status::Ok)
    {
        return status;
    }
    if (mask & kQpPort && a.port >= nic->CountPorts())
    {
        return Status::InvalidAttribute;
    }
    const bool drains = state == QpState::Sqd && to == QpState::Sqd;
    if ((mask & kQpCurrentState && a.currentState != state) || (drains && !m_requester.IsDrained()))
    {
        return Status::WrongState;
    }
    scheduler->GetPort().CatchUp(Simulator::Now().GetTimeStep());
    Apply(a, mask);
    if (to != state || to == QpState::Reset)
    {
        Become(to);
    }
    return Status::Ok;
}

/// Takes on what it is told.
void
QueuePair::Apply(const QueuePairAttributes& a, uint32_t mask)
{
    QueuePairAttributes& mine = m_attributes;
    auto take = [&](uint32_t bit, auto QueuePairAttributes::*member) {
        if (mask & bit)
        {
            mine.*member = a.*member;
        }
    };
    take(kQpAccessFlags, &QueuePairAttributes::accessFlags);
    take(kQpPkeyIndex, &QueuePairAttributes::pkeyIndex);
    take(kQpPort, &QueuePairAttributes::port);
    take(kQpQkey, &QueuePairAttributes::qkey);
    take(kQpAddressVector, &QueuePairAttributes::addressVector);
    take(kQpSendPsn, &QueuePairAttributes::sendPsn);
    take(kQpReceivePsn, &QueuePairAttributes::receivePsn);
    take(kQpDestinationNumber, &QueuePairAttributes::destinationNumber);
    take(kQpEnableSqdNotify, &QueuePairAttributes::enableSqdNotify);
    accessFlags = mine.accessFlags;
    qkey = mine.qkey;
    peerNumber = mine.destinationNumber & kPsnMask;
    if (mask & (kQpPort | kQpAddressVector))
    {
        SetPath();
    }
    constexpr uint32_t kOfProfile = kQpPathMtu | kQpTimeout | kQpRetryCount | kQpRnrRetry |
                                    kQpMinRnrTimer | kQpMaxReadAtomic | kQpMaxDestReadAtomic;
    if (!(mask & kOfProfile))
    {
        return;
    }
    auto own = std::make_shared<TransportProfile>(*m_profile);
    auto set = [mask](uint32_t bit, auto& value, auto to) {
        if (mask & bit)
        {
            value = to;
        }
    };
    if (a.pathMtu != Query().pathMtu)
    {
        // Else an MTU between two codes stays what it is.
        set(kQpPathMtu, own->mtu, 128U << static_cast<int>(a.pathMtu));
    }
    set(kQpRetryCount, own->retryCount, a.retryCount);
    set(kQpRnrRetry, own->rnrRetryCount, a.rnrRetry);
    set(kQpMinRnrTimer, own->minRnrTimer, a.minRnrTimer);
    set(kQpMaxReadAtomic, own->maxReadAtomic, a.maxReadAtomic);
    set(kQpMaxDestReadAtomic, own->maxDestReadAtomic, a.maxDestReadAtomic);
    if (mask & kQpTimeout)
    {
        own->SetTimeout(a.timeout == 0 ? kNever : TimeoutOf(a.timeout));
    }
    m_profile = std::move(own);
    profile = m_profile.get();
}

/// Takes the port and the path that its attributes name. It may have answers that wait to be sent.
void
QueuePair::SetPath()
{
    const AddressVector& path = m_attributes.addressVector;
    const Tick now = Simulator::Now().GetTimeStep();
    const bool waits = place != Place::Idle;
    if (waits)
    {
        scheduler->Remove(*this, now);
    }
    port = m_attributes.port;
    self = nic->GetAddress(port);
    peer = path.destination;
    scheduler = &nic->GetScheduler(port, peer);
    priority = profile->PriorityOf(path);
    // The private range of UDP ports, by a mix of what tells queue pairs apart.
    const uint32_t mix = (self * 0x9E3779B1U) ^ (number * 0x85EBCA77U);
    entropy = path.entropy ? path.entropy : 0xC000 | (mix >> 12 & 0x3FFF);
    if (waits)
    {
        scheduler->Update(*this, now);
    }
}

void
QueuePair::Enter(QpState to)
{
    state = to;
    // Those who grant credits look at all that comes.
    open = state == QpState::Rts && type == QpType::Rc && !m_creditPolicy;
}

/// Does what a step is about; the port is caught up.
void
QueuePair::Become(QpState to)
{
    const Tick now = Simulator::Now().GetTimeStep();
    const QpState from = state;
    switch (to)
    {
    case QpState::Reset:
        Enter(to);
        if (m_creditPolicy)
        {
            m_creditPolicy->Forget(number);
            m_creditPolicy = nullptr;
        }
        m_responder.Stop(*this);
        m_requester.Reset();
        m_responder.Reset();
        scheduler->Update(*this, now);
        sendQueue->Purge(m_requester.GetOwnerMark());
        receiveQueue->Purge(m_responder.GetOwnerMark());
        m_established = false;
        return;
    case QpState::Err:
        Fail(WcStatus::WrFlushError, false);
        return;
    case QpState::Rtr:
        if (type == QpType::Ud)
        {
            SetPath();
        }
        if (type != QpType::Rc)
        {
            // What has left has ended: its timer looks for that.
            auto own = std::make_shared<TransportProfile>(*m_profile);
            own->retransmissionTimeout = 0;
            m_profile = std::move(own);
            profile = m_profile.get();
        }
        if (type == QpType::Rc && profile->telemetry.announces)
        {
            m_creditPolicy = nic->GetCreditPolicy(port, profile->control);
        }
        m_responder.Start(*this, m_attributes.receivePsn);
        m_requester.Start(*this, m_attributes.addressVector.baseRtt);
        break;
    case QpState::Rts:
        if (from == QpState::Rtr)
        {
            m_requester.Begin(*this, m_attributes.sendPsn);
        }
        Enter(to);
        m_requester.Resume(*this, now);
        return;
    case QpState::Sqd:
        Enter(to);
        m_drained = false;
        m_requester.Drain(*this, now);
        NoteDrained();
        return;
    default:
        break;
    }
    Enter(to);
}

QueuePairAttributes
QueuePair::Query() const
{
    QueuePairAttributes a = m_attributes;
    a.state = a.currentState = state;
    // The verbs have codes only: the next larger one, where the profile's value is between two.
    auto code = [](uint8_t from, uint8_t last, auto fits) {
        while (from < last && !fits(from))
        {
            ++from;
        }
        return from;
    };
    a.pathMtu =
        static_cast<PathMtu>(code(1, 5, [this](int n) { return 128U << n >= profile->mtu; }));
    const Tick timeout = profile->configuredTimeout;
    a.timeout =
        timeout == kNever ? 0 : code(1, 31, [timeout](int n) { return TimeoutOf(n) >= timeout; });
    a.retryCount = profile->retryCount;
    a.rnrRetry = profile->rnrRetryCount;
    a.minRnrTimer = profile->minRnrTimer;
    a.maxReadAtomic = profile->maxReadAtomic;
    a.maxDestReadAtomic = profile->maxDestReadAtomic;
    a.sendPsn = m_requester.GetPsn();
    a.receivePsn = m_responder.GetExpected();
    return a;
}

/// @return whether a request can be, whatever the state.
Status
QueuePair::CheckRequest(const WorkRequest& r) const
{
    const bool datagram = type == QpType::Ud;
    const uint64_t most = datagram ? profile->mtu : kMaxMessageBytes;
    if (r.bytes > (r.inlined ? std::min<uint64_t>(most, maxInlineBytes) : most))
    {
        return Status::InvalidLength;
    }
    switch (r.opcode)
    {
    case WrOpcode::Send:
    case WrOpcode::SendWithImmediate:
        return datagram && (!r.addressHandle || !IsValid(r.addressHandle->path))
                   ? Status::InvalidAttribute
                   : Status::Ok;
    case WrOpcode::Write:
    case WrOpcode::WriteWithImmediate:
        return datagram ? Status::UnsupportedRequest : Status::Ok;
    case WrOpcode::CompareSwap:
    case WrOpcode::FetchAdd:
        if (r.bytes != kAtomicBytes)
        {
            return Status::InvalidLength;
        }
        [[fallthrough]];
    case WrOpcode::Read:
        if (r.inlined)
        {
            return Status::UnsupportedRequest;
        }
        [[fallthrough]];
    case WrOpcode::SendWithInvalidate:
        return type == QpType::Rc ? Status::Ok : Status::UnsupportedRequest;
    }
    return Status::UnsupportedRequest;
}

Status
QueuePair::PostSend(const WorkRequest& request)
{
    if (Status status = CheckRequest(request); status != Status::Ok)
    {
        return status;
    }
    if (state < QpState::Rts)
    {
        return Status::WrongState;
    }
    if (m_maxSendRequests > 0 && m_requester.CountPlaces() >= m_maxSendRequests)
    {
        return Status::QueueFull;
    }
    if (state >= QpState::Sqe)
    {
        m_requester.PostFlushed(*this, request);
        return Status::Ok;
    }
    const Tick now = Simulator::Now().GetTimeStep();
    scheduler->GetPort().CatchUp(now);
    m_requester.Post(*this, request, now);
    return Status::Ok;
}

Status
QueuePair::PostReceive(const ReceiveRequest& request)
{
    if (sharedReceives)
    {
        return Status::SharedReceives;
    }
    if (state == QpState::Reset)
    {
        return Status::WrongState;
    }
    if (m_maxReceiveRequests > 0 && m_responder.CountPlaces() >= m_maxReceiveRequests)
    {
        return Status::QueueFull;
    }
    if (state == QpState::Err)
    {
        m_responder.PostFlushed(*this, request);
    }
    else
    {
        m_responder.Post(request);
    }
    return Status::Ok;
}

/// @param ofPeer whether the peer's request was the fault: it still gets the answers that wait.
void
QueuePair::Fail(WcStatus status, bool ofPeer)
{
    RdmaNic::Inside inside(*nic);
    scheduler->GetPort().CatchUp(Simulator::Now().GetTimeStep());
    if (type != QpType::Rc && !ofPeer && status != WcStatus::WrFlushError)
    {
        // Receives go on (IBA vol. 1, 10.3.1.6).
        Enter(QpState::Sqe);
        m_requester.Flush(*this, status);
        return;
    }
    Enter(QpState::Err);
    if (sendQueue->HasOverflowed() || receiveQueue->HasOverflowed())
    {
        nic->Raise({AsyncEventType::QpFatal, number});
    }
    if (!ofPeer)
    {
        m_responder.Stop(*this);
    }
    m_requester.Flush(*this, status);
    if (state != QpState::Err)
    {
        // A callback has reset it, and may have begun anew.
        return;
    }
    m_responder.Flush(*this);
    if (sharedReceives)
    {
        nic->Raise({AsyncEventType::QpLastWqeReached, number});
    }
}

/// Tells once that the send queue has drained.
void
QueuePair::NoteDrained()
{
    if (state == QpState::Sqd && !m_drained && m_requester.IsDrained())
    {
        m_drained = true;
        if (m_attributes.enableSqdNotify)
        {
            nic->Raise({AsyncEventType::SqDrained, number});
        }
    }
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

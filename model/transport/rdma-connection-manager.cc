// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-connection-manager.h"

#include "queue-pair.h"
#include "rdma-nic.h"
#include "transport-profile.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::aifabric
{

namespace
{

using Kind = ConnectionMessageKind;

constexpr uint8_t kRefusesRequest = 0;
constexpr uint8_t kRefusesReply = 1;
constexpr uint8_t kRefusesNone = 2;

/// @return the code of a time: the first of 4.096 us * 2^n that is not below it, 5 bits.
uint8_t
CodeOf(Time time)
{
    uint8_t code = 0;
    while (code < 31 && FromTick((4096 * kNanosecond) << code) < time)
    {
        ++code;
    }
    return code;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(RdmaConnectionManager);

const char*
ToString(ConnectionEventType type)
{
    constexpr const char* kNames[] = {"established", "rejected", "unreachable", "disconnected"};
    return kNames[static_cast<int>(type)];
}

TypeId
RdmaConnectionManager::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::RdmaConnectionManager")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddAttribute("ResponseTimeout",
                          "Without an answer for that long a message is sent again; by default "
                          "what Linux has, code 20 of the verbs",
                          TimeValue(PicoSeconds((4096 * kNanosecond) << 20)),
                          MakeTimeAccessor(&RdmaConnectionManager::m_responseTimeout),
                          MakeTimeChecker(PicoSeconds(1)))
            .AddAttribute("MaxRetries",
                          "How often a message is sent again",
                          UintegerValue(15),
                          MakeUintegerAccessor(&RdmaConnectionManager::m_maxRetries),
                          MakeUintegerChecker<uint32_t>(0, 15));
    return tid;
}

RdmaConnectionManager::RdmaConnectionManager(RdmaNic& nic,
                                             const TransportProfile& profile,
                                             PathResolver resolve)
    : m_nic(nic),
      m_interface(nic, profile, [this](NodeIdx from, const auto& m) { OnMessage(from, m); }),
      m_resolve(std::move(resolve))
{
    if (!m_resolve)
    {
        m_resolve = [](NodeIdx, NodeIdx peer) { return AddressVector{peer}; };
    }
}

void
RdmaConnectionManager::Listen(uint64_t serviceId, RequestCallback callback)
{
    if (callback)
    {
        m_listeners[serviceId] = std::move(callback);
    }
    else
    {
        m_listeners.erase(serviceId);
    }
}

Status
RdmaConnectionManager::Connect(NodeIdx destination,
                               uint64_t serviceId,
                               QueuePair& queuePair,
                               EventCallback callback,
                               const PrivateData& privateData)
{
    if (Status status = Prepare(queuePair, Kind::Request, privateData); status != Status::Ok)
    {
        return status;
    }
    const uint32_t id = ++m_lastId;
    ConnectionMessage request = Introduce(Kind::Request, id, queuePair);
    request.serviceId = serviceId;
    request.destination = destination;
    request.privateData = privateData;
    Connection& connection = m_connections[id];
    connection.state = State::RequestSent;
    connection.port = queuePair.Query().port;
    connection.peer = destination;
    connection.queuePair = queuePair.GetNumber();
    connection.callback = std::move(callback);
    Ask(id, connection, std::move(request));
    return Status::Ok;
}

Status
RdmaConnectionManager::Accept(const ConnectionRequest& request,
                              QueuePair& queuePair,
                              EventCallback callback,
                              const PrivateData& privateData)
{
    const auto found = Find(request.source, request.id);
    if (found == m_connections.end() || found->second.state != State::RequestReceived)
    {
        return Status::WrongState;
    }
    Connection& connection = found->second;
    if (queuePair.Query().port != connection.port)
    {
        return Status::InvalidAttribute;
    }
    if (Status status = Prepare(queuePair, Kind::Reply, privateData); status != Status::Ok)
    {
        return status;
    }
    ConnectionMessage reply = Introduce(Kind::Reply, request.id, queuePair);
    if (Status status = BeReady(queuePair, connection.heard); status != Status::Ok)
    {
        return status;
    }
    reply.remoteId = connection.heard.localId;
    reply.privateData = privateData;
    connection.state = State::ReplySent;
    connection.queuePair = queuePair.GetNumber();
    connection.callback = std::move(callback);
    Ask(request.id, connection, std::move(reply));
    return Status::Ok;
}

Status
RdmaConnectionManager::Reject(const ConnectionRequest& request, const PrivateData& privateData)
{
    const auto found = Find(request.source, request.id);
    if (found == m_connections.end() || found->second.state != State::RequestReceived)
    {
        return Status::WrongState;
    }
    if (privateData.size() > PrivateBytes(Kind::Reject))
    {
        return Status::InvalidLength;
    }
    ConnectionMessage reject;
    reject.kind = Kind::Reject;
    reject.localId = request.id;
    reject.remoteId = found->second.heard.localId;
    reject.refused = kRefusesRequest;
    reject.reason = RejectReason::ConsumerReject;
    reject.privateData = privateData;
    m_interface.Send(found->second.port, request.source, reject);
    m_asked.erase({request.source, reject.remoteId});
    m_connections.erase(found);
    return Status::Ok;
}

Status
RdmaConnectionManager::NoteEstablished(uint32_t queuePair)
{
    const auto found = FindOf(queuePair);
    if (found == m_connections.end() || found->second.state != State::ReplySent)
    {
        return Status::WrongState;
    }
    OnReadyToUse(found, {});
    return Status::Ok;
}

Status
RdmaConnectionManager::Disconnect(QueuePair& queuePair)
{
    const auto found = FindOf(queuePair.GetNumber());
    if (found == m_connections.end() || found->second.state != State::Established)
    {
        return Status::WrongState;
    }
    const uint32_t id = found->first;
    Connection& connection = found->second;
    ConnectionMessage disconnect;
    disconnect.kind = Kind::DisconnectRequest;
    disconnect.localId = id;
    disconnect.remoteId = connection.heard.localId;
    disconnect.queuePair = connection.heard.queuePair;
    connection.state = State::DisconnectSent;
    Ask(id, connection, std::move(disconnect));
    queuePair.Modify(QpState::Err);
    return Status::Ok;
}

/// Checks what is given, and makes a queue pair ready for receives to be posted.
Status
RdmaConnectionManager::Prepare(QueuePair& queuePair, Kind kind, const PrivateData& data) const
{
    if (queuePair.GetType() != QpType::Rc)
    {
        return Status::UnsupportedRequest;
    }
    if (data.size() > PrivateBytes(kind))
    {
        return Status::InvalidLength;
    }
    if (queuePair.GetState() == QpState::Reset)
    {
        QueuePairAttributes a = queuePair.Query();
        a.state = QpState::Init;
        a.accessFlags = kRemoteWrite | kRemoteRead | kRemoteAtomic;
        return queuePair.Modify(a, kQpState | kQpPkeyIndex | kQpPort | kQpAccessFlags);
    }
    return queuePair.GetState() == QpState::Init ? Status::Ok : Status::WrongState;
}

/// @return what both REQ and REP say of a queue pair.
ConnectionMessage
RdmaConnectionManager::Introduce(Kind kind, uint32_t id, const QueuePair& queuePair) const
{
    const QueuePairAttributes a = queuePair.Query();
    ConnectionMessage m;
    m.kind = kind;
    m.localId = id;
    m.queuePair = queuePair.GetNumber();
    // Any number will do: that of a queue pair is never used again, so nothing stale can come.
    m.startingPsn = (queuePair.GetAddress() * 0x9E3779B1U ^ id * 0x85EBCA77U) & kPsnMask;
    m.responderResources = a.maxDestReadAtomic;
    m.initiatorDepth = a.maxReadAtomic;
    m.retryCount = a.retryCount;
    m.rnrRetry = a.rnrRetry;
    m.pathMtu = static_cast<uint8_t>(a.pathMtu);
    m.ackTimeout = a.timeout;
    m.responseTimeout = CodeOf(m_responseTimeout);
    m.maxRetries = static_cast<uint8_t>(m_maxRetries);
    m.source = queuePair.GetAddress();
    return m;
}

/// To Rtr. @param peer what it has said of its queue pair.
Status
RdmaConnectionManager::BeReady(QueuePair& queuePair, const ConnectionMessage& peer) const
{
    QueuePairAttributes a = queuePair.Query();
    const bool asked = peer.kind == Kind::Request;
    a.state = QpState::Rtr;
    a.addressVector = m_resolve(queuePair.GetAddress(), asked ? peer.source : peer.destination);
    a.pathMtu = asked ? static_cast<PathMtu>(peer.pathMtu) : a.pathMtu;
    a.destinationNumber = peer.queuePair;
    a.receivePsn = peer.startingPsn;
    return queuePair.Modify(a,
                            kQpState | kQpAddressVector | kQpPathMtu | kQpDestinationNumber |
                                kQpReceivePsn | kQpMaxDestReadAtomic | kQpMinRnrTimer);
}

/// To Rts. @param depth READs and atomics that the peer takes.
Status
RdmaConnectionManager::BeginSending(QueuePair& queuePair, uint32_t psn, uint32_t depth) const
{
    QueuePairAttributes a = queuePair.Query();
    a.state = QpState::Rts;
    a.sendPsn = psn;
    a.maxReadAtomic = static_cast<uint8_t>(std::min<uint32_t>(a.maxReadAtomic, depth));
    return queuePair.Modify(
        a, kQpState | kQpSendPsn | kQpTimeout | kQpRetryCount | kQpRnrRetry | kQpMaxReadAtomic);
}

/// Sends a message that is sent again until it is answered.
void
RdmaConnectionManager::Ask(uint32_t id, Connection& connection, ConnectionMessage message)
{
    connection.said = std::move(message);
    connection.retriesLeft = m_maxRetries;
    connection.timer.Cancel();
    Repeat(id, connection);
}

/// Sends it, and waits for the answer.
void
RdmaConnectionManager::Repeat(uint32_t id, Connection& connection)
{
    m_interface.Send(connection.port, connection.peer, connection.said);
    connection.timer =
        Simulator::Schedule(m_responseTimeout, &RdmaConnectionManager::OnTimeout, this, id);
}

/// Says no to a message.
void
RdmaConnectionManager::Refuse(PortIdx port,
                              NodeIdx peer,
                              const ConnectionMessage& to,
                              RejectReason reason)
{
    ConnectionMessage reject;
    reject.kind = Kind::Reject;
    reject.remoteId = to.localId;
    reject.refused = to.kind == Kind::Request ? kRefusesRequest : kRefusesReply;
    reject.reason = reason;
    m_interface.Send(port, peer, reject);
}

void
RdmaConnectionManager::OnTimeout(uint32_t id)
{
    const auto found = m_connections.find(id);
    Connection& connection = found->second;
    if (connection.retriesLeft > 0)
    {
        --connection.retriesLeft;
        Repeat(id, connection);
        return;
    }
    if (connection.state == State::DisconnectSent)
    {
        End(found, {ConnectionEventType::Disconnected, connection.queuePair});
        return;
    }
    ConnectionMessage reject;
    reject.kind = Kind::Reject;
    reject.localId = id;
    reject.remoteId = connection.heard.localId;
    reject.refused = kRefusesNone;
    reject.reason = RejectReason::Timeout;
    m_interface.Send(connection.port, connection.peer, reject);
    End(found, {ConnectionEventType::Unreachable, connection.queuePair, RejectReason::Timeout});
}

void
RdmaConnectionManager::OnMessage(NodeIdx from, const ConnectionMessage& message)
{
    switch (message.kind)
    {
    case Kind::Request:
        OnRequest(from, message);
        break;
    case Kind::Reply:
        OnReply(from, message);
        break;
    case Kind::ReadyToUse:
        OnReadyToUse(Find(from, message.remoteId), message.privateData);
        break;
    case Kind::Reject:
        OnReject(from, message);
        break;
    case Kind::DisconnectRequest:
    case Kind::DisconnectReply:
        OnDisconnect(from, message);
        break;
    }
}

void
RdmaConnectionManager::OnRequest(NodeIdx from, const ConnectionMessage& message)
{
    PortIdx port = 0;
    while (port + 1 < m_nic.CountPorts() && m_nic.GetAddress(port) != message.destination)
    {
        ++port;
    }
    if (m_asked.count({from, message.localId}))
    {
        // It is being answered: a reply is sent again until the peer has it.
        return;
    }
    const auto listener = m_listeners.find(message.serviceId);
    if (listener == m_listeners.end())
    {
        Refuse(port, from, message, RejectReason::InvalidServiceId);
        return;
    }
    const uint32_t id = ++m_lastId;
    m_asked[{from, message.localId}] = id;
    Connection& connection = m_connections[id];
    connection.state = State::RequestReceived;
    connection.port = port;
    connection.peer = from;
    connection.heard = message;
    // The listener may be gone within its own callback.
    const RequestCallback callback = listener->second;
    callback({id, from, port, message.serviceId, message.privateData});
}

void
RdmaConnectionManager::OnReply(NodeIdx from, const ConnectionMessage& message)
{
    const auto found = Find(from, message.remoteId);
    if (found == m_connections.end())
    {
        Refuse(0, from, message, RejectReason::UnknownConnection);
        return;
    }
    Connection& connection = found->second;
    if (connection.state == State::Established)
    {
        m_interface.Send(connection.port, from, connection.said);
    }
    if (connection.state != State::RequestSent)
    {
        return;
    }
    connection.heard = message;
    connection.heard.destination = from;
    QueuePair* queuePair = m_nic.FindQueuePair(connection.queuePair);
    if (!queuePair || BeReady(*queuePair, connection.heard) != Status::Ok ||
        BeginSending(*queuePair, connection.said.startingPsn, message.responderResources) !=
            Status::Ok)
    {
        Refuse(connection.port, from, message, RejectReason::NoQueuePair);
        End(found,
            {ConnectionEventType::Rejected, connection.queuePair, RejectReason::NoQueuePair});
        return;
    }
    ConnectionMessage ready;
    ready.kind = Kind::ReadyToUse;
    ready.localId = found->first;
    ready.remoteId = message.localId;
    connection.state = State::Established;
    connection.timer.Cancel();
    connection.said = std::move(ready);
    m_interface.Send(connection.port, from, connection.said);
    Tell(found,
         {ConnectionEventType::Established,
          connection.queuePair,
          RejectReason::None,
          message.privateData});
}

void
RdmaConnectionManager::OnReadyToUse(Connections::iterator found, const PrivateData& privateData)
{
    if (found == m_connections.end() || found->second.state != State::ReplySent)
    {
        return;
    }
    Connection& connection = found->second;
    connection.timer.Cancel();
    QueuePair* queuePair = m_nic.FindQueuePair(connection.queuePair);
    if (!queuePair || BeginSending(*queuePair,
                                   connection.said.startingPsn,
                                   connection.heard.responderResources) != Status::Ok)
    {
        End(found,
            {ConnectionEventType::Rejected, connection.queuePair, RejectReason::NoQueuePair});
        return;
    }
    connection.state = State::Established;
    Tell(found,
         {ConnectionEventType::Established, connection.queuePair, RejectReason::None, privateData});
}

void
RdmaConnectionManager::OnReject(NodeIdx from, const ConnectionMessage& message)
{
    auto found = Find(from, message.remoteId);
    if (const auto asked = m_asked.find({from, message.localId});
        message.remoteId == 0 && asked != m_asked.end())
    {
        // Who has never been answered knows no number of here.
        found = m_connections.find(asked->second);
    }
    if (found == m_connections.end())
    {
        return;
    }
    const State state = found->second.state;
    const bool was = state == State::Established || state == State::DisconnectSent;
    End(found,
        {was ? ConnectionEventType::Disconnected : ConnectionEventType::Rejected,
         found->second.queuePair,
         message.reason,
         message.privateData});
}

void
RdmaConnectionManager::OnDisconnect(NodeIdx from, const ConnectionMessage& message)
{
    const auto found = Find(from, message.remoteId);
    const bool asks = message.kind == Kind::DisconnectRequest;
    if (asks)
    {
        // Of a connection that is known no longer, too: the reply before was lost.
        ConnectionMessage reply;
        reply.kind = Kind::DisconnectReply;
        reply.localId = message.remoteId;
        reply.remoteId = message.localId;
        m_interface.Send(found == m_connections.end() ? 0 : found->second.port, from, reply);
    }
    if (found == m_connections.end())
    {
        return;
    }
    const State state = found->second.state;
    if (state == State::DisconnectSent ||
        (asks && (state == State::Established || state == State::ReplySent)))
    {
        End(found, {ConnectionEventType::Disconnected, found->second.queuePair});
    }
}

/// @return a connection with that peer.
RdmaConnectionManager::Connections::iterator
RdmaConnectionManager::Find(NodeIdx from, uint32_t id)
{
    const auto found = m_connections.find(id);
    return found != m_connections.end() && found->second.peer == from ? found : m_connections.end();
}

RdmaConnectionManager::Connections::iterator
RdmaConnectionManager::FindOf(uint32_t queuePair)
{
    return std::find_if(m_connections.begin(), m_connections.end(), [queuePair](const auto& c) {
        return c.second.queuePair == queuePair;
    });
}

void
RdmaConnectionManager::Tell(Connections::iterator found, ConnectionEvent event)
{
    // The connection may be gone within the callback.
    if (const EventCallback callback = found->second.callback)
    {
        callback(event);
    }
}

/// Forgets a connection.
void
RdmaConnectionManager::End(Connections::iterator found, ConnectionEvent event)
{
    found->second.timer.Cancel();
    const EventCallback callback = std::move(found->second.callback);
    m_asked.erase({found->second.peer, found->second.heard.localId});
    m_connections.erase(found);
    if (QueuePair* queuePair = m_nic.FindQueuePair(event.queuePair))
    {
        queuePair->Modify(QpState::Err);
    }
    if (callback)
    {
        callback(event);
    }
}

} // namespace ns3::aifabric

// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_RDMA_CONNECTION_MANAGER_H
#define AIFABRIC_RDMA_CONNECTION_MANAGER_H

#include "management-interface.h"
#include "queue-pair-attributes.h"

#include "ns3/connection-message.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace ns3::aifabric
{

class QueuePair;
class RdmaNic;
struct TransportProfile;

/// How it goes with a connection (rdma_cm_event_type).
enum class ConnectionEventType : uint8_t
{
    Established, ///< the queue pair is in Rts
    Rejected,    ///< the peer refuses, or takes back
    Unreachable, ///< the peer does not answer
    Disconnected ///< it was established; one of both has ended it
};

/// @return "established" and the like.
const char* ToString(ConnectionEventType type);

/// @ingroup ai-fabric-transport
/// Something happened to a connection.
struct ConnectionEvent
{
    ConnectionEventType type;
    uint32_t queuePair; ///< number of the one here
    RejectReason reason{RejectReason::None};
    std::vector<std::byte> privateData{}; ///< of the peer, zeros behind; empty where none came
};

/// @ingroup ai-fabric-transport
/// Somebody wants to connect.
struct ConnectionRequest
{
    uint32_t id;        ///< what Accept and Reject know it by
    NodeIdx source;     ///< port of the peer
    PortIdx port;       ///< of the NIC that it wants: the queue pair has to be there
    uint64_t serviceId; ///< who is wanted
    std::vector<std::byte> privateData; ///< of the peer, zeros behind, 92 bytes
};

/**
 * @ingroup ai-fabric-transport
 * Connects queue pairs over the network, as communication management does (IBA vol. 1, chapter 12;
 * librdmacm).
 *
 * Managers talk by datagrams (ManagementInterface): REQ from who connects, REP from who accepts, RTU back. So who connects is in
 * Rts a round trip later, who accepts half a round trip after that, plus what applications wait
 * between a request and its Accept. A lost REQ is sent again, and so is a REP, whose sender asks by
 * that for a lost RTU.
 *
 * A queue pair is walked with the attributes that Query() tells of it: the codes of the verbs. Its
 * path MTU is the connecting side's, its READs and atomics under way are no more than the peer
 * takes. It is in Init, or in Rtr at who accepts, until then: receives may be posted. Where there
 * is no connection, or none any more, it is in Err before the callback says so.
 *
 * Callbacks may do anything, but destroy the manager. Lives until Simulator::Destroy; the NIC
 * outlives it. QueuePair::Connect is the way that takes no time.
 */
class RdmaConnectionManager final : public Object
{
  public:
    using EventCallback = std::function<void(const ConnectionEvent&)>;
    using RequestCallback = std::function<void(const ConnectionRequest&)>;
    /// Gives the path from a port here to a port elsewhere (what rdma_resolve_route asks for).
    using PathResolver = std::function<AddressVector(NodeIdx self, NodeIdx peer)>;
    /// Up to 92 bytes with Connect, 196 with Accept, 148 with Reject.
    using PrivateData = std::vector<std::byte>;

    static TypeId GetTypeId();

    /**
     * @param nic whose ports have been added; it has one manager.
     * @param profile of the datagrams, but for their MTU.
     * @param resolve null gives the address only.
     */
    RdmaConnectionManager(RdmaNic& nic,
                          const TransportProfile& profile,
                          PathResolver resolve = nullptr);

    /**
     * Takes requests (rdma_listen).
     * @param serviceId in place of a port number.
     * @param callback answers, then or later, by Accept or Reject. Null listens no longer.
     */
    void Listen(uint64_t serviceId, RequestCallback callback);

    /**
     * Asks for a connection (rdma_connect).
     * @param destination port of the peer.
     * @param queuePair an RC in Reset or Init; in Init after that.
     * @param callback is told how it goes on until there is no connection.
     * @return WrongState, UnsupportedRequest unless RC, InvalidLength of the private data.
     */
    Status Connect(NodeIdx destination,
                   uint64_t serviceId,
                   QueuePair& queuePair,
                   EventCallback callback,
                   const PrivateData& privateData = {});

    /**
     * Takes a request (rdma_accept).
     * @param queuePair an RC in Reset or Init, at the port of the request; in Rtr after that.
     * @return as above; WrongState too where the peer has given up meanwhile, InvalidAttribute of a
     * queue pair at another port.
     */
    Status Accept(const ConnectionRequest& request,
                  QueuePair& queuePair,
                  EventCallback callback,
                  const PrivateData& privateData = {});

    /// Refuses a request (rdma_reject). @return as above.
    Status Reject(const ConnectionRequest& request, const PrivateData& privateData = {});

    /**
     * Takes the peer's first message for its RTU, which may be lost or overtaken (rdma_notify): the
     * queue pair that has accepted is in Rts. For handlers of CommunicationEstablished.
     * @return WrongState where no RTU is awaited.
     */
    Status NoteEstablished(uint32_t queuePair);

    /**
     * Ends the connection of a queue pair, which is in Err after that (rdma_disconnect). Both sides
     * are told, this one when the peer has answered, or has not in time.
     * @return WrongState where it has no connection that is established.
     */
    Status Disconnect(QueuePair& queuePair);

    /// @return connections that are there or on their way.
    std::size_t CountConnections() const
    {
        return m_connections.size();
    }

  private:
    enum class State : uint8_t
    {
        RequestSent,
        RequestReceived,
        ReplySent,
        Established,
        DisconnectSent
    };

    struct Connection
    {
        State state;
        PortIdx port;
        NodeIdx peer;
        uint32_t queuePair{0};
        uint32_t retriesLeft{0};
        ConnectionMessage heard; ///< what the peer said of its queue pair
        ConnectionMessage said;  ///< what is sent again
        EventCallback callback{};
        EventId timer{};
    };

    using Connections = std::map<uint32_t, Connection>;

    ConnectionMessage
    Introduce(ConnectionMessageKind kind, uint32_t id, const QueuePair& queuePair) const;
    Status Prepare(QueuePair& queuePair, ConnectionMessageKind kind, const PrivateData& data) const;
    Status BeReady(QueuePair& queuePair, const ConnectionMessage& peer) const;
    Status BeginSending(QueuePair& queuePair, uint32_t psn, uint32_t depth) const;

    void Ask(uint32_t id, Connection& connection, ConnectionMessage message);
    void Repeat(uint32_t id, Connection& connection);
    void Refuse(PortIdx port, NodeIdx peer, const ConnectionMessage& to, RejectReason reason);
    void OnTimeout(uint32_t id);

    void OnMessage(NodeIdx from, const ConnectionMessage& message);
    void OnRequest(NodeIdx from, const ConnectionMessage& message);
    void OnReply(NodeIdx from, const ConnectionMessage& message);
    void OnReadyToUse(Connections::iterator found, const PrivateData& privateData);
    void OnReject(NodeIdx from, const ConnectionMessage& message);
    void OnDisconnect(NodeIdx from, const ConnectionMessage& message);

    Connections::iterator Find(NodeIdx from, uint32_t id);
    Connections::iterator FindOf(uint32_t queuePair);
    void Tell(Connections::iterator found, ConnectionEvent event);
    void End(Connections::iterator found, ConnectionEvent event);

    RdmaNic& m_nic;
    ManagementInterface m_interface;
    PathResolver m_resolve;
    Time m_responseTimeout;
    uint32_t m_maxRetries;
    std::map<uint64_t, RequestCallback> m_listeners; ///< by service
    Connections m_connections;                       ///< by the number that they have here
    /// Those that a peer asked for, by its address and its number of them.
    std::map<std::pair<NodeIdx, uint32_t>, uint32_t> m_asked;
    uint32_t m_lastId{0};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_RDMA_CONNECTION_MANAGER_H

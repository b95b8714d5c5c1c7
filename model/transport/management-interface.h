// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_MANAGEMENT_INTERFACE_H
#define AIFABRIC_MANAGEMENT_INTERFACE_H

#include "address-handle.h"
#include "completion-queue.h"
#include "protection-domain.h"

#include "ns3/connection-message.h"

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace ns3::aifabric
{

class QueuePair;
struct TransportProfile;

/**
 * @ingroup ai-fabric-transport
 * How managers of connections talk: datagrams to queue pair 1 of each NIC (the general service
 * interface; IBA vol. 1, 13.5.1), which are frames as all others, without a congestion control.
 */
class ManagementInterface
{
  public:
    using Callback = std::function<void(NodeIdx from, const ConnectionMessage&)>;

    /**
     * @param nic whose ports have been added; it has one of these, and outlives it.
     * @param profile of the datagrams, but for their MTU.
     * @param callback takes what comes.
     */
    ManagementInterface(RdmaNic& nic, const TransportProfile& profile, Callback callback);

    /// @param port of the NIC that it leaves by. @param destination port of the receiver.
    void Send(PortIdx port, NodeIdx destination, const ConnectionMessage& message);

  private:
    void OnCompletion(const WorkCompletion& completion);
    void PostReceive();
    QueuePair& GetSender(PortIdx port);

    RdmaNic& m_nic;
    std::shared_ptr<const TransportProfile> m_profile;
    Callback m_callback;
    ProtectionDomain m_domain;
    std::array<std::byte, kGrhBytes + kManagementBytes> m_buffer; ///< of the one receive posted
    MemoryRegion* m_region;
    CompletionQueue m_completions;
    std::vector<QueuePair*> m_senders;          ///< by port of the NIC
    std::map<NodeIdx, AddressHandle> m_handles; ///< by destination
};

} // namespace ns3::aifabric

#endif // AIFABRIC_MANAGEMENT_INTERFACE_H

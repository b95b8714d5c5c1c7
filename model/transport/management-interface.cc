// SPDX-License-Identifier: GPL-2.0-only
#include "management-interface.h"

#include "queue-pair.h"
#include "rdma-nic.h"
#include "transport-profile.h"

#include "ns3/abort.h"

#include <utility>

namespace ns3::aifabric
{

namespace
{

/// @return a profile for datagrams of management.
std::shared_ptr<const TransportProfile>
ForManagement(const TransportProfile& profile)
{
    auto own = std::make_shared<TransportProfile>(profile);
    own->mtu = kManagementBytes;
    own->control = nullptr;
    own->notification = {};
    own->recovery = nullptr;
    return own;
}

} // namespace

ManagementInterface::ManagementInterface(RdmaNic& nic,
                                         const TransportProfile& profile,
                                         Callback callback)
    : m_nic(nic),
      m_profile(ForManagement(profile)),
      m_callback(std::move(callback)),
      m_domain(nic),
      m_buffer(),
      m_region(m_domain.Register(m_buffer.data(), m_buffer.size(), kLocalWrite)),
      m_completions([this](const WorkCompletion& c) { OnCompletion(c); }),
      m_senders(nic.CountPorts())
{
    PostReceive();
}

void
ManagementInterface::Send(PortIdx port, NodeIdx destination, const ConnectionMessage& message)
{
    const auto datagram = message.Encode();
    AddressHandle& handle = m_handles[destination];
    handle.path.destination = destination;
    WorkRequest send;
    send.opcode = WrOpcode::Send;
    send.bytes = datagram.size();
    send.address = reinterpret_cast<uintptr_t>(datagram.data());
    send.inlined = true;
    send.signaled = false;
    send.addressHandle = &handle;
    send.remoteNumber = kGeneralServicesNumber;
    send.remoteQkey = kGeneralServicesQkey;
    const Status status = GetSender(port).PostSend(send);
    NS_ABORT_MSG_IF(status != Status::Ok, "a datagram of management is refused");
}

void
ManagementInterface::OnCompletion(const WorkCompletion& completion)
{
    if (completion.opcode != WcOpcode::Receive || completion.status != WcStatus::Success)
    {
        return;
    }
    const auto message = completion.bytes == m_buffer.size()
                             ? ConnectionMessage::Decode(m_buffer.data() + kGrhBytes)
                             : std::nullopt;
    // A datagram that comes without its bytes shall not be taken for the one before.
    m_buffer.fill(std::byte{0});
    PostReceive();
    if (message)
    {
        m_callback(completion.sourceAddress, *message);
    }
}

void
ManagementInterface::PostReceive()
{
    // Whatever port a datagram comes by, it is for the queue pair of that number.
    GetSender(0).PostReceive({0, m_buffer.size(), m_region->GetAddress(), m_region->GetKey()});
}

/// @return who sends by a port.
QueuePair&
ManagementInterface::GetSender(PortIdx port)
{
    QueuePair*& sender = m_senders[port];
    if (!sender)
    {
        QueuePairInit init;
        init.type = QpType::Ud;
        init.port = port;
        init.profile = m_profile;
        init.sendQueue = init.receiveQueue = &m_completions;
        init.domain = &m_domain;
        init.maxInlineBytes = kManagementBytes;
        init.generalServices = port == 0;
        sender = &m_nic.CreateQueuePair(init);
        QueuePairAttributes a;
        a.port = static_cast<uint8_t>(port);
        a.qkey = kGeneralServicesQkey;
        a.state = QpState::Init;
        sender->Modify(a, kQpState | kQpPkeyIndex | kQpPort | kQpQkey);
        sender->Modify(QpState::Rtr);
        a.state = QpState::Rts;
        sender->Modify(a, kQpState | kQpSendPsn);
    }
    return *sender;
}

} // namespace ns3::aifabric

// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_VERBS_PAIR_H
#define AIFABRIC_VERBS_PAIR_H

#include "unruly-cable.h"
#include "verbs-plan.h"

#include "ns3/completion-queue.h"
#include "ns3/egress-port.h"
#include "ns3/header-profile.h"
#include "ns3/queue-pair.h"
#include "ns3/rdma-nic.h"
#include "ns3/shared-receive-queue.h"

#include <functional>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace ns3::aifabric::test
{

/// A host with one NIC, and the cable in front of it.
struct VerbsHost
{
    explicit VerbsHost(std::mt19937_64& dice)
        : memory(domain, dice)
    {
        cable.nic = &nic;
        cable.dice = &dice;
    }

    /// @return a receive, and remembers it. @param hasMemory and memory for it;
    /// @param isProtected which may not be written.
    ReceiveRequest MakeReceive(std::vector<PostedReceive>& receives,
                               bool hasMemory,
                               uint32_t bytes,
                               bool isProtected)
    {
        ReceiveRequest request;
        request.wrId = receives.size();
        request.bytes = bytes;
        PostedReceive receive;
        receive.bytes = bytes;
        receive.isProtected = isProtected;
        if (hasMemory)
        {
            receive.range = memory.Take(bytes,
                                        isProtected ? 0U : static_cast<uint32_t>(kLocalWrite),
                                        isProtected ? static_cast<uint32_t>(kLocalWrite) : 0U);
            request.address = receive.range.GetAddress();
            request.localKey = receive.range.GetKey();
        }
        receives.push_back(receive);
        return request;
    }

    /// @return whether completions may have been lost.
    bool HasOverflowed() const
    {
        return polledSends && (polledSends->HasOverflowed() || polledReceives->HasOverflowed());
    }

    EgressPort port;
    RdmaNic nic;
    UnrulyCable cable;
    ProtectionDomain domain{nic};
    VerbsMemory memory;
    SharedReceiveQueue shared;
    std::function<void(const WorkCompletion&)> onSent;
    std::function<void(const WorkCompletion&)> onReceived;
    CompletionQueue sendQueue{[this](const WorkCompletion& c) { onSent(c); }};
    CompletionQueue receiveQueue{[this](const WorkCompletion& c) { onReceived(c); }};
    std::unique_ptr<CompletionQueue> polledSends; ///< instead of those, where there is one
    std::unique_ptr<CompletionQueue> polledReceives;
};

/// Two hosts and the wire between them.
struct VerbsPair
{
    static constexpr double kRateBps = 100e9;

    /// @param latency of the NICs.
    VerbsPair(std::mt19937_64& dice, Tick delay, Tick latency)
        : host{VerbsHost(dice), VerbsHost(dice)},
          delay(delay)
    {
        for (int i = 0; i < 2; ++i)
        {
            PortSettings wire;
            wire.bandwidthBps = kRateBps;
            wire.delay = delay;
            wire.gapBytes = kRoceV2Headers.gapBytes;
            wire.peer = &host[1 - i].cable;
            host[i].port.Wire(wire, 0, nullptr, nullptr);
            host[i].nic.AddPort(host[i].port, 10 + i, latency);
        }
    }

    /// Makes a queue pair at either host, connected with each other.
    /// @param init profile and maxInlineBytes, and what may differ by host is set here.
    /// @param psn of the first frame of either.
    std::pair<QueuePair*, QueuePair*>
    Connect(QueuePairInit init, bool checksKeys, bool sharesReceives, const uint32_t (&psn)[2])
    {
        QueuePair* made[2];
        for (int i = 0; i < 2; ++i)
        {
            VerbsHost& h = host[i];
            init.sendQueue = h.polledSends ? h.polledSends.get() : &h.sendQueue;
            init.receiveQueue = h.polledReceives ? h.polledReceives.get() : &h.receiveQueue;
            init.domain = checksKeys ? &host[i].domain : nullptr;
            init.sharedReceives = sharesReceives ? &host[i].shared : nullptr;
            made[i] = &host[i].nic.CreateQueuePair(init);
        }
        for (int i = 0; i < 2; ++i)
        {
            made[i]->Connect({host[1 - i].nic.GetAddress(0), -1, 0, 2 * delay},
                             made[1 - i]->GetNumber(),
                             psn[i],
                             psn[1 - i]);
        }
        return {made[0], made[1]};
    }

    VerbsHost host[2];
    Tick delay;
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_VERBS_PAIR_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_KEYED_PAIR_H
#define AIFABRIC_KEYED_PAIR_H

#include "transport-pair.h"

#include "ns3/frame-extension.h"
#include "ns3/protection-domain.h"
#include "ns3/shared-receive-queue.h"

#include <optional>
#include <vector>

namespace ns3::aifabric::test
{

/// Two queue pairs with memory on both sides.
class KeyedPair : public Pair
{
  protected:
    /// Makes the pair, of that type, with all access unless told otherwise.
    void Make(QpType type = QpType::Rc, uint32_t access = kAllAccess)
    {
        Build();
        for (int i = 0; i < 2; ++i)
        {
            domain[i].emplace(nic[i]);
            region[i] = domain[i]->Register(memory[i], sizeof(memory[i]), kAllAccess);
            nic[i].OnAsyncEvent([this, i](const AsyncEvent& e) { events[i].push_back(e.type); });
            QueuePairInit init;
            init.type = type;
            init.profile = profile;
            init.sendQueue = &sendQueue;
            init.receiveQueue = &receiveQueue;
            init.domain = &*domain[i];
            init.sharedReceives = i == 1 ? shared : nullptr;
            end[i] = &nic[i].CreateQueuePair(init);
        }
        for (int i = 0; i < 2; ++i)
        {
            QueuePairAttributes a;
            a.accessFlags = access;
            a.qkey = 0x11;
            a.addressVector.destination = 11 - i;
            a.destinationNumber = end[1 - i]->GetNumber();
            a.pathMtu = PathMtu::Bytes4096;
            a.timeout = 5;
            a.retryCount = 3;
            a.rnrRetry = rnrRetry;
            a.minRnrTimer = 1;
            a.maxReadAtomic = readAtomic;
            a.maxDestReadAtomic = 4;
            Walk(*end[i], type, a);
        }
    }

    static void Walk(QueuePair& q, QpType type, QueuePairAttributes a)
    {
        const bool rc = type == QpType::Rc;
        const bool ud = type == QpType::Ud;
        a.state = QpState::Init;
        ASSERT_EQ(q.Modify(a, kQpState | kQpPkeyIndex | kQpPort | (ud ? kQpQkey : kQpAccessFlags)),
                  Status::Ok);
        a.state = QpState::Rtr;
        ASSERT_EQ(q.Modify(a,
                           kQpState |
                               (ud ? 0U
                                   : kQpAddressVector | kQpPathMtu | kQpDestinationNumber |
                                         kQpReceivePsn) |
                               (rc ? kQpMaxDestReadAtomic | kQpMinRnrTimer : 0U)),
                  Status::Ok);
        a.state = QpState::Rts;
        ASSERT_EQ(
            q.Modify(a,
                     kQpState | kQpSendPsn |
                         (rc ? kQpTimeout | kQpRetryCount | kQpRnrRetry | kQpMaxReadAtomic : 0U)),
            Status::Ok);
    }

    WorkRequest Request(WrOpcode opcode, uint64_t bytes, uint64_t wrId = 1) const
    {
        WorkRequest r;
        r.wrId = wrId;
        r.opcode = opcode;
        r.bytes = bytes;
        r.address = region[0]->GetAddress();
        r.localKey = region[0]->GetKey();
        r.remoteAddress = region[1]->GetAddress();
        r.remoteKey = region[1]->GetKey();
        return r;
    }

    /// Posts a request that fails and two more, and checks how all three end.
    void ExpectFailure(const WorkRequest& bad, WcStatus status, QpState responder)
    {
        ASSERT_EQ(end[0]->PostSend(bad), Status::Ok);
        ASSERT_EQ(end[0]->PostSend(Request(WrOpcode::Write, 10000, 2)), Status::Ok);
        ASSERT_EQ(end[0]->PostSend(Request(WrOpcode::Read, 10, 3)), Status::Ok);
        Run();
        ASSERT_EQ(sent.size(), 3U);
        EXPECT_EQ(sent[0].completion.wrId, bad.wrId);
        EXPECT_EQ(sent[0].completion.status, status);
        for (uint64_t i : {1, 2})
        {
            EXPECT_EQ(sent[i].completion.wrId, i + 1);
            EXPECT_EQ(sent[i].completion.status, WcStatus::WrFlushError);
        }
        EXPECT_EQ(end[0]->GetState(), QpState::Err);
        EXPECT_EQ(end[1]->GetState(), responder);
    }

    void TearDown() override
    {
        Pair::TearDown();
        EXPECT_EQ(FrameExtension::Pool().Out(), 0U);
        for (QueuePair* q : end)
        {
            EXPECT_EQ(q->GetRequester().CountPending(), 0U);
            EXPECT_EQ(q->GetRequester().GetDeadline(), kNever);
            EXPECT_EQ(q->GetResponder().CountUnanswered(), 0U);
        }
    }

    uint8_t rnrRetry{7};
    uint8_t readAtomic{4};
    SharedReceiveQueue* shared{nullptr};
    alignas(8) unsigned char memory[2][65536]{};
    std::optional<ProtectionDomain> domain[2];
    MemoryRegion* region[2];
    QueuePair* end[2];
    std::vector<AsyncEventType> events[2];
};

using Events = std::vector<AsyncEventType>;

} // namespace ns3::aifabric::test

#endif // AIFABRIC_KEYED_PAIR_H

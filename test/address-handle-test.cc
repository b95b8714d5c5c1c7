// SPDX-License-Identifier: GPL-2.0-only
#include "keyed-pair.h"

#include "ns3/address-handle.h"

#include <cstdint>
#include <vector>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

/// What a datagram's frame takes from its address handle.
class AddressHandleTest : public test::KeyedPair
{
  protected:
    /// What is known of a frame that left.
    struct Seen
    {
        Tick start;
        uint8_t priority;
        uint16_t entropy;
    };

    void MakeDatagrams()
    {
        tamper[1].lose = [this](Frame& f, Tick) {
            if (f.op != Opcode::Pause)
            {
                seen.push_back({f.sentAt, f.priority, f.entropy});
            }
            return false;
        };
        Make(QpType::Ud);
    }

    Status Post(const AddressHandle& handle, uint64_t wrId = 1)
    {
        WorkRequest r = Request(WrOpcode::Send, kBytes, wrId);
        r.addressHandle = &handle;
        r.remoteNumber = end[1]->GetNumber();
        r.remoteQkey = 0x11;
        return end[0]->PostSend(r);
    }

    static constexpr uint32_t kBytes = 1000;
    /// 82 bytes of a frame and its gap around the payload, 8 of a DETH, at 100 Gb/s.
    static constexpr Tick kWire = (82 + 8 + kBytes) * 80;
    std::vector<Seen> seen;
};

// Service level and flow label are an address vector's (IBA vol. 1, 11.2.2.1), which a datagram has
// from its handle. That they change costs no time on the wire.
TEST_F(AddressHandleTest, PriorityAndPortAreTheHandles)
{
    MakeDatagrams();
    const AddressHandle handles[] = {
        {{11, 2, 0xC123}}, {{11, 2, 0xC124}}, {{11, -1, 0}}, {{11, 6, 0xD00D}}, {{11, 0, 0}}};
    const uint8_t priorities[] = {2, 2, profile->dataPriority, 6, 0};
    const uint16_t own = end[0]->GetEntropy();
    ASSERT_GE(own, 0xC000);
    const uint16_t entropies[] = {0xC123, 0xC124, own, 0xD00D, own};
    for (uint64_t i = 0; i < 5; ++i)
    {
        ASSERT_EQ(end[1]->PostReceive({i, kBytes + kGrhBytes}), Status::Ok);
        ASSERT_EQ(Post(handles[i], i), Status::Ok);
    }
    Run();
    ASSERT_EQ(seen.size(), 5U);
    ASSERT_EQ(received.size(), 5U);
    for (uint64_t i = 0; i < 5; ++i)
    {
        EXPECT_EQ(seen[i].start, static_cast<Tick>(i) * kWire) << i;
        EXPECT_EQ(seen[i].priority, priorities[i]) << i;
        EXPECT_EQ(seen[i].entropy, entropies[i]) << i;
        EXPECT_EQ(sent[i].completion.wrId, i);
        EXPECT_EQ(received[i].completion.wrId, i);
    }
}

// A queue of sends is in order: who is behind a paused priority waits, whatever his own.
TEST_F(AddressHandleTest, APausedPriorityHoldsUpWhatIsBehind)
{
    MakeDatagrams();
    const AddressHandle paused{{11, 2, 0}};
    const AddressHandle free{{11, 5, 0}};
    nic[1].PauseSender(0, 2);
    Simulator::Schedule(MicroSeconds(5), [&] {
        for (const AddressHandle* handle : {&free, &paused, &free})
        {
            ASSERT_EQ(Post(*handle), Status::Ok);
        }
    });
    Simulator::Schedule(MicroSeconds(20), [this] {
        EXPECT_EQ(seen.size(), 1U);
        nic[1].ResumeSender(0, 2);
    });
    Run();
    ASSERT_EQ(seen.size(), 3U);
    EXPECT_EQ(seen[0].priority, 5);
    EXPECT_EQ(seen[0].start, 5 * kMicrosecond);
    EXPECT_EQ(seen[1].priority, 2);
    EXPECT_GT(seen[1].start, 20 * kMicrosecond);
    EXPECT_EQ(seen[2].priority, 5);
    EXPECT_EQ(seen[2].start, seen[1].start + kWire);
    EXPECT_EQ(sent.size(), 3U);
}

TEST_F(AddressHandleTest, WhatIsNoPathIsRefused)
{
    MakeDatagrams();
    const AddressHandle bad[] = {{}, {{11, 8}}, {{11, -2}}, {{11, 3, 0, -1}}};
    for (const AddressHandle& handle : bad)
    {
        EXPECT_EQ(Post(handle), Status::InvalidAttribute);
    }
    Run();
    EXPECT_TRUE(seen.empty());
    EXPECT_TRUE(sent.empty());
}

} // namespace

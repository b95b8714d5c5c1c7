// SPDX-License-Identifier: GPL-2.0-only
#include "transport-pair.h"

#include <malloc.h>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

/// @return bytes allocated, in pages of their own or not.
std::size_t
CountBytes()
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

class VerbsScale : public test::Pair
{
};

// Each of a thousand connections sends a message both ways, and gets its share: all end within one
// round of frames of each other.
TEST_F(VerbsScale, AThousandQueuePairsBetweenTwoNics)
{
    Build();
    for (int i = 1; i < 1000; ++i)
    {
        Connect();
    }
    for (std::size_t i = 0; i < qp.size(); ++i)
    {
        Write(20000, i, i);
        ASSERT_EQ(peer[i]->PostSend({i, 20000, WrOpcode::Write, true}), Status::Ok);
    }
    Run();
    ASSERT_EQ(sent.size(), 2000U);
    EXPECT_EQ(nic[0].GetCounters().deliveredBytes, 20000000U);
    EXPECT_EQ(nic[1].GetCounters().deliveredBytes, 20000000U);
    EXPECT_EQ(nic[0].GetCounters().timeouts + nic[1].GetCounters().timeouts, 0U);
    const Tick round = 1000 * (4096 + 82 + 86) * 80;
    EXPECT_LT(sent.back().at - sent.front().at, 2 * round);
}

// 1.5 KiB for an idle connected queue pair, on a NIC with a hundred thousand of them.
TEST_F(VerbsScale, MemoryOfAHundredThousandIdleQueuePairs)
{
    constexpr std::size_t kCount = 100000;
    Build();
    const std::size_t before = CountBytes();
    for (std::size_t i = 0; i < kCount; ++i)
    {
        QueuePair& q = nic[0].CreateQueuePair(0, profile, sendQueue, receiveQueue);
        ASSERT_EQ(q.Connect({11, -1, 0, 2 * delay}, peer[0]->GetNumber()), Status::Ok);
    }
    const double each = static_cast<double>(CountBytes() - before) / kCount;
    RecordProperty("bytes", std::to_string(each));
    EXPECT_LT(each, 1536);
    EXPECT_LT(sizeof(QueuePair), 1536U);
    // The first one still works.
    Write(100000);
    Run();
    EXPECT_EQ(sent.size(), 1U);
}

} // namespace

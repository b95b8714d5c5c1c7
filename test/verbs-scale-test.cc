// SPDX-License-Identifier: GPL-2.0-only
#include "transport-pair.h"

#include <fstream>
#include <unistd.h>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

/// @return bytes that are resident (proc(5), statm).
double
CountBytes()
{
    std::ifstream statm("/proc/self/statm");
    uint64_t size = 0;
    uint64_t resident = 0;
    statm >> size >> resident;
    return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
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
    const double before = CountBytes();
    for (std::size_t i = 0; i < kCount; ++i)
    {
        QueuePair& q = nic[0].CreateQueuePair(0, profile, sendQueue, receiveQueue);
        ASSERT_EQ(q.Connect({11, -1, 0, 2 * delay}, peer[0]->GetNumber()), Status::Ok);
    }
    const double each = (CountBytes() - before) / kCount;
    RecordProperty("bytes", std::to_string(each));
    EXPECT_LT(each, 1536);
    EXPECT_LT(sizeof(QueuePair), 1536U);
    // The first one still works.
    Write(100000);
    Run();
    EXPECT_EQ(sent.size(), 1U);
}

} // namespace

// SPDX-License-Identifier: GPL-2.0-only
// Data frames that find no room lose their payload, and their headers go on: what switches make of
// them, and how an incast ends.
#include "held-switch.h"

#include "ns3/trimming-settings.h"

#include <algorithm>

namespace ns3::aifabric::test
{
namespace
{

constexpr uint32_t kPayload = 4096;
constexpr uint8_t kHeaders = 6; ///< priority of what trimming leaves

SwitchSettings
Trimming(const AttributeTexts& trimming, uint64_t bufferBytes, const AttributeTexts& buffer = {})
{
    SwitchSettings settings;
    settings.bufferBytes = bufferBytes;
    settings.alignmentBytes = 4;
    settings.trimming = With(Make<TrimmingSettings>({{"Enabled", "true"}}), trimming);
    settings.buffer = With(MakePlugin<BufferManager>("static_threshold"), buffer);
    return settings;
}

/// A switch whose queues grow.
class TrimmingSwitch : public HeldSwitch
{
  public:
    using HeldSwitch::HeldSwitch;

    /// Sends a frame with that payload in headers of that length.
    void SendData(uint32_t headers, uint32_t payload, uint8_t priority = kData)
    {
        Frame* f = FramePool::Take();
        *f = {};
        f->op = Opcode::WriteMiddle;
        f->payload = payload;
        f->bytes = headers + ((payload + 3) & ~3U);
        f->flags = kEct | kAckReq;
        f->psn = 77;
        f->priority = priority;
        Switch().Receive(f, 1, ToTick(Simulator::Now()));
    }

    /// @return frames that wait in a priority's queue of port 0.
    std::vector<Frame> Waiting(uint8_t priority)
    {
        std::vector<Frame> frames;
        Port().ForEachWaiting(priority, [&](const Frame& f) {
            frames.push_back(f);
            return true;
        });
        return frames;
    }
};

} // namespace

TEST(PacketTrimming, WhatDoesNotFitLosesItsPayload)
{
    TrimmingSwitch held(Trimming({}, 100000, {{"LimitBytes", "10000"}}));
    for (int i = 0; i < 5; ++i)
    {
        held.SendData(62, kPayload);
    }
    EXPECT_EQ(held.Waiting(HeldSwitch::kData).size(), 2U);
    const std::vector<Frame> trimmed = held.Waiting(kHeaders);
    ASSERT_EQ(trimmed.size(), 3U);
    for (const Frame& f : trimmed)
    {
        EXPECT_EQ(f.bytes, 64U);
        EXPECT_EQ(f.payload, 0U);
        EXPECT_EQ(f.flags, kEct | kAckReq | kTrimmed);
        EXPECT_EQ(f.psn, 77U);
        EXPECT_EQ(f.op, Opcode::WriteMiddle);
    }
    EXPECT_EQ(held.Switch().GetTrimmed(0), 3U);
    EXPECT_EQ(held.Switch().GetTrimmed(1), 0U);
    EXPECT_EQ(held.Port().GetCounters().dropped, 0U);
    EXPECT_EQ(held.Buffer().GetUsedBytes(), 2 * (62 + kPayload) + 3 * 64U);
    held.Drain();
    EXPECT_EQ(held.Buffer().GetUsedBytes(), 0U);
}

// 62 bytes are RoCEv2's, 16 more where there is an address, 42 those of INT.
TEST(PacketTrimming, HeadersStayWhole)
{
    struct Case
    {
        uint32_t size;
        uint32_t headers;
        uint32_t payload;
        uint32_t left;
    };

    for (const Case& c : {Case{64, 62, 4096, 64},
                          Case{64, 78, 4096, 78},
                          Case{64, 62 + 42, 4096, 104},
                          Case{128, 78, 4096, 128},
                          Case{64, 78, 1001, 78},
                          Case{64, 62, 1, 64},
                          Case{128, 62, 10, 74}})
    {
        TrimmingSwitch held(
            Trimming({{"SizeBytes", std::to_string(c.size)}, {"QueueBytes", "1"}}, 0));
        held.SendData(c.headers, c.payload);
        ASSERT_EQ(held.Waiting(kHeaders).size(), 1U);
        EXPECT_EQ(held.Waiting(kHeaders)[0].bytes, c.left) << c.headers << " " << c.payload;
        held.Drain();
    }
}

TEST(PacketTrimming, OnlyDataOfItsPriorities)
{
    TrimmingSwitch held(Trimming(
        {{"TrimmedPriorities", "[2, 4]"}, {"Priority", "5"}}, 100000, {{"LimitBytes", "4000"}}));
    held.SendData(62, kPayload, 3);
    EXPECT_EQ(held.Switch().GetDropped(DropReason::BufferFull), 1U);
    held.SendData(62, kPayload, 2);
    held.SendData(62, kPayload, 4);
    EXPECT_EQ(held.Waiting(5).size(), 2U);
    Frame* f = FramePool::Take();
    *f = {};
    f->op = Opcode::Acknowledge;
    f->bytes = 5000;
    f->priority = 2;
    held.Switch().Receive(f, 1, 0);
    EXPECT_EQ(held.Switch().GetDropped(DropReason::BufferFull), 2U);
    EXPECT_EQ(held.Switch().GetTrimmed(0), 2U);
    held.Drain();
}

// Headers wait in a queue like others. What finds no room even there is dropped.
TEST(PacketTrimming, HeadersMayFindNoRoom)
{
    TrimmingSwitch held(Trimming({}, 100000, {{"LimitBytes", "640"}}));
    for (int i = 0; i < 15; ++i)
    {
        held.SendData(62, kPayload);
    }
    EXPECT_EQ(held.Waiting(kHeaders).size(), 10U);
    EXPECT_EQ(held.Switch().GetTrimmed(0), 15U);
    EXPECT_EQ(held.Switch().GetDropped(DropReason::Trimmed), 5U);
    EXPECT_EQ(held.Port().GetCounters().dropped, 5U);
    held.Drain();
}

// By the length of the queue alone, whatever room there is.
TEST(PacketTrimming, QueueThreshold)
{
    for (const uint64_t buffer : {uint64_t{0}, uint64_t{10000000}})
    {
        TrimmingSwitch held(
            Trimming({{"QueueBytes", "12474"}}, buffer, {{"LimitBytes", "1000000"}}));
        for (int i = 0; i < 10; ++i)
        {
            held.SendData(62, kPayload);
        }
        EXPECT_EQ(held.Waiting(HeldSwitch::kData).size(), 3U) << "of 4158 bytes";
        EXPECT_EQ(held.Waiting(kHeaders).size(), 7U);
        held.Drain();
    }
}

// Where PFC has failed, trimming is better than a drop.
TEST(PacketTrimming, WhatOverflowsTheHeadroom)
{
    SwitchSettings settings = Trimming({}, 1000000, {{"LimitBytes", "20000"}});
    settings.pfc = Make<PfcSettings>({{"HeadroomBytes", "9000"}});
    TrimmingSwitch held(settings);
    for (int i = 0; i < 20; ++i)
    {
        held.SendData(62, kPayload);
    }
    EXPECT_EQ(held.Switch().GetDropped(DropReason::HeadroomFull), 0U);
    EXPECT_GT(held.Switch().GetTrimmed(0), 0U);
    EXPECT_EQ(held.Waiting(HeldSwitch::kData).size() + held.Waiting(kHeaders).size(), 20U);
    EXPECT_LE(held.Buffer().GetPeakHeadroomBytes(), 9000U);
    held.Drain();
}

TEST(PacketTrimming, OffByDefault)
{
    SwitchSettings settings = Trimming({{"Enabled", "false"}}, 100000, {{"LimitBytes", "4000"}});
    TrimmingSwitch held(settings);
    held.SendData(62, kPayload);
    EXPECT_EQ(held.Switch().GetDropped(DropReason::BufferFull), 1U);
    held.Drain();
}

/**
 * N hosts send one frame each to host 0 at once: t after they began the frames are at the switch. One
 * leaves at once, q fit into the buffer, m = N - 1 - q are trimmed, and their headers of 78 B leave
 * before the q. After a round trip, less than the q need, the m come once more, and fit. So the link
 * is busy from t on with N frames of 4174 B and m headers, 20 B of preamble and gap around each.
 */
class TrimmedIncast : public ::testing::TestWithParam<const char*>
{
};

TEST_P(TrimmedIncast, KeepsTheLinkFull)
{
    constexpr uint32_t kFits = 16;
    constexpr uint32_t kTrimmedFrames = 10;
    constexpr uint32_t kSenders = 1 + kFits + kTrimmedFrames;
    constexpr Tick kFrame = (4174 + 20) * 80;
    constexpr Tick kHeader = (78 + 20) * 80;
    constexpr Tick kAck = (66 + 20) * 80;
    FabricBed bed("star");
    bed.Set("HostCount", kSenders + 1);
    bed.settings.pfc = nullptr;
    bed.settings.trimming = Make<TrimmingSettings>({{"Enabled", "true"}});
    bed.settings.buffer = With(MakePlugin<BufferManager>("static_threshold"),
                               {{"LimitBytes", std::to_string(kFits * 4174)}});
    bed.recovery = MakePlugin<LossRecovery>(GetParam());
    bed.Build();
    for (NodeIdx host = 1; host <= kSenders; ++host)
    {
        bed.AddFlow(host, 0, kPayload);
    }
    Tick last = 0;
    uint64_t again = 0;
    for (const FlowResult& flow : bed.Run())
    {
        last = std::max(last, flow.fct);
        again += flow.retransmittedBytes;
        EXPECT_LE(flow.retransmittedBytes, kPayload) << "once";
    }
    const Tick begin = kFrame + kMicrosecond;
    const Tick end = begin + kSenders * kFrame + kTrimmedFrames * kHeader + kMicrosecond;
    EXPECT_EQ(last, end + 2 * kAck + 2 * kMicrosecond);
    EXPECT_EQ(again, uint64_t{kTrimmedFrames} * kPayload);
    const GraphNodeIdx leaf = bed.Find("leaf0");
    EXPECT_EQ(bed.GetFabric().GetSwitch(leaf)->GetTrimmed(0), kTrimmedFrames);
    EXPECT_EQ(bed.CountersTo(0).frames, kSenders + kTrimmedFrames);
    EXPECT_EQ(bed.CountersTo(0).bytes, kSenders * 4174U + kTrimmedFrames * 78U);
    EXPECT_EQ(bed.CountersTo(0).dropped, 0U);
}

INSTANTIATE_TEST_SUITE_P(EveryWay,
                         TrimmedIncast,
                         ::testing::Values("go_back_n", "selective_repeat", "out_of_order"));

} // namespace ns3::aifabric::test

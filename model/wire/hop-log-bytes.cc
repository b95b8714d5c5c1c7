// SPDX-License-Identifier: GPL-2.0-only
#include "hop-log-bytes.h"

#include "big-endian.h"

#include "ns3/hop-log.h"

#include <algorithm>
#include <iterator>

namespace ns3::aifabric
{

namespace
{

constexpr std::size_t kHeadBytes = 2;
constexpr std::size_t kRecordBytes = 8;
constexpr uint32_t kMostBytes = 0xFFF;
/// The first bit stays 0: in its place a selective acknowledgement has a 1.
constexpr std::size_t kMostRecords = 7;
constexpr double kRates[] =
    {0, 10e9, 25e9, 40e9, 50e9, 100e9, 200e9, 400e9, 800e9, 1.6e12, 3.2e12, 6.4e12};

uint64_t
PackRecord(const HopRecord& hop)
{
    const auto* known = std::find(std::begin(kRates), std::end(kRates), hop.bandwidthBps);
    const uint64_t rate = known == std::end(kRates) ? 0 : known - kRates;
    const uint64_t time = hop.at / kNanosecond & 0xFFFFFF;
    const uint64_t sent = hop.sentBytes / kHopSentUnit & 0xFFFFF;
    const uint64_t queued = std::min(hop.queuedBytes / kHopQueueUnit, 0xFFFFU);
    return rate << 60 | time << 36 | sent << 16 | queued;
}

HopRecord
UnpackRecord(uint64_t packed)
{
    const std::size_t rate = packed >> 60;
    return {static_cast<Tick>(packed >> 36 & 0xFFFFFF) * kNanosecond,
            (packed >> 16 & 0xFFFFF) * kHopSentUnit,
            rate < std::size(kRates) ? kRates[rate] : 0,
            static_cast<uint32_t>(packed & 0xFFFF) * kHopQueueUnit};
}

} // namespace

HopLogForm
GetHopLogForm(const Frame& f, uint32_t room)
{
    const HopLog* log = HopLog::Of(f);
    if (!log || room == 0)
    {
        return HopLogForm::None;
    }
    if (log->stamper || log->digest)
    {
        return room == 1 ? HopLogForm::Byte : HopLogForm::TwoBytes;
    }
    return room < kHeadBytes ? HopLogForm::None : HopLogForm::Records;
}

void
PutHopLog(std::vector<uint8_t>& to, const Frame& f, HopLogForm form, uint32_t room)
{
    const HopLog* log = HopLog::Of(f);
    if (form == HopLogForm::Byte)
    {
        PutBigEndian<1>(to, log->digest);
    }
    else if (form == HopLogForm::TwoBytes)
    {
        PutBigEndian<2>(to, log->digest);
    }
    else if (form == HopLogForm::Records)
    {
        room = std::min(room, kMostBytes);
        const std::size_t end = to.size() + room;
        const auto count =
            std::min({std::size_t{log->count}, (room - kHeadBytes) / kRecordBytes, kMostRecords});
        PutBigEndian<kHeadBytes>(to, count << 12 | room);
        for (std::size_t i = 0; i < count; ++i)
        {
            PutBigEndian<kRecordBytes>(to, PackRecord(log->hops[i]));
        }
        to.resize(end);
    }
}

std::size_t
ReadHopLog(Frame& f, HopLogForm form, const uint8_t* bytes, std::size_t size)
{
    const std::size_t head = form == HopLogForm::Byte ? 1 : kHeadBytes;
    if (size < head)
    {
        return 0;
    }
    const uint32_t first = head == 1 ? bytes[0] : GetBigEndian<kHeadBytes>(bytes);
    if (form != HopLogForm::Records)
    {
        f.hopLog = HopLog::Pool().Take();
        HopLog::Pool()[f.hopLog].digest = first;
        return head;
    }
    const std::size_t room = first & kMostBytes;
    const std::size_t count = first >> 12;
    if (room > size || kHeadBytes + count * kRecordBytes > room || count > kMostRecords)
    {
        return 0;
    }
    f.hopLog = HopLog::Pool().Take();
    HopLog& log = HopLog::Pool()[f.hopLog];
    log.count = static_cast<uint8_t>(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        log.hops[i] =
            UnpackRecord(GetBigEndian<kRecordBytes>(bytes + kHeadBytes + i * kRecordBytes));
    }
    return room;
}

} // namespace ns3::aifabric

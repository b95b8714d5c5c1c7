// SPDX-License-Identifier: GPL-2.0-only
#include "transport-settings.h"

#include "ns3/nstime.h"
#include "ns3/uinteger.h"

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(TransportSettings);

TypeId
TransportSettings::GetTypeId()
{
    using S = TransportSettings;
    static TypeId tid =
        TypeId("ns3::aifabric::TransportSettings")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<S>()
            .AddAttribute("RetransmissionTimeout",
                          "Without an answer for that long everything unacknowledged is sent "
                          "again; 0 is never. The default is the verbs' code 20, 4.096 us * 2^20",
                          TimeValue(MicroSeconds(4294967)),
                          MakeTimeAccessor(&S::retransmissionTimeout),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("RetryCount",
                          "Timeouts and negative acknowledgements in a row, without progress, that "
                          "a queue pair survives",
                          UintegerValue(7),
                          MakeUintegerAccessor(&S::retryCount),
                          MakeUintegerChecker<uint32_t>(0, 7))
            .AddAttribute("RnrRetryCount",
                          "The same for answers that no receive was posted; 7 is without end",
                          UintegerValue(7),
                          MakeUintegerAccessor(&S::rnrRetryCount),
                          MakeUintegerChecker<uint32_t>(0, 7))
            .AddAttribute("MinRnrTimer",
                          "Code of the wait that a receiver without a posted receive asks for; 12 "
                          "is 0.64 ms",
                          UintegerValue(12),
                          MakeUintegerAccessor(&S::minRnrTimer),
                          MakeUintegerChecker<uint32_t>(0, 31))
            .AddAttribute("MaxReadAtomic",
                          "READs and atomic operations of one queue pair that are under way at one "
                          "time, and remembered by the peer; 0 is none at all",
                          UintegerValue(16),
                          MakeUintegerAccessor(&S::maxReadAtomic),
                          MakeUintegerChecker<uint32_t>(0, 255))
            .AddAttribute("AckInterval",
                          "Frames for one acknowledgement; the end of a message and of the window "
                          "ask for one in any case",
                          UintegerValue(1),
                          MakeUintegerAccessor(&S::ackInterval),
                          MakeUintegerChecker<uint32_t>(1, 65535))
            .AddAttribute("DataPriority",
                          "802.1Q priority of data",
                          UintegerValue(3),
                          MakeUintegerAccessor(&S::dataPriority),
                          MakeUintegerChecker<uint32_t>(0, 7))
            .AddAttribute("AckPriority",
                          "802.1Q priority of acknowledgements and congestion notifications",
                          UintegerValue(6),
                          MakeUintegerAccessor(&S::ackPriority),
                          MakeUintegerChecker<uint32_t>(0, 7))
            .AddAttribute("QueuePairsPerConnection",
                          "Queue pairs that share the messages of a job between two NICs",
                          UintegerValue(1),
                          MakeUintegerAccessor(&S::queuePairsPerConnection),
                          MakeUintegerChecker<uint32_t>(1, 65535));
    return tid;
}

Tick
RnrDelay(uint32_t code)
{
    static constexpr uint32_t kMicroseconds[32] = {
        655360, 10,    20,    30,    40,    60,     80,     120,    160,    240,   320,
        480,    640,   960,   1280,  1920,  2560,   3840,   5120,   7680,   10240, 15360,
        20480,  30720, 40960, 61440, 81920, 122880, 163840, 245760, 327680, 491520};
    return kMicroseconds[code & 31] * kMicrosecond;
}

} // namespace ns3::aifabric

// SPDX-License-Identifier: GPL-2.0-only
// What an acknowledgement costs each congestion control there is, with its default attributes: 64 flows
// in turn, one frame each, of which every 64th was marked, after a delay that goes up and down.
#include "ns3/congestion-control.h"
#include "ns3/fabric-registry.h"

#include <benchmark/benchmark.h>

#include <cstddef>
#include <vector>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

constexpr std::size_t kFlows = 64;
constexpr double kLine = 100e9;
constexpr uint32_t kFrame = 4096;

struct Flow
{
    FlowView view;
    uint64_t acknowledged{0};
    alignas(std::max_align_t) unsigned char state[CongestionControl::kStateBytes];
};

/// What two switches told a frame.
void
Tell(HopLog& log, const PathTelemetry& telemetry, uint64_t frame, Tick now)
{
    log.count = 0;
    log.digest = 0;
    for (uint8_t i = 0; i < 2; ++i)
    {
        const HopRecord hop{now - (2 - i) * kMicrosecond,
                            frame * kFrame,
                            kLine,
                            static_cast<uint32_t>(frame % 32 * kFrame)};
        if (telemetry.stamper)
        {
            telemetry.stamper->Stamp(log, hop, &log.hops[i]);
        }
        else
        {
            log.hops[log.count++] = hop;
        }
    }
}

void
Acknowledge(benchmark::State& state, const Ptr<const CongestionControl>& control)
{
    std::vector<Flow> flows(kFlows);
    for (Flow& f : flows)
    {
        f.view.rate = f.view.lineRate = kLine;
        f.view.baseRtt = 8 * kMicrosecond;
        f.view.mtuBytes = f.view.frameBytes = kFrame;
        control->Begin(f.view, f.state);
    }
    const PathTelemetry telemetry = control->GetTelemetry();
    // What the switches do is not the sender's.
    std::vector<HopLog> logs(kFlows);
    if (telemetry.wanted)
    {
        for (std::size_t i = 0; i < kFlows; ++i)
        {
            Tell(logs[i], telemetry, i, kMicrosecond);
        }
    }
    uint64_t n = 0;
    Tick now = 0;
    for (auto unused : state)
    {
        (void)unused;
        Flow& f = flows[n % kFlows];
        now += 100 * kNanosecond;
        f.acknowledged += kFrame;
        const bool marked = n % 64 == n / 64 % 64;
        if (marked)
        {
            control->Cnp(f.view, f.state, now);
        }
        if (control->UsesAcks())
        {
            HopLog& log = logs[n % kFlows];
            for (uint8_t i = 0; i < log.count; ++i)
            {
                log.hops[i].at += kFlows * 100 * kNanosecond;
                log.hops[i].sentBytes += kFlows * kFrame / 2;
            }
            control->Ack(f.view,
                         f.state,
                         {now,
                          8 * kMicrosecond + static_cast<Tick>(n / kFlows % 64) * kMicrosecond,
                          kFrame,
                          25 * kFrame,
                          f.acknowledged,
                          marked,
                          telemetry.wanted ? &log : nullptr});
        }
        control->CatchUp(f.view, f.state, now);
        control->Sent(f.view, f.state, kFrame, now);
        benchmark::DoNotOptimize(f.view.rate);
        ++n;
    }
}

} // namespace

int
main(int argc, char** argv)
{
    UsePicoseconds();
    benchmark::Initialize(&argc, argv);
    for (TypeId type : Plugins(CongestionControl::GetTypeId()))
    {
        const auto id = PluginId(type);
        const auto control = MakePlugin<CongestionControl>(id)->ForLineRate(kLine);
        benchmark::RegisterBenchmark(
            id.c_str(), [control](benchmark::State& state) { Acknowledge(state, control); });
    }
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
}

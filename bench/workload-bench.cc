// SPDX-License-Identifier: GPL-2.0-only
// Speed of whole fabrics: data frame-hops per CPU second inside Run, events per frame-hop, memory.
// Arguments: part of a workload's name; bytes per flow, if others than usual.
#include "workload.h"

#include "ns3/egress-port.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

double
CpuSeconds()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

struct Size
{
    int number;
    uint64_t bytes;
};

void
RunOne(const Size& size)
{
    UseSequentialSimulator();
    const double start = CpuSeconds();
    Workload workload(size.number, size.bytes);
    const double built = CpuSeconds();
    Simulator::Run();
    const double ran = CpuSeconds();
    const uint64_t events = Simulator::GetEventCount();
    uint64_t frames = 0;
    uint64_t data = 0;
    uint64_t lost = 0;
    uint64_t pauses = 0;
    const FabricGraph& graph = workload.GetFabric().GetGraph();
    for (const GraphLink& link : graph.Links())
    {
        for (auto [node, port] :
             {std::pair(link.from, link.fromPort), std::pair(link.to, link.toPort)})
        {
            const PortCounters& counters = workload.GetFabric().GetPort(node, port).GetCounters();
            frames += counters.frames;
            data += counters.dataFrames;
            lost += counters.dropped;
            pauses += counters.pauses;
        }
    }
    Tick slowest = 0;
    for (const FlowResult& flow : workload.GetRunner().TakeResults())
    {
        slowest = std::max(slowest, flow.fct);
    }
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    std::printf(
        "W%d  %6.2f M data frame-hops/s  %5.3f events/frame-hop  %6.2f CPU s  set-up %5.3f s  "
        "%6.1f MB  %.3f M hops  %lu dropped  %lu pauses  slowest flow %.1f us\n",
        size.number,
        data / (ran - built) / 1e6,
        static_cast<double>(events) / frames,
        ran - built,
        built - start,
        usage.ru_maxrss / 1024.0,
        data / 1e6,
        lost,
        pauses,
        slowest / 1e6);
    std::fflush(stdout);
}

} // namespace

int
main(int argc, char** argv)
{
    const Size sizes[] = {{1, 1000000000}, {2, 100000000}, {3, 10000000}, {4, 1000000}};
    for (Size size : sizes)
    {
        size.bytes = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : size.bytes;
        const std::string name = "W" + std::to_string(size.number);
        if (argc > 1 && !std::strstr(name.c_str(), argv[1]))
        {
            continue;
        }
        // A process each, or the peak of memory would be the largest's.
        if (const pid_t child = fork())
        {
            int status;
            waitpid(child, &status, 0);
            if (status != 0)
            {
                return EXIT_FAILURE;
            }
            continue;
        }
        RunOne(size);
        std::exit(EXIT_SUCCESS);
    }
    return EXIT_SUCCESS;
}

// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_RUN_LINKS_H
#define AIFABRIC_RUN_LINKS_H

#include "ns3/fabric-time.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aifabric
{

class EgressPort;
class Fabric;
class FabricSwitch;
struct GpuCluster;
struct RunResult;

/**
 * @ingroup ai-fabric-run
 * The links of a run, one direction after the other: those between servers in the order of the
 * graph, there and back, then those of GPUs with the switch of their server.
 */
class RunLinks
{
  public:
    /// Rows that are kept of samples of one kind.
    static constexpr std::size_t kMostSamples = 10'000'000;

    /// Both outlive this.
    RunLinks(const Fabric& fabric, GpuCluster& cluster);

    /**
     * Notes what is in the queues, how links were paused since the last time, or both.
     * @param result gets the samples, and a warning where there are too many.
     */
    void Sample(Tick now, bool queues, bool pauses, RunResult& result);

    /**
     * Adds all links, what frames they carried to the engine's figures, and drops by their cause.
     * @param end of the run, as results have it.
     */
    void Report(Tick now, Tick end, RunResult& result) const;

  private:
    void CountDrops(RunResult& result) const;

    /// One direction of a link, and what the last sample saw of it.
    struct Direction
    {
        EgressPort* port;
        std::string name;
        std::string from;
        std::string to;
        std::string layer;
        const FabricSwitch* owner{nullptr}; ///< null where that is no switch between servers
        uint64_t pauses{0};
        Tick paused{0};
    };

    const Fabric& m_fabric;
    std::vector<Direction> m_directions;
    bool m_queuesFull{false};
    bool m_pausesFull{false};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_RUN_LINKS_H

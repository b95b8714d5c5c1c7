// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_RUN_RESULT_H
#define AIFABRIC_RUN_RESULT_H

#include "pause-report.h"

#include "ns3/fabric-time.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/**
 * @defgroup ai-fabric-telemetry Telemetry
 * @ingroup ai-fabric
 */

/// @ingroup ai-fabric-telemetry
/// What became of one flow: a row of flows.csv.
struct FlowResult
{
    std::string job; ///< whose it is; empty for background traffic
    std::string tag;
    std::string source; ///< name of the host
    std::string destination;
    uint16_t sourcePort{0};
    uint16_t destinationPort{0};
    uint8_t priority{0};
    uint64_t bytes{0};
    Tick start{0};    ///< when it was posted
    Tick fct{kNever}; ///< until its completion at the sender; kNever unless it is done
    Tick idealFct{0}; ///< alone in the network
    uint64_t retransmittedBytes{0};
    uint64_t markedFrames{0};
    uint64_t cnps{0};
    std::string status{"unfinished"}; ///< "done", "unfinished", "retry_exceeded", …
    uint64_t deliveredBytes{0};
    uint32_t reorderDepth{0}; ///< frames that its receiver kept out of order at once, at most
    uint32_t sourceNumber{0}; ///< of the host, from 0: for reports that number hosts
    uint32_t destinationNumber{0};
};

/// @ingroup ai-fabric-telemetry
/// What went over one direction of a link: a row of links.csv.
struct LinkResult
{
    std::string link; ///< name of the sending port
    std::string from;
    std::string to;
    std::string layer; ///< which kinds of nodes it leads from and to: "leaf_to_spine"
    double bandwidthBps{0};
    uint64_t frames{0};
    uint64_t bytes{0}; ///< of frames, without preamble and gap
    uint64_t payloadBytes{0};
    Tick busy{0}; ///< time for which it sent
    uint64_t droppedFrames{0};
    uint64_t markedFrames{0};
    Tick pauseTime{0};
    uint64_t maxQueueBytes{0};
    uint64_t trimmedFrames{0}; ///< that lost their payload on their way to it
    /// Flows that were under way over it at once, at most; unknown where flows have no one path.
    std::optional<uint32_t> mostFlows;
};

/// @ingroup ai-fabric-telemetry
/// What waited for one direction of a link at an instant: a row of queues.csv.
struct QueueSample
{
    Tick at;
    uint32_t link; ///< index in RunResult::links
    uint32_t bytes;
    uint8_t priority;
};

/// @ingroup ai-fabric-telemetry
/// How much of a flow's payload had arrived at an instant: a row of progress.csv.
struct FlowSample
{
    Tick at;
    uint32_t flow; ///< index in RunResult::flows
    uint64_t deliveredBytes;
};

/// @ingroup ai-fabric-telemetry
/// How one direction of a link was paused in the time up to an instant: a row of pfc.csv.
struct PauseSample
{
    Tick at;
    uint32_t link;   ///< index in RunResult::links
    uint32_t pauses; ///< pause frames that stopped a priority since the sample before
    Tick paused;     ///< since the sample before, summed over priorities
};

/// @ingroup ai-fabric-telemetry
/// What a run cost.
struct EngineResult
{
    uint64_t events{0};
    uint64_t frameHops{0};     ///< frames put on a wire
    uint64_t dataFrameHops{0}; ///< those with payload
    double wallS{0};           ///< inside Run
    double cpuS{0};            ///< of the process, inside Run
    double setupCpuS{0};       ///< of the process, before Run
    uint64_t peakRssBytes{0};
    double simulatedS{0};
};

/**
 * @ingroup ai-fabric-telemetry
 * All that a run found out, as plain data.
 */
struct RunResult
{
    std::string name;
    std::string variant;
    uint64_t seed{0};
    std::vector<FlowResult> flows;
    std::vector<uint64_t> sizeLimits; ///< between classes of flows, ascending; empty: powers of ten
    std::vector<LinkResult> links;
    std::map<std::string, uint64_t> drops; ///< frames dropped or lost, by cause: "buffer_full"
    std::vector<QueueSample> queueSamples; ///< of queues that held something, by time and link
    std::vector<PauseSample> pauseSamples; ///< of links that were paused, likewise
    std::vector<FlowSample> flowSamples;   ///< of flows under way, by time and flow
    PauseReport pauses;
    std::map<std::string, double> metrics; ///< by name, the unit as its suffix
    std::vector<std::string> warnings;
    EngineResult engine;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_RUN_RESULT_H

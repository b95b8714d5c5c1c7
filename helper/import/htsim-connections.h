// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_HTSIM_CONNECTIONS_H
#define AIFABRIC_HTSIM_CONNECTIONS_H

#include "line-reader.h"
#include "scenario-importer.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * A connection matrix (.cm) of htsim: `Nodes n`, `Connections m`, `Triggers t`, `Failures f`, then
 * lines `src->dst [id i] start PICOSECONDS | trigger k size BYTES [send_done_trigger j]
 * [recv_done_trigger j] [prio p]`, `trigger id k [count c] oneshot|multishot|barrier` and
 * `failure …`. Counts are exact; words that htsim does not know are errors there and here.
 */
struct HtsimConnections
{
    /// One flow.
    struct Connection
    {
        std::size_t line;
        uint32_t source;
        uint32_t destination;
        uint64_t bytes;
        double startPs;    ///< where no trigger starts it
        uint32_t id;       ///< 0: none
        uint32_t trigger;  ///< that starts it; 0: none
        uint32_t sendDone; ///< trigger that it pulls when all is acknowledged; 0: none
        uint32_t recvDone; ///< trigger that it pulls when all has arrived; 0: none
    };

    /// What starts flows when others end.
    struct Trigger
    {
        std::size_t line;
        std::string kind; ///< "oneshot", "multishot" or "barrier"
        uint32_t count;   ///< of a barrier
    };

    /**
     * @param file its name is not used.
     * @throws ScenarioError with a line.
     */
    static HtsimConnections Read(const ImportFile& file);

    /// @return the entry of `traffic` with all of them, as JSON.
    std::string WriteFlows() const;

    uint32_t nodeCount{0};
    std::vector<Connection> connections;
    std::map<uint32_t, Trigger> triggers; ///< by id
    std::vector<std::string> notices;
    std::vector<std::string> warnings;

  private:
    void ReadConnection(const std::vector<Word>& words);
    void ReadTrigger(const std::vector<Word>& words);
    void CheckTriggers() const;
    void Summarise();

    bool m_hasPriorities{false};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_HTSIM_CONNECTIONS_H

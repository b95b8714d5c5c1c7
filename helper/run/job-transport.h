// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_JOB_TRANSPORT_H
#define AIFABRIC_JOB_TRANSPORT_H

#include "ns3/completion-queue.h"
#include "ns3/flow-transport.h"
#include "ns3/path-model.h"
#include "ns3/plan-transport.h"
#include "ns3/run-result.h"
#include "ns3/scale-up-domain.h"
#include "ns3/scale-up-message.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3::aifabric
{

/// @ingroup ai-fabric-run
/// Where the GPUs of a cluster are: their domains and their NICs.
struct GpuCluster
{
    uint32_t gpusPerServer{0};
    std::vector<std::unique_ptr<ScaleUpDomain>> domains; ///< by server
    std::vector<NodeIdx> hosts;                          ///< by GPU: the host that it sends by
};

/**
 * @ingroup ai-fabric
 * Carries the messages of a job: within a server over its scale-up domain, between servers as SENDs
 * on queue pairs of the GPUs' own NICs. A message has arrived when the receiver has all of it.
 *
 * With several queue pairs per connection a message is spread evenly over them.
 */
class JobTransport final : public PlanTransport, public ScaleUpReceiver
{
  public:
    /**
     * @param fabric,cluster,transport outlive this.
     * @param name of the job, for its flows.
     * @param gpus number of the GPU of each rank.
     */
    JobTransport(Fabric& fabric,
                 GpuCluster& cluster,
                 FlowTransport& transport,
                 std::string name,
                 std::vector<uint32_t> gpus);
    ~JobTransport();

    void Send(PlanRunner& runner,
              uint32_t step,
              const PlanConnection& connection,
              uint64_t bytes) override;
    Tick ZeroByteLatency(const PlanConnection& connection) override;
    void OnScaleUpMessage(uint64_t id) override;

    /// @return the messages between servers, in the order in which they were sent.
    std::vector<FlowResult> TakeResults();

  private:
    /// A connection between servers.
    struct Channel
    {
        std::vector<QueuePairs> pairs;
        FlowCounters counted; ///< what they had counted when the latest message ended
    };

    /// A message between servers.
    struct Message
    {
        uint32_t step;
        uint32_t channel;
        uint32_t arriving; ///< parts that have not arrived
        uint32_t ending;   ///< parts that the sender does not know to have arrived
    };

    uint32_t GetChannel(NodeIdx source, NodeIdx destination);
    void OnSent(const WorkCompletion& completion);
    void OnReceived(const WorkCompletion& completion);

    Fabric& m_fabric;
    GpuCluster& m_cluster;
    PathModel m_paths;
    FlowTransport& m_transport;
    std::string m_name;
    std::vector<uint32_t> m_gpus;
    PlanRunner* m_runner{nullptr};
    CompletionQueue m_sent;
    CompletionQueue m_received;
    std::vector<Channel> m_channels;
    std::unordered_map<uint64_t, uint32_t> m_channelOf;
    std::vector<Message> m_messages;
    std::vector<FlowResult> m_results; ///< by message
};

} // namespace ns3::aifabric

#endif // AIFABRIC_JOB_TRANSPORT_H

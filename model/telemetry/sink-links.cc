// SPDX-License-Identifier: GPL-2.0-only
#include "csv-writer.h"
#include "link-statistics.h"
#include "result-sink.h"
#include "run-result.h"

namespace ns3::aifabric::sink
{

/**
 * @ingroup ai-fabric-telemetry
 * links.csv: a row per direction of a link, in the order of the result.
 */
class LinkUtilization final : public ResultSink
{
  public:
    static TypeId GetTypeId();

    std::string FileName() const override
    {
        return "links.csv";
    }

    bool IsStandard() const override
    {
        return true;
    }

  private:
    void DoWrite(const RunResult& result, WholeFile& file) const override;
};

NS_OBJECT_ENSURE_REGISTERED(LinkUtilization);

TypeId
LinkUtilization::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::sink::LinkUtilization")
                            .SetParent<ResultSink>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<LinkUtilization>();
    return tid;
}

void
LinkUtilization::DoWrite(const RunResult& result, WholeFile& file) const
{
    CsvWriter csv(file);
    csv.Header("link,from,to,bandwidth_gbps,frames,bytes,payload_bytes,utilization_ratio,"
               "dropped_frames,ecn_marked_frames,pause_time_ns,max_queue_bytes");
    for (const LinkResult& l : result.links)
    {
        csv.Text(l.link).Text(l.from).Text(l.to).Number(l.bandwidthBps / 1e9);
        csv.Number(l.frames).Number(l.bytes).Number(l.payloadBytes);
        csv.Fixed(Utilization(l, result.engine), 6);
        csv.Number(l.droppedFrames).Number(l.markedFrames).Nanoseconds(l.pauseTime);
        csv.Number(l.maxQueueBytes).EndRow();
    }
}

} // namespace ns3::aifabric::sink

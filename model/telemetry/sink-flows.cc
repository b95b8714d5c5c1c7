// SPDX-License-Identifier: GPL-2.0-only
#include "csv-writer.h"
#include "flow-statistics.h"
#include "result-sink.h"
#include "run-result.h"

namespace ns3::aifabric::sink
{

/**
 * @ingroup ai-fabric-telemetry
 * flows.csv: a row per flow, in the order of the result.
 */
class FlowCompletionTime final : public ResultSink
{
  public:
    static TypeId GetTypeId();

    std::string FileName() const override
    {
        return "flows.csv";
    }

    bool IsStandard() const override
    {
        return true;
    }

  private:
    void DoWrite(const RunResult& result, WholeFile& file) const override;
};

NS_OBJECT_ENSURE_REGISTERED(FlowCompletionTime);

TypeId
FlowCompletionTime::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::sink::FlowCompletionTime")
                            .SetParent<ResultSink>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<FlowCompletionTime>();
    return tid;
}

void
FlowCompletionTime::DoWrite(const RunResult& result, WholeFile& file) const
{
    CsvWriter csv(file);
    csv.Header("flow,job,tag,src,dst,src_port,dst_port,priority,size_bytes,start_ns,fct_ns,"
               "ideal_fct_ns,slowdown,retransmitted_bytes,ecn_marked_frames,cnps,status,"
               "delivered_bytes");
    uint64_t number = 0;
    for (const FlowResult& f : result.flows)
    {
        csv.Number(number++).Text(f.job).Text(f.tag).Text(f.source).Text(f.destination);
        csv.Number(uint64_t{f.sourcePort}).Number(uint64_t{f.destinationPort});
        csv.Number(uint64_t{f.priority}).Number(f.bytes).Nanoseconds(f.start);
        csv.Nanoseconds(f.fct).Nanoseconds(f.idealFct).Fixed(Slowdown(f), 6);
        csv.Number(f.retransmittedBytes).Number(f.markedFrames).Number(f.cnps);
        csv.Text(f.status).Number(f.deliveredBytes).EndRow();
    }
}

} // namespace ns3::aifabric::sink

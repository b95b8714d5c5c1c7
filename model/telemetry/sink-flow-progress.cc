// SPDX-License-Identifier: GPL-2.0-only
#include "csv-writer.h"
#include "result-sink.h"
#include "run-result.h"

namespace ns3::aifabric::sink
{

/**
 * @ingroup ai-fabric-telemetry
 * progress.csv: a row per sample and flow of traffic that was under way.
 */
class FlowProgress final : public ResultSink
{
  public:
    static TypeId GetTypeId();

    std::string FileName() const override
    {
        return "progress.csv";
    }

  private:
    void DoWrite(const RunResult& result, WholeFile& file) const override;
};

NS_OBJECT_ENSURE_REGISTERED(FlowProgress);

TypeId
FlowProgress::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::sink::FlowProgress")
                            .SetParent<ResultSink>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<FlowProgress>();
    return tid;
}

void
FlowProgress::DoWrite(const RunResult& result, WholeFile& file) const
{
    CsvWriter csv(file);
    csv.Header("time_ns,flow,delivered_bytes");
    for (const FlowSample& s : result.flowSamples)
    {
        csv.Nanoseconds(s.at).Number(uint64_t{s.flow}).Number(s.deliveredBytes).EndRow();
    }
}

} // namespace ns3::aifabric::sink

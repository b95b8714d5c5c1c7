// SPDX-License-Identifier: GPL-2.0-only
#include "csv-writer.h"
#include "result-sink.h"
#include "run-result.h"

namespace ns3::aifabric::sink
{

/**
 * @ingroup ai-fabric-telemetry
 * queues.csv: a row per sample, direction of a link and priority whose queue held something.
 */
class QueueDepth final : public ResultSink
{
  public:
    static TypeId GetTypeId();

    std::string FileName() const override
    {
        return "queues.csv";
    }

  private:
    void DoWrite(const RunResult& result, WholeFile& file) const override;
};

NS_OBJECT_ENSURE_REGISTERED(QueueDepth);

TypeId
QueueDepth::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::sink::QueueDepth")
                            .SetParent<ResultSink>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<QueueDepth>();
    return tid;
}

void
QueueDepth::DoWrite(const RunResult& result, WholeFile& file) const
{
    CsvWriter csv(file);
    csv.Header("time_ns,link,priority,queued_bytes");
    for (const QueueSample& s : result.queueSamples)
    {
        csv.Nanoseconds(s.at).Text(result.links[s.link].link);
        csv.Number(uint64_t{s.priority}).Number(uint64_t{s.bytes}).EndRow();
    }
}

} // namespace ns3::aifabric::sink

// SPDX-License-Identifier: GPL-2.0-only
#include "csv-writer.h"
#include "result-sink.h"
#include "run-result.h"

namespace ns3::aifabric::sink
{

/**
 * @ingroup ai-fabric-telemetry
 * pfc.csv: a row per sample and direction of a link that was paused since the sample before.
 */
class PfcPause final : public ResultSink
{
  public:
    static TypeId GetTypeId();

    std::string FileName() const override
    {
        return "pfc.csv";
    }

  private:
    void DoWrite(const RunResult& result, WholeFile& file) const override;
};

NS_OBJECT_ENSURE_REGISTERED(PfcPause);

TypeId
PfcPause::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::sink::PfcPause")
                            .SetParent<ResultSink>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<PfcPause>();
    return tid;
}

void
PfcPause::DoWrite(const RunResult& result, WholeFile& file) const
{
    CsvWriter csv(file);
    csv.Header("time_ns,link,pauses,pause_time_ns");
    for (const PauseSample& s : result.pauseSamples)
    {
        csv.Nanoseconds(s.at).Text(result.links[s.link].link);
        csv.Number(uint64_t{s.pauses}).Nanoseconds(s.paused).EndRow();
    }
}

} // namespace ns3::aifabric::sink

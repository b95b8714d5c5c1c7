// SPDX-License-Identifier: GPL-2.0-only
#include "csv-writer.h"
#include "result-sink.h"
#include "run-result.h"
#include "whole-file.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace ns3::aifabric::sink
{

/**
 * @ingroup ai-fabric-telemetry
 * fct.txt as HPCC's simulator writes it, for plot scripts that read that: addresses in hexadecimal,
 * ports, size, start, FCT and FCT alone in whole nanoseconds; a line per flow that is done, as they
 * got done.
 */
class FctText final : public ResultSink
{
  public:
    static TypeId GetTypeId();

    std::string FileName() const override
    {
        return "fct.txt";
    }

  private:
    void DoWrite(const RunResult& result, WholeFile& file) const override;
};

NS_OBJECT_ENSURE_REGISTERED(FctText);

namespace
{

/// The address that HPCC's simulator gives to a host: 11.H.L.1 where its number is 256 H + L.
std::string
Address(uint32_t host)
{
    char text[9];
    std::snprintf(text, sizeof text, "%08x", 0x0b000001U + (host << 8));
    return text;
}

uint64_t
WholeNanoseconds(Tick t)
{
    return (t + kNanosecond / 2) / kNanosecond;
}

} // namespace

TypeId
FctText::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::sink::FctText")
                            .SetParent<ResultSink>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<FctText>();
    return tid;
}

void
FctText::DoWrite(const RunResult& result, WholeFile& file) const
{
    std::vector<const FlowResult*> done;
    for (const FlowResult& f : result.flows)
    {
        if (f.fct != kNever)
        {
            done.push_back(&f);
        }
    }
    std::stable_sort(done.begin(), done.end(), [](auto* a, auto* b) {
        return a->start + a->fct < b->start + b->fct;
    });
    CsvWriter line(file, ' ');
    for (const FlowResult* f : done)
    {
        line.Text(Address(f->sourceNumber)).Text(Address(f->destinationNumber));
        line.Number(uint64_t{f->sourcePort}).Number(uint64_t{f->destinationPort});
        line.Number(f->bytes).Number(WholeNanoseconds(f->start));
        line.Number(WholeNanoseconds(f->fct)).Number(WholeNanoseconds(f->idealFct)).EndRow();
    }
}

} // namespace ns3::aifabric::sink

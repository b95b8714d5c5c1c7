// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_RESULT_SINK_H
#define AIFABRIC_RESULT_SINK_H

#include "ns3/object.h"

#include <string>
#include <vector>

namespace ns3::aifabric
{

struct RunResult;
class WholeFile;

/**
 * @ingroup ai-fabric-telemetry
 * Family of what makes a file of a RunResult.
 *
 * A sink is one file sink-*.cc. Its TypeId is called ns3::aifabric::sink::X, and its id (snake_case
 * of X) is the name by which `outputs.reports` asks for it: "flow_completion_time" is flows.csv.
 */
class ResultSink : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return the name of its file, "flows.csv".
    virtual std::string FileName() const = 0;

    /// @return whether it is written whenever there are files at all, asked for or not.
    virtual bool IsStandard() const
    {
        return false;
    }

    /**
     * Writes the file, whole or not at all.
     * @param folder exists (MakeOutputFolder).
     * @throws ScenarioError in that file.
     */
    void Write(const RunResult& result, const std::string& folder) const;

  private:
    /// Adds the content; file is committed afterwards.
    virtual void DoWrite(const RunResult& result, WholeFile& file) const = 0;
};

/**
 * @ingroup ai-fabric-telemetry
 * Writes the file of each sink that is standard or asked for.
 * @param reports ids of sinks; other names are passed over, since some reports are no files.
 * @return the names of the files, sorted.
 * @throws ScenarioError as ResultSink::Write.
 */
std::vector<std::string> WriteReports(const RunResult& result,
                                      const std::string& folder,
                                      const std::vector<std::string>& reports = {});

} // namespace ns3::aifabric

#endif // AIFABRIC_RESULT_SINK_H

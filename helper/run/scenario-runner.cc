// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-runner.h"

#include "joint-table.h"
#include "run-captures.h"
#include "run-progress.h"
#include "run-report.h"
#include "scenario-run.h"
#include "summary-writer.h"

#include "ns3/flow-statistics.h"
#include "ns3/link-statistics.h"
#include "ns3/output-settings.h"
#include "ns3/result-sink.h"
#include "ns3/scenario-error.h"
#include "ns3/simulation-settings.h"
#include "ns3/whole-file.h"

#include <cmath>
#include <iostream>

namespace ns3::aifabric
{

namespace
{

/// @return folder of a run's results below that of the scenario's.
std::string
SubFolder(const ScenarioFile& file, const ScenarioConfig& config)
{
    bool seeds = false;
    for (const ScenarioConfig& other : file.runs)
    {
        seeds |= other.variant == config.variant && other.randomSeed != config.randomSeed;
    }
    const std::string seed = "seed-" + std::to_string(config.randomSeed);
    return config.variant.empty() ? seed : seeds ? config.variant + "/" + seed : config.variant;
}

std::vector<CheckOutcome>
Evaluate(const ScenarioFile& file, const JointTable& table)
{
    const auto metrics = table.Metrics();
    std::vector<CheckOutcome> outcomes;
    for (const ScenarioCheck& check : file.checks)
    {
        CheckOutcome outcome;
        outcome.check = check.GetText();
        auto metric = metrics.find(check.GetMetric());
        auto base = metrics.find(check.GetRatioTo());
        if (metric != metrics.end() && (check.GetRatioTo().empty() || base != metrics.end()))
        {
            const double unit = check.GetRatioTo().empty() ? 1 : base->second.mean;
            outcome.obtained = metric->second.mean / unit;
            outcome.halfWidth = metric->second.halfWidth / std::abs(unit);
        }
        outcome.holds = check.Holds(outcome.obtained);
        outcomes.push_back(outcome);
    }
    return outcomes;
}

/// One run, up to its files.
class OneRun
{
  public:
    /// @param folder for its results; none where empty.
    OneRun(const ScenarioConfig& config, const std::string& folder, RunProgress& progress)
        : m_run(config),
          m_captures(m_run.GetFabric(), *config.outputs, folder)
    {
        std::string label = config.variant;
        label += label.empty() ? "" : ", ";
        progress.Begin(label + "seed " + std::to_string(config.randomSeed));
        m_run.Run([&](const RunStatus& status) {
            progress.Update(status.simulatedS, status.done, status.events);
        });
        progress.End();
        result = m_run.TakeResult();
        AddFlowMetrics(result);
        AddLinkMetrics(result);
    }

    const std::string& GetFailure() const
    {
        return m_run.GetFailure();
    }

    void CloseCaptures()
    {
        m_captures.Close();
    }

    RunResult result;

  private:
    ScenarioRun m_run;
    RunCaptures m_captures;
};

} // namespace

ExitStatus
RunScenario(const ScenarioFile& file, const RunOptions& options)
{
    const OutputSettings& outputs = *file.runs.front().outputs;
    const std::string folder = options.output.empty() ? outputs.directory : options.output;
    if (!folder.empty())
    {
        MakeOutputFolder(folder);
    }
    RunProgress progress(RunProgress::StyleFor(options.quiet), std::cerr);
    JointTable table(file.name);
    ExitStatus status = ExitStatus::Ok;
    // What cannot be written once a run is over does not take its table along.
    auto write = [&status](auto&& files) {
        try
        {
            files();
        }
        catch (const ScenarioError& error)
        {
            std::cerr << error.what() << "\n";
            status = ExitStatus::RunFailed;
        }
    };
    for (const ScenarioConfig& config : file.runs)
    {
        const std::string sub = file.joint ? SubFolder(file, config) : "";
        const std::string own = folder.empty() || sub.empty() ? folder : folder + "/" + sub;
        OneRun run(config, own, progress);
        table.Add(run.result, folder.empty() ? "" : sub);
        if (!run.GetFailure().empty())
        {
            std::cerr << file.name << (sub.empty() ? "" : "/") << sub << ": " << run.GetFailure()
                      << "\n";
            status = ExitStatus::RunFailed;
        }
        // A check of several runs waits for the last of them.
        const auto checks = file.joint ? std::vector<CheckOutcome>() : Evaluate(file, table);
        if (!folder.empty())
        {
            write([&] {
                MakeOutputFolder(own);
                WriteReports(run.result, own, config.outputs->GetReports());
                WriteSummary(run.result, config.resolved.ToText(), checks, own);
                run.CloseCaptures();
            });
        }
        if (!options.quiet && (!file.joint || folder.empty()))
        {
            std::cout << ReportText(run.result, checks) << std::flush;
        }
    }
    const auto checks = Evaluate(file, table);
    if (file.joint)
    {
        if (!folder.empty())
        {
            write([&] { table.Write(checks, folder); });
        }
        if (!options.quiet)
        {
            std::cout << ReportText(table, checks) << std::flush;
        }
    }
    for (const CheckOutcome& check : checks)
    {
        if (!check.holds)
        {
            std::cerr << file.name << ": check fell short: " << check.check << ", obtained "
                      << check.obtained << "\n";
            status = status == ExitStatus::Ok ? ExitStatus::CheckFailed : status;
        }
    }
    return status;
}

} // namespace ns3::aifabric

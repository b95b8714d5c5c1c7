// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_RUN_REPORT_H
#define AIFABRIC_RUN_REPORT_H

#include "check-outcome.h"

#include <string>
#include <vector>

namespace ns3::aifabric
{

class JointTable;
struct RunResult;

/**
 * @ingroup ai-fabric-run
 * @return the table at the end of a run, for people: each job (iteration, computation, communication,
 * bytes and bandwidth per parallelism), flows by size, drops and pauses, the most used links, checks,
 * warnings, what the run cost. Parts about which the run has nothing to say are left out.
 */
std::string ReportText(const RunResult& result, const std::vector<CheckOutcome>& checks);

/**
 * @ingroup ai-fabric-run
 * @return the table at the end of several runs: a row per variant with what matters most, means over
 * its seeds with their 95 % intervals, and the checks.
 */
std::string ReportText(const JointTable& table, const std::vector<CheckOutcome>& checks);

} // namespace ns3::aifabric

#endif // AIFABRIC_RUN_REPORT_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_REPORT_SECTIONS_H
#define AIFABRIC_REPORT_SECTIONS_H

#include "check-outcome.h"

#include "ns3/run-result.h"

#include <map>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/// @name Parts of ReportText(), each with its title, empty where it has nothing to say.
/// @{
std::string JobsReport(const std::map<std::string, double>& metrics);
std::string FlowsReport(const RunResult& result);
std::string LinksReport(const RunResult& result);
std::string PausesReport(const RunResult& result);
std::string ChecksReport(const std::vector<CheckOutcome>& checks);
std::string EngineReport(const EngineResult& engine);
/// @}

} // namespace ns3::aifabric

#endif // AIFABRIC_REPORT_SECTIONS_H

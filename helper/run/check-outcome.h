// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_CHECK_OUTCOME_H
#define AIFABRIC_CHECK_OUTCOME_H

#include <limits>
#include <string>

namespace ns3::aifabric
{

/**
 * @defgroup ai-fabric-run Running scenarios
 * @ingroup ai-fabric
 */

/// @ingroup ai-fabric-run
/// A check of a scenario, and how it came out.
struct CheckOutcome
{
    std::string check; ///< JSON text of the check, as in the scenario
    double obtained{std::numeric_limits<double>::quiet_NaN()}; ///< NaN: there is no such metric
    double halfWidth{0}; ///< of the 95 % interval where obtained is a mean over seeds, else 0
    bool holds{false};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_CHECK_OUTCOME_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_RUN_ORIGIN_H
#define AIFABRIC_RUN_ORIGIN_H

#include "json-value.h"

#include "ns3/scenario-error.h"

#include <string>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-scenario
 * From what a run was read: which place of the file a user has to look at.
 */
struct RunOrigin
{
    JsonValue json; ///< the scenario of this run, as its variant and its seed change it
    std::vector<JsonValue> sets; ///< what its variant changes, by KEY.PATH, one after the other
    std::string variant;         ///< name; empty if it has none
    std::string seedPath;        ///< of its seed, "seeds[1]"; empty where that is `random_seed`

    /**
     * Models name what they dislike by the attribute ("cnp_interval"), below the object that uses it
     * ("jobs[0].transport").
     * @return the same error at the key that stands in the file: with its unit ("cnp_interval_us"),
     *         below the object that holds it ("transport"), and in the variant that sets it
     *         ("variants[1].set.transport.retry_count"); else the message names the variant.
     */
    ScenarioError Locate(const ScenarioError& error) const;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_RUN_ORIGIN_H

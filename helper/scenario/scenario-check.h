// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SCENARIO_CHECK_H
#define AIFABRIC_SCENARIO_CHECK_H

#include "json-value.h"

#include <optional>
#include <string>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-scenario
 * What a scenario expects of its results: an entry of `checks`.
 *
 * A metric, or its ratio to another one, is held against an expected value with a tolerance, or
 * against bounds.
 */
class ScenarioCheck
{
  public:
    /// @throws ScenarioError for keys that are unknown, missing, or contradict each other.
    explicit ScenarioCheck(const JsonValue& json);

    /// @return JSON text of the entry.
    const std::string& GetText() const
    {
        return m_text;
    }

    /// @return name of the metric: "VARIANT/metric" where there are variants.
    const std::string& GetMetric() const
    {
        return m_metric;
    }

    /// @return name of the metric that it is divided by; empty for none.
    const std::string& GetRatioTo() const
    {
        return m_ratioTo;
    }

    /// @return whether that value fulfils the check; NaN never does.
    bool Holds(double obtained) const;

  private:
    std::string m_text;
    std::string m_metric;
    std::string m_ratioTo;
    std::optional<double> m_minimum;
    std::optional<double> m_maximum;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_SCENARIO_CHECK_H

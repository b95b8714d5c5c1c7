// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-check.h"

#include <cmath>

namespace ns3::aifabric
{

ScenarioCheck::ScenarioCheck(const JsonValue& json)
    : m_text(json.ToText()),
      m_metric(json.ExpectObject()["metric"].AsString())
{
    json.ExpectKeys({"metric",
                     "ratio_to",
                     "expected",
                     "relative_tolerance",
                     "absolute_tolerance",
                     "minimum",
                     "maximum",
                     "description"});
    if (json.Has("description"))
    {
        json["description"].AsString();
    }
    if (json.Has("ratio_to"))
    {
        m_ratioTo = json["ratio_to"].AsString();
    }
    const bool relative = json.Has("relative_tolerance");
    const bool absolute = json.Has("absolute_tolerance");
    if (json.Has("expected"))
    {
        if (relative == absolute)
        {
            json.Fail(
                "expected one of relative_tolerance and absolute_tolerance beside 'expected'");
        }
        const JsonValue tolerance = json[relative ? "relative_tolerance" : "absolute_tolerance"];
        if (tolerance.AsNumber() < 0)
        {
            tolerance.Fail("found " + tolerance.Describe() + ", expected 0 or more");
        }
        const double expected = json["expected"].AsNumber();
        const double slack = tolerance.AsNumber() * (relative ? std::abs(expected) : 1);
        m_minimum = expected - slack;
        m_maximum = expected + slack;
    }
    else if (relative || absolute)
    {
        json.Fail("found a tolerance without 'expected'");
    }
    for (auto [key, bound] : {std::pair("minimum", &m_minimum), std::pair("maximum", &m_maximum)})
    {
        if (json.Has(key))
        {
            if (*bound)
            {
                json[key].Fail("found both 'expected' and a bound, expected one of them");
            }
            *bound = json[key].AsNumber();
        }
    }
    if (!m_minimum && !m_maximum)
    {
        json.Fail("expected 'expected', 'minimum' or 'maximum'");
    }
}

bool
ScenarioCheck::Holds(double obtained) const
{
    return !std::isnan(obtained) && (!m_minimum || obtained >= *m_minimum) &&
           (!m_maximum || obtained <= *m_maximum);
}

} // namespace ns3::aifabric

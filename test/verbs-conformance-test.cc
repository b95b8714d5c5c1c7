// SPDX-License-Identifier: GPL-2.0-only
#include "verbs-case.h"

#include <cstdlib>
#include <string>

using namespace ns3;
using namespace ns3::aifabric;
using test::Totals;
using test::VerbsCase;

namespace
{

/// Cases in groups, each by its seed. A case that fails names its seed:
/// AIFABRIC_VERBS_SEED=N ai-fabric-gtest --gtest_filter='VerbsConformanceCase.*'
/// AIFABRIC_VERBS_CASES=N makes each group that long.
class VerbsConformance : public ::testing::TestWithParam<uint64_t>
{
  protected:
    VerbsConformance()
    {
        UsePicoseconds();
    }
};

uint64_t
FromEnvironment(const char* name, uint64_t otherwise)
{
    const char* value = std::getenv(name);
    return value ? std::strtoull(value, nullptr, 10) : otherwise;
}

/// Says what was done.
void
Record(const std::string& name, uint64_t value)
{
    ::testing::Test::RecordProperty(name, std::to_string(value));
}

TEST_P(VerbsConformance, EveryRequestDoesWhatItSays)
{
    Totals totals;
    const uint64_t cases = FromEnvironment("AIFABRIC_VERBS_CASES", 150);
    const uint64_t first = GetParam() * cases;
    for (uint64_t seed = first; seed < first + cases && !HasFailure(); ++seed)
    {
        VerbsCase(seed, totals).Run();
    }
    if (!HasFailure())
    {
        Record("cases", totals.cases);
        Record("requests", totals.requests);
        Record("completions", totals.completions);
        Record("failures", totals.failures);
        Record("drains", totals.drains);
        Record("overflows", totals.overflows);
        Record("limits", totals.limits);
        Record("refusals", totals.refusals);
        EXPECT_GT(totals.requests, cases * 40);
        for (uint64_t each :
             {totals.failures, totals.drains, totals.overflows, totals.limits, totals.refusals})
        {
            EXPECT_GT(each, 0U);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, VerbsConformance, ::testing::Range<uint64_t>(0, 20));

TEST(VerbsConformanceCase, OneCase)
{
    Totals totals;
    VerbsCase(FromEnvironment("AIFABRIC_VERBS_SEED", 0), totals).Run();
    EXPECT_GT(totals.requests, 0U);
}

} // namespace

// SPDX-License-Identifier: GPL-2.0-only
#include "unreliable-case.h"

#include <cstdlib>
#include <string>

using namespace ns3;
using namespace ns3::aifabric;
using test::UnreliableCase;
using test::UnreliableTotals;

namespace
{

/// Cases in groups, each by its seed. A case that fails names its seed:
/// AIFABRIC_VERBS_SEED=N ai-fabric-gtest --gtest_filter='UnreliableConformanceCase.*'
/// AIFABRIC_VERBS_CASES=N makes each group that long.
class UnreliableConformance : public ::testing::TestWithParam<uint64_t>
{
  protected:
    UnreliableConformance()
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

TEST_P(UnreliableConformance, WholeMessagesOrNoneInOrder)
{
    UnreliableTotals totals;
    const uint64_t cases = FromEnvironment("AIFABRIC_VERBS_CASES", 150);
    const uint64_t first = GetParam() * cases;
    for (uint64_t seed = first; seed < first + cases && !HasFailure(); ++seed)
    {
        UnreliableCase(seed, totals).Run();
    }
    if (!HasFailure())
    {
        const std::pair<const char*, uint64_t> done[] = {{"cases", totals.cases},
                                                         {"requests", totals.requests},
                                                         {"receives", totals.receives},
                                                         {"lost", totals.lost},
                                                         {"failures", totals.failures},
                                                         {"deaths", totals.deaths},
                                                         {"drains", totals.drains}};
        for (const auto& [name, count] : done)
        {
            RecordProperty(name, std::to_string(count));
            EXPECT_GT(count, 0U) << name;
        }
        EXPECT_GT(totals.requests, cases * 40);
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, UnreliableConformance, ::testing::Range<uint64_t>(0, 10));

TEST(UnreliableConformanceCase, OneCase)
{
    UnreliableTotals totals;
    UnreliableCase(FromEnvironment("AIFABRIC_VERBS_SEED", 0), totals).Run();
    EXPECT_GT(totals.requests, 0U);
}

} // namespace

// SPDX-License-Identifier: GPL-2.0-only
#include "verbs-case.h"

#include <cstdlib>

using namespace ns3;
using namespace ns3::aifabric;
using test::Totals;
using test::VerbsCase;

namespace
{

/// Cases in groups, each by its seed. A case that fails names its seed:
/// AIFABRIC_VERBS_SEED=N ai-fabric-gtest --gtest_filter='VerbsConformanceCase.*'
class VerbsConformance : public ::testing::TestWithParam<uint64_t>
{
  protected:
    VerbsConformance()
    {
        UsePicoseconds();
    }
};

constexpr uint64_t kCasesOfGroup = 150;

TEST_P(VerbsConformance, EveryRequestDoesWhatItSays)
{
    Totals totals;
    const uint64_t first = GetParam() * kCasesOfGroup;
    for (uint64_t seed = first; seed < first + kCasesOfGroup && !HasFailure(); ++seed)
    {
        VerbsCase(seed, totals).Run();
    }
    if (!HasFailure())
    {
        RecordProperty("requests", std::to_string(totals.requests));
        EXPECT_GT(totals.requests, kCasesOfGroup * 40);
        EXPECT_GT(totals.failures, 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, VerbsConformance, ::testing::Range<uint64_t>(0, 20));

TEST(VerbsConformanceCase, OneCase)
{
    const char* seed = std::getenv("AIFABRIC_VERBS_SEED");
    Totals totals;
    VerbsCase(seed ? std::strtoull(seed, nullptr, 10) : 0, totals).Run();
    EXPECT_GT(totals.requests, 0U);
}

} // namespace

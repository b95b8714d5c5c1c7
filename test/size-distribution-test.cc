// SPDX-License-Identifier: GPL-2.0-only
#include "error-of.h"

#include "ns3/input-file.h"
#include "ns3/random-stream.h"
#include "ns3/size-distribution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>

using namespace ns3::aifabric;

namespace
{

SizeDistribution
Read(const std::string& text)
{
    std::istringstream in(text);
    return SizeDistribution::Read(in);
}

std::string
Refusal(const std::string& text)
{
    return ErrorOf([&] { Read(text); });
}

/// Largest distance between the distribution and that of n samples (Kolmogorov and Smirnov).
double
KolmogorovDistance(const SizeDistribution& sizes, std::size_t n)
{
    RandomStream random(7);
    std::vector<uint64_t> samples(n);
    for (auto& sample : samples)
    {
        sample = sizes.Quantile(random.Uniform());
    }
    std::sort(samples.begin(), samples.end());
    double distance = 0;
    for (std::size_t i = 0; i < n; ++i)
    {
        // Sizes are whole bytes: the share below a sample includes its half byte.
        double below = sizes.Cumulative(samples[i] - 0.5);
        double upTo = sizes.Cumulative(samples[i] + 0.5);
        distance = std::max({distance, below - double(i + 1) / n, double(i) / n - upTo});
    }
    return distance;
}

} // namespace

// By hand from the published points, linear between them: the sum of probability times midpoint.
TEST(SizeDistribution, MeansOfPublishedWorkloads)
{
    EXPECT_NEAR(SizeDistribution::Load("web_search", "").Mean(), 1711250, 1);
    EXPECT_NEAR(SizeDistribution::Load("fb_hadoop", "").Mean(), 120400, 100);
    EXPECT_NEAR(SizeDistribution::Load("ali_storage_2019", "").Mean(), 40900, 50);
}

TEST(SizeDistribution, MediansOfPublishedWorkloads)
{
    EXPECT_EQ(SizeDistribution::Load("fb_hadoop", "").Quantile(0.5), 700U);
    // 50 KB at 40 %, 80 KB at 53 %: 50 + 30 * 10 / 13.
    EXPECT_EQ(SizeDistribution::Load("web_search", "").Quantile(0.5), 73077U);
}

TEST(SizeDistribution, PercentAndFractionsAreTheSame)
{
    SizeDistribution percent = Read("0 0\r\n100 25 # comment\r\n\r\n# all\n300 100");
    SizeDistribution fraction = Read("0 0\n100 0.25\n300 1\n");
    for (double u : {0.01, 0.25, 0.3, 0.99})
    {
        EXPECT_EQ(percent.Quantile(u), fraction.Quantile(u));
    }
    EXPECT_DOUBLE_EQ(percent.Mean(), 0.25 * 50 + 0.75 * 200);
    EXPECT_DOUBLE_EQ(fraction.Mean(), percent.Mean());
    EXPECT_EQ(percent.Quantile(0.25), 100U);
    EXPECT_EQ(percent.Quantile(0.625), 200U);
    EXPECT_EQ(percent.Quantile(1e-9), 1U);
}

TEST(SizeDistribution, AtomsHaveTheirSize)
{
    SizeDistribution sizes = Read("64 0.5\n64 0.6\n1064 0.6\n1064 1\n");
    EXPECT_EQ(sizes.Quantile(0.3), 64U);
    EXPECT_EQ(sizes.Quantile(0.6), 64U);
    EXPECT_EQ(sizes.Quantile(0.61), 1064U);
    EXPECT_DOUBLE_EQ(sizes.Mean(), 0.6 * 64 + 0.4 * 1064);
}

TEST(SizeDistribution, ConstantsAreExact)
{
    constexpr uint64_t kHuge = std::numeric_limits<uint64_t>::max();
    EXPECT_EQ(SizeDistribution::Constant(kHuge).Quantile(0.7), kHuge);
    EXPECT_EQ(SizeDistribution::Constant(0).Quantile(0.7), 0U);
    EXPECT_DOUBLE_EQ(SizeDistribution::Constant(4096).Mean(), 4096);
}

// The critical value at 1 % of n samples is 1.628 / sqrt(n).
TEST(SizeDistribution, SamplesFollowIt)
{
    constexpr std::size_t kSamples = 100000;
    for (const char* name : {"web_search", "fb_hadoop", "ali_storage_2019"})
    {
        EXPECT_LT(KolmogorovDistance(SizeDistribution::Load(name, ""), kSamples),
                  1.628 / std::sqrt(kSamples))
            << name;
    }
}

TEST(SizeDistribution, RefusesWhatIsNone)
{
    EXPECT_EQ(Refusal(""), "found no points, expected lines 'bytes cumulative'");
    EXPECT_EQ(Refusal("0 0\n10 90\n"), "the last cumulative share is 90, expected 100 or 1");
    EXPECT_EQ(Refusal("0 0\n10 50\n9 100\n"), "line 3: sizes and cumulative shares must not fall");
    EXPECT_EQ(Refusal("0 0\n10 50\n20 40\n30 100\n").substr(0, 7), "line 3:");
    for (const char* line : {"10",
                             "10 x",
                             "x 1",
                             "-1 1",
                             "1 -1",
                             "1 101",
                             "1 nan",
                             "nan 1",
                             "inf 1",
                             "1e19 1",
                             "1 1 1"})
    {
        EXPECT_EQ(Refusal(std::string("0 0\n") + line).substr(0, 13), "line 2: found") << line;
    }
}

TEST(SizeDistribution, UnknownNamesGetASuggestion)
{
    EXPECT_EQ(ErrorOf([] { SizeDistribution::Load("websearch", ""); }),
              "found no file 'websearch', did you mean 'web_search'?");
    EXPECT_EQ(TraceNames(),
              (std::vector<std::string>{"ali_storage_2019", "fb_hadoop", "web_search"}));
}

// The files published with HPCC's simulator lie outside this repository.
TEST(SizeDistribution, AgreesWithThePublishedFiles)
{
    const char* folder = std::getenv("AIFABRIC_FOREIGN_INPUTS");
    if (!folder)
    {
        GTEST_SKIP() << "AIFABRIC_FOREIGN_INPUTS is not set";
    }
    const std::string published = std::string(folder) + "/hpcc";
    const std::pair<const char*, const char*> files[] = {
        {"WebSearch_distribution.txt", "web_search"},
        {"FbHdp_distribution.txt", "fb_hadoop"},
        {"AliStorage2019.txt", "ali_storage_2019"}};
    for (const auto& [file, name] : files)
    {
        SizeDistribution theirs = SizeDistribution::Load(file, published);
        SizeDistribution ours = SizeDistribution::Load(name, "");
        for (double u = 0.0005; u < 1; u += 0.001)
        {
            ASSERT_EQ(theirs.Quantile(u), ours.Quantile(u)) << name << " at " << u;
        }
    }
    EXPECT_EQ(SizeDistribution::Load("GoogleRPC2008.txt", published).Quantile(0.06), 3U);
}

// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SAMPLE_STATISTICS_H
#define AIFABRIC_SAMPLE_STATISTICS_H

#include <cstddef>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-telemetry
 * @param sorted values in ascending order, at least one.
 * @param q between 0 and 1.
 * @return the quantile, linear between the two values around it: what NumPy and pandas give by
 *         default (type 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages", 1996).
 */
double Quantile(const std::vector<double>& sorted, double q);

/// @ingroup ai-fabric-telemetry
/// What a sample looks like; all 0 where it is empty.
struct SampleSummary
{
    std::size_t count{0};
    double min{0};
    double mean{0};
    double deviation{0}; ///< standard, by n - 1; 0 of a single value
    double p50{0};
    double p90{0};
    double p95{0};
    double p99{0};
    double p999{0};
    double max{0};
};

/// @ingroup ai-fabric-telemetry
/// @param values in any order, without NaN.
SampleSummary Summarize(std::vector<double> values);

/// @ingroup ai-fabric-telemetry
/// Mean of independent repetitions.
struct MeanInterval
{
    std::size_t count{0};
    double mean{0};
    double halfWidth{0}; ///< of its 95 % interval after Student; 0 of a single value
};

/// @ingroup ai-fabric-telemetry
/// @param values at least one, of runs that differ in their seed.
MeanInterval MeanOf(const std::vector<double>& values);

} // namespace ns3::aifabric

#endif // AIFABRIC_SAMPLE_STATISTICS_H

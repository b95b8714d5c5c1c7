// SPDX-License-Identifier: GPL-2.0-only
#include "sample-statistics.h"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3::aifabric
{

double
Quantile(const std::vector<double>& sorted, double q)
{
    double at = q * static_cast<double>(sorted.size() - 1);
    auto below = static_cast<std::size_t>(at);
    double share = at - static_cast<double>(below);
    if (share == 0 || sorted[below] == sorted[below + 1])
    {
        return sorted[below];
    }
    return sorted[below] + share * (sorted[below + 1] - sorted[below]);
}

SampleSummary
Summarize(std::vector<double> values)
{
    if (values.empty())
    {
        return {};
    }
    std::sort(values.begin(), values.end());
    SampleSummary s;
    s.count = values.size();
    s.min = values.front();
    // From the smallest one on: the mean of equal values is that value, and none is below it.
    double above = 0;
    for (double v : values)
    {
        above += v - s.min;
    }
    s.mean = s.min + above / static_cast<double>(s.count);
    double squares = 0;
    for (double v : values)
    {
        squares += (v - s.mean) * (v - s.mean);
    }
    s.deviation = s.count > 1 ? std::sqrt(squares / static_cast<double>(s.count - 1)) : 0;
    s.p50 = Quantile(values, 0.5);
    s.p90 = Quantile(values, 0.9);
    s.p95 = Quantile(values, 0.95);
    s.p99 = Quantile(values, 0.99);
    s.p999 = Quantile(values, 0.999);
    s.max = values.back();
    return s;
}

MeanInterval
MeanOf(const std::vector<double>& values)
{
    auto n = static_cast<double>(values.size());
    MeanInterval result{values.size(), std::accumulate(values.begin(), values.end(), 0.0) / n, 0};
    if (values.size() > 1 && std::isfinite(result.mean))
    {
        double squares = 0;
        for (double v : values)
        {
            squares += (v - result.mean) * (v - result.mean);
        }
        double t = boost::math::quantile(boost::math::students_t(n - 1), 0.975);
        result.halfWidth = t * std::sqrt(squares / (n - 1) / n);
    }
    return result;
}

} // namespace ns3::aifabric

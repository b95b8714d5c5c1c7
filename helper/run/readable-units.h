// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_READABLE_UNITS_H
#define AIFABRIC_READABLE_UNITS_H

#include <string>

namespace ns3::aifabric
{

/// @ingroup ai-fabric-run
/// @return that many significant digits; an exponent only below 1e-4 and from 1e15 on; "-" for NaN.
std::string ReadableDigits(double value, int digits = 4);

/// @ingroup ai-fabric-run
/// @return integers as they are, others as ReadableDigits().
std::string ReadableNumber(double value, int digits = 4);

/// @ingroup ai-fabric-run
/// @return "4.177 µs", "12.50 s", "3 min 20 s", "26 h 10 min".
std::string ReadableTime(double seconds);

/// @ingroup ai-fabric-run
/// @return "512 B", "26.84 GB": powers of 1000.
std::string ReadableBytes(double bytes);

/// @ingroup ai-fabric-run
/// @return "12.34 M": a count with a prefix from 10,000 on, plain below.
std::string ReadableCount(double count);

/**
 * @ingroup ai-fabric-run
 * @param metric name, whose suffix says the unit: "_s", "_ns", "_bytes", "_ratio",
 *        "_gbytes_per_s", "_gbps".
 * @return the value of a metric with its unit.
 */
std::string ReadableMetric(const std::string& metric, double value);

} // namespace ns3::aifabric

#endif // AIFABRIC_READABLE_UNITS_H

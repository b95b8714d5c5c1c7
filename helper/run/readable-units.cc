// SPDX-License-Identifier: GPL-2.0-only
#include "readable-units.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <string_view>

namespace ns3::aifabric
{

namespace
{

bool
EndsWith(std::string_view text, std::string_view end)
{
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

std::string
Join(int64_t high, const char* highUnit, int64_t low, const char* lowUnit)
{
    return std::to_string(high) + " " + highUnit + " " + std::to_string(low) + " " + lowUnit;
}

} // namespace

std::string
ReadableDigits(double value, int digits)
{
    if (!std::isfinite(value))
    {
        return std::isnan(value) ? "-" : value < 0 ? "-inf" : "inf";
    }
    char text[64];
    double size = std::fabs(value);
    if (size >= 1e15 || (size > 0 && size < 1e-4))
    {
        std::snprintf(text, sizeof text, "%.*g", digits, value);
    }
    else
    {
        int first = size > 0 ? static_cast<int>(std::floor(std::log10(size))) : 0;
        std::snprintf(text, sizeof text, "%.*f", std::max(0, digits - 1 - first), value);
    }
    return text;
}

std::string
ReadableNumber(double value, int digits)
{
    // Changes of unit leave 700.0000000000001.
    double whole = std::round(value);
    bool isWhole = std::fabs(value - whole) <= 1e-12 * std::fabs(value) && std::fabs(value) < 1e15;
    return isWhole ? std::to_string(static_cast<int64_t>(whole)) : ReadableDigits(value, digits);
}

std::string
ReadableTime(double seconds)
{
    struct Unit
    {
        double size;
        const char* name;
    };

    static constexpr Unit kUnits[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}};
    double size = std::fabs(seconds);
    if (!std::isfinite(seconds) || size == 0)
    {
        return ReadableNumber(seconds) + " s";
    }
    if (size >= 120)
    {
        int64_t whole = std::llround(seconds);
        return size < 7200 ? Join(whole / 60, "min", std::llabs(whole % 60), "s")
                           : Join(whole / 3600, "h", std::llabs(whole % 3600) / 60, "min");
    }
    for (const Unit& unit : kUnits)
    {
        if (size >= unit.size * (1 - 1e-12))
        {
            return ReadableNumber(seconds / unit.size) + " " + unit.name;
        }
    }
    return ReadableNumber(seconds / 1e-9) + " ns";
}

std::string
ReadableBytes(double bytes)
{
    static constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    std::size_t unit = 0;
    while (std::fabs(bytes) >= 1000 && unit + 1 < std::size(kUnits))
    {
        bytes /= 1000;
        ++unit;
    }
    return ReadableNumber(bytes) + " " + kUnits[unit];
}

std::string
ReadableCount(double count)
{
    static constexpr const char* kPrefixes[] = {"", " k", " M", " G", " T"};
    std::size_t prefix = 0;
    if (std::fabs(count) >= 10000)
    {
        while (std::fabs(count) >= 1000 && prefix + 1 < std::size(kPrefixes))
        {
            count /= 1000;
            ++prefix;
        }
    }
    return ReadableNumber(count) + kPrefixes[prefix];
}

std::string
ReadableMetric(const std::string& metric, double value)
{
    if (EndsWith(metric, "_gbytes_per_s"))
    {
        return ReadableNumber(value) + " GB/s";
    }
    if (EndsWith(metric, "_gbps"))
    {
        return ReadableNumber(value) + " Gb/s";
    }
    if (EndsWith(metric, "_bytes") || metric.find("_bytes_per_") != metric.npos ||
        metric.find("_bytes_sent_per_") != metric.npos)
    {
        return ReadableBytes(value);
    }
    if (EndsWith(metric, "_ns"))
    {
        return ReadableTime(value * 1e-9);
    }
    if (EndsWith(metric, "_s"))
    {
        return EndsWith(metric, "_per_s") ? ReadableCount(value) + "/s" : ReadableTime(value);
    }
    return std::fabs(value) >= 10000 ? ReadableCount(value) : ReadableNumber(value);
}

} // namespace ns3::aifabric

// SPDX-License-Identifier: GPL-2.0-only
#include "size-distribution.h"

#include "input-file.h"

#include "ns3/scenario-error.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

namespace ns3::aifabric
{

SizeDistribution
SizeDistribution::Constant(uint64_t bytes)
{
    SizeDistribution constant;
    constant.m_points = {{bytes, 1.0}};
    return constant;
}

SizeDistribution
SizeDistribution::Read(std::istream& in)
{
    // Below the reach of uint64_t; more than any message.
    constexpr double kMaxBytes = 1e18;
    SizeDistribution read;
    std::string line;
    for (int number = 1; std::getline(in, line); ++number)
    {
        std::istringstream words(line.substr(0, line.find('#')));
        double bytes;
        double cumulative;
        std::string more;
        if (!(words >> std::ws) || words.eof())
        {
            continue;
        }
        if (!(words >> bytes >> cumulative) || words >> more || !(bytes >= 0) ||
            bytes > kMaxBytes || !(cumulative >= 0 && cumulative <= 100))
        {
            throw ScenarioError(
                "line " + std::to_string(number),
                "found '" + line.substr(0, 80) +
                    "', expected a size in bytes and a cumulative share of 0 to 100");
        }
        Point point{static_cast<uint64_t>(std::llround(bytes)), cumulative};
        if (!read.m_points.empty() && (point.bytes < read.m_points.back().bytes ||
                                       point.cumulative < read.m_points.back().cumulative))
        {
            throw ScenarioError("line " + std::to_string(number),
                                "sizes and cumulative shares must not fall");
        }
        read.m_points.push_back(point);
    }
    if (read.m_points.empty())
    {
        throw ScenarioError("", "found no points, expected lines 'bytes cumulative'");
    }
    double whole = read.m_points.back().cumulative;
    if (whole != 1 && whole != 100)
    {
        std::ostringstream message;
        message << "the last cumulative share is " << whole << ", expected 100 or 1";
        throw ScenarioError("", message.str());
    }
    for (auto& point : read.m_points)
    {
        point.cumulative /= whole;
    }
    return read;
}

SizeDistribution
SizeDistribution::Load(const std::string& name, const std::string& folder)
{
    std::string path = FindInputFile(name, folder);
    std::ifstream in(path);
    try
    {
        return Read(in);
    }
    catch (const ScenarioError& e)
    {
        throw e.In(path);
    }
}

double
SizeDistribution::Mean() const
{
    double mean = m_points[0].bytes * m_points[0].cumulative;
    for (std::size_t i = 1; i < m_points.size(); ++i)
    {
        double middle = 0.5 * m_points[i - 1].bytes + 0.5 * m_points[i].bytes;
        mean += (m_points[i].cumulative - m_points[i - 1].cumulative) * middle;
    }
    return mean;
}

uint64_t
SizeDistribution::Quantile(double u) const
{
    auto above =
        std::lower_bound(m_points.begin(), m_points.end(), u, [](const Point& p, double x) {
            return p.cumulative < x;
        });
    above = std::min(above, m_points.end() - 1);
    if (above == m_points.begin() || above->bytes == (above - 1)->bytes)
    {
        return above->bytes;
    }
    const Point& a = *(above - 1);
    double share = (u - a.cumulative) / (above->cumulative - a.cumulative);
    double size = a.bytes + share * static_cast<double>(above->bytes - a.bytes);
    return std::max<uint64_t>(1, std::llround(size));
}

double
SizeDistribution::Cumulative(double bytes) const
{
    auto above =
        std::upper_bound(m_points.begin(), m_points.end(), bytes, [](double x, const Point& p) {
            return x < p.bytes;
        });
    if (above == m_points.begin() || above == m_points.end())
    {
        return above == m_points.end() ? 1.0 : 0.0;
    }
    const Point& a = *(above - 1);
    double share = (bytes - a.bytes) / static_cast<double>(above->bytes - a.bytes);
    return a.cumulative + share * (above->cumulative - a.cumulative);
}

} // namespace ns3::aifabric

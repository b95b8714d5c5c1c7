// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SIZE_DISTRIBUTION_H
#define AIFABRIC_SIZE_DISTRIBUTION_H

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Sizes of messages as a cumulative distribution, linear between its points.
 *
 * A file has a point a line, `bytes cumulative`, both not falling, the last cumulative value being
 * 100 (the file is in percent) or 1 (it is in fractions); `#` begins a comment. Where the first
 * point has a cumulative value above 0, or sizes repeat, that much of the probability lies on that
 * very size.
 */
class SizeDistribution
{
  public:
    /// All messages have that size.
    static SizeDistribution Constant(uint64_t bytes);

    /// @throws ScenarioError with a path "line 3".
    static SizeDistribution Read(std::istream& in);

    /**
     * @param name of a file, found as FindInputFile says, or of a distribution in traces/.
     * @param folder of the scenario.
     * @throws ScenarioError as FindInputFile and Read, the latter with the file's name.
     */
    static SizeDistribution Load(const std::string& name, const std::string& folder);

    /// @return the mean, bytes: the sum over pieces of probability times midpoint.
    double Mean() const;

    /**
     * @param u uniform in (0, 1).
     * @return the size below which a share u lies, to the nearest byte. Pieces that begin at 0
     *         bytes give at least 1.
     */
    uint64_t Quantile(double u) const;

    /// @return the probability of a size of at most that many bytes.
    double Cumulative(double bytes) const;

  private:
    struct Point
    {
        uint64_t bytes;
        double cumulative;
    };

    std::vector<Point> m_points;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_SIZE_DISTRIBUTION_H

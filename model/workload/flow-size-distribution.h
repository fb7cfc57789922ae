// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FLOW_SIZE_DISTRIBUTION_H
#define AIDC_FLOW_SIZE_DISTRIBUTION_H

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// An empirical cumulative distribution of flow sizes, linear between its points.
///
/// A file has a line `bytes percent` for each point. The first percentage is 0 and the last one
/// 100; neither column decreases, and no point occurs twice. Two lines with equal bytes give this
/// size a probability of its own; two lines with equal percentages leave a gap in the sizes. Sizes
/// are whole numbers up to 2^53. Blank lines and lines that begin with `#` are skipped.
///
/// The class is arithmetic only: the caller supplies the random number. A sample costs a binary
/// search.
class FlowSizeDistribution
{
  public:
    /// A point of the distribution.
    struct Point
    {
        uint64_t bytes{0}; //!< the size
        double percent{0}; //!< the percentage of flows that are no larger
    };

    /// @return the distribution in a file
    /// @throws AidcInputError if the file is not a distribution
    static FlowSizeDistribution Read(const std::string& path);

    /// The same from a stream. name: for errors.
    static FlowSizeDistribution Parse(std::istream& stream, const std::string& name);

    /// @param bytes the size, from 1 to 2^53
    /// @return the distribution
    /// @throws AidcInputError if the size is out of range
    static FlowSizeDistribution MakeFixed(uint64_t bytes);

    /// Get the mean size.
    ///
    /// With the points (b[i], p[i]) it is the sum of (p[i] - p[i-1]) / 100 * (b[i-1] + b[i]) / 2,
    /// which is exact for a distribution that is linear between its points. It ignores that samples
    /// are rounded to whole bytes and are at least one byte.
    /// @return the mean size in bytes
    double GetMean() const;

    /// Get the size at a quantile: the inverse of the distribution.
    /// @param u the quantile, from 0 to less than 1; a value outside is moved to the nearest end
    /// @return the size rounded to the nearest byte, at least 1
    uint64_t Sample(double u) const;

    /// @return the points, in the order of the file
    const std::vector<Point>& GetPoints() const
    {
        return m_points;
    }

  private:
    std::vector<Point> m_points; //!< the points
};

} // namespace ns3::aidc

#endif // AIDC_FLOW_SIZE_DISTRIBUTION_H

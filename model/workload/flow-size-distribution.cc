// SPDX-License-Identifier: GPL-2.0-only

#include "flow-size-distribution.h"

#include "aidc-input-error.h"
#include "workload-file-reader.h"

#include <algorithm>
#include <cmath>

namespace ns3::aidc
{

namespace
{

/// All whole numbers up to this one are doubles.
constexpr uint64_t MAX_BYTES = uint64_t{1} << 53;

} // namespace

FlowSizeDistribution
FlowSizeDistribution::MakeFixed(uint64_t bytes)
{
    if (bytes == 0 || bytes > MAX_BYTES)
    {
        throw AidcInputError("flow size",
                             0,
                             "a number of bytes from 1 to " + std::to_string(MAX_BYTES),
                             std::to_string(bytes));
    }
    FlowSizeDistribution distribution;
    distribution.m_points = {{bytes, 0}, {bytes, 100}};
    return distribution;
}

FlowSizeDistribution
FlowSizeDistribution::Read(const std::string& path)
{
    std::ifstream stream = WorkloadFileReader::Open(path);
    return Parse(stream, path);
}

FlowSizeDistribution
FlowSizeDistribution::Parse(std::istream& stream, const std::string& name)
{
    static const std::string FIELDS = "2 fields: bytes percent (or a share from 0 to 1)";

    WorkloadFileReader reader(stream, name);
    FlowSizeDistribution distribution;
    auto& points = distribution.m_points;
    while (reader.Next())
    {
        if (reader.GetFields().size() != 2)
        {
            std::string text;
            for (const auto& field : reader.GetFields())
            {
                text += (text.empty() ? "" : " ") + field;
            }
            reader.Fail(FIELDS, text);
        }
        Point point;
        point.bytes = reader.GetUnsigned(0, 0, MAX_BYTES, "a number of bytes");
        point.percent = reader.GetNumber(1, 0, 100, "a percentage from 0 to 100");
        if (points.empty())
        {
            if (point.percent != 0)
            {
                reader.Fail("a first point of 0 percent", reader.GetFields()[1]);
            }
        }
        else
        {
            const Point& previous = points.back();
            if (point.bytes < previous.bytes)
            {
                reader.Fail("a number of bytes that is not below the previous one, " +
                                std::to_string(previous.bytes),
                            reader.GetFields()[0]);
            }
            if (point.percent < previous.percent)
            {
                reader.Fail("a percentage that is not below the previous one",
                            reader.GetFields()[1]);
            }
            if (point.bytes == previous.bytes && point.percent == previous.percent)
            {
                reader.Fail("each point once", reader.GetFields()[0] + " " + reader.GetFields()[1]);
            }
        }
        points.push_back(point);
    }
    if (points.empty() || (points.back().percent != 100 && points.back().percent != 1))
    {
        reader.Fail("a last point of 100 percent, or of 1 in a file of shares", "end of file");
    }
    if (points.back().percent == 1)
    {
        for (Point& point : points)
        {
            point.percent *= 100;
        }
    }
    if (points.back().bytes == 0)
    {
        reader.Fail("a size above 0", "end of file");
    }
    return distribution;
}

double
FlowSizeDistribution::GetMean() const
{
    double mean = 0;
    for (std::size_t i = 1; i < m_points.size(); ++i)
    {
        const Point& p = m_points[i - 1];
        const Point& q = m_points[i];
        mean += (q.percent - p.percent) / 100 *
                (static_cast<double>(p.bytes) + static_cast<double>(q.bytes)) / 2;
    }
    return mean;
}

uint64_t
FlowSizeDistribution::Sample(double u) const
{
    if (m_points.empty())
    {
        return 1;
    }
    // The first point above the quantile. The first point of all is 0 percent: never above it.
    const double percent = std::max(u, 0.0) * 100;
    const auto above =
        std::upper_bound(m_points.begin(),
                         m_points.end(),
                         percent,
                         [](double value, const Point& point) { return value < point.percent; });
    if (above == m_points.end())
    {
        return m_points.back().bytes;
    }
    const Point& q = *above;
    const Point& p = *(above - 1);
    const double share = (percent - p.percent) / (q.percent - p.percent);
    const auto bytes =
        static_cast<double>(p.bytes) + share * static_cast<double>(q.bytes - p.bytes);
    return std::max<uint64_t>(1, static_cast<uint64_t>(std::llround(bytes)));
}

} // namespace ns3::aidc

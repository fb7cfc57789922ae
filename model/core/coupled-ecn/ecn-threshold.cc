// SPDX-License-Identifier: GPL-2.0-only

#include "ecn-threshold.h"

#include <algorithm>
#include <cmath>

namespace ns3::aidc
{

EcnLevels
DeriveEcnLevels(uint64_t bitRate, uint64_t rttNs, uint32_t mtu)
{
    // A long double, so that a product of integers up to 2^64 stays exact
    const long double bdp =
        static_cast<long double>(bitRate) * static_cast<long double>(rttNs) / 8e9L;
    const auto seventh = static_cast<uint64_t>(std::clamp(bdp / 7, 30e3L, 100e3L));
    return {static_cast<uint64_t>(std::ceil(bdp)) + mtu, std::max<uint64_t>(seventh, mtu)};
}

std::string
FindEcnFloorError(uint64_t floor, uint32_t mtu)
{
    if (floor >= mtu)
    {
        return "";
    }
    return "EcnFloor is " + std::to_string(floor) + " bytes; it must be at least the link's MTU, " +
           std::to_string(mtu) + " bytes";
}

uint64_t
ComputeTypicalAllocation(uint64_t poolSize, double alpha, uint64_t reserved, uint64_t cap)
{
    const auto shared = static_cast<double>(poolSize - std::min(reserved, poolSize));
    return std::min(cap, reserved + static_cast<uint64_t>(alpha * shared / (1 + alpha)));
}

std::string
FindEcnOffsetError(uint64_t offset, uint64_t typical, uint64_t firstMark)
{
    if (offset <= typical)
    {
        return "";
    }
    return "Offset is " + std::to_string(offset) + " bytes, more than the " +
           std::to_string(typical) + " bytes that a single busy queue may occupy; such a queue " +
           "is marked from " + std::to_string(firstMark) + " bytes on";
}

std::string
FindEcnFloorWithinError(uint64_t floor, uint64_t typical)
{
    if (floor < typical)
    {
        return "";
    }
    return "EcnFloor is " + std::to_string(floor) + " bytes, not below the " +
           std::to_string(typical) + " bytes that a single busy queue may occupy; such a queue " +
           "marks only once it is full (region C)";
}

double
ComputeRedProbability(uint64_t occupancy, uint64_t kmin, uint64_t kmax, double pmax)
{
    if (occupancy <= kmin)
    {
        return 0;
    }
    if (occupancy > kmax)
    {
        return 1;
    }
    return pmax * static_cast<double>(occupancy - kmin) / static_cast<double>(kmax - kmin);
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ecn-threshold.h"

#include <algorithm>
#include <cmath>

namespace ns3::aidc
{

namespace
{

/**
 * @brief Get the bandwidth-delay product.
 * @param bitRate bit/s
 * @param rttNs ns
 * @return bytes; a long double, so that a product of integers up to 2^64 stays exact
 */
long double
ComputeBdp(uint64_t bitRate, uint64_t rttNs)
{
    return static_cast<long double>(bitRate) * static_cast<long double>(rttNs) / 8e9L;
}

} // namespace

uint64_t
ComputeEcnOffset(uint64_t bitRate, uint64_t rttNs, uint32_t mtu)
{
    return static_cast<uint64_t>(std::ceil(ComputeBdp(bitRate, rttNs))) + mtu;
}

uint64_t
ComputeEcnFloor(uint64_t bitRate, uint64_t rttNs, uint32_t mtu)
{
    const auto seventh = std::clamp(ComputeBdp(bitRate, rttNs) / 7, 30e3L, 100e3L);
    return std::max<uint64_t>(static_cast<uint64_t>(seventh), mtu);
}

std::string
CheckEcnFloor(uint64_t floor, uint32_t mtu)
{
    if (floor >= mtu)
    {
        return "";
    }
    return "EcnFloor is " + std::to_string(floor) + " bytes; it must be at least the link's MTU, " +
           std::to_string(mtu) + " bytes";
}

std::string
CheckEcnOffset(uint64_t offset, uint64_t poolSize, double alpha, uint64_t cap)
{
    const double size = static_cast<double>(poolSize);
    const auto typical = std::min(cap, static_cast<uint64_t>(alpha * size / (1 + alpha)));
    if (offset <= typical)
    {
        return "";
    }
    return "Offset is " + std::to_string(offset) + " bytes, more than the " +
           std::to_string(typical) + " bytes that a single busy queue may occupy; " +
           "it would always be marked from EcnFloor on";
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

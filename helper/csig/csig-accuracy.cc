/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-accuracy.h"

#include "ns3/sample-statistics.h"

#include <cmath>

namespace ns3::aidc
{

CsigAccuracy
CsigComparisons::GetAccuracy(double limit) const
{
    CsigAccuracy accuracy;
    accuracy.nSignals = errors.size();
    accuracy.bias = Mean(errors);
    std::vector<double> sizes;
    sizes.reserve(errors.size());
    for (const double error : errors)
    {
        sizes.push_back(std::abs(error));
        accuracy.falseBottlenecks += error <= -limit ? 1 : 0;
        accuracy.missedBottlenecks += error >= limit ? 1 : 0;
    }
    accuracy.falseBottlenecks /= static_cast<double>(sizes.size());
    accuracy.missedBottlenecks /= static_cast<double>(sizes.size());
    accuracy.errorMean = Mean(sizes);
    accuracy.errorP99 = Percentile(sizes, 0.99);
    accuracy.rightPort = static_cast<double>(nRight) / static_cast<double>(sizes.size());
    return accuracy;
}

} // namespace ns3::aidc

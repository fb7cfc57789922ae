/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "max-min-share.h"

#include <algorithm>
#include <limits>

namespace ns3::aidc
{

double
ComputeMaxMinShare(double capacity, std::vector<double> demands)
{
    std::sort(demands.begin(), demands.end());
    double rest = capacity;
    auto n = static_cast<double>(demands.size());
    for (const double demand : demands)
    {
        // Those from here on demand at least as much.
        if (demand * n > rest)
        {
            return rest / n;
        }
        rest -= demand;
        --n;
    }
    return std::numeric_limits<double>::infinity();
}

} // namespace ns3::aidc

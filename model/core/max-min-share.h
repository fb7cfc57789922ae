// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_MAX_MIN_SHARE_H
#define AIDC_MAX_MIN_SHARE_H

#include <algorithm>
#include <limits>
#include <vector>

namespace ns3::aidc
{

/// Compute the max-min fair share of a capacity (Bertsekas and Gallager, Data Networks,
/// section 6.5.2): what nobody may exceed, so that all together have the capacity.
///
/// Whoever demands less than the share gets the demand, and leaves the rest to the others.
/// @param capacity what there is to share, at least 0
/// @param demands the demands, in the unit of the capacity, at least 0 or infinite
/// @return the share; infinity if the capacity suffices for all demands
inline double
ComputeMaxMinShare(double capacity, std::vector<double> demands)
{
    std::sort(demands.begin(), demands.end());
    double rest = capacity;
    auto n = static_cast<double>(demands.size());
    for (const double demand : demands)
    {
        // The demands from here on are at least as large.
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

#endif // AIDC_MAX_MIN_SHARE_H

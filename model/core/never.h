// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_NEVER_H
#define AIDC_NEVER_H

#include <cstdint>
#include <limits>

/// @file
/// A time that does not come, for each type of time.

namespace ns3::aidc
{

/// A time that does not come, where times are counted in ns or in ns-3's time steps.
inline constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

/// A time that does not come, where times have fractions of a ns.
inline constexpr double NEVER_DOUBLE = std::numeric_limits<double>::infinity();

} // namespace ns3::aidc

#endif // AIDC_NEVER_H

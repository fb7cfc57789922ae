// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_INVALID_VALUES_H
#define AIDC_INVALID_VALUES_H

#include "test/test-case.h"

// Values that do not exist, and calls that refuse theirs.

namespace aidctest
{

/// What is written for a value that does not exist
constexpr auto NONE = std::numeric_limits<double>::quiet_NaN();

/// Whether a call throws std::invalid_argument. Returns true if it does.
inline bool
IsRefused(const std::function<void()>& call)
{
    try
    {
        call();
    }
    catch (const std::invalid_argument&)
    {
        return true;
    }
    return false;
}

} // namespace aidctest

#endif // AIDC_INVALID_VALUES_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CORE_TEST_H
#define AIDC_CORE_TEST_H

#include "test/core/catch-message.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <rapidcheck/gtest.h>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// What nearly all tests of the core include.

namespace ns3::aidc
{
}

namespace aidctest
{

// "using namespace aidctest" is enough in a test.
using namespace ns3::aidc;

} // namespace aidctest

#endif // AIDC_CORE_TEST_H

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CORE_TEST_H
#define AIDC_CORE_TEST_H

#include "test/core/catch-message.h"
#include "test/core/random-draw.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <rapidcheck/gtest.h>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// What nearly all tests of the core include.

namespace ns3::aidc
{
}

namespace aidctest
{

using namespace ns3::aidc;

} // namespace aidctest

using namespace aidctest; // as each test would say

#endif // AIDC_CORE_TEST_H

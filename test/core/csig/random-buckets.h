/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_RANDOM_BUCKETS_H
#define AIDC_RANDOM_BUCKETS_H

#include <cstdint>
#include <rapidcheck.h>
#include <vector>

/**
 * @file
 * @ingroup aidc-test
 * @brief Buckets at random, for the tests of the core.
 */

namespace aidctest
{

/// Any valid beginnings of buckets.
/// @return the generator
inline rc::Gen<std::vector<uint64_t>>
GenLows()
{
    return rc::gen::map(rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, 32),
                                        [](std::size_t n) {
                                            return rc::gen::container<std::vector<uint64_t>>(
                                                n,
                                                rc::gen::inRange<uint64_t>(1, 1000));
                                        }),
                        [](const std::vector<uint64_t>& widths) {
                            std::vector<uint64_t> lows{0};
                            for (const auto width : widths)
                            {
                                lows.push_back(lows.back() + width);
                            }
                            return lows;
                        });
}

} // namespace aidctest

#endif // AIDC_RANDOM_BUCKETS_H

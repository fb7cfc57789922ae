/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_INT_PORT_STATISTICS_H
#define AIDC_INT_PORT_STATISTICS_H

#include <cstdint>

namespace ns3::aidc
{

/// @ingroup aidc
/// What an IntPort counts.
struct IntPortStatistics
{
    uint64_t written{0};  //!< packets whose header it has written into
    uint64_t overfull{0}; //!< packets whose header had no room left
};

} // namespace ns3::aidc

#endif // AIDC_INT_PORT_STATISTICS_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TIMELINE_TRACKS_H
#define AIDC_TIMELINE_TRACKS_H

#include "time-intervals.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// @brief Give intervals tracks, as few as possible, so that those of a track do not overlap.
///
/// An empty interval takes 1 ns of its track, so that no time belongs to two intervals. Earlier
/// intervals, and of those that begin at the same time earlier ones in the list, get the first
/// track that is free.
/// @param intervals the intervals, in any order
/// @return the track of each one, counted from 0
std::vector<uint32_t> AssignTracks(const std::vector<TimeInterval>& intervals);

} // namespace ns3::aidc

#endif // AIDC_TIMELINE_TRACKS_H

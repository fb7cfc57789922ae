// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CACHE_LINE_H
#define AIDC_CACHE_LINE_H

#include <cstddef>

/// @file
/// What is known of the processor's caches.

namespace ns3::aidc
{

/// Bytes of a line of the cache, the least that is read of the memory; so with all processors
/// that ns-3 runs on but a few.
///
/// In a large network nearly all that a packet touches has left the caches since the packet before
/// it. Objects of many ports are therefore aligned to lines.
constexpr std::size_t CACHE_LINE = 64;

} // namespace ns3::aidc

#endif // AIDC_CACHE_LINE_H

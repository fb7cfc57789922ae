/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_COLLECTIVE_COSTS_H
#define AIDC_COLLECTIVE_COSTS_H

#include "../multiply-divide.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief What a collective costs besides its bytes: times of the GPUs' programs, and bytes that a
 * protocol adds. By default, it costs nothing.
 *
 * Messages between members of one server, and between those of different servers, have costs of
 * their own (CollectiveScheduleSettings::nPerServer).
 */
struct CollectiveCosts
{
    /// What each message costs.
    struct Message
    {
        uint64_t latency{0};   //!< from when its step begins until it leaves, ns
        uint32_t wireBytes{1}; //!< bytes on the wire for dataBytes, at least as many
        uint32_t dataBytes{1}; //!< bytes of data that they carry, above 0
        uint32_t rate{0}; //!< at which a channel of the GPU moves its data, byte/us; 0: at once

        /// @param bytes bytes of data
        /// @return from when its step begins until it leaves, ns: the latency, and the time for the
        ///         GPU to move the data
        uint64_t GetDelay(uint64_t bytes) const
        {
            return latency + (rate > 0 ? MultiplyDivide(bytes, 1000, rate) : 0);
        }

        /// @param bytes bytes of data
        /// @return its bytes on the wire, rounded up
        uint64_t GetBytes(uint64_t bytes) const
        {
            return wireBytes == dataBytes ? bytes : MultiplyDivideUp(bytes, wireBytes, dataBytes);
        }
    };

    uint64_t launch{0}; //!< from when it starts at a member until its first steps begin there, ns
    /// How long the member's host is busy with each message to another server, one after another,
    /// before the message's latency begins, ns.
    uint64_t post{0};
    Message inside;  //!< between members of one server
    Message between; //!< between members of different servers
};

} // namespace ns3::aidc

#endif // AIDC_COLLECTIVE_COSTS_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_COLLECTIVE_STEP_H
#define AIDC_COLLECTIVE_STEP_H

#include <algorithm>
#include <cstdint>
#include <limits>

namespace ns3::aidc
{

/// A part of a member's buffer.
struct CollectivePart
{
    uint64_t offset{0}; //!< where it begins
    uint64_t bytes{0};  //!< its bytes

    /// Divide this into equal parts, and get consecutive ones of them. Sizes differ by at most one
    /// byte, larger parts first.
    /// @param n the number of parts, at least 1
    /// @param first the first part to get, below n
    /// @param count the number of parts to get
    /// @return these parts as one
    CollectivePart Divide(uint32_t n, uint32_t first, uint32_t count = 1) const
    {
        const uint64_t size = bytes / n;
        const uint64_t larger = bytes % n;
        const auto begin = [size, larger](uint64_t part) {
            return part * size + std::min(part, larger);
        };
        return {offset + begin(first), begin(uint64_t{first} + count) - begin(first)};
    }
};

/// What a member does in a step: it sends a part of its buffer, receives one, or both.
struct CollectiveStep
{
    /// No member.
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();

    uint32_t sendTo{NONE};      //!< the member to send to
    uint32_t receiveFrom{NONE}; //!< the member to receive from
    uint64_t sendOffset{0};     //!< where the bytes sent begin in the buffer (the one to send from)
    uint64_t sendBytes{0};      //!< bytes sent
    uint64_t receiveOffset{0};  //!< where the bytes received begin in the buffer
    uint64_t receiveBytes{0};   //!< bytes received
    bool reduces{false};      //!< whether bytes received are added to those there, or replace them
    bool waitsForSend{false}; //!< whether the next step waits until the message is acknowledged
    /// It begins when the same lane of the chunk before, at the same member, has ended this many
    /// steps.
    uint32_t stepsBefore{0};

    /// Fill in what is sent. to: the member to send to.
    void Send(uint32_t to, const CollectivePart& part)
    {
        sendTo = to;
        sendOffset = part.offset;
        sendBytes = part.bytes;
    }

    /// Fill in what is received. from: the member to receive from; isReduced: whether it is added
    /// to what is there.
    void Receive(uint32_t from, const CollectivePart& part, bool isReduced)
    {
        receiveFrom = from;
        receiveOffset = part.offset;
        receiveBytes = part.bytes;
        reduces = isReduced;
    }
};

} // namespace ns3::aidc

#endif // AIDC_COLLECTIVE_STEP_H

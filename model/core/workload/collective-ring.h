/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_COLLECTIVE_RING_H
#define AIDC_COLLECTIVE_RING_H

#include "collective-schedule-settings.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief The order of the members in the ring of a channel.
 *
 * The ring of channel k goes through one server after another. It leaves a server of even number by
 * its member k mod g, where g is the number of members of a server, and enters it by the next
 * member. It goes through the servers of odd number in the other direction, so that messages
 * between servers keep to their rail, as NCCL's alternating rings do (src/graph/connect.cc of
 * NCCL).
 */
class CollectiveRingOrder
{
  public:
    /// @param nPerServer the members of a server
    /// @param channel the channel
    CollectiveRingOrder(uint32_t nPerServer, uint32_t channel)
        : m_nPerServer(nPerServer),
          m_leaving(channel % nPerServer)
    {
    }

    /// @param place a place in the ring, counted from 0 @return the member there
    uint32_t GetMember(uint32_t place) const;

    /// @return its place in the ring
    uint32_t GetPlace(uint32_t member) const;

  private:
    uint32_t m_nPerServer; //!< the members of a server
    uint32_t m_leaving;    //!< the number in its server of the member that is the last one there
};

/**
 * @brief The blocks that pass a place of a ring in a step.
 *
 * While reducing, the last block received is the place's own one, which is where gathering begins.
 */
struct CollectiveRingBlocks
{
    uint32_t sent;     //!< the block that is sent to the next place
    uint32_t received; //!< the block that comes from the place before

    /// @param n the number of places, at least 2, and of blocks
    /// @param place the place
    /// @param step the step of the reduction or the gathering, below n - 1
    /// @param reduces whether blocks are added, not gathered
    CollectiveRingBlocks(uint32_t n, uint32_t place, uint32_t step, bool reduces);
};

/// The steps of a ring: all-reduce, all-gather and reduce-scatter.
class CollectiveRing
{
  public:
    /// @param settings the collective, which outlives this object
    explicit CollectiveRing(const CollectiveScheduleSettings& settings)
        : m_settings(settings)
    {
    }

    /// @return the number of steps
    uint32_t GetNSteps(uint32_t member, uint32_t lane) const;

    /// member: whose step. @return the step
    CollectiveStep GetStep(uint32_t member, uint32_t lane, uint32_t step) const;

  private:
    const CollectiveScheduleSettings& m_settings; //!< the collective
};

} // namespace ns3::aidc

#endif // AIDC_COLLECTIVE_RING_H

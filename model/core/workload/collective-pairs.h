/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_COLLECTIVE_PAIRS_H
#define AIDC_COLLECTIVE_PAIRS_H

#include "collective-schedule-settings.h"

#include <cstdint>

namespace ns3::aidc
{

/// The steps of a collective in which pairs of members exchange data (halving-doubling, recursive
/// doubling), and in which members are folded into others if their number is not a power of two
/// (see CollectiveSchedule).
class CollectivePairs
{
  public:
    /// @param settings the collective, which outlives this object
    explicit CollectivePairs(const CollectiveScheduleSettings& settings);

    /// @param n a number, at least 1 @return its logarithm to the base 2, rounded down
    static uint32_t Log2(uint32_t n);

    /// @return the number of steps
    uint32_t GetNSteps(uint32_t member, uint32_t lane) const;

    /// member: whose step. @return the step
    CollectiveStep GetStep(uint32_t member, uint32_t lane, uint32_t step) const;

  private:
    /// What a member does in a step.
    enum class Action : uint8_t
    {
        SEND_ALL,       //!< send the whole buffer
        REDUCE_ALL,     //!< receive a whole buffer, and add it
        TAKE_ALL,       //!< receive a whole buffer instead of its own
        SEND_SIGNAL,    //!< send a message without bytes
        AWAIT_SIGNAL,   //!< receive a message without bytes
        EXCHANGE_ALL,   //!< exchange whole buffers, and add
        EXCHANGE_BLOCKS //!< exchange blocks
    };

    /// How a member meets another one in a step.
    struct Meeting
    {
        Action action{Action::SEND_ALL}; //!< what the member does
        uint32_t peer{0};                //!< the other member
        uint32_t ownBlock{0};            //!< the first of the blocks that it has in the end
        uint32_t peerBlock{0};           //!< the first of those that the other one has in the end
        uint32_t nBlocks{0};             //!< how many blocks are exchanged
        bool reduces{false};             //!< whether blocks are added, not gathered
    };

    /// @return the number of members that are folded into others: those above a power of two
    uint32_t GetNFolded() const;

    /// @return whom it meets
    Meeting GetMeeting(uint32_t member, uint32_t step) const;

    /// Get how far apart the members of a pair are, a power of two.
    uint32_t GetDistance(uint32_t pairStep) const;

    /// Tell whether the fold delays a member, by itself or by a partner of an earlier step.
    bool IsDelayed(uint32_t number, uint32_t pairStep) const;

    /// Tell whether one of two partners tells the other one that it is ready.
    bool HasSignal(uint32_t number, uint32_t pairStep) const;

    const CollectiveScheduleSettings& m_settings; //!< the collective
    uint32_t m_log2; //!< the logarithm of the largest power of two in the number of members
};

} // namespace ns3::aidc

#endif // AIDC_COLLECTIVE_PAIRS_H

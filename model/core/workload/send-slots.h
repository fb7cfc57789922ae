/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SEND_SLOTS_H
#define AIDC_SEND_SLOTS_H

#include "rank-event.h"

#include <cstdint>
#include <deque>
#include <map>
#include <utility>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The slots for messages of a collective that are under way from one member.
 *
 * Each stream (channel, or tree of a channel) to each peer has some slots. A message takes one
 * until it is acknowledged; while there is none, messages wait in their order.
 */
class SendSlots
{
  public:
    /// @param n slots of a stream to a peer; 0 if there is no limit
    explicit SendSlots(uint32_t n = 0)
        : m_n(n)
    {
    }

    /// Take a slot for a message, or keep the message until there is one. @return whether it has a
    /// slot
    bool Take(uint32_t stream, const RankEvent& message);

    /// Give back the slot of a message that has been acknowledged. next: the message that has the
    /// slot now. @return whether there is such a message
    bool Give(uint32_t stream, uint32_t peer, RankEvent& next);

  private:
    /// The messages of a stream to a peer.
    struct Way
    {
        uint32_t nTaken{0};            //!< slots that are taken
        std::deque<RankEvent> waiting; //!< messages that have none
    };

    uint32_t m_n;                                        //!< slots; 0 if there is no limit
    std::map<std::pair<uint32_t, uint32_t>, Way> m_ways; //!< by stream and peer
};

} // namespace ns3::aidc

#endif // AIDC_SEND_SLOTS_H

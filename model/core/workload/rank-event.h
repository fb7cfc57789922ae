/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_RANK_EVENT_H
#define AIDC_RANK_EVENT_H

#include <cstdint>

namespace ns3::aidc
{

/// What an execution has to tell.
enum class RankEventKind : uint8_t
{
    STARTED, //!< an operation has started
    ENDED,   //!< an operation has ended
    COMPUTE, //!< compute for a time, and then call EndCompute()
    SEND     //!< send a message, and call EndSend() when it is acknowledged
};

/**
 * @ingroup aidc
 * @brief Something that has happened in an execution, or is to be done for it.
 */
struct RankEvent
{
    RankEventKind kind{RankEventKind::STARTED}; //!< what it is
    uint32_t operation{0};                      //!< the operation
    uint32_t lane{0};                           //!< of a message: the lane of the collective
    uint32_t peer{0};                           //!< of a message: the rank to send to
    uint32_t tag{0};                            //!< of a message: its tag
    uint64_t amount{0};                         //!< nanoseconds to compute, or bytes to send
};

} // namespace ns3::aidc

#endif // AIDC_RANK_EVENT_H

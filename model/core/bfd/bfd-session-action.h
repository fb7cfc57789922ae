/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BFD_SESSION_ACTION_H
#define AIDC_BFD_SESSION_ACTION_H

#include "bfd-packet.h"

#include <cstdint>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * @brief The actions that a session of BFD asks for.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief Kinds of actions.
enum class BfdActionType : uint8_t
{
    SEND,             //!< send a packet
    SET_TRANSMISSION, //!< set the transmission timer
    SET_DETECTION,    //!< set the detection timer
    CHANGE_STATE      //!< report that the state has changed
};

/// @ingroup aidc
/// @brief An action to perform.
struct BfdAction
{
    BfdActionType type{BfdActionType::SEND}; //!< the kind of action
    BfdPacket packet{};                      //!< of SEND

    /// Of SEND: intervals between periodic packets begin with it.
    bool isPeriodic{false};

    /// Of the timers, us; 0: stop the timer. The transmission timer expires when this time, with
    /// jitter, has passed since the last periodic packet; the detection timer, when this has passed
    /// since the last packet that Receive() has accepted.
    uint64_t microseconds{0};

    BfdState before{BfdState::DOWN}; //!< of CHANGE_STATE: the state before
};

/// Actions, in the order in which they are done.
using BfdActions = std::vector<BfdAction>;

} // namespace ns3::aidc

#endif // AIDC_BFD_SESSION_ACTION_H

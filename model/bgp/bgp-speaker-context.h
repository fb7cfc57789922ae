/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_SPEAKER_CONTEXT_H
#define AIDC_BGP_SPEAKER_CONTEXT_H

#include "ns3/bgp-message.h"
#include "../core/bgp/bgp-session-fsm.h"
#include "bgp-speaker-settings.h"

#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>

namespace ns3::aidc
{

/// The things that all peers of a BgpSpeaker share: its settings, and its callbacks and traces.
struct BgpSpeakerContext
{
    const BgpSpeakerSettings& settings;       //!< of the speaker
    std::function<double(double)> drawJitter; //!< draws a factor, between the argument and 1
    std::function<void()> scheduleDecision;   //!< schedules a decision on routes
    /// The state of a session has changed
    TracedCallback<uint32_t, BgpSessionState, BgpSessionState>& stateTrace;
    TracedCallback<uint32_t, BgpMessageType, const BgpBytes&>& sentTrace;      //!< messages
    TracedCallback<uint32_t, BgpMessageType, const BgpBytes&>& receivedTrace;  //!< messages
    TracedCallback<uint32_t, bool, const BgpNotification&>& notificationTrace; //!< why sessions end
    std::function<void()> checkRestart{}; //!< a peer that is waited for after a restart may be up
    bool isDeferring{false}; //!< after a restart, routes are not chosen yet (RFC 4724, section 4.1)
};

} // namespace ns3::aidc

#endif // AIDC_BGP_SPEAKER_CONTEXT_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_RESTART_H
#define AIDC_BGP_RESTART_H

#include "../deadline-timer.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <functional>

namespace ns3::aidc
{

class BgpDecisionProcess;
class BgpPeerTable;
struct BgpSpeakerContext;

/**
 * @brief The restart of a BgpSpeaker, whose node goes on forwarding (RFC 4724, section 4.1).
 *
 * The routes of all peers are forgotten, while the table of the node stays. When the speaker is
 * back, it chooses no routes and sends none until End-of-RIB has come from all peers, or the
 * deferral time is over. Then the difference to the table is written: this removes what was stale.
 */
class BgpRestart
{
  public:
    /// Constructor. context: shared by all peers, which see there that choices are deferred;
    /// setRunning: starts or stops its sessions and the socket that listens.
    BgpRestart(BgpSpeakerContext& context,
               const BgpPeerTable& peers,
               BgpDecisionProcess& process,
               std::function<void(bool)> setRunning);

    /// The speaker fails, without a NOTIFICATION, and is back later.
    /// @param outage the time until it is back
    void Begin(const Time& outage);

    /// Choose routes if End-of-RIB has come from all peers that are waited for.
    void Check();

    /// Forget the restart, if there is one.
    void Cancel();

  private:
    /// The speaker is back.
    void Return();

    /// Choose routes.
    void Select();

    BgpSpeakerContext& m_context;           //!< shared by all peers
    const BgpPeerTable& m_peers;            //!< its peers
    BgpDecisionProcess& m_process;          //!< its decisions
    std::function<void(bool)> m_setRunning; //!< starts or stops it
    EventId m_return;                       //!< when it is back
    DeadlineTimer m_deferral;               //!< until routes are chosen
};

} // namespace ns3::aidc

#endif // AIDC_BGP_RESTART_H

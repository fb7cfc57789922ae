/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BFD_SPEAKER_SESSION_H
#define AIDC_BFD_SPEAKER_SESSION_H

#include "../deadline-timer.h"
#include "bfd-statistics.h"

#include "ns3/bfd-packet.h"
#include "ns3/bfd-session.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// The things that all sessions of a BfdSpeaker share.
struct BfdSpeakerContext
{
    const uint8_t& dscp;                               //!< of packets
    const Ptr<Ipv4>& ipv4;                             //!< the node's
    std::function<double(double, double)> drawJitter;  //!< draws a factor between two numbers
    std::function<void(uint32_t, bool)> notifyFailure; //!< interface, whether it has failed
    BfdStatistics& statistics;                         //!< counters
    TracedCallback<uint32_t, BfdState, BfdState, BfdDiagnostic>& stateTrace; //!< states
    TracedCallback<uint32_t, bool>& failureTrace;                            //!< failures
};

/**
 * @brief A session of a BfdSpeaker: its timers and the packets that it sends.
 *
 * It carries out the actions of BfdSession. Packets go to IPv4 with a route of the session, so that
 * they leave by its interface whatever the node's routes are.
 */
class BfdSpeakerSession
{
  public:
    /// Constructor of a session that sends nothing before Start(). context: shared by all sessions,
    /// outlives the session; neighbor: the neighbor's address.
    BfdSpeakerSession(const BfdSpeakerContext& context,
                      const BfdSessionSettings& settings,
                      uint32_t number,
                      uint32_t interface,
                      Ipv4Address neighbor);

    /// Start to send.
    void Start();

    /// Take the session down administratively, and stop its timers.
    void Stop();

    /// Stop the timers and forget the clients, at the end of the simulation.
    void Dispose();

    /// Take a packet. @param packet the packet @return what becomes of it
    BfdDiscard Receive(const BfdPacket& packet);

    /// Take the session down administratively, or let it come up. @param isAdminDown which
    void SetAdminDown(bool isAdminDown);

    /// Change the settings. @param settings the settings
    void UpdateSettings(const BfdSessionSettings& settings);

    /// Call a function when the path has failed, and when this is over. @param notify the function
    void Follow(std::function<void(bool)> notify)
    {
        m_clients.push_back(std::move(notify));
    }

    /// @return states, intervals and discriminators
    const BfdSession& GetMachine() const
    {
        return m_machine;
    }

  private:
    /// Perform actions, and tell clients if the path has failed or does no longer.
    void Perform(const BfdActions& actions);

    void Perform(const BfdAction& action);

    void Send(const BfdPacket& packet) const;

    /// Find the address from which packets are sent. @return an address of the interface, of the
    /// neighbor's network if there is one; without one, the node's address at the loopback device
    Ipv4Address GetSource() const;

    const BfdSpeakerContext& m_context;               //!< shared by all sessions
    uint32_t m_number;                                //!< from 0 on
    uint32_t m_interface;                             //!< to the neighbor
    Ipv4Address m_neighbor;                           //!< its address
    BfdSession m_machine;                             //!< the states
    DeadlineTimer m_transmission;                     //!< until the next packet
    DeadlineTimer m_detection;                        //!< until the session has failed
    Time m_lastSent;                                  //!< the last periodic packet
    Time m_lastReceived;                              //!< the last packet that was accepted
    bool m_hasFailed{false};                          //!< as clients were told
    std::vector<std::function<void(bool)>> m_clients; //!< who is told
};

} // namespace ns3::aidc

#endif // AIDC_BFD_SPEAKER_SESSION_H

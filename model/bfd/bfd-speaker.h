// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BFD_SPEAKER_H
#define AIDC_BFD_SPEAKER_H

#include "../jittered-application.h"

#include "ns3/bfd-packet.h"
#include "ns3/bfd-session.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <vector>

namespace ns3::aidc
{

class MultipathRouting;

/// The counters of a BfdSpeaker.
struct BfdStatistics
{
    uint64_t sent{0};        //!< packets that were given to IPv4
    uint64_t received{0};    //!< packets that a session has accepted
    uint64_t established{0}; //!< times that a session has come up
    uint64_t failed{0};      //!< times that a session has gone down because the path had failed
    /// Packets that were discarded, by BfdDiscard
    std::array<uint64_t, static_cast<std::size_t>(BfdDiscard::N_DISCARDS)> discarded{};

    /// @return the packets that were discarded for a reason
    uint64_t GetDiscarded(BfdDiscard discard) const
    {
        return discarded.at(static_cast<std::size_t>(discard));
    }

    /// @return all packets that were discarded
    uint64_t GetDiscarded() const
    {
        return std::accumulate(discarded.begin(), discarded.end(), uint64_t{0});
    }
};

/// Bidirectional forwarding detection on a node's links (RFC 5880, 5881): asynchronous mode,
/// a single hop, IPv4, without echo and authentication.
///
/// A session with a neighbor tells within DetectMultiplier intervals that packets do not get
/// through in one direction or in both, also where the device reports that its link is up. Its
/// packets leave by their interface whatever the node's routes are, and may be of an interface
/// without an address.
///
/// Usage: put it on a node with addresses, and call AddSession(); both ends of a link need one. BGP
/// uses the sessions of a node by BgpPeerSettings::usesBfd. With BlockNextHops, the node's
/// MultipathRouting does not use next hops over an interface of which a session has failed.
///
/// As RFC 5882 asks, clients are told of a session that was up and has failed, but not of one that
/// is administratively down at either end. When the application stops, its sessions go
/// administratively down.
class BfdSpeaker : public JitteredApplication
{
  public:
    /// Called when the path to a neighbor has failed, and when the failure is over.
    using FailureCallback = std::function<void(bool hasFailed)>;

    /// @return the type ID
    static TypeId GetTypeId();

    BfdSpeaker();
    ~BfdSpeaker() override;

    /// @return the speaker of a node, null if there is none
    static Ptr<BfdSpeaker> Find(Ptr<Node> node);

    /// Add a session, which starts with the application, or now if it is running.
    ///
    /// The program ends if there is no such interface.
    /// @param interface the index of the interface to the neighbor
    /// @param neighbor the neighbor's address; at an interface without an address, the neighbor's
    ///        router ID
    /// @return its number, from 0 on; the number of the session with this neighbor at the interface
    ///         if there is one
    uint32_t AddSession(uint32_t interface, Ipv4Address neighbor);

    /// Have sessions take over attributes that have changed, by a poll sequence where one is up.
    void UpdateSessions();

    /// @return the number of sessions
    uint32_t GetNSessions() const
    {
        return static_cast<uint32_t>(m_sessions.size());
    }

    /// @return the states, intervals and discriminators of a session
    const BfdSession& GetSession(uint32_t session) const;

    /// Call a function, in an event of the node, when the path of a session has failed, and when
    /// the failure is over.
    void Follow(uint32_t session, FailureCallback notify);

    /// Take a session down administratively, or let it come up again.
    void SetAdminDown(uint32_t session, bool isAdminDown);

    /// @return the counters of all sessions
    const BfdStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    /// TracedCallback signature for a state: session's number, before, after, reason.
    typedef void (*SessionStateTracedCallback)(uint32_t, BfdState, BfdState, BfdDiagnostic);

    /// TracedCallback signature for a path: session's number, whether it has failed.
    typedef void (*FailureTracedCallback)(uint32_t, bool);

    /// TracedCallback signature for a packet that was discarded: reason, source.
    typedef void (*DiscardTracedCallback)(BfdDiscard, Ipv4Address);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    class Session;

    // From Application
    void StartApplication() override;
    void StopApplication() override;

    /// Run a task in an event of the node: now if this is one, or if the application does not run.
    void RunAtNode(const std::function<void()>& task);

    /// Count a failure, and use or block the next hops over an interface.
    void NotifyFailure(uint32_t interface, bool hasFailed);

    /// Take all datagrams that have come.
    void Read(Ptr<Socket> socket);

    BfdDiscard Take(const Packet& datagram, Ipv4Address source);

    /// @return the settings of sessions, by the attributes
    BfdSessionSettings MakeSettings() const;

    Time m_desiredMinTx;             //!< attribute DesiredMinTx
    Time m_requiredMinRx;            //!< attribute RequiredMinRx
    uint8_t m_detectMultiplier{0};   //!< attribute DetectMultiplier
    bool m_isPassive{false};         //!< attribute Passive
    bool m_blocksNextHops{false};    //!< attribute BlockNextHops
    uint8_t m_dscp{0};               //!< attribute Dscp
    bool m_isRunning{false};         //!< the application has started, and not stopped
    Ptr<Ipv4> m_ipv4;                //!< the node's, from initialization on
    Ptr<MultipathRouting> m_routing; //!< the node's, if next hops are blocked
    Ptr<Socket> m_socket;            //!< takes packets
    BfdSessionTable m_table;         //!< finds sessions
    std::vector<std::unique_ptr<Session>> m_sessions; //!< by their numbers
    std::map<uint32_t, uint32_t> m_failures;          //!< sessions that have failed, by interface
    BfdStatistics m_statistics;                       //!< counters

    TracedCallback<uint32_t, BfdState, BfdState, BfdDiagnostic> m_stateTrace; //!< states
    TracedCallback<uint32_t, bool> m_failureTrace;                            //!< failures
    TracedCallback<BfdDiscard, Ipv4Address> m_discardTrace; //!< packets that were discarded
};

} // namespace ns3::aidc

#endif // AIDC_BFD_SPEAKER_H

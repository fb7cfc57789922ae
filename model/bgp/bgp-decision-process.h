// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_DECISION_PROCESS_H
#define AIDC_BGP_DECISION_PROCESS_H

#include "bgp-link.h"

#include "ns3/bgp-rib.h"
#include "ns3/event-id.h"
#include "ns3/ipv4.h"
#include "ns3/multipath-routing.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <vector>

namespace ns3::aidc
{

/// Decides on the routes of a BgpSpeaker (RFC 4271, section 9.1): once for all changes of one
/// time, it chooses routes, writes them into the MultipathRouting of the node, and has them
/// advertised to peers.
///
/// Routes that are used together become one route with several next hops. The speaker's own
/// networks are not written. A next hop that is not on the link to its peer is resolved by the
/// node's routing once, when the route is written.
class BgpDecisionProcess
{
  public:
    /// The trace source of routes in use.
    using RouteTrace = TracedCallback<const BgpPrefix&, const std::vector<BgpRibPath>&>;

    /// Gets the link to a peer by the peer's number.
    using FindLink = std::function<const BgpPeerLink&(uint32_t)>;

    /// Constructor. delay: the time between the first change and the decision; advertise: called
    /// when routes have been chosen. Delay and trace outlive the process.
    BgpDecisionProcess(const Time& delay, const RouteTrace& trace, std::function<void()> advertise);

    /// Make the table of routes.
    void Open(const BgpRibSettings& settings, std::shared_ptr<BgpAttributePool> pool);

    /// Have routes written. watcher: is inactive while they are written, so that it ignores these
    /// changes.
    void SetRouting(Ptr<Ipv4> ipv4,
                    Ptr<MultipathRouting> routing,
                    FindLink findLink,
                    Ptr<BgpLinkWatcher> watcher);

    /// Announce a network, from Open() on.
    void Originate(const BgpPrefix& prefix, const BgpPathAttributes& attributes);

    /// Withdraw a network, if it was announced.
    void Withdraw(const BgpPrefix& prefix);

    /// Choose routes, once for all changes at this time.
    void Schedule();

    /// Hold decisions back, or make those that are due.
    void SetHeld(bool isHeld);

    /// Release the node at the end of the simulation.
    void Dispose();

    /// @return the routes, null before Open()
    BgpRib* GetRib() const
    {
        return m_rib.get();
    }

    /// Print the routes in the order of prefixes.
    void Print(std::ostream& os) const;

  private:
    /// Choose routes, write them and advertise them.
    void Decide();

    /// @return the next hops; empty if there is nothing to be written
    std::vector<NextHop> GetNextHops(const std::vector<BgpRibPath>& paths) const;

    const Time& m_delay;                              //!< between change and decision
    const RouteTrace& m_trace;                        //!< traces the routes in use
    std::function<void()> m_advertise;                //!< advertises to peers
    std::unique_ptr<BgpRib> m_rib;                    //!< the routes
    std::map<BgpPrefix, BgpPathAttributes> m_origins; //!< own networks until Open()
    Ptr<Ipv4> m_ipv4;                                 //!< the node's, if routes are written
    Ptr<MultipathRouting> m_routing;                  //!< where routes are written, null: nowhere
    FindLink m_findLink;                              //!< gets the link to a peer
    Ptr<BgpLinkWatcher> m_watcher;                    //!< if routes are written
    std::set<BgpPrefix> m_installed;                  //!< routes that have been written
    EventId m_decision;                               //!< Decide()
    bool m_isHeld{false};                             //!< there are no decisions
};

} // namespace ns3::aidc

#endif // AIDC_BGP_DECISION_PROCESS_H

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_WAN_HELPER_H
#define AIDC_BGP_WAN_HELPER_H

#include "../model/bgp/bgp-link.h"
#include "bgp-fabric-helper.h"
#include "wan-helper.h"
#include "wan-tunnel-helper.h"

#include "ns3/attribute.h"
#include "ns3/bgp-peer-settings.h"
#include "ns3/bgp-speaker-statistics.h"
#include "ns3/bgp-speaker.h"
#include "ns3/callback.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// Installs BGP with path bandwidth in all data centers of a WanHelper and on their provider
/// edge routers (PEs), so that routes between the data centers follow failures inside of
/// them (draft-xu-idr-fare, RFC 7938).
///
/// Switches have the speakers of a BgpFabricHelper for each data center. PEs have speakers of the
/// tier BgpSpeaker::EDGE. The PEs of a data center share an AS. There are two kinds of sessions in
/// addition to the sessions within the data centers:
///
/// - Each border link has a session. The PE gets the prefixes of its data center, with bandwidths.
///   It announces the network of each other data center, while it has a usable route to it
///   (RFC 7938, section 5.2.4).
/// - Each tunnel between PEs has a session, if tunnels are given. A PE tells the PEs of the other
///   data centers the prefixes of its own data center, with bandwidths. So the other PEs weigh
///   their tunnels by the bandwidths behind them, prefix by prefix. A tunnel has the bandwidth of
///   the slowest link of its primary path. Until these routes are there, the routes of
///   WanTunnelHelper are used.
///
/// Policies keep a PE from anything else: no traffic within a data center, and none between two
/// other data centers, passes through a PE.
///
/// It takes a WanHelper whose data centers have switches with OWN_HOSTS as their routes and a
/// PathBandwidthRouting, and whose routers have a PathBandwidthRouting (SetRouterRouting()).
/// Install it between AssignAddresses() and the start of the simulation. The helper outlives the
/// simulation.
///
/// By default, the AS numbers of the data centers begin at 4200000000, 4206000000, ..., and the
/// first number of a data center is the AS of its PEs. The data centers' links have addresses of
/// 100.64.0.0/14, 100.68.0.0/14, ... Border links and tunnels have addresses from 100.120.0.0 on.
///
/// With several processes (MpiProcesses), each one has the speakers of its own nodes, and calls
/// IsSettled(), GetLastRouteChange() and GetStatistics() at the same points.
class BgpWanHelper
{
  public:
    BgpWanHelper();

    BgpWanHelper(const BgpWanHelper&) = delete;
    BgpWanHelper& operator=(const BgpWanHelper&) = delete;

    /// Set an attribute of all speakers, of switches and of PEs.
    void SetSpeakerAttribute(const std::string& name, const AttributeValue& value);

    /// @return the helper of the speakers in a data center, below MAX_WAN_SITES; do not call its
    ///         Install() and AssignStreams()
    BgpFabricHelper& GetAidc(uint32_t site)
    {
        return m_aidcs.at(site);
    }

    /// Set whether the bandwidth of a tunnel is the sum of its paths' bandwidths, as it is where
    /// PEs spread traffic over all paths (PathShareWanHelper); by default it is the bandwidth of
    /// the primary path.
    void SetAllPaths(bool isSum)
    {
        m_isSumOfPaths = isSum;
    }

    /// Install speakers in a WAN without tunnels, with its addresses assigned, whose core routers
    /// know the data centers.
    void Install(WanHelper& network);

    /// Install speakers in a WAN, with its addresses assigned, with tunnels, which are installed.
    void Install(WanHelper& network, const WanTunnelHelper& tunnels);

    /// Assign fixed random variable streams to the speakers.
    /// @param stream the first stream to use
    /// @return the number of streams used: one for each switch and each PE
    int64_t AssignStreams(int64_t stream);

    /// @return the speaker of a PE of this process, by its number in the WanPlan
    Ptr<BgpSpeaker> GetSpeaker(NodeIndex edge) const;

    /// Connect a sink to a trace source of all speakers, with the name of the switch (after "a-",
    /// "b-" and so on) or of the PE as the context.
    void TraceConnect(const std::string& source, const CallbackBase& sink) const;

    /// @return whether all sessions whose links are up are established, and no speaker has changes
    ///         to send
    bool IsSettled() const;

    /// @return the time of the last change of a route, or of one of its weights; 0 if there was
    ///         none
    Time GetLastRouteChange() const;

    /// @return the counters of all switches and PEs together: messages, bytes, sessions
    BgpSpeakerStatistics GetStatistics() const;

  private:
    /// One end of a session of a PE.
    struct End
    {
        Ptr<BgpSpeaker> speaker;  //!< the speaker, null in another process
        Ptr<Node> node;           //!< its node
        uint32_t interface{0};    //!< its IPv4 interface, if of this process
        BgpPeerSettings settings; //!< settings for the other end; Connect() adds the addresses
        uint32_t peer{0};         //!< the number of the peer
    };

    /// Make a session of two addresses, of which each process makes its ends, in the same order.
    void Connect(End a, End b);

    /// @return IsSettled() for the sessions of PEs; each process asks at the same point
    bool AreSessionsSettled() const;

    /// The speaker of a PE.
    struct Edge
    {
        Ptr<BgpSpeaker> speaker;      //!< the speaker
        Ptr<BgpLinkWatcher> watcher;  //!< reports changes of its routes and links
        std::set<uint32_t> announced; //!< the other data centers that it announces
    };

    /// Make the speakers of a data center and its PEs, and their sessions.
    void InstallSite(uint32_t site);

    /// Make the sessions of the border links of a data center.
    void ConnectBorder(uint32_t site);

    /// @return the number of data centers of the network
    uint32_t GetNSites() const;

    std::vector<uint32_t> GetOtherSites(uint32_t site) const;

    /// Make the sessions through the tunnels between two PEs.
    void ConnectEdges(NodeIndex a, NodeIndex b, const WanTunnelHelper& tunnels);

    /// Announce other data centers, or withdraw them if there are no usable routes to them.
    void Announce(NodeIndex edge);

    BgpSpeakerFactory m_factory;                        //!< makes the speakers of PEs
    std::array<BgpFabricHelper, MAX_WAN_SITES> m_aidcs; //!< install the speakers of switches
    WanHelper* m_network{nullptr};                      //!< the network
    bool m_isSumOfPaths{false};                         //!< SetAllPaths()
    std::map<NodeIndex, Edge> m_edges;                  //!< the PEs
    std::vector<std::array<End, 2>> m_sessions;         //!< the sessions of PEs
    Time m_lastChange;                                  //!< when a PE's route has changed
};

} // namespace ns3::aidc

#endif // AIDC_BGP_WAN_HELPER_H

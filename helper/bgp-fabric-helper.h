// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_FABRIC_HELPER_H
#define AIDC_BGP_FABRIC_HELPER_H

#include "../model/core/bgp/bgp-prefix.h"
#include "../model/core/fare/path-bandwidth-policy.h"
#include "bfd-fabric-helper.h"
#include "fabric-helper.h"

#include "ns3/application-container.h"
#include "ns3/attribute.h"
#include "ns3/bgp-rib.h"
#include "ns3/bgp-speaker-statistics.h"
#include "ns3/bgp-speaker.h"
#include "ns3/callback.h"
#include "ns3/fabric-bgp-plan.h"
#include "ns3/fabric-plan.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// Makes the BGP speakers of data centers: a hold time of 9 s and 10 s between attempts to connect,
/// unless the user has set them.
class BgpSpeakerFactory
{
  public:
    BgpSpeakerFactory();

    /// Set an attribute of all speakers.
    void Set(const std::string& name, const AttributeValue& value);

    /// Derive the attributes that are not set, and refuse a user's defaults for attributes that
    /// Create() sets.
    /// @param helper the name of the helper, for the error
    /// @throws std::runtime_error that names the attributes that the user may not set
    void Prepare(const std::string& helper);

    /// Make a speaker, after Prepare(). A super-spine attaches the bandwidth of its links.
    /// routerId: its identifier; tier: its place.
    Ptr<BgpSpeaker> Create(uint32_t as, Ipv4Address routerId, PathBandwidthTier tier) const;

    /// Give an interface an address of a link. ipv4: the node's IPv4; address: the address, of a
    /// prefix of 31 bits (RFC 3021).
    static void AddLinkAddress(const Ptr<Ipv4>& ipv4, uint32_t interface, Ipv4Address address);

  private:
    ObjectFactory m_factory;       //!< makes the speakers
    std::set<std::string> m_isSet; //!< the attributes that were set
};

/// Installs BGP with path bandwidth on the switches of a fabric (draft-xu-idr-fare,
/// RFC 7938).
///
/// Each switch gets a BgpSpeaker. If the hosts' routes are OWN_HOSTS, too, each host with several
/// links also gets one, which announces nothing. Each link between speakers, also each parallel
/// one, gets its own session between two ASs:
///
/// - AS numbers come from FabricAsPlan, addresses of links from FabricLinkAddresses. Identifiers
///   are the addresses of the switches.
/// - The plan sets the tiers. The bandwidth of a link is the rate of its device. Super-spines
///   attach the bandwidth of their links, which they and their spines exchange although it is not
///   transitive.
/// - A leaf announces its prefixes, one for each of the plan's attachments. If hosts have several
///   leaves, all of these announce the hosts' prefix. If a host has lost some of its leaves, but
///   not all, the other leaves announce a separate prefix for it.
/// - Sessions have the timers of data centers: a hold time of 9 s, 10 s between attempts to
///   connect, and no interval between advertisements, unless attributes are set. The first end of a
///   link in the plan connects, the other end waits for the connection.
///
/// If FabricHelper fails a link, the link's session ends; if it restores the link, the session
/// restarts. BGP does not carry routes to a leaf's own hosts: FabricHelper sets them.
///
/// It takes a FabricHelper whose switches have OWN_HOSTS as their routes, between its
/// AssignAddresses() and the start of the simulation. The helper outlives the simulation. With
/// several processes (MpiProcesses), each one has the speakers of its own nodes, and calls
/// IsSettled(), GetLastRouteChange() and GetStatistics() at the same points.
class BgpFabricHelper
{
  public:
    BgpFabricHelper();

    BgpFabricHelper(const BgpFabricHelper&) = delete;
    BgpFabricHelper& operator=(const BgpFabricHelper&) = delete;

    /// Set an attribute of all speakers.
    void SetSpeakerAttribute(const std::string& name, const AttributeValue& value)
    {
        m_factory.Set(name, value);
    }

    /// Set the first AS number, which is FIRST_PRIVATE_AS by default.
    void SetFirstAs(uint32_t as)
    {
        m_firstAs = as;
    }

    /// Set the network of the links' addresses, which is 100.64.0.0/10 by default.
    void SetLinkNetwork(Ipv4Address network, Ipv4Mask mask)
    {
        m_linkNetwork = {network.Get(), static_cast<uint8_t>(mask.GetPrefixLength())};
    }

    /// Set the smallest time to live that speakers accept (RFC 5082): 255 for neighbors; 0, the
    /// default, for any.
    void SetMinTtl(uint8_t minTtl)
    {
        m_minTtl = minTtl;
    }

    /// Install BFD (RFC 5880), which ends sessions over links that silently fail.
    ///
    /// Each switch gets a BfdSpeaker, and each session between switches follows one of BFD.
    /// @param interval the least time between packets, in both directions: 1 us to 4294 s
    /// @param multiplier the intervals without a packet after which a link has failed, at least 1
    void SetBfd(Time interval, uint8_t multiplier = 3)
    {
        m_bfd = BfdFabricHelper::MakeSpeakers(interval, multiplier);
    }

    /// Have speakers weigh and advertise their links by their available bandwidth, in place of
    /// their rates (draft-xu-idr-fare-00, section "Introduction").
    ///
    /// Each node that speaks gets a LinkBandwidthMonitor of its ports to others.
    void UseAvailableBandwidth()
    {
        m_usesAvailable = true;
    }

    /// Set an attribute of all monitors of UseAvailableBandwidth().
    void SetMonitorAttribute(const std::string& name, const AttributeValue& value);

    /// Install speakers, and have them follow the links.
    /// @param network the fabric, whose switches have the routes to their own hosts
    /// @return the speakers of this process, in the order of FabricHelper::GetSwitches(), then the
    ///         speakers of hosts
    /// @throws std::invalid_argument if there are no AS numbers (see FabricAsPlan) or no addresses
    ///        of links (see FabricLinkAddresses)
    ApplicationContainer Install(FabricHelper& network);

    /// Assign fixed random variable streams to the speakers.
    /// @param stream the first stream to use
    /// @return the number of streams used: one for each node that speaks, of other processes, too;
    ///         with BFD, one more for each switch
    int64_t AssignStreams(int64_t stream);

    /// @return the speaker of a switch, or host that speaks, of this process
    Ptr<BgpSpeaker> GetSpeaker(NodeIndex node) const;

    /// @return the number that the speaker of a switch or host of this process has for the peer at
    /// a port
    uint32_t GetPeer(NodeIndex node, PortIndex port) const;

    /// @return the AS of a switch
    uint32_t GetAs(NodeIndex node) const;

    /// Move traffic away from a switch, before it is stopped or taken out (RFC 8326).
    ///
    /// Its speaker sends all routes again with the community 65535:0, which others pass on. So each
    /// switch prefers paths without this one, and uses it only where there is no other path. No
    /// packet is lost.
    void Drain(NodeIndex node) const
    {
        SetDrained(node, true);
    }

    /// Have traffic come back to a switch that was drained.
    void Undrain(NodeIndex node) const
    {
        SetDrained(node, false);
    }

    /// Connect a sink to a trace source of all speakers, with a prefix and the name of the switch
    /// in the plan as the context.
    void TraceConnect(const std::string& source,
                      const CallbackBase& sink,
                      const std::string& prefix = "") const;

    /// @return whether all sessions whose links are up are established, and no speaker has changes
    ///         to send, at the switches of all processes
    bool IsSettled() const;

    /// @return the time of the last change of a route, or of one of its weights, at the switches of
    ///         all processes; 0 if there was none
    Time GetLastRouteChange() const;

    /// @return the counters of all speakers, of all processes: messages, bytes, sessions
    BgpSpeakerStatistics GetStatistics() const;

  private:
    /// @return whether it gets a speaker
    bool Speaks(NodeIndex node) const;

    /// @return the nodes that speak, of all processes: switches, then hosts
    std::vector<NodeIndex> GetSpeakingNodes() const;

    /// A node's speaker.
    struct Speaker
    {
        Ptr<BgpSpeaker> speaker;             //!< the speaker
        std::map<PortIndex, uint32_t> peers; //!< the numbers of its peers by port
    };

    /// Give the ports of a node addresses.
    void AssignAddresses(NodeIndex node) const;

    /// Make the speaker of a node, and what follows its links: BFD, and the loads.
    Ptr<BgpSpeaker> Make(NodeIndex node);

    /// Make the settings of a switch for the peer at a port.
    BgpPeerSettings MakePeer(NodeIndex node, PortIndex port) const;

    /// Start or end a graceful shutdown of a switch. Other processes than its own do nothing.
    void SetDrained(NodeIndex node, bool isDrained) const;

    /// Handle a change of a link. If it is a host's, the host may get or lose its own prefix.
    void NotifyLink(LinkIndex link);

    /// Handle a change of routes.
    void NotifyRoute(NodeIndex node, const BgpPrefix& prefix);

    std::optional<ObjectFactory> m_bfd;               //!< SetBfd()
    BgpSpeakerFactory m_factory;                      //!< makes speakers
    ObjectFactory m_monitors;                         //!< makes monitors
    bool m_usesAvailable{false};                      //!< speakers have monitors
    uint32_t m_firstAs{FIRST_PRIVATE_AS};             //!< the first AS number
    FabricPrefix m_linkNetwork;                       //!< the network of the links' addresses
    uint8_t m_minTtl{0};                              //!< the smallest time to live
    FabricHelper* m_network{nullptr};                 //!< the fabric
    std::unique_ptr<FabricAsPlan> m_asPlan;           //!< its AS numbers
    std::unique_ptr<FabricLinkAddresses> m_addresses; //!< its addresses of links
    std::map<NodeIndex, Speaker> m_speakers;          //!< by switch
    Time m_lastChange;                                //!< when a route has changed
};

} // namespace ns3::aidc

#endif // AIDC_BGP_FABRIC_HELPER_H

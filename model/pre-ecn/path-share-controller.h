// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PATH_SHARE_CONTROLLER_H
#define AIDC_PATH_SHARE_CONTROLLER_H

#include "../core/pre-ecn/domain-message-guard.h"
#include "../core/pre-ecn/flow-set-paths.h"
#include "../core/pre-ecn/path-share-steering.h"
#include "domain-message-socket.h"

#include "ns3/address.h"
#include "ns3/domain-message.h"
#include "ns3/flow-key.h"
#include "ns3/ip-tunnel-net-device.h"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"
#include "ns3/tunnel-traffic-controller.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/// The counters of a PE for its flow sets.
struct PathShareStatistics
{
    uint64_t decisions{0};   //!< decisions by which something was to move
    uint64_t moves{0};       //!< sets that have gone to another path
    uint64_t forcedMoves{0}; //!< sets that have moved without a pause
    uint64_t escapes{0};     //!< sets that have left a path because it went down
};

/// Spreads the traffic of an ingress PE's tunnels over their paths, by flow sets: by weights,
/// and by the load of links, if LinkLoadReporters report it.
///
/// It is the rerouting of draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2.1, by share, whereas
/// IngressEdgeController steers flow by flow. Both work together: the controller that a tunnel
/// already has comes first and may slow down and hold packets; the path of each packet that it does
/// not steer is chosen here.
///
/// PathShareSteering decides, by PathShareLaw, which flow sets of FlowSetPaths are to move. Links
/// that all paths of a tunnel share say nothing, and are not looked at.
class PathShareController : public TunnelTrafficController, public DomainMessageReceiver
{
  public:
    friend class DomainMessageReceiver;

    /// A link in one direction.
    struct Link
    {
        Ipv4Address device; //!< the router that sends into it
        uint16_t port{0};   //!< its port
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    PathShareController();

    /// Steer the traffic of a PE. Aggregates this to the node.
    /// @param node the PE, with its protocol stack
    void Install(Ptr<Node> node);

    /// Steer the traffic of a tunnel, which has its paths. Its controller, if it has one, is asked
    /// first from now on.
    /// @param tunnel the tunnel, one of the PE's
    void AddTunnel(Ptr<IpTunnelNetDevice> tunnel);

    /// Set the delay of a tunnel's path, so that sets wait no longer than necessary before they
    /// move to a shorter path.
    /// @param tunnel the tunnel, which was added
    /// @param path the index of the path
    /// @param delay the one-way delay
    void SetPathDelay(Ptr<IpTunnelNetDevice> tunnel, uint32_t path, Time delay);

    /// Set the weights of a tunnel's paths: sets begin on the paths by them. By default, all begin
    /// on the primary path. It may be called at any time; sets that are where their old weights
    /// have put them move in pauses.
    /// @param tunnel the tunnel, which was added
    /// @param weights a weight a path, finite and at least 0, not all 0
    void SetPathWeights(Ptr<IpTunnelNetDevice> tunnel, const std::vector<double>& weights);

    /// Set the links of a tunnel's path, whose reports are its load.
    /// @param tunnel the tunnel, which was added
    /// @param path the index of the path
    /// @param links the links, the nearest first
    void SetPathLinks(Ptr<IpTunnelNetDevice> tunnel, uint32_t path, const std::vector<Link>& links);

    /// Get the shares of a tunnel's paths.
    /// @param tunnel the tunnel, which was added
    /// @return for each path, the part of the sets that take it; the sum is 1
    std::vector<double> GetShares(Ptr<IpTunnelNetDevice> tunnel) const;

    /// @return the receiver of reports
    DomainMessageReceiver& GetReceiver()
    {
        return *this;
    }

    /// @return the statistics of sets; GetReceiver() has the statistics of reports
    const PathShareStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    // From TunnelTrafficController
    uint32_t Choose(IpTunnelNetDevice& tunnel, TunnelPacket& packet) override;
    uint32_t ChooseDefault(IpTunnelNetDevice& tunnel, const TunnelPacket& packet) override;
    void NotifyPaths(IpTunnelNetDevice& tunnel) override;

    /// TracedCallback signature for a set that has gone to another path.
    /// @param [in] tunnel the ends of the tunnel, and protocol 4
    /// @param [in] set the set
    /// @param [in] oldPath the index of the path before
    /// @param [in] newPath the index of the path now
    typedef void (*PathTracedCallback)(const FlowKey& tunnel,
                                       uint32_t set,
                                       uint32_t oldPath,
                                       uint32_t newPath);

    /// TracedCallback signature for a report that was accepted.
    /// @param [in] report the report
    typedef void (*ReportTracedCallback)(const LinkLoadReport& report);

    /// TracedCallback signature for a report that was refused.
    /// @param [in] reason the reason
    /// @param [in] from its sender
    typedef void (*RefusedTracedCallback)(Refusal reason, const Address& from);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// A tunnel.
    struct Tunnel
    {
        Ptr<IpTunnelNetDevice> device;     //!< the tunnel
        Ptr<TunnelTrafficController> next; //!< is asked first, null for nobody
        SharedTunnel shares;               //!< its sets and paths
    };

    // From DomainMessageReceiver
    std::optional<Refusal> React(const AnyDomainMessage& message, int64_t now) override;
    void NotifyAccepted(const AnyDomainMessage& message) override;

    Tunnel& Get(const IpTunnelNetDevice& tunnel);

    /// @return the record of a path's links, after a check of its index
    Tunnel& Get(const IpTunnelNetDevice& tunnel, uint32_t path);

    /// Note that a set has gone to another path.
    void NoteMove(const Tunnel& tunnel, uint32_t set, uint32_t before);

    // The members that each packet touches come first.
    std::deque<Tunnel> m_tunnels;         //!< the tunnels
    FlowSetPaths::Settings m_setSettings; //!< when sets may move
    PathShareLaw::Settings m_lawSettings; //!< how much is to move
    uint32_t m_nSets{0};                  //!< attribute Sets
    PathShareSteering m_steering;         //!< moves shares by reports
    Ptr<Node> m_node;                     //!< the PE
    PathShareStatistics m_statistics;     //!< the statistics
    TracedCallback<const FlowKey&, uint32_t, uint32_t, uint32_t> m_pathTrace; //!< trace Path
    TracedCallback<const LinkLoadReport&> m_reportTrace;                      //!< trace Report
};

} // namespace ns3::aidc

#endif // AIDC_PATH_SHARE_CONTROLLER_H

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_INGRESS_EDGE_CONTROLLER_H
#define AIDC_INGRESS_EDGE_CONTROLLER_H

#include "../core/pre-ecn/domain-message-guard.h"
#include "../core/pre-ecn/edge-flow.h"
#include "../core/pre-ecn/edge-rate-law.h"
#include "../core/pre-ecn/path-steering.h"
#include "domain-message-socket.h"
#include "edge-shaper.h"

#include "ns3/address.h"
#include "ns3/data-rate.h"
#include "ns3/domain-message.h"
#include "ns3/event-id.h"
#include "ns3/flow-key.h"
#include "ns3/ip-tunnel-net-device.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"
#include "ns3/tunnel-traffic-controller.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/// The counters of an ingress PE for its flows. A flow may stand for all traffic of a tunnel.
struct IngressEdgeStatistics
{
    uint64_t rateReductions{0};    //!< steps down of a flow's rate
    uint64_t rateReleases{0};      //!< flows whose limit has ended
    uint64_t limitedBeginnings{0}; //!< flows that began with the rate of others of their tunnel
    uint64_t pathChanges{0};       //!< flows that have gone to another path
    uint64_t agedFlows{0};         //!< flows that were forgotten after AgingTime
};

/// The reaction of an ingress PE to notifications of congested routers
/// (draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2).
///
/// A DomainMessageReceiver delivers the notifications that it has verified. This PE must also send
/// their flow into one of its tunnels (section 5.1). Then the flow, or all traffic of its tunnel,
/// is slowed down (EdgeFlowRate), steered to another path (PathSteering), or both. The reactions to
/// light and to severe congestion are configured separately. By default they are the same, with a
/// larger step for severe congestion, whose CE marks also reach the sender.
///
/// While no flow is slowed down or steered, the cost of a packet is a test of the number of such
/// flows. After a notification of a flow, packets are looked up by their flow, and the flow's rate
/// is measured. The first step down comes with the first measurement. A flow that no longer differs
/// from a new one is forgotten.
class IngressEdgeController : public TunnelTrafficController, public DomainMessageReceiver
{
  public:
    /// The reactions to a notification.
    enum Reaction
    {
        NONE,    //!< nothing
        RATE,    //!< the rate is lowered
        REROUTE, //!< another path is taken
        BOTH,    //!< both
        AS_LIGHT //!< the reaction to light congestion; for severe congestion only
    };

    /// The traffic that is slowed down or steered.
    enum Granularity
    {
        FLOW,  //!< the flow that the notification names
        TUNNEL //!< all traffic of the flow's tunnel
    };

    /// The origin of a flow's rate.
    enum RateLaw
    {
        STEPS,        //!< steps down at notifications, whatever rate a router tells
        EXPLICIT_RATE //!< the rate that a router tells, or steps if it tells none
    };

    friend class DomainMessageReceiver;

    /// @return the TypeId
    static TypeId GetTypeId();

    IngressEdgeController();

    /// Control the traffic that enters the tunnels of a PE. Aggregates this to the node.
    ///
    /// Call this before the simulation begins, when the node has its protocol stack, and its
    /// SharedBuffer if it is to have one.
    /// @param node the PE
    void Install(Ptr<Node> node);

    /// Control the traffic that enters a tunnel. @param tunnel the tunnel, one of the PE's
    void AddTunnel(Ptr<IpTunnelNetDevice> tunnel);

    /// Set the delay of a tunnel's path, so that flows wait no longer than necessary before they
    /// move to a shorter path.
    /// @param tunnel the tunnel, which was added
    /// @param path the index of the path
    /// @param delay the one-way delay
    void SetPathDelay(Ptr<IpTunnelNetDevice> tunnel, uint32_t path, Time delay);

    /// Limit the sum of all packets that enter some tunnels, but for control packets, to the rate
    /// of a link that all of them take. So this PE alone never exceeds it. Flows share it fairly.
    /// @param tunnels the tunnels, which were added and have no limit
    /// @param rate the rate of the link
    /// @param overhead bytes that a packet takes on the link in addition to its bytes in the
    ///        tunnel, which include the tunnel's headers: the bytes of a frame
    void LimitTunnels(const std::vector<Ptr<IpTunnelNetDevice>>& tunnels,
                      DataRate rate,
                      uint32_t overhead);

    /// @return whether rates that routers tell have an effect, by the attributes
    bool FollowsRates() const
    {
        return m_rateLaw == EXPLICIT_RATE && HasRate(m_lightReaction);
    }

    /// @return whether flows may be slowed down, by the attributes
    bool LimitsRates() const
    {
        return HasRate(m_lightReaction) || HasRate(m_severeReaction);
    }

    /// @return whether tunnels are limited and steered, instead of flows, by the attributes
    bool IsPerTunnel() const
    {
        return m_granularity == TUNNEL;
    }

    /// @return whether flows may be steered, by the attributes
    bool Steers() const
    {
        return HasPath(m_lightReaction) || HasPath(m_severeReaction);
    }

    /// @return the receiver of the notifications
    DomainMessageReceiver& GetReceiver()
    {
        return *this;
    }

    /// @return the shaper in which packets wait
    Ptr<EdgeShaper> GetShaper() const
    {
        return m_shaper;
    }

    /// @return the number of flows or tunnels with a state
    std::size_t GetNFlows() const
    {
        return m_flows.GetSize();
    }

    /// @return the statistics of flows; GetReceiver() has the statistics of notifications
    const IngressEdgeStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    // From TunnelTrafficController
    uint32_t Choose(IpTunnelNetDevice& tunnel, TunnelPacket& packet) override;
    void NotifyPaths(IpTunnelNetDevice& tunnel) override;

    /// TracedCallback signature for a notification that was accepted.
    /// @param [in] notification the notification
    typedef void (*NotificationTracedCallback)(const CongestionNotification& notification);

    /// TracedCallback signature for a notification that was refused.
    /// @param [in] reason the reason
    /// @param [in] from its sender
    typedef void (*RefusedTracedCallback)(Refusal reason, const Address& from);

    /// TracedCallback signature for a rate that has changed.
    /// @param [in] flow the flow; the ends of the tunnel and protocol 4, if it is a tunnel's
    /// @param [in] oldRate the rate before, in bit/s, or EdgeRateLaw::UNLIMITED
    /// @param [in] newRate the rate now
    typedef void (*RateTracedCallback)(const FlowKey& flow, uint64_t oldRate, uint64_t newRate);

    /// TracedCallback signature for a path that was changed.
    /// @param [in] flow the flow; the ends of the tunnel and protocol 4, if it is a tunnel's
    /// @param [in] oldPath the index of the path before
    /// @param [in] newPath the index of the path now
    typedef void (*PathTracedCallback)(const FlowKey& flow, uint32_t oldPath, uint32_t newPath);

  protected:
    void NotifyConstructionCompleted() override;
    void DoInitialize() override;
    void DoDispose() override;

  private:
    // From DomainMessageReceiver
    std::optional<Refusal> React(const AnyDomainMessage& message, int64_t now) override;
    void NotifyAccepted(const AnyDomainMessage& message) override;

    /// @throws std::invalid_argument if both Floor and MaxRate are set and do not fit
    void CheckRates() const;

    /// @return whether a flow is slowed down
    static bool HasRate(Reaction reaction)
    {
        return reaction == RATE || reaction == BOTH;
    }

    /// @return whether a flow is steered
    static bool HasPath(Reaction reaction)
    {
        return reaction == REROUTE || reaction == BOTH;
    }

    /// A tunnel.
    struct Tunnel
    {
        Ptr<IpTunnelNetDevice> device;  //!< its device
        std::vector<SteeredPath> paths; //!< its paths
        std::optional<uint32_t> limit;  //!< the group of EdgeShaper that limits it, if any
        /// The explicit rate of one of its flows, with which new flows begin
        EdgeRateLaw::ExplicitRate beginning;
        int64_t beginningEnd{0}; //!< until when the rate is valid, ns
    };

    /// A flow that a notification has named.
    struct Flow
    {
        FlowKey key;                          //!< the flow
        Tunnel* tunnel{nullptr};              //!< its tunnel
        EdgeFlowRate rate;                    //!< its rate
        std::optional<PathSteering> steering; //!< its path, if it is steered
        std::optional<uint32_t> queue; //!< its queue in the shaper, if it is limited or waits
    };

    /// @return the record of a tunnel, whose address does not change; null if it was not added
    Tunnel* FindTunnel(const IpTunnelNetDevice& device);

    /// Find the tunnel that a notification names. The flow's destination has to be behind a tunnel,
    /// and its source behind none, unless the flow stands for the tunnel.
    /// @return the tunnel, null if this PE has no such tunnel or the flow does not take one
    Tunnel* FindTunnel(const CongestionNotification& notification);

    /// @return whether the route to an address leads into a tunnel, if there is a route
    std::optional<bool> IsBehindTunnel(uint32_t address) const;

    /// @return the state of a flow, a new one if necessary; null if there is no room
    Flow* FindOrAddFlow(const FlowKey& key, Tunnel& tunnel, int64_t now);

    /// Slow a flow down after a notification; isExplicit: to the notification's rate.
    void SlowDown(Flow& flow,
                  const CongestionNotification& notification,
                  int64_t now,
                  Reaction reaction,
                  bool isExplicit);

    /// Give a flow an explicit rate, if there was room for the flow (not null).
    void SetExplicitRate(Flow* flow, int64_t now, const EdgeRateLaw::ExplicitRate& rate);

    /// Apply the flow's rate to the shaper, if it differs from the old rate, in bit/s.
    void ApplyRate(Flow& flow, uint64_t oldRate);

    /// Open the queue of a flow. @param flow the flow, which has none @param rate its rate in bit/s
    void OpenQueue(Flow& flow, uint64_t rate);

    /// Close the queue of a flow. @param flow the flow, of which no packets wait
    void CloseQueue(Flow& flow);

    /// Decide on a packet of a flow that has no queue, in a tunnel that has a limit. flow: its
    /// state, null if there is none; made if the packet has to wait; now: the time in ns.
    /// @return whether it may leave at once
    bool PassLimit(const FlowKey& key,
                   Flow*& flow,
                   Tunnel& tunnel,
                   TunnelPacket& packet,
                   int64_t now);

    /// Steer a flow after a notification. sent: when the marked packet has left the PE, ns.
    void Steer(Flow& flow, int64_t now, int64_t sent);

    /// Choose the path of a packet that leaves. now: the time in ns.
    uint32_t ChoosePath(Flow& flow, const IpTunnelNetDevice& tunnel, int64_t now);

    /// Change a flow's path if time or the states of paths require it. now: the time in ns.
    void UpdatePath(Flow& flow, int64_t now);

    /// Count and trace a change of the path of a flow, which is steered.
    void NotePath(const Flow& flow, uint32_t oldPath);

    void Release(uint32_t queue, IpTunnelNetDevice& tunnel, TunnelPacket& packet);

    /// Update a flow by its last packet or notification. @return whether it is to be kept
    bool Update(Flow& flow, int64_t now, int64_t lastTime);

    /// Update each flow, and forget the flows that no longer differ from new ones.
    void Tick();

    // The members that each packet touches come first.
    Granularity m_granularity{FLOW};           //!< attribute Granularity
    EdgeRateLaw::Settings m_rateSettings;      //!< how rates are controlled
    PathSteering::Settings m_steeringSettings; //!< how flows are steered
    EdgeFlowTable<Flow> m_flows;               //!< the flows that notifications have named
    std::deque<Tunnel> m_tunnels;              //!< the tunnels
    Ptr<EdgeShaper> m_shaper;                  //!< has the waiting packets
    /// The flows that have queues, by queue; null for m_others
    std::vector<Flow*> m_shaped;
    std::vector<uint32_t> m_others;      //!< queues of flows without room, by the limit of tunnels
    EventId m_tick;                      //!< the next update of all flows
    IngressEdgeStatistics m_statistics;  //!< the statistics
    uint32_t m_maxFlows{1};              //!< attribute MaxFlows
    Time m_agingTime;                    //!< attribute AgingTime
    Reaction m_lightReaction{RATE};      //!< attribute LightReaction
    Reaction m_severeReaction{AS_LIGHT}; //!< attribute SevereReaction
    double m_lightStep{0};               //!< attribute LightStep
    double m_severeStep{0};              //!< attribute SevereStep
    RateLaw m_rateLaw{EXPLICIT_RATE};    //!< attribute RateLaw
    bool m_waitsForFeedback{true};       //!< attribute WaitForFeedback
    bool m_isConstructed{false};         //!< whether all attributes are set
    Ptr<Node> m_node;                    //!< the PE
    TracedCallback<const CongestionNotification&> m_notificationTrace; //!< trace Notification
    TracedCallback<const FlowKey&, uint64_t, uint64_t> m_rateTrace;    //!< trace Rate
    TracedCallback<const FlowKey&, uint32_t, uint32_t> m_pathTrace;    //!< trace Path
};

} // namespace ns3::aidc

#endif // AIDC_INGRESS_EDGE_CONTROLLER_H

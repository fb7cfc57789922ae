/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_INGRESS_EDGE_CONTROLLER_H
#define AIDC_INGRESS_EDGE_CONTROLLER_H

#include "../core/pre-ecn/domain-message-guard.h"
#include "../core/pre-ecn/edge-rate-law.h"
#include "../core/pre-ecn/path-steering.h"
#include "domain-message-socket.h"
#include "ingress-edge-flows.h"

#include "ns3/address.h"
#include "ns3/data-rate.h"
#include "ns3/domain-message.h"
#include "ns3/flow-key.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"
#include "ns3/tunnel-traffic-controller.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The reaction of an ingress PE to notifications of congested routers
 *        (draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2).
 *
 * A DomainMessageReceiver delivers the notifications that it has verified. Their flow also has to
 * be one which this PE sends into one of its tunnels (section 5.1). Then the flow, or all traffic
 * of its tunnel, is slowed down, steered to another path, or both (IngressEdgeFlows). The reactions
 * to light and to severe congestion are configured separately. By default they are the same, with a
 * larger step for severe congestion, whose CE marks also reach the sender.
 *
 * While no flow is slowed down or steered, the cost of a packet is a test of the number of such
 * flows. After a notification of a flow, packets are looked up by their flow, and the flow's rate
 * is measured. The first step down comes with the first measurement.
 */
class IngressEdgeController : public TunnelTrafficController,
                              private DomainMessageReceiver::Listener
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

    /// What determines the rate of a flow.
    enum RateLaw
    {
        STEPS,        //!< steps down at notifications, whatever rate a router tells
        EXPLICIT_RATE //!< the rate that a router tells, or steps if it tells none
    };

    /// Why a notification was refused.
    using Refusal = DomainMessageGuard::Refusal;

    /// @return the TypeId
    static TypeId GetTypeId();

    IngressEdgeController();

    /**
     * @brief Control the traffic that enters the tunnels of a PE. Aggregates this to the node.
     *
     * Call this before the simulation begins, when the node has its protocol stack, and its
     * SharedBuffer if it is to have one.
     *
     * @param node the PE
     */
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
    /// @param overhead bytes that a packet takes on the link besides those in its tunnel, which are
    ///        its own and those of the tunnel's headers: those of a frame
    void LimitTunnels(const std::vector<Ptr<IpTunnelNetDevice>>& tunnels,
                      DataRate rate,
                      uint32_t overhead);

    /// @return whether rates that routers tell have an effect, by the attributes
    bool FollowsRates() const
    {
        return m_rateLaw == EXPLICIT_RATE && (m_lightReaction == RATE || m_lightReaction == BOTH);
    }

    /// @return whether flows may be slowed down, by the attributes
    bool LimitsRates() const
    {
        const auto limits = [](Reaction reaction) { return reaction == RATE || reaction == BOTH; };
        return limits(m_lightReaction) || limits(m_severeReaction);
    }

    /// @return whether tunnels are limited and steered, instead of flows, by the attributes
    bool IsPerTunnel() const
    {
        return m_granularity == TUNNEL;
    }

    /// @return whether flows may be steered, by the attributes
    bool Steers() const
    {
        const auto steers = [](Reaction reaction) {
            return reaction == REROUTE || reaction == BOTH;
        };
        return steers(m_lightReaction) || steers(m_severeReaction);
    }

    /// @return the receiver of the notifications
    DomainMessageReceiver& GetReceiver()
    {
        return m_receiver;
    }

    /// @return the shaper in which packets wait
    Ptr<EdgeShaper> GetShaper() const
    {
        return m_flows.GetShaper();
    }

    /// @return the number of flows or tunnels with a state
    std::size_t GetNFlows() const
    {
        return m_flows.GetN();
    }

    /// @return the statistics of flows; those of notifications are GetReceiver()'s
    const IngressEdgeStatistics& GetStatistics() const
    {
        return m_flows.GetStatistics();
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
    // From DomainMessageReceiver::Listener
    std::optional<Refusal> React(const AnyDomainMessage& message, int64_t now) override;
    void NotifyAccepted(const AnyDomainMessage& message) override;
    void NotifyRefused(Refusal refusal, const Address& from) override;

    /// Check that Floor and MaxRate fit each other, once both are set.
    /// @throws std::invalid_argument if they do not
    void CheckRates() const;

    /// @return the record of a tunnel, whose address does not change; null if it was not added
    EdgeTunnel* FindTunnel(const IpTunnelNetDevice& device);

    /// Find the tunnel that a notification names. The flow's destination has to be behind a tunnel,
    /// and its source behind none, unless it is EdgeTunnel::GetKey() of the tunnel.
    /// @return the tunnel, null if it is none of these or the flow does not take one
    EdgeTunnel* FindTunnel(const CongestionNotification& notification);

    /// @return whether the route to an address leads into a tunnel, if there is a route
    std::optional<bool> IsBehindTunnel(uint32_t address) const;

    // The members that each packet touches come first.
    Granularity m_granularity{FLOW};                        //!< attribute Granularity
    EdgeRateLaw::Settings m_rateSettings;                   //!< how rates are controlled
    PathSteering::Settings m_steeringSettings;              //!< how flows are steered
    IngressEdgeFlows::Limits m_limits;                      //!< limits of time and number of flows
    IngressEdgeFlows m_flows;                               //!< the flows that were notified of
    std::deque<EdgeTunnel> m_tunnels;                       //!< the tunnels
    uint16_t m_port{0};                                     //!< attribute Port
    DomainMessageReceiver::Settings m_notificationSettings; //!< which notifications are believed
    DomainMessageReceiver m_receiver;                       //!< receives notifications
    Reaction m_lightReaction{RATE};                         //!< attribute LightReaction
    Reaction m_severeReaction{AS_LIGHT};                    //!< attribute SevereReaction
    double m_lightStep{0};                                  //!< attribute LightStep
    double m_severeStep{0};                                 //!< attribute SevereStep
    RateLaw m_rateLaw{EXPLICIT_RATE};                       //!< attribute RateLaw
    bool m_waitsForFeedback{true};                          //!< attribute WaitForFeedback
    bool m_isConstructed{false};                            //!< whether all attributes are set
    Ptr<Node> m_node;                                       //!< the PE
    TracedCallback<const CongestionNotification&> m_notificationTrace; //!< trace Notification
    TracedCallback<Refusal, const Address&> m_refusedTrace;            //!< trace Refused
    IngressEdgeFlows::RateTrace m_rateTrace;                           //!< trace Rate
    IngressEdgeFlows::PathTrace m_pathTrace;                           //!< trace Path
};

} // namespace ns3::aidc

#endif // AIDC_INGRESS_EDGE_CONTROLLER_H

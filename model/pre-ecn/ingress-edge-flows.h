/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_INGRESS_EDGE_FLOWS_H
#define AIDC_INGRESS_EDGE_FLOWS_H

#include "../core/pre-ecn/edge-flow.h"
#include "../core/pre-ecn/edge-rate-law.h"
#include "../core/pre-ecn/path-steering.h"
#include "edge-shaper.h"

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
#include <optional>
#include <vector>

namespace ns3::aidc
{

/// A tunnel of an ingress PE.
struct EdgeTunnel
{
    Ptr<IpTunnelNetDevice> device;  //!< the tunnel
    std::vector<SteeredPath> paths; //!< its paths for PathSteering
    std::optional<uint32_t> limit;  //!< the group of EdgeShaper that limits it, if there is one
    /// The explicit rate of one of its flows, with which new flows begin
    EdgeRateLaw::ExplicitRate beginning;
    int64_t beginningEnd{0}; //!< until when that is valid, ns

    /// @return the key of all packets that enter a tunnel: its ends and protocol 4
    static FlowKey GetKey(const IpTunnelNetDevice& device)
    {
        return MakeTunnelKey(device.GetLocal().Get(), device.GetRemote().Get());
    }

    /// Update the list of paths and their states. @return whether their number has changed
    bool UpdatePaths();
};

/// The counters of an ingress PE for its flows. A flow may stand for all traffic of a tunnel.
struct IngressEdgeStatistics
{
    uint64_t rateReductions{0};    //!< steps down of a flow's rate
    uint64_t rateReleases{0};      //!< flows whose limit has ended
    uint64_t limitedBeginnings{0}; //!< flows that began with the rate of others of their tunnel
    uint64_t pathChanges{0};       //!< flows that have gone to another path
    uint64_t agedFlows{0};         //!< flows that were forgotten after AgeingTime
};

/**
 * @brief The flows that an ingress PE was notified of: measures their rates, shapes the
 *        limited ones (EdgeFlowRate) and gives the steered ones their path (PathSteering).
 *
 * A flow that no longer differs from a new one is forgotten.
 */
class IngressEdgeFlows
{
  public:
    /// The limits of time and number of flows.
    struct Limits
    {
        Time ageingTime;      //!< the silence after which a flow is forgotten
        uint32_t maxFlows{1}; //!< the most flows
    };

    /// The reaction to a notification.
    struct Reaction
    {
        bool isAny{false};     //!< whether there is any reaction: then the flow is added
        double step{0};        //!< the part of its rate that the flow loses
        int64_t feedback{0};   //!< the feedback delay that its rate waits for, ns
        bool isSteered{false}; //!< whether the flow is to take another path
        int64_t sent{0};       //!< when the marked packet has left the PE, ns
        /// The explicit rate of a router, instead of a step
        std::optional<EdgeRateLaw::ExplicitRate> explicitRate;
    };

    /// Traces the rate of a flow: before and now, in bit/s, or EdgeRateLaw::UNLIMITED.
    using RateTrace = TracedCallback<const FlowKey&, uint64_t, uint64_t>;

    /// Traces the path of a flow: its index before and now.
    using PathTrace = TracedCallback<const FlowKey&, uint32_t, uint32_t>;

    /// Constructor. rateTrace, pathTrace: trace changes of flows; rates: how rates are controlled;
    /// limits: the limits of time and number of flows; all of them may change at any time.
    IngressEdgeFlows(const RateTrace& rateTrace,
                     const PathTrace& pathTrace,
                     const EdgeRateLaw::Settings& rates,
                     const PathSteering::Settings& steering,
                     const Limits& limits);

    /// Start. @param node the PE
    void Install(Ptr<Node> node);

    /// Forget all flows and the node.
    void Dispose();

    /// Limit the sum of all packets that enter tunnels. Their flows share it max-min fairly.
    /// @param tunnels the tunnels, which have no limit
    /// @param rate the rate in bit/s, at least 1
    /// @param overhead bytes that each packet takes on a link besides those in its tunnel
    void LimitTunnels(const std::vector<EdgeTunnel*>& tunnels, uint64_t rate, uint32_t overhead);

    /// @return whether the sum of packets of any tunnel is limited
    bool HasLimits() const
    {
        return !m_others.empty();
    }

    /// React to a notification. now: the time in ns. @return false if there is no room for the flow
    bool React(const FlowKey& key, EdgeTunnel& tunnel, int64_t now, const Reaction& reaction);

    /// Choose the path of a packet of a flow, or hold it. known: the tunnel's record, null if it
    /// was not added. @return as TunnelTrafficController::Choose()
    uint32_t Choose(const FlowKey& key,
                    IpTunnelNetDevice& tunnel,
                    TunnelPacket& packet,
                    EdgeTunnel* known);

    /// Note that paths of a tunnel have gone up or down. areOthers: whether the number of its paths
    /// has changed.
    void NotifyPaths(EdgeTunnel& tunnel, bool areOthers);

    /// @return the number of flows
    std::size_t GetN() const
    {
        return m_flows.GetSize();
    }

    /// @return the shaper in which packets wait
    Ptr<EdgeShaper> GetShaper() const
    {
        return m_shaper;
    }

    /// @return the statistics
    const IngressEdgeStatistics& GetStatistics() const
    {
        return m_statistics;
    }

  private:
    /// A flow.
    struct Flow
    {
        FlowKey key;                          //!< the flow
        EdgeTunnel* tunnel{nullptr};          //!< its tunnel
        EdgeFlowRate rate;                    //!< its rate
        std::optional<PathSteering> steering; //!< its path, if it is steered
        std::optional<uint32_t> queue; //!< its queue in the shaper, if it is limited or waits
    };

    /// Give a flow an explicit rate. flow: the flow, null if there is no room for it; now: the time
    /// in ns.
    void SetExplicitRate(Flow* flow, int64_t now, const EdgeRateLaw::ExplicitRate& rate);

    /// Decide on a packet of a flow that has no queue, in a tunnel that has a limit. flow: its
    /// state, null if there is none; made if the packet has to wait; now: the time in ns.
    /// @return whether it may leave at once
    bool PassLimit(const FlowKey& key,
                   Flow*& flow,
                   EdgeTunnel& known,
                   TunnelPacket& packet,
                   int64_t now);

    /// Open the queue of a flow. @param flow the flow, which has none @param rate its rate in bit/s
    void OpenQueue(Flow& flow, uint64_t rate);

    /// Close the queue of a flow. @param flow the flow, of which no packets wait
    void CloseQueue(Flow& flow);

    /// Find the state of a flow or make one. now: the time in ns. @return its state, null if there
    /// is no room
    Flow* FindOrAddFlow(const FlowKey& key, EdgeTunnel& tunnel, int64_t now);

    /// Apply the flow's rate to the shaper, if the rate has changed. oldRate: the rate before in
    /// bit/s.
    void ApplyRate(Flow& flow, uint64_t oldRate);

    /// Choose the path of a packet that leaves. now: the time in ns.
    uint32_t ChoosePath(Flow& flow, const IpTunnelNetDevice& tunnel, int64_t now);

    /// Change a flow's path if time or the states of paths require it. now: the time in ns.
    void UpdatePath(Flow& flow, int64_t now);

    /// Count a change of a flow's path, if there was one, and trace it. flow: the flow, which is
    /// steered.
    void NotePath(const Flow& flow, uint32_t oldPath);

    /// Update a flow. now: the time in ns; lastTime: the time of its last packet or notification,
    /// in ns. @return whether it is to be kept
    bool Update(Flow& flow, int64_t now, int64_t lastTime);

    /// Send a packet that has waited.
    void Release(uint32_t queue, IpTunnelNetDevice& tunnel, TunnelPacket& packet);

    /// Update each flow, and forget the flows that no longer differ from new ones.
    void Tick();

    EdgeFlowTable<Flow> m_flows;              //!< the flows
    const EdgeRateLaw::Settings& m_rates;     //!< how rates are controlled
    const PathSteering::Settings& m_steering; //!< how flows are steered
    const Limits& m_limits;                   //!< the limits of time and number of flows
    const RateTrace& m_rateTrace;             //!< traces the rates of flows
    const PathTrace& m_pathTrace;             //!< traces their paths
    Ptr<EdgeShaper> m_shaper;                 //!< has the waiting packets
    std::vector<Flow*> m_shaped;        //!< the flows that have queues, by these; null for m_others
    std::vector<uint32_t> m_others;     //!< queues of flows without room, by the limit of tunnels
    EventId m_tick;                     //!< the next update of all flows
    IngressEdgeStatistics m_statistics; //!< the statistics
};

} // namespace ns3::aidc

#endif // AIDC_INGRESS_EDGE_FLOWS_H

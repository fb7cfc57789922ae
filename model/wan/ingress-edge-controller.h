/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_INGRESS_EDGE_CONTROLLER_H
#define AIDC_INGRESS_EDGE_CONTROLLER_H

#include "edge-shaper.h"
#include "ingress-edge-statistics.h"
#include "tunnel-traffic-controller.h"

#include "ns3/address-domain.h"
#include "ns3/address.h"
#include "ns3/congestion-notification.h"
#include "ns3/data-rate.h"
#include "ns3/edge-flow-table.h"
#include "ns3/edge-rate-law.h"
#include "ns3/edge-rate-meter.h"
#include "ns3/event-id.h"
#include "ns3/flow-key.h"
#include "ns3/node.h"
#include "ns3/notification-key.h"
#include "ns3/nstime.h"
#include "ns3/path-steering.h"
#include "ns3/replay-window.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace ns3::aidc
{

class IpTunnelNetDevice;

/**
 * @ingroup aidc
 * @brief What an ingress PE does about the notifications of congested routers
 *        (draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2).
 *
 * It takes notifications by UDP, and believes those that come from the domain, are authentic, new
 * and of a flow which this PE sends into one of its tunnels (section 5.1). All others are counted,
 * traced and change nothing. Then the flow, or all that enters its tunnel, is slowed down
 * (EdgeRateLaw), is steered to another path (PathSteering), or both; what to do is configured for
 * light congestion and for severe one. By default the same is done about both, by a larger step for
 * severe congestion, whose CE marks engage the sender as well.
 *
 * While no flow is slowed down or steered, a packet costs a look at the number of such flows. Once
 * a flow was notified of, its packets are looked up by their flow, and its rate is measured; the
 * first step down comes with the first measurement.
 */
class IngressEdgeController : public TunnelTrafficController
{
  public:
    /// What is done about a notification.
    enum Reaction
    {
        NONE,    //!< nothing
        RATE,    //!< the rate is lowered
        REROUTE, //!< another path is taken
        BOTH,    //!< both
        AS_LIGHT //!< what is done about light congestion; for severe congestion only
    };

    /// What is slowed down or steered.
    enum Granularity
    {
        FLOW,  //!< the flow that the notification names
        TUNNEL //!< all that enters the flow's tunnel
    };

    /// Why a notification was refused.
    enum Refusal
    {
        OFF_DOMAIN,       //!< sender or device are not of the domain
        OTHER_DEVICE,     //!< it is of another device than its sender, which is no monitor
        OTHER_RECEIVER,   //!< it is for another PE
        MALFORMED,        //!< it is no notification
        UNAUTHENTIC,      //!< the hash is not that of the key
        EARLY,            //!< it is of a time to come
        STALE,            //!< it is too old
        REPLAYED,         //!< its number has come before, or is far behind
        TOO_MANY_DEVICES, //!< there is no room for the numbers of another device
        UNKNOWN_FLOW,     //!< this PE does not send the flow into a tunnel
        TOO_MANY_FLOWS    //!< there is no room for the state of another flow
    };

    /**
     * @brief Get the TypeId.
     * @return the TypeId
     */
    static TypeId GetTypeId();

    IngressEdgeController();
    ~IngressEdgeController() override;

    /**
     * @brief Control what enters the tunnels of a PE; aggregates this to the node.
     *
     * To be done before the simulation begins, when the node has its protocol stack and, if it is
     * to have one, its SharedBuffer.
     *
     * @param node the PE
     */
    void Install(Ptr<Node> node);

    /**
     * @brief Control what enters a tunnel.
     * @param tunnel the tunnel, one of the PE's
     */
    void AddTunnel(Ptr<IpTunnelNetDevice> tunnel);

    /**
     * @brief Tell how long a tunnel's path is, so that flows wait no longer than they have to
     *        before they go to a path that is shorter.
     * @param tunnel the tunnel, which was added
     * @param path the index of the path
     * @param delay the one-way delay
     */
    void SetPathDelay(Ptr<IpTunnelNetDevice> tunnel, uint32_t path, Time delay);

    /**
     * @brief Take a notification, as if it had come by UDP.
     * @param bytes the payload of the datagram; may be null if length is 0
     * @param length its length
     * @param from who has sent it
     */
    void Receive(const uint8_t* bytes, std::size_t length, const Address& from);

    /**
     * @brief Get where packets wait.
     * @return the shaper
     */
    Ptr<EdgeShaper> GetShaper() const;

    /**
     * @brief Get the number of flows or tunnels that there is a state of.
     * @return the number
     */
    std::size_t GetNFlows() const;

    /**
     * @brief Get the statistics.
     * @return the statistics
     */
    const IngressEdgeStatistics& GetStatistics() const;

    // From TunnelTrafficController
    uint32_t Choose(IpTunnelNetDevice& tunnel, TunnelPacket& packet) override;
    void NotifyPaths(IpTunnelNetDevice& tunnel) override;

    /**
     * @brief TracedCallback signature for a notification that was accepted.
     * @param [in] notification the notification
     */
    typedef void (*NotificationTracedCallback)(const CongestionNotification& notification);

    /**
     * @brief TracedCallback signature for a notification that was refused.
     * @param [in] reason why
     * @param [in] from who has sent it
     */
    typedef void (*RefusedTracedCallback)(Refusal reason, const Address& from);

    /**
     * @brief TracedCallback signature for a rate that has changed.
     * @param [in] flow the flow; the ends of the tunnel and protocol 4, if it is a tunnel's
     * @param [in] oldRate the rate before, in bit/s, or EdgeRateLaw::UNLIMITED
     * @param [in] newRate the rate now
     */
    typedef void (*RateTracedCallback)(const FlowKey& flow, uint64_t oldRate, uint64_t newRate);

    /**
     * @brief TracedCallback signature for a path that was changed.
     * @param [in] flow the flow; the ends of the tunnel and protocol 4, if it is a tunnel's
     * @param [in] oldPath the index of the path before
     * @param [in] newPath the index of the path now
     */
    typedef void (*PathTracedCallback)(const FlowKey& flow, uint32_t oldPath, uint32_t newPath);

  protected:
    void NotifyConstructionCompleted() override;
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// A tunnel.
    struct Tunnel
    {
        Ptr<IpTunnelNetDevice> device;  //!< the tunnel
        std::vector<SteeredPath> paths; //!< its paths
    };

    /// What is known of a flow, or of all that enters a tunnel.
    struct Flow
    {
        FlowKey key;                      //!< the flow
        Tunnel* tunnel{nullptr};          //!< where it enters
        PathSteering steering;            //!< its path
        uint32_t hash{0};                 //!< decides between equal paths
        EdgeRateMeter meter;              //!< measures its rate
        EdgeRateLaw law;                  //!< the rate that it is allowed
        uint32_t queue{EdgeShaper::NONE}; //!< where it waits
        double pendingStep{0};            //!< the step that is done when the rate is known
        int64_t pendingEnd{0};            //!< until when it is of use, ns
        int64_t pendingFeedback{0};       //!< the feedback delay of it, ns
        int64_t lastNotified{0};          //!< when it was last notified of, ns
        bool isSteered{false};            //!< whether it was to be steered
    };

    /**
     * @brief Set a value of a configuration.
     * @tparam Config the configuration
     * @tparam Member its member
     * @tparam T the type of the value
     * @param value the value
     */
    template <auto Config, auto Member, typename T>
    void Set(T value);

    /**
     * @brief Get a value of a configuration.
     * @tparam Config the configuration
     * @tparam Member its member
     * @tparam T the type of the value
     * @return the value
     */
    template <auto Config, auto Member, typename T>
    T Get() const;

    /**
     * @brief Set a time of a configuration.
     * @tparam Config the configuration
     * @tparam Member its member, in ns
     * @param time the time
     */
    template <auto Config, auto Member>
    void SetTime(Time time);

    /**
     * @brief Get a time of a configuration.
     * @tparam Config the configuration
     * @tparam Member its member, in ns
     * @return the time
     */
    template <auto Config, auto Member>
    Time GetTime() const;

    /**
     * @brief Set the least rate.
     * @param rate the rate
     * @return false if it cannot be
     */
    bool SetFloor(DataRate rate);

    /**
     * @brief Get the least rate.
     * @return the rate
     */
    DataRate GetFloor() const;

    /**
     * @brief Set the largest rate of what is limited.
     * @param rate the rate, 0 for none
     * @return false if it cannot be
     */
    bool SetMaxRate(DataRate rate);

    /**
     * @brief Get the largest rate of what is limited.
     * @return the rate, 0 for none
     */
    DataRate GetMaxRate() const;

    /**
     * @brief Set the key of the notifications.
     * @param text the key, in hexadecimal digits
     * @return false if it is none
     */
    bool SetKey(const std::string& text);

    /**
     * @brief Get the key of the notifications.
     * @return the key, in hexadecimal digits
     */
    std::string GetKey() const;

    /**
     * @brief Set the domain.
     * @param text prefixes, separated by commas
     * @return false if they are none
     */
    bool SetDomain(const std::string& text);

    /**
     * @brief Get the domain.
     * @return prefixes, separated by commas
     */
    std::string GetDomain() const;

    /**
     * @brief Set who may notify in the name of other devices.
     * @param text prefixes, separated by commas
     * @return false if they are none
     */
    bool SetMonitors(const std::string& text);

    /**
     * @brief Get who may notify in the name of other devices.
     * @return prefixes, separated by commas
     */
    std::string GetMonitors() const;

    /**
     * @brief Take the datagrams that wait.
     * @param socket where
     */
    void ReceiveFrom(Ptr<Socket> socket);

    /**
     * @brief Check whether a notification is to be believed.
     * @param bytes the payload of the datagram
     * @param length its length
     * @param from who has sent it
     * @param now the time in ns
     * @param [out] notification the notification
     * @param [out] reason why not
     * @return whether it is
     */
    bool Check(const uint8_t* bytes,
               std::size_t length,
               const Address& from,
               int64_t now,
               CongestionNotification& notification,
               Refusal& reason);

    /**
     * @brief React to a notification that is believed.
     * @param notification the notification
     * @param now the time in ns
     * @param [out] reason why it cannot be accepted
     * @return whether it was accepted
     */
    bool React(const CongestionNotification& notification, int64_t now, Refusal& reason);

    /**
     * @brief Find the state of a flow or make one.
     * @param key the flow
     * @param tunnel where it enters
     * @param now the time in ns
     * @return its state, null if there is no room
     */
    Flow* FindOrAddFlow(const FlowKey& key, Tunnel& tunnel, int64_t now);

    /**
     * @brief Count a refusal, and tell who watches.
     * @param reason why
     * @param from who has sent the notification
     */
    void Refuse(Refusal reason, const Address& from);

    /**
     * @brief Find the tunnel that a notification is of, one of this PE's. The flow's destination is
     *        behind a tunnel, and its source is behind none.
     * @param notification the notification
     * @return the tunnel, null if there is none
     */
    Tunnel* FindTunnel(const CongestionNotification& notification);

    /**
     * @brief Tell whether an address is behind a tunnel.
     * @param address the address
     * @param [out] hasRoute whether there is a route
     * @return whether it is
     */
    bool IsBehindTunnel(uint32_t address, bool& hasRoute) const;

    /**
     * @brief Find a tunnel.
     * @param device the tunnel
     * @return what is known of it, null if it was not added
     */
    Tunnel* FindTunnel(const IpTunnelNetDevice& device);

    /**
     * @brief Get what stands for all that enters a tunnel.
     * @param device the tunnel
     * @return its ends and protocol 4
     */
    static FlowKey GetKeyOf(const IpTunnelNetDevice& device);

    /**
     * @brief Lower the rate of a flow, or note that it is to be lowered once it is known.
     * @param flow the flow
     * @param now the time in ns
     * @param step the step
     * @param feedback the feedback delay in ns
     */
    void LowerRate(Flow& flow, int64_t now, double step, int64_t feedback);

    /**
     * @brief Forget the step that waits for the flow's rate, if the flow does not send any more.
     * @param flow the flow
     * @param now the time in ns
     */
    static void DropPendingStep(Flow& flow, int64_t now);

    /**
     * @brief Have the shaper do what the law says.
     * @param flow the flow
     * @param oldRate the rate before in bit/s
     */
    void ApplyRate(Flow& flow, uint64_t oldRate);

    /**
     * @brief Choose the path of a packet that leaves.
     * @param flow the flow
     * @param tunnel where it enters
     * @param now the time in ns
     * @return the path
     */
    uint32_t ChoosePath(Flow& flow, const IpTunnelNetDevice& tunnel, int64_t now);

    /**
     * @brief See to what time and the state of paths bring about for a flow's path.
     * @param flow the flow
     * @param now the time in ns
     */
    void UpdatePath(Flow& flow, int64_t now);

    /**
     * @brief Do for a flow what time brings about.
     * @param flow the flow
     * @param now the time in ns
     * @param lastTime when it was last heard of, in ns
     * @return whether it is to be kept
     */
    bool Update(Flow& flow, int64_t now, int64_t lastTime);

    /**
     * @brief Take note of the path that a flow has now.
     * @param flow the flow
     * @param oldPath the path before
     */
    void NotePath(Flow& flow, uint32_t oldPath);

    /**
     * @brief Let a packet leave that has waited.
     * @param queue where it has waited
     * @param tunnel where it goes
     * @param packet the packet
     */
    void Release(uint32_t queue, IpTunnelNetDevice& tunnel, TunnelPacket& packet);

    /// Do for each flow what time brings about, and forget those that are as good as new ones.
    void Tick();

    // What a packet touches comes first.
    EdgeFlowTable<Flow> m_flows;           //!< the flows that were notified of
    Granularity m_granularity{FLOW};       //!< attribute Granularity
    Time m_measureTime;                    //!< attribute MeasureTime
    PathSteering::Config m_steeringConfig; //!< how flows are steered
    bool m_isConstructed{false};           //!< whether all attributes are set, and fit each other
    EdgeRateLaw::Config m_rateConfig;      //!< how rates are controlled
    Ptr<EdgeShaper> m_shaper;              //!< where packets wait
    std::vector<Flow*> m_shaped;           //!< the limited flows, by their queue
    std::deque<Tunnel> m_tunnels;          //!< the tunnels; they stay where they are
    Reaction m_lightReaction{RATE};        //!< attribute LightReaction
    Reaction m_severeReaction{AS_LIGHT};   //!< attribute SevereReaction
    double m_lightStep{0};                 //!< attribute LightStep
    double m_severeStep{0};                //!< attribute SevereStep
    bool m_waitsForFeedback{true};         //!< attribute WaitForFeedback
    Time m_ageingTime;                     //!< attribute AgeingTime
    Time m_maxAge;                         //!< attribute MaxAge
    uint32_t m_maxFlows{0};                //!< attribute MaxFlows
    uint32_t m_maxDevices{0};              //!< attribute MaxDevices
    uint16_t m_port{0};                    //!< attribute Port
    NotificationKey m_key;                 //!< attribute Key
    AddressDomain m_domain;                //!< attribute Domain
    AddressDomain m_monitors;              //!< attribute Monitors, if there are any
    ReplayWindows m_windows;               //!< the numbers that have come
    Ptr<Node> m_node;                      //!< the PE
    Ptr<Socket> m_socket;                  //!< takes notifications
    EventId m_tick;                        //!< the next look at all flows
    IngressEdgeStatistics m_statistics;    //!< the statistics
    TracedCallback<const CongestionNotification&> m_notificationTrace; //!< accepted ones
    TracedCallback<Refusal, const Address&> m_refusedTrace;            //!< refused ones
    TracedCallback<const FlowKey&, uint64_t, uint64_t> m_rateTrace;    //!< rates
    TracedCallback<const FlowKey&, uint32_t, uint32_t> m_pathTrace;    //!< paths
};

} // namespace ns3::aidc

#endif // AIDC_INGRESS_EDGE_CONTROLLER_H

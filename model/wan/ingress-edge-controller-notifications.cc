/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// IngressEdgeController: its notifications.

#include "ingress-edge-controller.h"
#include "ip-tunnel-net-device.h"

#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <limits>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcIngressEdgeControllerNotifications");

void
IngressEdgeController::ReceiveFrom(Ptr<Socket> socket)
{
    Address from;
    while (const auto packet = socket->RecvFrom(from))
    {
        // What is longer is refused by its length, whatever it is.
        std::array<uint8_t, CONGESTION_NOTIFICATION_SIZE> bytes{};
        packet->CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
        Receive(bytes.data(), packet->GetSize(), from);
    }
}

void
IngressEdgeController::Receive(const uint8_t* bytes, std::size_t length, const Address& from)
{
    const int64_t now = Simulator::Now().GetNanoSeconds();
    CongestionNotification notification;
    Refusal reason{};
    if (!Check(bytes, length, from, now, notification, reason) || !React(notification, now, reason))
    {
        Refuse(reason, from);
        return;
    }
    ++(notification.severity == CongestionSeverity::LIGHT ? m_statistics.light
                                                          : m_statistics.severe);
    m_notificationTrace(notification);
}

bool
IngressEdgeController::Check(const uint8_t* bytes,
                             std::size_t length,
                             const Address& from,
                             int64_t now,
                             CongestionNotification& notification,
                             Refusal& reason)
{
    // What costs least comes first. Numbers are noted of authentic notifications only: a forged
    // one could make its successors look old.
    reason = OFF_DOMAIN;
    if (!InetSocketAddress::IsMatchingType(from) ||
        !m_domain.Contains(InetSocketAddress::ConvertFrom(from).GetIpv4().Get()))
    {
        return false;
    }
    reason = MALFORMED;
    if (DecodeCongestionNotification(bytes, length, notification) !=
            CongestionNotificationResult::OK ||
        notification.time > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
    {
        return false;
    }
    reason = UNAUTHENTIC;
    if (!m_key.Verify(bytes, length))
    {
        return false;
    }
    reason = OFF_DOMAIN;
    if (!m_domain.Contains(notification.device))
    {
        return false;
    }
    reason = OTHER_DEVICE;
    const uint32_t sender = InetSocketAddress::ConvertFrom(from).GetIpv4().Get();
    const bool isMonitor = !m_monitors.IsAll() && m_monitors.Contains(sender);
    if (notification.device != sender && !isMonitor)
    {
        return false;
    }
    // The domain shares one key: what is authentic may have been sent to another PE.
    reason = OTHER_RECEIVER;
    if (std::none_of(m_tunnels.begin(), m_tunnels.end(), [&notification](const Tunnel& tunnel) {
            return tunnel.device->GetLocal().Get() == notification.ingress;
        }))
    {
        return false;
    }
    const auto time = static_cast<int64_t>(notification.time);
    reason = EARLY;
    if (time > now)
    {
        return false;
    }
    reason = STALE;
    if (!m_maxAge.IsZero() && now - time > m_maxAge.GetNanoSeconds())
    {
        return false;
    }
    m_windows.SetLimits(m_maxDevices, m_maxAge.GetNanoSeconds());
    const auto verdict =
        m_windows.Accept(notification.device, notification.sequence, time, now, m_key.IsSet());
    reason = verdict == ReplayWindows::Verdict::NO_ROOM ? TOO_MANY_DEVICES : REPLAYED;
    return verdict == ReplayWindows::Verdict::FRESH;
}

bool
IngressEdgeController::React(const CongestionNotification& notification,
                             int64_t now,
                             Refusal& reason)
{
    Tunnel* const tunnel = FindTunnel(notification);
    if (!tunnel)
    {
        reason = UNKNOWN_FLOW;
        return false;
    }
    const bool isLight = notification.severity == CongestionSeverity::LIGHT;
    const bool isAsLight = isLight || m_severeReaction == AS_LIGHT;
    const Reaction reaction = isAsLight ? m_lightReaction : m_severeReaction;
    const FlowKey key = m_granularity == FLOW ? notification.flow : GetKeyOf(*tunnel->device);
    Flow* const flow = reaction == NONE ? m_flows.Find(key, now) : FindOrAddFlow(key, *tunnel, now);
    if (!flow)
    {
        reason = TOO_MANY_FLOWS;
        return reaction == NONE;
    }
    if (flow->tunnel != tunnel)
    {
        // The flow has gone to another tunnel, whose paths are others.
        flow->tunnel = tunnel;
        flow->isSteered = false;
    }
    flow->lastNotified = now;
    // The way there is taken to be as long as the way back.
    const int64_t loop = 2 * (now - static_cast<int64_t>(notification.time));
    const bool lowersRate = reaction == RATE || reaction == BOTH;
    const bool isStep = lowersRate && !notification.isFalling;
    const double step = isStep ? (isLight ? m_lightStep : m_severeStep) : 0;
    LowerRate(*flow, now, step, m_waitsForFeedback ? loop : 0);
    if (reaction == REROUTE || reaction == BOTH)
    {
        if (!flow->isSteered)
        {
            const auto& device = *flow->tunnel->device;
            const uint32_t path = device.GetPaths().GetDefault();
            flow->steering =
                PathSteering(now,
                             IpTunnelPaths::PRIMARY,
                             path < device.GetPaths().GetN() ? path : IpTunnelPaths::PRIMARY);
            flow->isSteered = true;
        }
        flow->steering.Notify(m_steeringConfig, now, now - loop, flow->tunnel->paths, flow->hash);
    }
    return true;
}

IngressEdgeController::Flow*
IngressEdgeController::FindOrAddFlow(const FlowKey& key, Tunnel& tunnel, int64_t now)
{
    const auto mayForget = [](const Flow& flow) {
        return !flow.law.IsLimited() &&
               (!flow.isSteered || flow.steering.GetPath() == IpTunnelPaths::PRIMARY);
    };
    m_flows.SetMaxFlows(m_maxFlows);
    Flow* const flow = m_flows.FindOrAdd(key, now, mayForget);
    if (flow && !flow->tunnel)
    {
        flow->key = key;
        flow->tunnel = &tunnel;
        // Routers of one domain need different seeds (HashFlow).
        flow->hash = HashFlow(key, tunnel.device->GetLocal().Get());
        if (m_tick.IsExpired())
        {
            m_tick = Simulator::Schedule(NanoSeconds(m_rateConfig.recoveryInterval),
                                         &IngressEdgeController::Tick,
                                         this);
        }
    }
    return flow;
}

IngressEdgeController::Tunnel*
IngressEdgeController::FindTunnel(const CongestionNotification& notification)
{
    const auto found =
        std::find_if(m_tunnels.begin(), m_tunnels.end(), [&notification](const Tunnel& tunnel) {
            return tunnel.device->GetLocal().Get() == notification.ingress &&
                   tunnel.device->GetRemote().Get() == notification.egress;
        });
    bool hasRoute = false;
    const auto& flow = notification.flow;
    const bool isHere = found != m_tunnels.end() && IsBehindTunnel(flow.destination, hasRoute) &&
                        !IsBehindTunnel(flow.source, hasRoute) && hasRoute;
    return isHere ? &*found : nullptr;
}

bool
IngressEdgeController::IsBehindTunnel(uint32_t address, bool& hasRoute) const
{
    Ipv4Header header;
    header.SetDestination(Ipv4Address(address));
    auto error = Socket::ERROR_NOTERROR;
    const auto route = m_node->GetObject<Ipv4>()->GetRoutingProtocol()->RouteOutput(nullptr,
                                                                                    header,
                                                                                    nullptr,
                                                                                    error);
    hasRoute = route != nullptr;
    return route && std::any_of(m_tunnels.begin(), m_tunnels.end(), [&route](const Tunnel& tunnel) {
               return route->GetOutputDevice() == tunnel.device;
           });
}

void
IngressEdgeController::Refuse(Refusal reason, const Address& from)
{
    NS_LOG_INFO("Refused a notification from " << from << ": " << reason);
    switch (reason)
    {
    case OFF_DOMAIN:
        ++m_statistics.offDomain;
        break;
    case OTHER_DEVICE:
        ++m_statistics.otherDevice;
        break;
    case OTHER_RECEIVER:
        ++m_statistics.otherReceiver;
        break;
    case MALFORMED:
        ++m_statistics.malformed;
        break;
    case UNAUTHENTIC:
        ++m_statistics.unauthentic;
        break;
    case EARLY:
        ++m_statistics.early;
        break;
    case STALE:
        ++m_statistics.stale;
        break;
    case REPLAYED:
        ++m_statistics.replayed;
        break;
    case TOO_MANY_DEVICES:
        ++m_statistics.tooManyDevices;
        break;
    case UNKNOWN_FLOW:
        ++m_statistics.unknownFlow;
        break;
    case TOO_MANY_FLOWS:
        ++m_statistics.tooManyFlows;
        break;
    }
    m_refusedTrace(reason, from);
}

} // namespace ns3::aidc

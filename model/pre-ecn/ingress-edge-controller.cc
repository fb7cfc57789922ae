/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ingress-edge-controller.h"

#include "../aidc-compat.h"
#include "../attribute-accessors.h"
#include "../core/require-argument.h"
#include "domain-message-socket.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

#include <algorithm>
#include <stdexcept>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcIngressEdgeController");

NS_OBJECT_ENSURE_REGISTERED(IngressEdgeController);

namespace
{

/// No time may be longer, so that sums of times stay in range.
constexpr int64_t LONGEST_SECONDS = 1000000;

} // namespace

TypeId
IngressEdgeController::GetTypeId()
{
    using C = IngressEdgeController;
    using Rates = EdgeRateLaw::Settings;
    using Paths = PathSteering::Settings;
    using Receiver = DomainMessageReceiver::Settings;
    constexpr auto RECEIVER = &C::m_notificationSettings;
    using Limits = IngressEdgeFlows::Limits;
    constexpr auto LIMITS = &C::m_limits;
    constexpr auto RATES = &C::m_rateSettings;
    constexpr auto PATHS = &C::m_steeringSettings;
    const Time longest = Seconds(LONGEST_SECONDS);
    static TypeId tid =
        AddDomainMessageReceiverAttributes(TypeId("ns3::aidc::IngressEdgeController")
                                               .SetParent<TunnelTrafficController>()
                                               .SetGroupName("Aidc")
                                               .AddConstructor<C>(),
                                           &C::m_port,
                                           RECEIVER,
                                           "notifications",
                                           CONGESTION_NOTIFICATION_PORT)
            .AddAttribute("Monitors",
                          "Prefixes of CongestionMonitors, which may notify on behalf of other "
                          "devices. Any other sender may only name itself as the device. Empty "
                          "for none.",
                          StringValue(""),
                          MakeParsedTextAccessor(RECEIVER, &Receiver::monitors),
                          MakeTextChecker(&AddressDomain::Parse))
            .AddAttribute("MaxFlows",
                          "How many flows (or tunnels) may be limited, steered or watched.",
                          UintegerValue(4096),
                          MakeSettingsAccessor<UintegerValue>(LIMITS, &Limits::maxFlows),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("AgeingTime",
                          "Silence after which a flow is forgotten, limited or not.",
                          TimeValue(Seconds(10)),
                          MakeSettingsAccessor<TimeValue>(LIMITS, &Limits::ageingTime),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("Granularity",
                          "What is limited and steered: the flow that was notified of, or all "
                          "packets that enter its tunnel. It has to be set before the simulation "
                          "begins. For rates that routers tell, it has to be that of their "
                          "CongestionNotifiers.",
                          EnumValue(FLOW),
                          MakeEnumAccessorFor<Granularity>(&C::m_granularity),
                          MakeEnumChecker(FLOW, "Flow", TUNNEL, "Tunnel"))
            .AddAttribute(
                "LightReaction",
                "The reaction to light congestion.",
                EnumValue(RATE),
                MakeEnumAccessorFor<Reaction>(&C::m_lightReaction),
                MakeEnumChecker(NONE, "None", RATE, "Rate", REROUTE, "Reroute", BOTH, "Both"))
            .AddAttribute(
                "SevereReaction",
                "The reaction of this node to severe congestion, in addition to that of the "
                "sender to CE. With None the rate of a flow stays what it is meanwhile.",
                EnumValue(AS_LIGHT),
                MakeEnumAccessorFor<Reaction>(&C::m_severeReaction),
                MakeEnumChecker(AS_LIGHT,
                                "AsLight",
                                NONE,
                                "None",
                                RATE,
                                "Rate",
                                REROUTE,
                                "Reroute",
                                BOTH,
                                "Both"))
            .AddAttribute("RateLaw",
                          "What determines the rate of a flow that was notified of: steps down, or "
                          "the rate that the router tells. A router that tells no rate leaves "
                          "steps.",
                          EnumValue(EXPLICIT_RATE),
                          MakeEnumAccessorFor<RateLaw>(&C::m_rateLaw),
                          MakeEnumChecker(STEPS, "Steps", EXPLICIT_RATE, "Explicit"))
            .AddAttribute("LightStep",
                          "The part of its rate that a flow loses at a step for light congestion.",
                          DoubleValue(0.05),
                          MakeDoubleAccessor(&C::m_lightStep),
                          MakeDoubleChecker<double>(0, 0.99))
            .AddAttribute("SevereStep",
                          "The part of its rate that a flow loses at a step for severe "
                          "congestion, if SevereReaction has Rate.",
                          DoubleValue(0.25),
                          MakeDoubleAccessor(&C::m_severeStep),
                          MakeDoubleChecker<double>(0, 0.99))
            .AddAttribute("WaitForFeedback",
                          "Whether StepInterval, QuietTime and RecoveryInterval are prolonged to "
                          "the feedback delay, twice the age of the last notification.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&C::m_waitsForFeedback),
                          MakeBooleanChecker())
            .AddAttribute("MeasureTime",
                          "How long the rate of a flow is measured, and by how much the first step "
                          "comes later than the first notification.",
                          TimeValue(MicroSeconds(50)),
                          MakeSettingsAccessor<TimeValue>(RATES, &Rates::measureTime),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("StepInterval",
                          "Least time between two steps of a flow.",
                          TimeValue(MicroSeconds(100)),
                          MakeSettingsAccessor<TimeValue>(RATES, &Rates::stepInterval),
                          MakeTimeChecker(Time(0), longest))
            .AddAttribute("QuietTime",
                          "Time without notifications of a flow before its rate recovers: several "
                          "intervals of notifications.",
                          TimeValue(MicroSeconds(500)),
                          MakeSettingsAccessor<TimeValue>(RATES, &Rates::quietTime),
                          MakeTimeChecker(Time(0), longest))
            .AddAttribute("RecoveryInterval",
                          "Least time between two rises of a flow's rate; also how often all flows "
                          "are looked at that were notified of.",
                          TimeValue(MicroSeconds(200)),
                          MakeSettingsAccessor<TimeValue>(RATES, &Rates::recoveryInterval),
                          MakeTimeChecker(MicroSeconds(1), longest))
            .AddAttribute(
                "RecoveryStep",
                "By how much a flow's rate rises after steps, as a fraction of the highest rate "
                "measured since the flow has been limited. Told rates double.",
                DoubleValue(0.02),
                MakeSettingsAccessor<DoubleValue>(RATES, &Rates::recoveryStep),
                MakeDoubleChecker<double>(1e-6, 1))
            .AddAttribute("Floor",
                          "The least rate of a flow, at least 1 bit/s. A flow that sends no faster "
                          "than this is not limited.",
                          DataRateValue(DataRate("100Mbps")),
                          MakeFunctionAccessor<C, DataRateValue>(
                              [](const C& edge) { return DataRate(edge.m_rateSettings.floor); },
                              [](C& edge, const DataRateValue& rate) {
                                  SetChecked(edge.m_rateSettings.floor,
                                             rate.Get().GetBitRate(),
                                             [&edge] { edge.CheckRates(); });
                              }),
                          MakeRateChecker(1, EdgeRateLaw::UNLIMITED))
            .AddAttribute("MaxRate",
                          "The largest rate of a flow while it is limited, not below Floor; 0 for "
                          "none.",
                          DataRateValue(DataRate(0)),
                          MakeFunctionAccessor<C, DataRateValue>(
                              [](const C& edge) {
                                  const uint64_t rate = edge.m_rateSettings.lineRate;
                                  return DataRate(rate == EdgeRateLaw::UNLIMITED ? 0 : rate);
                              },
                              [](C& edge, const DataRateValue& rate) {
                                  const uint64_t bits = rate.Get().GetBitRate();
                                  SetChecked(edge.m_rateSettings.lineRate,
                                             bits == 0 ? EdgeRateLaw::UNLIMITED : bits,
                                             [&edge] { edge.CheckRates(); });
                              }),
                          MakeDataRateChecker())
            .AddAttribute("SteerThreshold",
                          "How many notifications of a flow within SteerWindow steer it.",
                          UintegerValue(3),
                          MakeSettingsAccessor<UintegerValue>(PATHS, &Paths::threshold),
                          MakeUintegerChecker<uint32_t>(1, PathSteering::MAX_THRESHOLD))
            .AddAttribute("SteerWindow",
                          "The time within which SteerThreshold notifications come.",
                          TimeValue(MilliSeconds(50)),
                          MakeSettingsAccessor<TimeValue>(PATHS, &Paths::window),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("SteerHoldDown",
                          "Least time that a flow stays on a path, unless that goes down.",
                          TimeValue(MilliSeconds(100)),
                          MakeSettingsAccessor<TimeValue>(PATHS, &Paths::holdDown),
                          MakeTimeChecker(Time(0), longest))
            .AddAttribute("SteerQuietTime",
                          "Time without notifications before a path is taken to be free of "
                          "congestion, and before a flow returns to the primary path.",
                          TimeValue(MilliSeconds(200)),
                          MakeSettingsAccessor<TimeValue>(PATHS, &Paths::quietTime),
                          MakeTimeChecker(Time(0), longest))
            .AddAttribute(
                "SteerGap",
                "The least pause before a packet that takes another path. For paths of equal "
                "delays, it is the difference that their queues may make.",
                TimeValue(MicroSeconds(500)),
                MakeSettingsAccessor<TimeValue>(PATHS, &Paths::gap),
                MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("SteerForceTime",
                          "How long a flow waits for a pause; then it takes the other path without "
                          "one, and packets may overtake each other. 0 for ever.",
                          TimeValue(Time(0)),
                          MakeSettingsAccessor<TimeValue>(PATHS, &Paths::force),
                          MakeTimeChecker(Time(0), longest))
            .AddAttribute("Shaper",
                          "The shaper in which packets wait.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&C::GetShaper),
                          MakePointerChecker<EdgeShaper>())
            .AddTraceSource("Notification",
                            "A notification was accepted.",
                            MakeTraceSourceAccessor(&C::m_notificationTrace),
                            "ns3::aidc::IngressEdgeController::NotificationTracedCallback")
            .AddTraceSource("Refused",
                            "A notification was refused.",
                            MakeTraceSourceAccessor(&C::m_refusedTrace),
                            "ns3::aidc::IngressEdgeController::RefusedTracedCallback")
            .AddTraceSource("Rate",
                            "The rate of a flow has changed.",
                            MakeTraceSourceAccessor(&C::m_rateTrace),
                            "ns3::aidc::IngressEdgeController::RateTracedCallback")
            .AddTraceSource("Path",
                            "The path of a flow has changed.",
                            MakeTraceSourceAccessor(&C::m_pathTrace),
                            "ns3::aidc::IngressEdgeController::PathTracedCallback");
    return tid;
}

IngressEdgeController::IngressEdgeController()
    : m_flows(m_rateTrace, m_pathTrace, m_rateSettings, m_steeringSettings, m_limits),
      m_receiver(*this, m_notificationSettings, DomainMessageRecord::CONGESTION)
{
    NS_LOG_FUNCTION(this);
}

void
IngressEdgeController::Install(Ptr<Node> node)
{
    NS_LOG_FUNCTION(this << node);
    AIDC_REFUSED_IF(m_node, "IngressEdgeController serves one node");
    m_node = node;
    node->AggregateObject(this);
    m_flows.Install(node);
}

void
IngressEdgeController::AddTunnel(Ptr<IpTunnelNetDevice> tunnel)
{
    NS_LOG_FUNCTION(this << tunnel);
    AIDC_REFUSED_IF(FindTunnel(*tunnel), "The tunnel was added before");
    m_tunnels.emplace_back().device = tunnel;
    m_receiver.AddIngress(tunnel->GetLocal());
    tunnel->SetTrafficController(this);
    NotifyPaths(*tunnel);
}

void
IngressEdgeController::SetPathDelay(Ptr<IpTunnelNetDevice> tunnel, uint32_t path, Time delay)
{
    NS_LOG_FUNCTION(this << tunnel << path << delay);
    EdgeTunnel* const known = FindTunnel(*tunnel);
    AIDC_REFUSED_UNLESS(known, "The tunnel was not added");
    // There may be other paths than when it was added.
    NotifyPaths(*tunnel);
    AIDC_REFUSED_IF(path >= known->paths.size(),
                    "There is no path " << path << ", there are " << known->paths.size());
    known->paths[path].delay = delay.GetNanoSeconds();
}

void
IngressEdgeController::LimitTunnels(const std::vector<Ptr<IpTunnelNetDevice>>& tunnels,
                                    DataRate rate,
                                    uint32_t overhead)
{
    NS_LOG_FUNCTION(this << rate << overhead);
    AIDC_REFUSED_UNLESS(rate.GetBitRate() > 0, "LimitTunnels: expected a rate above 0");
    std::vector<EdgeTunnel*> known;
    for (const auto& tunnel : tunnels)
    {
        known.push_back(FindTunnel(*tunnel));
        AIDC_REFUSED_UNLESS(known.back(), "The tunnel was not added");
        AIDC_REFUSED_IF(known.back()->limit, "The tunnel has a limit");
    }
    m_flows.LimitTunnels(known, rate.GetBitRate(), overhead);
}

void
IngressEdgeController::NotifyConstructionCompleted()
{
    TunnelTrafficController::NotifyConstructionCompleted();
    m_isConstructed = true;
    CheckOrRefuse([this] { CheckRates(); }, "IngressEdgeController: ");
}

void
IngressEdgeController::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    m_receiver.Open(m_node, m_port);
    TunnelTrafficController::DoInitialize();
}

void
IngressEdgeController::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_receiver.Close();
    m_flows.Dispose();
    m_tunnels.clear();
    m_node = nullptr;
    TunnelTrafficController::DoDispose();
}

void
IngressEdgeController::CheckRates() const
{
    const uint64_t floor = m_rateSettings.floor;
    const uint64_t lineRate = m_rateSettings.lineRate;
    if (m_isConstructed && (floor == 0 || floor > lineRate))
    {
        throw std::invalid_argument("Floor: expected from 1 bit/s to MaxRate, " +
                                    std::to_string(lineRate) + " bit/s; found " +
                                    std::to_string(floor) + " bit/s");
    }
}

EdgeTunnel*
IngressEdgeController::FindTunnel(const IpTunnelNetDevice& device)
{
    const auto found =
        std::find_if(m_tunnels.begin(), m_tunnels.end(), [&device](const EdgeTunnel& tunnel) {
            return PeekPointer(tunnel.device) == &device;
        });
    return found == m_tunnels.end() ? nullptr : &*found;
}

EdgeTunnel*
IngressEdgeController::FindTunnel(const CongestionNotification& notification)
{
    const auto found =
        std::find_if(m_tunnels.begin(), m_tunnels.end(), [&notification](const EdgeTunnel& tunnel) {
            return tunnel.device->GetLocal().Get() == notification.ingress &&
                   tunnel.device->GetRemote().Get() == notification.egress;
        });
    if (found != m_tunnels.end() && notification.flow == EdgeTunnel::GetKey(*found->device))
    {
        return &*found;
    }
    const bool isHere = found != m_tunnels.end() &&
                        IsBehindTunnel(notification.flow.destination) == true &&
                        IsBehindTunnel(notification.flow.source) == false;
    return isHere ? &*found : nullptr;
}

std::optional<bool>
IngressEdgeController::IsBehindTunnel(uint32_t address) const
{
    Ipv4Header header;
    header.SetDestination(Ipv4Address(address));
    auto error = Socket::ERROR_NOTERROR;
    const auto route = m_node->GetObject<Ipv4>()->GetRoutingProtocol()->RouteOutput(nullptr,
                                                                                    header,
                                                                                    nullptr,
                                                                                    error);
    if (!route)
    {
        return std::nullopt;
    }
    return std::any_of(m_tunnels.begin(), m_tunnels.end(), [&route](const EdgeTunnel& tunnel) {
        return route->GetOutputDevice() == tunnel.device;
    });
}

std::optional<IngressEdgeController::Refusal>
IngressEdgeController::React(const AnyDomainMessage& message, int64_t now)
{
    const auto& notification = std::get<CongestionNotification>(message);
    EdgeTunnel* const tunnel = FindTunnel(notification);
    if (!tunnel)
    {
        return Refusal::UNKNOWN_FLOW;
    }
    const bool isOfTunnel = notification.flow == EdgeTunnel::GetKey(*tunnel->device);
    if (isOfTunnel && m_granularity == FLOW)
    {
        return Refusal::UNKNOWN_FLOW; // it does not tell which of the flows
    }
    const bool isMarked = notification.severity != CongestionSeverity::NONE;
    // The rate of a flow is not that of its tunnel.
    const bool isExplicit = notification.rate != NOTIFICATION_RATE_NONE &&
                            m_rateLaw == EXPLICIT_RATE && isOfTunnel == (m_granularity == TUNNEL);
    if (!isMarked && !isExplicit)
    {
        return std::nullopt; // a rate for who wants to know it
    }
    const bool isSevere = notification.severity == CongestionSeverity::SEVERE;
    const Reaction kind =
        isSevere && m_severeReaction != AS_LIGHT ? m_severeReaction : m_lightReaction;
    const bool hasRate = kind == RATE || kind == BOTH;
    // The way there is taken to be as long as the way back.
    const int64_t loop = 2 * (now - static_cast<int64_t>(notification.time));
    const int64_t validity = 1000 * int64_t{notification.validity};
    IngressEdgeFlows::Reaction reaction;
    reaction.isAny = kind != NONE;
    reaction.step =
        hasRate && !notification.isFalling ? (isSevere ? m_severeStep : m_lightStep) : 0;
    reaction.feedback = m_waitsForFeedback ? std::max(loop, validity) : 0;
    reaction.isSteered = isMarked && (kind == REROUTE || kind == BOTH);
    reaction.sent = now - loop;
    if (isExplicit && hasRate)
    {
        const uint64_t source = uint64_t{notification.device} << 32 |
                                uint64_t{notification.port} << 16 | notification.queue;
        reaction.explicitRate = EdgeRateLaw::ExplicitRate{notification.rate,
                                                          validity,
                                                          source,
                                                          static_cast<int64_t>(notification.time),
                                                          loop};
    }
    const FlowKey key =
        m_granularity == FLOW ? notification.flow : EdgeTunnel::GetKey(*tunnel->device);
    return m_flows.React(key, *tunnel, now, reaction) ? std::nullopt
                                                      : std::make_optional(Refusal::TOO_MANY_FLOWS);
}

uint32_t
IngressEdgeController::Choose(IpTunnelNetDevice& tunnel, TunnelPacket& packet)
{
    if (m_flows.GetN() == 0 && !m_flows.HasLimits())
    {
        return DEFAULT_PATH;
    }
    const FlowKey key = m_granularity == FLOW ? packet.header.flow : EdgeTunnel::GetKey(tunnel);
    return m_flows.Choose(key, tunnel, packet, FindTunnel(tunnel));
}

void
IngressEdgeController::NotifyAccepted(const AnyDomainMessage& message)
{
    m_notificationTrace(std::get<CongestionNotification>(message));
}

void
IngressEdgeController::NotifyRefused(Refusal refusal, const Address& from)
{
    m_refusedTrace(refusal, from);
}

void
IngressEdgeController::NotifyPaths(IpTunnelNetDevice& tunnel)
{
    NS_LOG_FUNCTION(this);
    if (EdgeTunnel* const known = FindTunnel(tunnel))
    {
        const bool areOthers = known->UpdatePaths();
        m_flows.NotifyPaths(*known, areOthers);
    }
}

} // namespace ns3::aidc

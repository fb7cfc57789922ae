// SPDX-License-Identifier: GPL-2.0-only

#include "ingress-edge-controller.h"

#include "../aidc-compat.h"
#include "../attribute-accessors.h"
#include "../core/ipv4-bytes.h"
#include "../core/require-argument.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcIngressEdgeController");

NS_OBJECT_ENSURE_REGISTERED(IngressEdgeController);

namespace
{

/// No time may be longer, so that sums of times stay in range.
constexpr int64_t LONGEST_SECONDS = 1000000;

/// @return the key of all packets that enter a tunnel: its ends and protocol 4
FlowKey
GetKey(const IpTunnelNetDevice& device)
{
    return MakeTunnelKey(device.GetLocal().Get(), device.GetRemote().Get());
}

} // namespace

TypeId
IngressEdgeController::GetTypeId()
{
    using C = IngressEdgeController;
    using Rates = EdgeRateLaw::Settings;
    using Paths = PathSteering::Settings;
    using Receiver = DomainMessageReceiver::Settings;
    constexpr Receiver C::* RECEIVER = &C::m_messageSettings;
    constexpr auto RATES = &C::m_rateSettings;
    constexpr auto PATHS = &C::m_steeringSettings;
    const Time longest = Seconds(LONGEST_SECONDS);
    static TypeId tid =
        AddAttributes<C>(TypeId("ns3::aidc::IngressEdgeController")
                             .SetParent<TunnelTrafficController>()
                             .SetGroupName("Aidc")
                             .AddConstructor<C>(),
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
                          MakeUintegerAccessor(&C::m_maxFlows),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("AgingTime",
                          "Silence after which a flow is forgotten, limited or not.",
                          TimeValue(Seconds(10)),
                          MakeTimeAccessor(&C::m_agingTime),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("Granularity",
                          "What is limited and steered: the flow that was notified of, or all "
                          "packets that enter its tunnel. It has to be set before the simulation "
                          "begins. For rates that routers tell, it has to be the same as in "
                          "their CongestionNotifiers.",
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
                "The reaction of this node to severe congestion, in addition to the "
                "sender's reaction to CE. With None the rate of a flow stays what it is meanwhile.",
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
                "measured since the flow has been limited. Explicit rates double.",
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
    : DomainMessageReceiver(DomainMessageRecord::CONGESTION),
      m_shaper(CreateObject<EdgeShaper>())
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
    m_shaper->Install(node, MakeCallback(&IngressEdgeController::Release, this));
}

void
IngressEdgeController::AddTunnel(Ptr<IpTunnelNetDevice> tunnel)
{
    NS_LOG_FUNCTION(this << tunnel);
    AIDC_REFUSED_IF(FindTunnel(*tunnel), "The tunnel was added before");
    m_tunnels.emplace_back().device = tunnel;
    AddIngress(tunnel->GetLocal());
    tunnel->SetTrafficController(this);
    NotifyPaths(*tunnel);
}

void
IngressEdgeController::SetPathDelay(Ptr<IpTunnelNetDevice> tunnel, uint32_t path, Time delay)
{
    NS_LOG_FUNCTION(this << tunnel << path << delay);
    Tunnel* const known = FindTunnel(*tunnel);
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
    std::vector<Tunnel*> known;
    for (const auto& tunnel : tunnels)
    {
        known.push_back(FindTunnel(*tunnel));
        AIDC_REFUSED_UNLESS(known.back(), "The tunnel was not added");
        AIDC_REFUSED_IF(known.back()->limit, "The tunnel has a limit");
    }
    const uint32_t group = m_shaper->OpenGroup(rate.GetBitRate(), overhead);
    for (Tunnel* const tunnel : known)
    {
        tunnel->limit = group;
    }
    m_others.push_back(m_shaper->Open(EdgeRateLaw::UNLIMITED));
    m_shaped.resize(std::max<std::size_t>(m_shaped.size(), m_others.back() + 1));
    m_shaped[m_others.back()] = nullptr;
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
    Open(m_node);
    TunnelTrafficController::DoInitialize();
}

void
IngressEdgeController::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Close();
    m_tick.Cancel();
    m_shaper->Dispose();
    m_shaper = nullptr;
    m_shaped.clear();
    m_others.clear();
    m_flows = {};
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

IngressEdgeController::Tunnel*
IngressEdgeController::FindTunnel(const IpTunnelNetDevice& device)
{
    const auto found =
        std::find_if(m_tunnels.begin(), m_tunnels.end(), [&device](const Tunnel& tunnel) {
            return PeekPointer(tunnel.device) == &device;
        });
    return found == m_tunnels.end() ? nullptr : &*found;
}

IngressEdgeController::Tunnel*
IngressEdgeController::FindTunnel(const CongestionNotification& notification)
{
    const auto found =
        std::find_if(m_tunnels.begin(), m_tunnels.end(), [&notification](const Tunnel& tunnel) {
            return tunnel.device->GetLocal().Get() == notification.ingress &&
                   tunnel.device->GetRemote().Get() == notification.egress;
        });
    if (found != m_tunnels.end() && notification.flow == GetKey(*found->device))
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
    return std::any_of(m_tunnels.begin(), m_tunnels.end(), [&route](const Tunnel& tunnel) {
        return route->GetOutputDevice() == tunnel.device;
    });
}

std::optional<IngressEdgeController::Refusal>
IngressEdgeController::React(const AnyDomainMessage& message, int64_t now)
{
    const auto& notification = std::get<CongestionNotification>(message);
    Tunnel* const tunnel = FindTunnel(notification);
    if (!tunnel)
    {
        return Refusal::UNKNOWN_FLOW;
    }
    const bool isOfTunnel = notification.flow == GetKey(*tunnel->device);
    if (isOfTunnel && m_granularity == FLOW)
    {
        return Refusal::UNKNOWN_FLOW; // it does not tell which of the flows
    }
    const bool isMarked = notification.severity != CongestionSeverity::NONE;
    // The rate of a flow is not the rate of its tunnel.
    const bool isExplicit = notification.rate != NOTIFICATION_RATE_NONE &&
                            m_rateLaw == EXPLICIT_RATE && isOfTunnel == (m_granularity == TUNNEL);
    if (!isMarked && !isExplicit)
    {
        return std::nullopt; // a rate for controllers that use it
    }
    const bool isSevere = notification.severity == CongestionSeverity::SEVERE;
    const Reaction kind =
        isSevere && m_severeReaction != AS_LIGHT ? m_severeReaction : m_lightReaction;
    const FlowKey key = m_granularity == FLOW ? notification.flow : GetKey(*tunnel->device);
    Flow* const flow = kind == NONE ? m_flows.Find(key, now) : FindOrAddFlow(key, *tunnel, now);
    if (!flow)
    {
        return kind == NONE ? std::nullopt : std::make_optional(Refusal::TOO_MANY_FLOWS);
    }
    if (flow->tunnel != tunnel)
    {
        // The flow has gone to another tunnel, whose paths are others.
        flow->tunnel = tunnel;
        flow->steering.reset();
    }
    SlowDown(*flow, notification, now, kind, isExplicit);
    if (isMarked && HasPath(kind))
    {
        // The way there is taken to be as long as the way back.
        Steer(*flow, now, 2 * static_cast<int64_t>(notification.time) - now);
    }
    return std::nullopt;
}

void
IngressEdgeController::SlowDown(Flow& flow,
                                const CongestionNotification& notification,
                                int64_t now,
                                Reaction reaction,
                                bool isExplicit)
{
    const bool hasRate = HasRate(reaction);
    const int64_t loop = 2 * (now - static_cast<int64_t>(notification.time));
    const int64_t validity = 1000 * int64_t{notification.validity};
    if (isExplicit && hasRate)
    {
        const uint64_t source = uint64_t{notification.device} << 32 |
                                uint64_t{notification.port} << 16 | notification.queue;
        const EdgeRateLaw::ExplicitRate rate{notification.rate,
                                             validity,
                                             source,
                                             static_cast<int64_t>(notification.time),
                                             loop};
        if (rate.rate != EdgeRateLaw::UNLIMITED)
        {
            flow.tunnel->beginning = rate;
            flow.tunnel->beginningEnd = now + validity;
        }
        SetExplicitRate(&flow, now, rate);
        return;
    }
    const bool isSevere = notification.severity == CongestionSeverity::SEVERE;
    const double step =
        hasRate && !notification.isFalling ? (isSevere ? m_severeStep : m_lightStep) : 0;
    const uint64_t oldRate = flow.rate.Get();
    m_statistics.rateReductions +=
        flow.rate.Notify(m_rateSettings,
                         now,
                         step,
                         m_waitsForFeedback ? std::max(loop, validity) : 0);
    ApplyRate(flow, oldRate);
}

void
IngressEdgeController::Steer(Flow& flow, int64_t now, int64_t sent)
{
    if (!flow.steering)
    {
        const uint32_t path = flow.tunnel->device->GetPaths().GetDefault();
        // Routers of one domain need different seeds (HashFlow).
        flow.steering.emplace(now,
                              path == TunnelPathChoice::NONE ? PathSteering::PRIMARY : path,
                              HashFlow(flow.key, flow.tunnel->device->GetLocal().Get()));
    }
    flow.steering->Notify(m_steeringSettings, now, sent, flow.tunnel->paths);
}

uint32_t
IngressEdgeController::Choose(IpTunnelNetDevice& tunnel, TunnelPacket& packet)
{
    if (m_flows.GetSize() == 0 && m_others.empty())
    {
        return DEFAULT_PATH;
    }
    const int64_t now = Simulator::Now().GetNanoSeconds();
    const FlowKey key = m_granularity == FLOW ? packet.header.flow : GetKey(tunnel);
    Tunnel* const known = FindTunnel(tunnel);
    Flow* flow = m_flows.Find(key, now);
    if (!flow && known && now < known->beginningEnd && !packet.IsControl())
    {
        flow = FindOrAddFlow(key, *known, now);
        SetExplicitRate(flow, now, known->beginning);
        m_statistics.limitedBeginnings += flow ? 1 : 0;
    }
    // Nobody gains if a control packet waits, and a sender slows down late, or stops.
    const bool isLimited = known && known->limit && !packet.IsControl();
    if (flow && !packet.IsControl())
    {
        const uint32_t size = packet.payload->GetSize() + static_cast<uint32_t>(sizeof(Ipv4Bytes));
        const uint64_t oldRate = flow->rate.Get();
        m_statistics.rateReductions += flow->rate.Count(m_rateSettings, now, size);
        ApplyRate(*flow, oldRate);
        if (flow->queue)
        {
            const uint32_t group = isLimited ? *known->limit : EdgeShaper::NO_GROUP;
            return m_shaper->Pass(*flow->queue, tunnel, packet, group)
                       ? ChoosePath(*flow, tunnel, now)
                       : HOLD;
        }
    }
    if (isLimited && !PassLimit(key, flow, *known, packet, now))
    {
        return HOLD;
    }
    return flow ? ChoosePath(*flow, tunnel, now) : DEFAULT_PATH;
}

void
IngressEdgeController::NotifyAccepted(const AnyDomainMessage& message)
{
    m_notificationTrace(std::get<CongestionNotification>(message));
}

void
IngressEdgeController::NotifyPaths(IpTunnelNetDevice& tunnel)
{
    NS_LOG_FUNCTION(this);
    if (Tunnel* const known = FindTunnel(tunnel))
    {
        const auto& paths = tunnel.GetPaths();
        const bool areOthers = known->paths.size() != paths.GetN();
        known->paths.resize(paths.GetN());
        for (uint32_t i = 0; i < paths.GetN(); ++i)
        {
            known->paths[i].isUp = paths.IsUp(i);
        }
        const int64_t now = Simulator::Now().GetNanoSeconds();
        m_flows.ForEach([this, known, areOthers, now](const FlowKey&, Flow& flow, int64_t) {
            if (flow.tunnel == known)
            {
                if (areOthers)
                {
                    // Knowledge of the previous paths says nothing of the new ones.
                    flow.steering.reset();
                }
                UpdatePath(flow, now);
            }
            return true;
        });
    }
}

IngressEdgeController::Flow*
IngressEdgeController::FindOrAddFlow(const FlowKey& key, Tunnel& tunnel, int64_t now)
{
    m_flows.SetMaxFlows(m_maxFlows);
    const auto mayForget = [](const Flow& old) {
        return !old.queue && (!old.steering || old.steering->GetPath() == PathSteering::PRIMARY);
    };
    Flow* const flow = m_flows.FindOrAdd(key, now, mayForget);
    if (flow && !flow->tunnel)
    {
        NS_LOG_LOGIC("New flow, " << m_flows.GetSize() << " in all");
        flow->key = key;
        flow->tunnel = &tunnel;
        if (m_tick.IsExpired())
        {
            m_tick = Simulator::Schedule(NanoSeconds(m_rateSettings.recoveryInterval),
                                         &IngressEdgeController::Tick,
                                         this);
        }
    }
    return flow;
}

bool
IngressEdgeController::PassLimit(const FlowKey& key,
                                 Flow*& flow,
                                 Tunnel& known,
                                 TunnelPacket& packet,
                                 int64_t now)
{
    const uint32_t group = *known.limit;
    if (m_shaper->PassGroup(group, *known.device, packet))
    {
        return true;
    }
    const uint32_t others = m_others[group];
    // Packets of the flow may be among those that wait there.
    if (!m_shaper->IsWaiting(others))
    {
        flow = flow ? flow : FindOrAddFlow(key, known, now);
        if (flow)
        {
            OpenQueue(*flow, EdgeRateLaw::UNLIMITED);
        }
    }
    const uint32_t queue = flow && flow->queue ? *flow->queue : others;
    return m_shaper->Pass(queue, *known.device, packet, group);
}

void
IngressEdgeController::SetExplicitRate(Flow* flow,
                                       int64_t now,
                                       const EdgeRateLaw::ExplicitRate& rate)
{
    if (flow)
    {
        const uint64_t oldRate = flow->rate.Get();
        m_statistics.rateReductions += flow->rate.SetExplicitRate(m_rateSettings, now, rate);
        ApplyRate(*flow, oldRate);
    }
}

void
IngressEdgeController::Release(uint32_t queue, IpTunnelNetDevice& tunnel, TunnelPacket& packet)
{
    const int64_t now = Simulator::Now().GetNanoSeconds();
    Flow* const flow = m_shaped[queue];
    tunnel.Resume(std::move(packet), flow ? ChoosePath(*flow, tunnel, now) : DEFAULT_PATH);
}

uint32_t
IngressEdgeController::ChoosePath(Flow& flow, const IpTunnelNetDevice& tunnel, int64_t now)
{
    if (!flow.steering || PeekPointer(flow.tunnel->device) != &tunnel)
    {
        return DEFAULT_PATH;
    }
    const uint32_t oldPath = flow.steering->GetPath();
    const uint32_t path = flow.steering->Choose(m_steeringSettings, now, flow.tunnel->paths);
    NotePath(flow, oldPath);
    return path;
}

void
IngressEdgeController::UpdatePath(Flow& flow, int64_t now)
{
    if (flow.steering)
    {
        const uint32_t oldPath = flow.steering->GetPath();
        flow.steering->Update(m_steeringSettings, now, flow.tunnel->paths);
        NotePath(flow, oldPath);
    }
}

void
IngressEdgeController::NotePath(const Flow& flow, uint32_t oldPath)
{
    const uint32_t path = flow.steering->GetPath();
    if (path != oldPath)
    {
        NS_LOG_INFO("Path " << oldPath << " -> " << path);
        ++m_statistics.pathChanges;
        m_pathTrace(flow.key, oldPath, path);
    }
}

void
IngressEdgeController::ApplyRate(Flow& flow, uint64_t oldRate)
{
    const uint64_t rate = flow.rate.Get();
    if (rate == oldRate)
    {
        return;
    }
    NS_LOG_INFO("Rate " << oldRate << " -> " << rate << " bit/s");
    m_statistics.rateReleases += rate == EdgeRateLaw::UNLIMITED ? 1 : 0;
    if (rate == EdgeRateLaw::UNLIMITED && !m_shaper->IsWaiting(*flow.queue))
    {
        CloseQueue(flow);
    }
    else if (!flow.queue)
    {
        OpenQueue(flow, rate);
    }
    else
    {
        m_shaper->SetRate(*flow.queue, rate);
    }
    m_rateTrace(flow.key, oldRate, rate);
}

void
IngressEdgeController::OpenQueue(Flow& flow, uint64_t rate)
{
    flow.queue = m_shaper->Open(rate);
    m_shaped.resize(std::max<std::size_t>(m_shaped.size(), *flow.queue + 1));
    m_shaped[*flow.queue] = &flow;
}

void
IngressEdgeController::CloseQueue(Flow& flow)
{
    m_shaper->Close(*flow.queue);
    flow.queue.reset();
}

bool
IngressEdgeController::Update(Flow& flow, int64_t now, int64_t lastTime)
{
    const bool isWaiting = flow.queue && m_shaper->IsWaiting(*flow.queue);
    const uint64_t oldRate = flow.rate.Get();
    flow.rate.Update(m_rateSettings, now, flow.queue && m_shaper->IsHeldBack(*flow.queue));
    ApplyRate(flow, oldRate);
    UpdatePath(flow, now);
    if (isWaiting)
    {
        return true;
    }
    if (flow.queue && flow.rate.Get() == EdgeRateLaw::UNLIMITED)
    {
        CloseQueue(flow); // it has waited for others only
    }
    if (now - lastTime >= m_agingTime.GetNanoSeconds())
    {
        ++m_statistics.agedFlows;
        const uint64_t rate = flow.rate.Get();
        flow.rate.Release();
        ApplyRate(flow, rate);
        return false;
    }
    return !flow.rate.IsIdle(m_rateSettings, now) ||
           (flow.steering && !flow.steering->IsIdle(m_steeringSettings, now));
}

void
IngressEdgeController::Tick()
{
    const int64_t now = Simulator::Now().GetNanoSeconds();
    m_flows.ForEach([this, now](const FlowKey&, Flow& flow, int64_t lastTime) {
        return Update(flow, now, lastTime);
    });
    if (m_flows.GetSize() > 0)
    {
        m_tick = Simulator::Schedule(NanoSeconds(m_rateSettings.recoveryInterval),
                                     &IngressEdgeController::Tick,
                                     this);
    }
}

} // namespace ns3::aidc

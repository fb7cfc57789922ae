// SPDX-License-Identifier: GPL-2.0-only

#include "path-share-controller.h"

#include "../attribute-accessors.h"
#include "../core/ipv4-bytes.h"
#include "../core/require-argument.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/next-hop-weights.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcPathShareController");

NS_OBJECT_ENSURE_REGISTERED(PathShareController);

namespace
{

/// No time may be longer, so that sums of times stay in range.
constexpr int64_t LONGEST_INTERVAL_S = 1000000;

/// Divide sets between paths. @return for each set, its path
std::vector<uint32_t>
DivideSets(uint32_t nSets, const std::vector<double>& weights)
{
    ResilientBuckets buckets(nSets);
    buckets.SetWeights(weights);
    std::vector<uint32_t> homes;
    for (uint64_t i = 0; i < nSets; ++i)
    {
        // The least hash of bucket i
        homes.push_back(buckets.Get(static_cast<uint32_t>(((i << 32) + nSets - 1) / nSets)));
    }
    return homes;
}

} // namespace

TypeId
PathShareController::GetTypeId()
{
    using C = PathShareController;
    using Sets = FlowSetPaths::Settings;
    using Law = PathShareLaw::Settings;
    constexpr auto SETS = &C::m_setSettings;
    constexpr auto LAW = &C::m_lawSettings;
    const Time longest = Seconds(LONGEST_INTERVAL_S);
    static TypeId tid =
        AddAttributes<C>(
            TypeId("ns3::aidc::PathShareController")
                .SetParent<TunnelTrafficController>()
                .SetGroupName("Aidc")
                .AddConstructor<C>()
                .AddAttribute(
                    "Sets",
                    "The number of flow sets of a tunnel. It has to be set before tunnels "
                    "are added.",
                    UintegerValue(256),
                    MakeUintegerAccessor(&C::m_nSets),
                    MakeUintegerChecker<uint32_t>(1, FlowSetPaths::MAX_SETS))
                .AddAttribute("Gain",
                              "The part of a path's excess that moves at a decision.",
                              DoubleValue(1),
                              MakeSettingsAccessor<DoubleValue>(LAW, &Law::gain),
                              MakeDoubleChecker<double>(0.001, 1))
                .AddAttribute(
                    "DeadBand",
                    "Part of the capacity by which the loads of two paths may differ before "
                    "anything moves.",
                    DoubleValue(0.1),
                    MakeSettingsAccessor<DoubleValue>(LAW, &Law::deadBand),
                    MakeDoubleChecker<double>(0, 1))
                .AddAttribute("LeastLoad",
                              "Utilization of a path up to which nothing leaves it.",
                              DoubleValue(0.5),
                              MakeSettingsAccessor<DoubleValue>(LAW, &Law::leastLoad),
                              MakeDoubleChecker<double>(0))
                .AddAttribute(
                    "Gap",
                    "The least pause before a packet of a set that takes another path. For "
                    "paths of equal delays, it is the difference that their queues may make.",
                    TimeValue(MicroSeconds(500)),
                    MakeSettingsAccessor<TimeValue>(SETS, &Sets::gap),
                    MakeTimeChecker(NanoSeconds(1), longest))
                .AddAttribute(
                    "ForceTime",
                    "How long a set waits for a pause; then it takes the other path without "
                    "one, and packets may overtake each other. To a path that is shorter by more "
                    "than Gap, only when its own has been too busy for twice the difference. "
                    "0 for ever.",
                    TimeValue(MicroSeconds(100)),
                    MakeSettingsAccessor<TimeValue>(SETS, &Sets::force),
                    MakeTimeChecker(Time(0), longest))
                .AddAttribute(
                    "ReturnTime",
                    "Silence after which a set begins where the weights put it; 0 for never.",
                    TimeValue(MilliSeconds(200)),
                    MakeSettingsAccessor<TimeValue>(SETS, &Sets::returnTime),
                    MakeTimeChecker(Time(0), longest)),
            "reports",
            LINK_LOAD_PORT)
            .AddTraceSource("Path",
                            "A flow set has gone to another path.",
                            MakeTraceSourceAccessor(&C::m_pathTrace),
                            "ns3::aidc::PathShareController::PathTracedCallback")
            .AddTraceSource("Report",
                            "A report was accepted.",
                            MakeTraceSourceAccessor(&C::m_reportTrace),
                            "ns3::aidc::PathShareController::ReportTracedCallback")
            .AddTraceSource("Refused",
                            "A report was refused.",
                            MakeTraceSourceAccessor(&C::m_refusedTrace),
                            "ns3::aidc::PathShareController::RefusedTracedCallback");
    return tid;
}

PathShareController::PathShareController()
    : DomainMessageReceiver(DomainMessageRecord::LINK_LOAD)
{
    NS_LOG_FUNCTION(this);
}

void
PathShareController::Install(Ptr<Node> node)
{
    NS_LOG_FUNCTION(this << node);
    AIDC_REFUSED_IF(m_node, "PathShareController serves one node");
    m_node = node;
    node->AggregateObject(this);
}

void
PathShareController::AddTunnel(Ptr<IpTunnelNetDevice> tunnel)
{
    NS_LOG_FUNCTION(this << tunnel);
    AIDC_REFUSED_IF(tunnel->GetTrafficController() == this, "The tunnel was added before");
    const FlowKey ends = MakeTunnelKey(tunnel->GetLocal().Get(), tunnel->GetRemote().Get());
    m_tunnels.push_back(
        {tunnel, tunnel->GetTrafficController(), {ends, FlowSetPaths(m_nSets), {}, {}, 0}});
    AddIngress(tunnel->GetLocal());
    tunnel->SetTrafficController(this);
    NotifyPaths(*tunnel);
}

PathShareController::Tunnel&
PathShareController::Get(const IpTunnelNetDevice& tunnel)
{
    const auto found =
        std::find_if(m_tunnels.begin(), m_tunnels.end(), [&tunnel](const Tunnel& known) {
            return PeekPointer(known.device) == &tunnel;
        });
    AIDC_REFUSED_IF(found == m_tunnels.end(), "PathShareController: the tunnel was not added");
    return *found;
}

PathShareController::Tunnel&
PathShareController::Get(const IpTunnelNetDevice& tunnel, uint32_t path)
{
    Tunnel& known = Get(tunnel);
    AIDC_REFUSED_IF(path >= known.shares.paths.size(),
                    "PathShareController: there is no path " << path << ", there are "
                                                             << known.shares.paths.size());
    return known;
}

void
PathShareController::SetPathDelay(Ptr<IpTunnelNetDevice> tunnel, uint32_t path, Time delay)
{
    NS_LOG_FUNCTION(this << tunnel << path << delay);
    Get(*tunnel, path).shares.paths[path].delay = delay.GetNanoSeconds();
}

void
PathShareController::SetPathWeights(Ptr<IpTunnelNetDevice> tunnel,
                                    const std::vector<double>& weights)
{
    NS_LOG_FUNCTION(this << tunnel);
    Tunnel& known = Get(*tunnel);
    AIDC_REFUSED_IF(weights.size() != known.shares.paths.size(),
                    "PathShareController: expected a weight for each of "
                        << known.shares.paths.size() << " paths, found " << weights.size());
    AIDC_REFUSED_UNLESS(
        std::all_of(weights.begin(),
                    weights.end(),
                    [](double weight) { return std::isfinite(weight) && weight >= 0; }) &&
            std::any_of(weights.begin(), weights.end(), [](double weight) { return weight > 0; }),
        "PathShareController: expected weights that are finite and at least 0, and one above 0");
    known.shares.sets.SetHomes(Simulator::Now().GetNanoSeconds(),
                               DivideSets(known.shares.sets.GetNSets(), weights));
}

void
PathShareController::SetPathLinks(Ptr<IpTunnelNetDevice> tunnel,
                                  uint32_t path,
                                  const std::vector<Link>& links)
{
    NS_LOG_FUNCTION(this << tunnel << path);
    auto& known = Get(*tunnel, path).shares.links[path];
    known.clear();
    for (const auto& link : links)
    {
        known.emplace_back(link.device.Get(), link.port);
        m_steering.AddLink(known.back());
    }
}

std::vector<double>
PathShareController::GetShares(Ptr<IpTunnelNetDevice> tunnel) const
{
    const Tunnel& known = const_cast<PathShareController*>(this)->Get(*tunnel);
    std::vector<double> shares;
    for (uint32_t path = 0; path < known.shares.paths.size(); ++path)
    {
        shares.push_back(static_cast<double>(known.shares.sets.Count(path)) /
                         known.shares.sets.GetNSets());
    }
    return shares;
}

void
PathShareController::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    Open(m_node);
    TunnelTrafficController::DoInitialize();
}

void
PathShareController::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Close();
    m_tunnels.clear();
    m_node = nullptr;
    TunnelTrafficController::DoDispose();
}

uint32_t
PathShareController::Choose(IpTunnelNetDevice& tunnel, TunnelPacket& packet)
{
    Tunnel& known = Get(tunnel);
    const uint32_t path = known.next ? known.next->Choose(tunnel, packet) : DEFAULT_PATH;
    return path == DEFAULT_PATH ? ChooseDefault(tunnel, packet) : path;
}

uint32_t
PathShareController::ChooseDefault(IpTunnelNetDevice& tunnel, const TunnelPacket& packet)
{
    Tunnel& known = Get(tunnel);
    // Routers of one domain need different seeds (HashFlow).
    const uint32_t hash = HashFlow(packet.header.flow, tunnel.GetLocal().Get());
    const uint32_t set = PickMember(hash, known.shares.sets.GetNSets());
    const uint32_t size = packet.payload->GetSize() + static_cast<uint32_t>(sizeof(Ipv4Bytes));
    const auto choice = known.shares.sets.Choose(m_setSettings,
                                                 Simulator::Now().GetNanoSeconds(),
                                                 set,
                                                 size,
                                                 known.shares.paths);
    if (choice.path != choice.before)
    {
        m_statistics.forcedMoves += choice.isForced;
        ++m_statistics.moves;
        NoteMove(known, set, choice.before);
    }
    return choice.path;
}

void
PathShareController::NoteMove(const Tunnel& tunnel, uint32_t set, uint32_t before)
{
    const uint32_t path = tunnel.shares.sets.GetPath(set);
    NS_LOG_INFO("Set " << set << ": path " << before << " -> " << path);
    m_steering.NoteMove(tunnel.shares, before, path, Simulator::Now().GetNanoSeconds());
    m_pathTrace(tunnel.shares.ends, set, before, path);
}

void
PathShareController::NotifyPaths(IpTunnelNetDevice& tunnel)
{
    NS_LOG_FUNCTION(this);
    Tunnel& known = Get(tunnel);
    if (known.next)
    {
        known.next->NotifyPaths(tunnel);
    }
    const auto& paths = tunnel.GetPaths();
    if (known.shares.paths.size() != paths.GetN())
    {
        // Knowledge of the previous paths says nothing of the new ones.
        known.shares.paths.assign(paths.GetN(), {});
        known.shares.links.assign(paths.GetN(), {});
        known.shares.sets = FlowSetPaths(known.shares.sets.GetNSets());
    }
    for (uint32_t i = 0; i < paths.GetN(); ++i)
    {
        known.shares.paths[i].isUp = paths.IsUp(i);
    }
    std::vector<uint32_t> before(known.shares.sets.GetNSets());
    for (uint32_t set = 0; set < before.size(); ++set)
    {
        before[set] = known.shares.sets.GetPath(set);
    }
    m_statistics.escapes +=
        known.shares.sets.NotifyPaths(Simulator::Now().GetNanoSeconds(), known.shares.paths);
    for (uint32_t set = 0; set < before.size(); ++set)
    {
        if (known.shares.sets.GetPath(set) != before[set])
        {
            NoteMove(known, set, before[set]);
        }
    }
}

void
PathShareController::NotifyAccepted(const AnyDomainMessage& message)
{
    m_reportTrace(std::get<LinkLoadReport>(message));
}

std::optional<PathShareController::Refusal>
PathShareController::React(const AnyDomainMessage& message, int64_t now)
{
    std::vector<SharedTunnel*> tunnels;
    for (auto& tunnel : m_tunnels)
    {
        tunnels.push_back(&tunnel.shares);
    }
    const auto decisions =
        m_steering.React(m_lawSettings, std::get<LinkLoadReport>(message), now, tunnels);
    m_statistics.decisions += decisions.value_or(0);
    return decisions ? std::nullopt : std::make_optional(Refusal::UNKNOWN_LINK);
}

} // namespace ns3::aidc

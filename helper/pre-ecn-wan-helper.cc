// SPDX-License-Identifier: GPL-2.0-only

#include "pre-ecn-wan-helper.h"

#include "user-default.h"

#include "ns3/notification-key.h"
#include "ns3/pre-ecn-queue-disc.h"
#include "ns3/string.h"

#include <algorithm>
#include <cstddef>

namespace ns3::aidc
{

namespace
{

/// Where the addresses of routers are (WanPlan::GetAddress()).
const char* const DOMAIN = "172.31.0.0/16";

} // namespace

PreEcnWanHelper::PreEcnWanHelper()
    : m_notifierFactory("ns3::aidc::CongestionNotifier"),
      m_controllerFactory("ns3::aidc::IngressEdgeController")
{
}

void
PreEcnWanHelper::Secure(ObjectBase& end, const std::string& key)
{
    if (!key.empty())
    {
        end.SetAttribute("Key", StringValue(key));
    }
    SetDerived(end, "Domain", StringValue(DOMAIN));
}

PreEcnWanHelper::FeedbackDelays
PreEcnWanHelper::FindFeedbackDelays(const WanHelper& network, const WanTunnelHelper& tunnels)
{
    const WanRoutes& routes = network.GetRoutes();
    FeedbackDelays delays;
    for (const auto& [from, to] : tunnels.GetEnds())
    {
        for (const auto& path : tunnels.GetPaths(from, to))
        {
            NodeIndex router = from;
            int64_t there = 0;
            for (const auto& link : routes.GetLinks(path.routers))
            {
                const bool isForward = link.a == router;
                const auto back = routes.GetDelay(router, from);
                auto& delay = delays[{router, isForward ? link.aPort : link.bPort}];
                delay = std::max(delay, NanoSeconds(there + back.value_or(there)));
                there += link.delay;
                router = isForward ? link.b : link.a;
            }
        }
    }
    return delays;
}

void
PreEcnWanHelper::InstallNotifier(Ptr<Node> node, NodeIndex router, const FeedbackDelays& delays)
{
    const auto notifier = m_notifierFactory.Create<CongestionNotifier>();
    Secure(*notifier->GetSender(), NotificationKeys::Parse(m_key).GetFirst().Print());
    TimeValue interval;
    notifier->GetAttribute("Interval", interval);
    Time longest;
    for (const auto& [place, delay] : delays)
    {
        // The time of a measurement is added.
        longest = std::max(longest, delay + interval.Get());
        if (place.first == router)
        {
            notifier->SetFeedbackDelay(place.second.value, delay + interval.Get());
        }
    }
    if (!delays.empty())
    {
        // Of ports that packets take only after failures
        notifier->SetAttribute("FeedbackDelay", TimeValue(longest));
    }
    notifier->Install(node);
    m_notifiers.push_back(notifier);
}

void
PreEcnWanHelper::LimitTunnels(const WanHelper& network,
                              const WanTunnelHelper& tunnels,
                              NodeIndex from) const
{
    // A frame of Ethernet with check sequence, preamble and gap
    constexpr uint32_t OVERHEAD = 38;
    std::map<std::pair<NodeIndex, PortIndex>, std::vector<Ptr<IpTunnelNetDevice>>> groups;
    std::map<std::pair<NodeIndex, PortIndex>, uint64_t> rates;
    for (const auto& [entry, to] : tunnels.GetEnds())
    {
        const std::size_t nTunnels = entry == from ? tunnels.GetNTunnels(from, to) : 0;
        for (std::size_t i = 0; i < nTunnels; ++i)
        {
            const auto links =
                network.GetRoutes().GetLinks(tunnels.GetPaths(from, to, i).front().routers);
            const auto slowest =
                std::min_element(links.begin(), links.end(), [](const auto& a, const auto& b) {
                    return a.rate < b.rate;
                });
            const std::pair place{slowest->a, slowest->aPort};
            groups[place].push_back(tunnels.GetTunnel(from, to, i));
            rates[place] = slowest->rate;
        }
    }
    for (const auto& [place, group] : groups)
    {
        m_controllers.at(from)->LimitTunnels(group, DataRate(rates[place]), OVERHEAD);
    }
}

void
PreEcnWanHelper::Install(const WanHelper& network, const WanTunnelHelper& tunnels)
{
    const WanPlan& plan = network.GetPlan();
    // PEs that step, or have no rates, need no explicit ones. A user who sets a delay knows better.
    const auto sample = m_controllerFactory.Create<IngressEdgeController>();
    if (sample->IsPerTunnel() && !HasUserDefault("ns3::aidc::CongestionNotifier::Granularity"))
    {
        m_notifierFactory.Set("Granularity", StringValue("Tunnel"));
    }
    const bool isExplicit =
        sample->FollowsRates() && !HasUserDefault("ns3::aidc::CongestionNotifier::FeedbackDelay");
    const auto delays = isExplicit ? FindFeedbackDelays(network, tunnels) : FeedbackDelays();
    for (NodeIndex router; router < plan.GetRouters().GetEnd(); ++router)
    {
        if (!network.IsLocal(router))
        {
            continue;
        }
        const auto node = network.GetRouter(router);
        if (!FindPreEcnQueues(node).empty())
        {
            InstallNotifier(node, router, delays);
        }
        if (plan.IsEdge(router))
        {
            const auto controller = m_controllerFactory.Create<IngressEdgeController>();
            Secure(*controller, m_key);
            controller->Install(node);
            m_controllers[router] = controller;
        }
    }
    for (const auto& [from, to] : tunnels.GetEnds())
    {
        for (std::size_t i = 0; network.IsLocal(from) && i < tunnels.GetNTunnels(from, to); ++i)
        {
            const auto tunnel = tunnels.GetTunnel(from, to, i);
            m_controllers.at(from)->AddTunnel(tunnel);
            uint32_t index = 0;
            for (const auto& path : tunnels.GetPaths(from, to, i))
            {
                m_controllers.at(from)->SetPathDelay(tunnel, index++, path.delay);
            }
        }
    }
    for (const auto& [edge, controller] : m_controllers)
    {
        if (isExplicit && m_limitsTunnels && !controller->Steers())
        {
            LimitTunnels(network, tunnels, edge);
        }
    }
}

} // namespace ns3::aidc

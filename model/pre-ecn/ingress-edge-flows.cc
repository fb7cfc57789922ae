/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ingress-edge-flows.h"

#include "../core/ipv4-bytes.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcIngressEdgeFlows");

bool
EdgeTunnel::UpdatePaths()
{
    const std::size_t before = paths.size();
    paths.resize(device->GetPaths().GetN());
    for (uint32_t i = 0; i < paths.size(); ++i)
    {
        paths[i].isUp = device->GetPaths().IsUp(i);
    }
    return paths.size() != before;
}

IngressEdgeFlows::IngressEdgeFlows(const RateTrace& rateTrace,
                                   const PathTrace& pathTrace,
                                   const EdgeRateLaw::Settings& rates,
                                   const PathSteering::Settings& steering,
                                   const Limits& limits)
    : m_rates(rates),
      m_steering(steering),
      m_limits(limits),
      m_rateTrace(rateTrace),
      m_pathTrace(pathTrace),
      m_shaper(CreateObject<EdgeShaper>())
{
}

void
IngressEdgeFlows::Install(Ptr<Node> node)
{
    m_shaper->Install(node, MakeCallback(&IngressEdgeFlows::Release, this));
}

void
IngressEdgeFlows::LimitTunnels(const std::vector<EdgeTunnel*>& tunnels,
                               uint64_t rate,
                               uint32_t overhead)
{
    const uint32_t group = m_shaper->OpenGroup(rate, overhead);
    for (EdgeTunnel* const tunnel : tunnels)
    {
        tunnel->limit = group;
    }
    m_others.push_back(m_shaper->Open(EdgeRateLaw::UNLIMITED));
    m_shaped.resize(std::max<std::size_t>(m_shaped.size(), m_others.back() + 1));
    m_shaped[m_others.back()] = nullptr;
}

bool
IngressEdgeFlows::PassLimit(const FlowKey& key,
                            Flow*& flow,
                            EdgeTunnel& known,
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
IngressEdgeFlows::SetExplicitRate(Flow* flow, int64_t now, const EdgeRateLaw::ExplicitRate& rate)
{
    if (flow)
    {
        const uint64_t oldRate = flow->rate.Get();
        m_statistics.rateReductions += flow->rate.SetExplicitRate(m_rates, now, rate);
        ApplyRate(*flow, oldRate);
    }
}

void
IngressEdgeFlows::Dispose()
{
    m_tick.Cancel();
    m_shaper->Dispose();
    m_shaper = nullptr;
    m_shaped.clear();
    m_others.clear();
    m_flows = {};
}

bool
IngressEdgeFlows::React(const FlowKey& key,
                        EdgeTunnel& tunnel,
                        int64_t now,
                        const Reaction& reaction)
{
    Flow* const flow = reaction.isAny ? FindOrAddFlow(key, tunnel, now) : m_flows.Find(key, now);
    if (!flow)
    {
        return !reaction.isAny;
    }
    if (flow->tunnel != &tunnel)
    {
        // The flow has gone to another tunnel, whose paths are others.
        flow->tunnel = &tunnel;
        flow->steering.reset();
    }
    if (reaction.explicitRate)
    {
        if (reaction.explicitRate->rate != EdgeRateLaw::UNLIMITED)
        {
            tunnel.beginning = *reaction.explicitRate;
            tunnel.beginningEnd = now + tunnel.beginning.validity;
        }
        SetExplicitRate(flow, now, *reaction.explicitRate);
    }
    else
    {
        const uint64_t oldRate = flow->rate.Get();
        m_statistics.rateReductions +=
            flow->rate.Notify(m_rates, now, reaction.step, reaction.feedback);
        ApplyRate(*flow, oldRate);
    }
    if (reaction.isSteered)
    {
        if (!flow->steering)
        {
            const uint32_t path = tunnel.device->GetPaths().GetDefault();
            // Routers of one domain need different seeds (HashFlow).
            flow->steering.emplace(now,
                                   path == TunnelPathChoice::NONE ? PathSteering::PRIMARY : path,
                                   HashFlow(key, tunnel.device->GetLocal().Get()));
        }
        flow->steering->Notify(m_steering, now, reaction.sent, tunnel.paths);
    }
    return true;
}

IngressEdgeFlows::Flow*
IngressEdgeFlows::FindOrAddFlow(const FlowKey& key, EdgeTunnel& tunnel, int64_t now)
{
    m_flows.SetMaxFlows(m_limits.maxFlows);
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
            m_tick = Simulator::Schedule(NanoSeconds(m_rates.recoveryInterval),
                                         &IngressEdgeFlows::Tick,
                                         this);
        }
    }
    return flow;
}

uint32_t
IngressEdgeFlows::Choose(const FlowKey& key,
                         IpTunnelNetDevice& tunnel,
                         TunnelPacket& packet,
                         EdgeTunnel* known)
{
    const int64_t now = Simulator::Now().GetNanoSeconds();
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
        m_statistics.rateReductions += flow->rate.Count(m_rates, now, size);
        ApplyRate(*flow, oldRate);
        if (flow->queue)
        {
            const uint32_t group = isLimited ? *known->limit : EdgeShaper::NO_GROUP;
            return m_shaper->Pass(*flow->queue, tunnel, packet, group)
                       ? ChoosePath(*flow, tunnel, now)
                       : TunnelTrafficController::HOLD;
        }
    }
    if (isLimited && !PassLimit(key, flow, *known, packet, now))
    {
        return TunnelTrafficController::HOLD;
    }
    return flow ? ChoosePath(*flow, tunnel, now) : TunnelTrafficController::DEFAULT_PATH;
}

void
IngressEdgeFlows::Release(uint32_t queue, IpTunnelNetDevice& tunnel, TunnelPacket& packet)
{
    const int64_t now = Simulator::Now().GetNanoSeconds();
    Flow* const flow = m_shaped[queue];
    tunnel.Resume(std::move(packet),
                  flow ? ChoosePath(*flow, tunnel, now) : TunnelTrafficController::DEFAULT_PATH);
}

uint32_t
IngressEdgeFlows::ChoosePath(Flow& flow, const IpTunnelNetDevice& tunnel, int64_t now)
{
    if (!flow.steering || PeekPointer(flow.tunnel->device) != &tunnel)
    {
        return TunnelTrafficController::DEFAULT_PATH;
    }
    const uint32_t oldPath = flow.steering->GetPath();
    const uint32_t path = flow.steering->Choose(m_steering, now, flow.tunnel->paths);
    NotePath(flow, oldPath);
    return path;
}

void
IngressEdgeFlows::UpdatePath(Flow& flow, int64_t now)
{
    if (flow.steering)
    {
        const uint32_t oldPath = flow.steering->GetPath();
        flow.steering->Update(m_steering, now, flow.tunnel->paths);
        NotePath(flow, oldPath);
    }
}

void
IngressEdgeFlows::NotePath(const Flow& flow, uint32_t oldPath)
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
IngressEdgeFlows::NotifyPaths(EdgeTunnel& tunnel, bool areOthers)
{
    const int64_t now = Simulator::Now().GetNanoSeconds();
    m_flows.ForEach([this, &tunnel, areOthers, now](const FlowKey&, Flow& flow, int64_t) {
        if (flow.tunnel == &tunnel)
        {
            if (areOthers)
            {
                // What was known of former paths says nothing of the new ones.
                flow.steering.reset();
            }
            UpdatePath(flow, now);
        }
        return true;
    });
}

void
IngressEdgeFlows::ApplyRate(Flow& flow, uint64_t oldRate)
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
IngressEdgeFlows::OpenQueue(Flow& flow, uint64_t rate)
{
    flow.queue = m_shaper->Open(rate);
    m_shaped.resize(std::max<std::size_t>(m_shaped.size(), *flow.queue + 1));
    m_shaped[*flow.queue] = &flow;
}

void
IngressEdgeFlows::CloseQueue(Flow& flow)
{
    m_shaper->Close(*flow.queue);
    flow.queue.reset();
}

bool
IngressEdgeFlows::Update(Flow& flow, int64_t now, int64_t lastTime)
{
    const bool isWaiting = flow.queue && m_shaper->IsWaiting(*flow.queue);
    const uint64_t oldRate = flow.rate.Get();
    flow.rate.Update(m_rates, now, flow.queue && m_shaper->IsHeldBack(*flow.queue));
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
    if (now - lastTime >= m_limits.ageingTime.GetNanoSeconds())
    {
        ++m_statistics.agedFlows;
        const uint64_t rate = flow.rate.Get();
        flow.rate.Release();
        ApplyRate(flow, rate);
        return false;
    }
    return !flow.rate.IsIdle(m_rates, now) ||
           (flow.steering && !flow.steering->IsIdle(m_steering, now));
}

void
IngressEdgeFlows::Tick()
{
    const int64_t now = Simulator::Now().GetNanoSeconds();
    m_flows.ForEach([this, now](const FlowKey&, Flow& flow, int64_t lastTime) {
        return Update(flow, now, lastTime);
    });
    if (m_flows.GetSize() > 0)
    {
        m_tick = Simulator::Schedule(NanoSeconds(m_rates.recoveryInterval),
                                     &IngressEdgeFlows::Tick,
                                     this);
    }
}

} // namespace ns3::aidc

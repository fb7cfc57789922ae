/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// IngressEdgeController: its packets and flows.

#include "ingress-edge-controller.h"
#include "ip-tunnel-net-device.h"

#include "ns3/abort.h"
#include "ns3/ipv4-bytes.h"
#include "ns3/log.h"
#include "ns3/protocol-numbers.h"
#include "ns3/roce-datagram.h"
#include "ns3/roce-packet.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcIngressEdgeControllerPackets");

namespace
{

/**
 * @brief Tell whether a packet is one that control loops wait for: of network control (class
 *        selectors 6 and 7, RFC 4594, section 3.1), or an acknowledgment or a congestion
 *        notification of RoCEv2, which have the five-tuple of the data that goes the same way.
 * @param packet the packet
 * @return whether it is
 */
bool
IsControl(const TunnelPacket& packet)
{
    constexpr uint8_t NETWORK_CONTROL = 6;
    // The opcode is the first byte behind the UDP header (InfiniBand, annex A17).
    constexpr uint32_t OPCODE = 8;
    const FlowKey& flow = packet.header.flow;
    std::array<uint8_t, OPCODE + 1> bytes{};
    if (packet.header.bytes[Ipv4Offset::TOS] >> 5 >= NETWORK_CONTROL)
    {
        return true;
    }
    if (flow.protocol != PROTOCOL_UDP || flow.destinationPort != ROCE_UDP_PORT ||
        packet.payload->CopyData(bytes.data(), bytes.size()) < bytes.size())
    {
        return false;
    }
    // RoceNic has no atomic operations, but others may.
    constexpr uint8_t ATOMIC_ACKNOWLEDGE = 0x12;
    const uint8_t opcode = bytes[OPCODE];
    return opcode == static_cast<uint8_t>(RoceOpcode::ACKNOWLEDGE) ||
           opcode == ATOMIC_ACKNOWLEDGE || opcode == static_cast<uint8_t>(RoceOpcode::CNP);
}

} // namespace

void
IngressEdgeController::AddTunnel(Ptr<IpTunnelNetDevice> tunnel)
{
    NS_LOG_FUNCTION(this << tunnel);
    NS_ABORT_MSG_IF(FindTunnel(*tunnel), "The tunnel was added before");
    m_tunnels.push_back({tunnel, {}});
    tunnel->SetTrafficController(this);
    NotifyPaths(*tunnel);
}

void
IngressEdgeController::SetPathDelay(Ptr<IpTunnelNetDevice> tunnel, uint32_t path, Time delay)
{
    NS_LOG_FUNCTION(this << tunnel << path << delay);
    Tunnel* const known = FindTunnel(*tunnel);
    NS_ABORT_MSG_UNLESS(known, "The tunnel was not added");
    // There may be other paths than when it was added.
    NotifyPaths(*tunnel);
    NS_ABORT_MSG_IF(path >= known->paths.size(),
                    "There is no path " << path << ", there are " << known->paths.size());
    known->paths[path].delay = delay.GetNanoSeconds();
}

IngressEdgeController::Tunnel*
IngressEdgeController::FindTunnel(const IpTunnelNetDevice& device)
{
    for (auto& tunnel : m_tunnels)
    {
        if (PeekPointer(tunnel.device) == &device)
        {
            return &tunnel;
        }
    }
    return nullptr;
}

FlowKey
IngressEdgeController::GetKeyOf(const IpTunnelNetDevice& device)
{
    return {device.GetLocal().Get(), device.GetRemote().Get(), 0, 0, PROTOCOL_IP_IN_IP};
}

uint32_t
IngressEdgeController::Choose(IpTunnelNetDevice& tunnel, TunnelPacket& packet)
{
    if (m_flows.GetSize() == 0)
    {
        return DEFAULT_PATH;
    }
    const int64_t now = Simulator::Now().GetNanoSeconds();
    Flow* const flow =
        m_flows.Find(m_granularity == FLOW ? packet.header.flow : GetKeyOf(tunnel), now);
    if (!flow)
    {
        return DEFAULT_PATH;
    }
    if (IsControl(packet))
    {
        // Nobody gains if it waits, and a sender slows down late, or stops.
        return ChoosePath(*flow, tunnel, now);
    }
    flow->meter.Count(now,
                      packet.payload->GetSize() + static_cast<uint32_t>(sizeof(Ipv4Bytes)),
                      m_measureTime.GetNanoSeconds(),
                      m_rateConfig.floor);
    DropPendingStep(*flow, now);
    if (flow->pendingStep > 0 && flow->meter.GetRate() > 0)
    {
        LowerRate(*flow, now, flow->pendingStep, flow->pendingFeedback);
    }
    if (flow->queue != EdgeShaper::NONE && !m_shaper->Pass(flow->queue, tunnel, packet))
    {
        return HOLD;
    }
    return ChoosePath(*flow, tunnel, now);
}

void
IngressEdgeController::Release(uint32_t queue, IpTunnelNetDevice& tunnel, TunnelPacket& packet)
{
    const uint32_t path = ChoosePath(*m_shaped[queue], tunnel, Simulator::Now().GetNanoSeconds());
    tunnel.Resume(std::move(packet), path);
}

uint32_t
IngressEdgeController::ChoosePath(Flow& flow, const IpTunnelNetDevice& tunnel, int64_t now)
{
    if (!flow.isSteered || PeekPointer(flow.tunnel->device) != &tunnel)
    {
        return DEFAULT_PATH;
    }
    const uint32_t oldPath = flow.steering.GetPath();
    const uint32_t path =
        flow.steering.Choose(m_steeringConfig, now, flow.tunnel->paths, flow.hash);
    NotePath(flow, oldPath);
    return path;
}

void
IngressEdgeController::UpdatePath(Flow& flow, int64_t now)
{
    if (flow.isSteered)
    {
        const uint32_t oldPath = flow.steering.GetPath();
        flow.steering.Update(m_steeringConfig, now, flow.tunnel->paths, flow.hash);
        NotePath(flow, oldPath);
    }
}

void
IngressEdgeController::NotePath(Flow& flow, uint32_t oldPath)
{
    const uint32_t path = flow.steering.GetPath();
    if (path != oldPath)
    {
        NS_LOG_INFO("Path " << oldPath << " -> " << path);
        ++m_statistics.pathChanges;
        m_pathTrace(flow.key, oldPath, path);
    }
}

void
IngressEdgeController::NotifyPaths(IpTunnelNetDevice& tunnel)
{
    NS_LOG_FUNCTION(this);
    Tunnel* const known = FindTunnel(tunnel);
    if (!known)
    {
        return;
    }
    const bool areOthers = known->paths.size() != tunnel.GetPaths().GetN();
    known->paths.resize(tunnel.GetPaths().GetN());
    for (uint32_t i = 0; i < known->paths.size(); ++i)
    {
        known->paths[i].isUp = tunnel.GetPaths().IsUp(i);
    }
    m_flows.ForEach([this,
                     known,
                     areOthers,
                     now = Simulator::Now().GetNanoSeconds()](const FlowKey&, Flow& flow, int64_t) {
        if (flow.tunnel == known)
        {
            // What was known of former paths says nothing of the new ones.
            flow.isSteered = flow.isSteered && !areOthers;
            UpdatePath(flow, now);
        }
        return true;
    });
}

void
IngressEdgeController::LowerRate(Flow& flow, int64_t now, double step, int64_t feedback)
{
    const uint64_t measured = flow.meter.GetRate();
    if (measured == 0)
    {
        DropPendingStep(flow, now);
        if (step > 0)
        {
            flow.pendingStep = std::max(flow.pendingStep, step);
            flow.pendingFeedback = feedback;
            // Of a flow that sends more than a packet in this time, the rate is known by then.
            flow.pendingEnd = now + 2 * m_measureTime.GetNanoSeconds();
        }
        return;
    }
    flow.pendingStep = 0;
    const uint64_t oldRate = flow.law.GetRate();
    if (flow.law.Notify(m_rateConfig, now, step, measured, feedback))
    {
        ++m_statistics.rateReductions;
    }
    ApplyRate(flow, oldRate);
}

void
IngressEdgeController::DropPendingStep(Flow& flow, int64_t now)
{
    if (now > flow.pendingEnd)
    {
        flow.pendingStep = 0;
    }
}

void
IngressEdgeController::ApplyRate(Flow& flow, uint64_t oldRate)
{
    const uint64_t rate = flow.law.GetRate();
    if (rate == oldRate)
    {
        return;
    }
    NS_LOG_INFO("Rate " << oldRate << " -> " << rate << " bit/s");
    if (rate == EdgeRateLaw::UNLIMITED)
    {
        m_shaper->Close(flow.queue);
        flow.queue = EdgeShaper::NONE;
        ++m_statistics.rateReleases;
    }
    else if (flow.queue == EdgeShaper::NONE)
    {
        flow.queue = m_shaper->Open(rate);
        m_shaped.resize(std::max<std::size_t>(m_shaped.size(), flow.queue + 1));
        m_shaped[flow.queue] = &flow;
    }
    else
    {
        m_shaper->SetRate(flow.queue, rate);
    }
    m_rateTrace(flow.key, oldRate, rate);
}

bool
IngressEdgeController::Update(Flow& flow, int64_t now, int64_t lastTime)
{
    const bool isWaiting = flow.queue != EdgeShaper::NONE && m_shaper->IsWaiting(flow.queue);
    const uint64_t oldRate = flow.law.GetRate();
    flow.law.Update(m_rateConfig, now, flow.meter.GetRate(), isWaiting);
    ApplyRate(flow, oldRate);
    UpdatePath(flow, now);
    DropPendingStep(flow, now);
    if (isWaiting)
    {
        return true;
    }
    if (now - lastTime >= m_ageingTime.GetNanoSeconds())
    {
        ++m_statistics.agedFlows;
        const uint64_t rate = flow.law.GetRate();
        flow.law = EdgeRateLaw();
        ApplyRate(flow, rate);
        return false;
    }
    const bool isIdle = !flow.law.IsLimited() && flow.pendingStep == 0 &&
                        now - flow.lastNotified >= m_rateConfig.quietTime &&
                        (!flow.isSteered || flow.steering.IsIdle(m_steeringConfig, now));
    return !isIdle;
}

void
IngressEdgeController::Tick()
{
    m_flows.ForEach([this, now = Simulator::Now().GetNanoSeconds()](const FlowKey&,
                                                                    Flow& flow,
                                                                    int64_t lastTime) {
        return Update(flow, now, lastTime);
    });
    if (m_flows.GetSize() > 0)
    {
        m_tick = Simulator::Schedule(NanoSeconds(m_rateConfig.recoveryInterval),
                                     &IngressEdgeController::Tick,
                                     this);
    }
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fare-clos-monitor.h"

#include "ns3/callback.h"
#include "ns3/experiment-uplinks.h"
#include "ns3/net-device.h"
#include "ns3/protocol-numbers.h"
#include "ns3/simulator.h"
#include "ns3/trace-helper.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace ns3::aidc
{

namespace
{

/// In a frame without tags, where the header of IPv4 begins.
constexpr uint32_t IPV4_OFFSET = 14;
/// In a header of IPv4, where the protocol is.
constexpr uint32_t PROTOCOL_OFFSET = 9;

} // namespace

FareClosMonitor::FareClosMonitor(const FareClosScenario& scenario,
                                 const FabricHelper& network,
                                 const BgpFabricHelper& bgp)
    : m_network(network),
      m_bgp(bgp)
{
    const FabricPlan& fabric = network.GetFabric();
    for (const NodeIndex id : fabric.GetSwitches())
    {
        auto node = std::make_unique<Switch>();
        node->name = fabric.GetNodeName(id);
        node->rows = &m_rows;
        const auto speaker = bgp.GetSpeaker(id);
        speaker->TraceConnectWithoutContext("RouteChange",
                                            MakeBoundCallback(&ChangeRoute, node.get()));
        speaker->TraceConnectWithoutContext("MessageSent",
                                            MakeBoundCallback(&SendMessage, node.get()));
        m_switches[id] = std::move(node);
    }
    const NodeIndex first = fabric.GetLeaves().front();
    for (const auto& pair : scenario.permutation)
    {
        const NodeIndex from = fabric.GetLeaf(pair.source);
        const NodeIndex to = fabric.GetLeaf(pair.destination);
        if ((from == first || to == first) && m_switches[from]->ports.empty())
        {
            WatchWeights(from, to);
        }
    }
}

void
FareClosMonitor::WatchWeights(NodeIndex from, NodeIndex to)
{
    const FabricPlan& fabric = m_network.GetFabric();
    Switch& node = *m_switches[from];
    const FabricPrefix prefix = fabric.GetLeafPrefix(to);
    node.prefix.network = prefix.network;
    node.prefix.length = prefix.length;
    for (const PortIndex port : GetUplinks(fabric, from))
    {
        node.ports[m_bgp.GetPeer(from, port)] = fabric.GetPortName(from, port);
    }
}

void
FareClosMonitor::KeepSession(const std::string& path) const
{
    const FabricPlan& fabric = m_network.GetFabric();
    const NodeIndex leaf = fabric.GetLeaves().front();
    PcapHelper pcap;
    const auto file = pcap.CreateFile(path, std::ios::out, PcapHelper::DLT_EN10MB);
    m_network.GetPort(leaf, GetUplinks(fabric, leaf).front())
        ->TraceConnectWithoutContext("PromiscSniffer", MakeBoundCallback(&KeepFrame, file));
}

void
FareClosMonitor::KeepFrame(Ptr<PcapFileWrapper> file, Ptr<const Packet> packet)
{
    std::array<uint8_t, IPV4_OFFSET + PROTOCOL_OFFSET + 1> bytes{};
    packet->CopyData(bytes.data(), bytes.size());
    // Of all TCP on a link of switches, BGP is the only user.
    if (bytes.back() == PROTOCOL_TCP)
    {
        file->Write(Simulator::Now(), packet);
    }
}

void
FareClosMonitor::ChangeRoute(Switch* node,
                             const BgpPrefix& prefix,
                             const std::vector<BgpRibPath>& paths)
{
    node->changes.push_back(Simulator::Now());
    if (node->ports.empty() || !(prefix == node->prefix))
    {
        return;
    }
    const bool isPlain = std::all_of(paths.begin(), paths.end(), [](const BgpRibPath& path) {
        return path.weight == 0;
    });
    for (const auto& [peer, port] : node->ports)
    {
        double weight = 0;
        for (const auto& path : paths)
        {
            if (path.peer == peer)
            {
                weight = isPlain ? 1 : path.weight;
            }
        }
        std::ostringstream row;
        row << std::setprecision(9) << Simulator::Now().GetSeconds() << ',' << node->name << ','
            << prefix << ',' << port << ',' << weight;
        node->rows->Add(port, row.str());
    }
}

void
FareClosMonitor::SendMessage(Switch* node, uint32_t, BgpMessageType, const BgpBytes& message)
{
    node->messages.push_back({Simulator::Now(), message.size()});
}

std::vector<ResultMetric>
FareClosMonitor::GetMetrics(const std::string& name, Time from, Time to) const
{
    Time last;
    uint64_t nMessages = 0;
    uint64_t nBytes = 0;
    for (const auto& [id, node] : m_switches)
    {
        for (const Time& time : node->changes)
        {
            last = time >= from && time < to ? std::max(last, time) : last;
        }
        for (const auto& message : node->messages)
        {
            const bool isInside = message.time >= from && message.time < to;
            nMessages += isInside ? 1 : 0;
            nBytes += isInside ? message.nBytes : 0;
        }
    }
    return {{name + "_convergence_time",
             last.IsZero() ? std::nan("") : (last - from).GetSeconds(),
             "s"},
            {name + "_messages", from < to ? static_cast<double>(nMessages) : std::nan(""), "1"},
            {name + "_bytes", from < to ? static_cast<double>(nBytes) : std::nan(""), "byte"}};
}

void
FareClosMonitor::WriteWeights(const std::string& path) const
{
    m_rows.Write(path, "time_s,switch,prefix,port,weight_byteps");
}

} // namespace ns3::aidc

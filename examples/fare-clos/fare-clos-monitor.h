// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FARE_CLOS_MONITOR_H
#define AIDC_FARE_CLOS_MONITOR_H

#include "fare-clos-scenario.h"

#include "ns3/bgp-fabric-helper.h"
#include "ns3/bgp-message.h"
#include "ns3/bgp-rib.h"
#include "ns3/bgp-speaker.h"
#include "ns3/callback.h"
#include "ns3/fabric-helper.h"
#include "ns3/mpi-processes.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/process-gather.h"
#include "ns3/protocol-numbers.h"
#include "ns3/result-file.h"
#include "ns3/simulator.h"
#include "ns3/trace-helper.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iomanip>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// In a frame without tags, where the header of IPv4 begins.
constexpr uint32_t IPV4_OFFSET = 14;
/// In a header of IPv4, where the protocol is.
constexpr uint32_t PROTOCOL_OFFSET = 9;

/// What precedes a frame that is kept.
struct FrameHeader
{
    int64_t time;     //!< its time in time steps
    std::size_t size; //!< its bytes
};

} // namespace

/// Watches BGP in FareClosExperiment: when routes change, what is sent for that, and the
/// weights of some routes.
///
/// In time windows nodes are not at the same time, so that each one's times are kept, and compared
/// in the end. With several processes (MpiProcesses), each one watches its own switches, and calls
/// GetMetrics() and the functions that write after the simulation.
class FareClosMonitor
{
  public:
    /// Constructor. All outlive this.
    FareClosMonitor(const FareClosScenario& scenario,
                    const FabricHelper& network,
                    const BgpFabricHelper& bgp)
        : m_network(network),
          m_bgp(bgp)
    {
        const FabricPlan& fabric = network.GetFabric();
        for (const NodeIndex id : fabric.GetSwitches())
        {
            Switch* node = &m_switches[id];
            node->name = fabric.GetNodeName(id);
            if (!network.IsLocal(id))
            {
                continue;
            }
            const auto speaker = bgp.GetSpeaker(id);
            speaker->TraceConnectWithoutContext(
                "RouteChange",
                Callback<void, const BgpPrefix&, const std::vector<BgpRibPath>&>(
                    [this, node](const BgpPrefix& prefix, const std::vector<BgpRibPath>& paths) {
                        ChangeRoute(*node, prefix, paths);
                    }));
            speaker->TraceConnectWithoutContext(
                "MessageSent",
                Callback<void, uint32_t, BgpMessageType, const BgpBytes&>(
                    [node](uint32_t, BgpMessageType, const BgpBytes& message) {
                        node->messages.push_back({Simulator::Now(), message.size()});
                    }));
        }
        const NodeIndex first = fabric.GetLeaves().front();
        for (const auto& pair : scenario.permutation)
        {
            const NodeIndex from = fabric.GetLeaf(pair.source);
            const NodeIndex to = fabric.GetLeaf(pair.destination);
            if ((from == first || to == first) && network.IsLocal(from) &&
                m_switches[from].ports.empty())
            {
                WatchWeights(from, to);
            }
        }
    }

    FareClosMonitor(const FareClosMonitor&) = delete;
    FareClosMonitor& operator=(const FareClosMonitor&) = delete;

    /// Keep the packets of a session: of the first leaf and its first spine.
    void KeepSession()
    {
        const FabricPlan& fabric = m_network.GetFabric();
        const NodeIndex leaf = fabric.GetLeaves().front();
        if (m_network.IsLocal(leaf))
        {
            m_network.GetPort(leaf, fabric.GetUplinks(leaf).front())
                ->TraceConnectWithoutContext("PromiscSniffer",
                                             MakeCallback(&FareClosMonitor::KeepFrame, this));
        }
    }

    /// Write the packets that KeepSession() has kept as pcap, after the simulation.
    void WriteSession(const std::string& path) const
    {
        const auto& processes = MpiProcesses::Get();
        const auto all =
            processes.GetN() > 1 ? processes.Gather(m_frames) : std::vector<std::string>{m_frames};
        if (!processes.IsFirst())
        {
            return;
        }
        const auto file = PcapHelper().CreateFile(path, std::ios::out, PcapHelper::DLT_EN10MB);
        for (const auto& frames : all)
        {
            FrameHeader header;
            for (std::size_t i = 0; i < frames.size(); i += header.size)
            {
                std::memcpy(&header, frames.data() + i, sizeof(header));
                i += sizeof(header);
                file->Write(TimeStep(header.time),
                            reinterpret_cast<const uint8_t*>(frames.data() + i),
                            static_cast<uint32_t>(header.size));
            }
        }
    }

    /// Tell how long routes have changed after an event called name, and what was sent. to: when
    /// the next event was; not after from if the event has not happened. @return
    /// NAME_convergence_time, until the last change of a route; NAME_messages and NAME_bytes of all
    /// speakers; NaN if it has not happened, and no time if no route has changed
    std::vector<ResultMetric> GetMetrics(const std::string& name, Time from, Time to) const
    {
        Time last;
        uint64_t nMessages = 0;
        uint64_t nBytes = 0;
        for (const auto& [id, node] : m_switches)
        {
            for (const Time& time : node.changes)
            {
                last = time >= from && time < to ? std::max(last, time) : last;
            }
            for (const auto& message : node.messages)
            {
                const bool isInside = message.time >= from && message.time < to;
                nMessages += isInside ? 1 : 0;
                nBytes += isInside ? message.nBytes : 0;
            }
        }
        last = GetLatestOverProcesses(last);
        nMessages = SumOverProcesses(nMessages);
        nBytes = SumOverProcesses(nBytes);
        return {
            {name + "_convergence_time",
             last.IsZero() ? std::nan("") : (last - from).GetSeconds(),
             "s"},
            {name + "_messages", from < to ? static_cast<double>(nMessages) : std::nan(""), "1"},
            {name + "_bytes", from < to ? static_cast<double>(nBytes) : std::nan(""), "byte"}};
    }

    /// Write the series weights: `time_s`, `switch`, `prefix`, `port`, `weight_byteps`.
    ///
    /// For the route to the first leaf at the leaf that sends to it, and for the route of what the
    /// first leaf sends, there is a row for each port to a spine when a weight changes: 0 if the
    /// port is not used; 1 if it is, and the route has no weights.
    /// @throws std::runtime_error if the file cannot be written
    void WriteWeights(const std::string& path) const
    {
        m_rows.Write(path, "time_s,switch,prefix,port,weight_byteps");
    }

  private:
    /// A message that was sent.
    struct Message
    {
        Time time;          //!< when
        std::size_t nBytes; //!< its bytes
    };

    /// A switch.
    struct Switch
    {
        std::vector<Time> changes;             //!< when routes have changed
        std::vector<Message> messages;         //!< what was sent
        std::string name;                      //!< its name
        BgpPrefix prefix;                      //!< the route that is watched, if there are ports
        std::map<uint32_t, std::string> ports; //!< by peer, the ports that the route may take
    };

    /// Record a change of a route.
    void ChangeRoute(Switch& node, const BgpPrefix& prefix, const std::vector<BgpRibPath>& paths)
    {
        node.changes.push_back(Simulator::Now());
        if (node.ports.empty() || !(prefix == node.prefix))
        {
            return;
        }
        const bool isPlain = std::all_of(paths.begin(), paths.end(), [](const BgpRibPath& path) {
            return path.weight == 0;
        });
        for (const auto& [peer, port] : node.ports)
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
            row << std::setprecision(9) << Simulator::Now().GetSeconds() << ',' << node.name << ','
                << prefix << ',' << port << ',' << weight;
            m_rows.Add(port, row.str());
        }
    }

    /// Keep a packet that TCP has made.
    void KeepFrame(Ptr<const Packet> packet)
    {
        std::string bytes(packet->GetSize(), '\0');
        packet->CopyData(reinterpret_cast<uint8_t*>(bytes.data()), packet->GetSize());
        // BGP is the only user of TCP on a link of switches.
        const std::size_t protocol = IPV4_OFFSET + PROTOCOL_OFFSET;
        if (bytes.size() > protocol && static_cast<uint8_t>(bytes[protocol]) == PROTOCOL_TCP)
        {
            const FrameHeader header{Simulator::Now().GetTimeStep(), bytes.size()};
            m_frames.append(reinterpret_cast<const char*>(&header), sizeof(header)).append(bytes);
        }
    }

    /// Watch the weights of a route.
    void WatchWeights(NodeIndex from, NodeIndex to)
    {
        const FabricPlan& fabric = m_network.GetFabric();
        Switch& node = m_switches[from];
        const FabricPrefix prefix = fabric.GetLeafPrefix(to);
        node.prefix.network = prefix.network;
        node.prefix.length = prefix.length;
        for (const PortIndex port : fabric.GetUplinks(from))
        {
            node.ports[m_bgp.GetPeer(from, port)] = fabric.GetPortName(from, port);
        }
    }

    const FabricHelper& m_network;          //!< the network
    const BgpFabricHelper& m_bgp;           //!< its speakers
    std::map<NodeIndex, Switch> m_switches; //!< by node; callbacks point at them
    MonitorSeriesRows m_rows;               //!< weights

    /// The frames of the session, each with its time and size before it.
    std::string m_frames;
};

} // namespace ns3::aidc

#endif // AIDC_FARE_CLOS_MONITOR_H

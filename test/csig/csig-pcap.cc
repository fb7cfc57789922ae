// SPDX-License-Identifier: GPL-2.0-only

// Writes captures of frames with CSIG's tags, which test/python/test_csig_pcap.py has tshark read.
//
// Usage: aidc-test-programs csig-pcap FOLDER. Hosts A and B, with compact and expanded tags,
// exchange UDP and TCP over two switches, of which the second one is 4 times slower towards B. The
// three links are plain.pcap, tunnel.pcap (a customer's VLAN in a service VLAN) and vlan.pcap. For
// each capture, NAME.txt has a line a frame: the source, and the fields of the tag, "-" without
// one. a.txt and b.txt have the fields of the tags that have reached the hosts' CsigHost.

#include "test/connect-trace.h"

#include "ns3/boolean.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/csig-helper.h"
#include "ns3/csig-host.h"
#include "ns3/ethernet-frame.h"
#include "ns3/ethernet-helper.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/mac48-address.h"
#include "ns3/node-container.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <array>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

/// A link, and the name of its capture.
struct Link
{
    std::string name;                              //!< of the capture
    std::map<std::string, std::string> attributes; //!< of its ports
};

const std::array<Link, 3> LINKS{
    {{"plain", {{"DataRate", "400Mbps"}}},
     {"tunnel", {{"DataRate", "400Mbps"}, {"VlanId", "5"}, {"ServiceVlanId", "6"}}},
     {"vlan", {{"DataRate", "100Mbps"}, {"VlanId", "7"}, {"VlanPriority", "3"}}}}};

void
Write(std::ostream& os, const CsigFields& fields)
{
    os << (fields.format == CsigFormat::COMPACT ? "compact" : "expanded") << ' ' << +fields.type
       << ' ' << +fields.reserved << ' ' << fields.value << ' ' << fields.locator << '\n';
}

/// Write down the tags of all frames that a port sends and receives.
void
LogFrames(std::ofstream& os, Ptr<NetDevice> device)
{
    const auto known = DynamicCast<EthernetNetDevice>(device)->GetTagProcessor()->GetKnownTags();
    ConnectTrace(device, "PromiscSniffer", [&os, known](Ptr<const Packet> frame) {
        EthernetFrameHeader header(known);
        frame->PeekHeader(header);
        const auto& fields = header.GetFields();
        Mac48Address source;
        source.CopyFrom(fields.source.data());
        os << source << ' ';
        const auto tag = DecodeCsigTag(fields.tag.data(), fields.tagSize, {});
        if (tag)
        {
            Write(os, *tag);
            return;
        }
        os << "-\n";
    });
}

/// Write down the tags that reach a host.
void
LogTags(std::ofstream& os, Ptr<Node> host)
{
    ConnectTrace(host->GetObject<CsigHost>(),
                 "Tag",
                 [&os](const FlowKey&, const CsigFields& fields) { Write(os, fields); });
}

} // namespace

int
main(int argc, char* argv[])
{
    if (argc != 2)
    {
        std::cerr << "Usage: " << argv[0] << " FOLDER\n";
        return 2;
    }
    const std::string folder = std::string(argv[1]) + '/';
    NodeContainer nodes(4); // A, two switches, B
    InternetStackHelper().Install(nodes);
    std::vector<NetDeviceContainer> links;
    Ipv4AddressHelper addresses("10.0.1.0", "255.255.255.0");
    std::vector<Ipv4InterfaceContainer> interfaces;
    TrafficControlHelper queues;
    queues.SetRootQueueDisc("ns3::FifoQueueDisc");
    for (uint32_t i = 0; i < LINKS.size(); ++i)
    {
        EthernetHelper ethernet;
        for (const auto& [name, value] : LINKS[i].attributes)
        {
            ethernet.SetDeviceAttribute(name, StringValue(value));
        }
        links.push_back(ethernet.Install(nodes.Get(i), nodes.Get(i + 1)));
        queues.Install(links[i]);
        interfaces.push_back(addresses.Assign(links[i]));
        addresses.NewNetwork();
        ethernet.EnablePcap(folder + LINKS[i].name + ".pcap", links[i].Get(0), true, true);
    }
    links.front().Get(0)->SetAddress(Mac48Address("02:00:00:00:00:01"));
    links.back().Get(1)->SetAddress(Mac48Address("02:00:00:00:00:02"));
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();

    CsigHelper csig;
    csig.SetDomainAttribute("LinkSpeeds", StringValue("100Mbps,400Mbps"));
    csig.SetDomainAttribute("QueueDepth", BooleanValue(true));
    csig.SetAgentAttribute("Interval", TimeValue(MicroSeconds(500)));
    csig.InstallSwitch(nodes.Get(1), 1, 1);
    csig.InstallSwitch(nodes.Get(2), 2, 2);
    auto& hosts = csig.GetHostHelper();
    hosts.SetAttribute("TagUdp", BooleanValue(true));
    hosts.SetAttribute("Signals", StringValue("min(ABW),min(ABW/C),max(PD),max(nQD)"));
    csig.InstallHosts(NodeContainer(nodes.Get(0)));
    hosts.SetAttribute("Format", StringValue("Expanded"));
    csig.InstallHosts(NodeContainer(nodes.Get(3)));

    std::array<std::ofstream, 3> logs;
    for (uint32_t i = 0; i < LINKS.size(); ++i)
    {
        logs[i].open(folder + LINKS[i].name + ".txt");
        LogFrames(logs[i], links[i].Get(0));
    }
    std::ofstream tagsOfA(folder + "a.txt");
    std::ofstream tagsOfB(folder + "b.txt");
    LogTags(tagsOfA, nodes.Get(0));
    LogTags(tagsOfB, nodes.Get(3));

    const std::array<Ipv4Address, 2> ends{interfaces.front().GetAddress(0),
                                          interfaces.back().GetAddress(1)};
    const NodeContainer both(nodes.Get(0), nodes.Get(3));
    for (const auto* factory : {"ns3::UdpSocketFactory", "ns3::TcpSocketFactory"})
    {
        PacketSinkHelper(factory, InetSocketAddress(Ipv4Address::GetAny(), 9)).Install(both);
    }
    std::vector<Ptr<Socket>> sockets;
    for (uint32_t i = 0; i < 2; ++i)
    {
        const InetSocketAddress peer(ends[1 - i], 9);
        BulkSendHelper bulk("ns3::TcpSocketFactory", peer);
        bulk.SetAttribute("MaxBytes", UintegerValue(200000));
        bulk.Install(both.Get(i));
        sockets.push_back(Socket::CreateSocket(both.Get(i), UdpSocketFactory::GetTypeId()));
        for (int64_t n = 0; n < 100; ++n)
        {
            Simulator::Schedule(MicroSeconds(1000 + 150 * n), [socket = sockets[i], peer, n] {
                socket->SendTo(Create<Packet>(static_cast<uint32_t>(1 + 14 * n)), 0, peer);
            });
        }
    }
    Simulator::Stop(Seconds(2));
    Simulator::Run();
    Simulator::Destroy();
    return 0;
}

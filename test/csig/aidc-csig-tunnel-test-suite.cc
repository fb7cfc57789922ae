// SPDX-License-Identifier: GPL-2.0-only

#include "csig-port-pair.h"
#include "test/helper/test-fabrics.h"
#include "test/test-case.h"

#include "ns3/csig-helper.h"
#include "ns3/csig-host.h"
#include "ns3/ip-l4-protocol.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/simple-channel.h"
#include "ns3/simple-net-device.h"

// CSIG over an IP-in-IP tunnel.
AIDC_TEST_SUITE("aidc-csig-tunnel", UNIT);

/// The entry of a tunnel: what its device sends gets an IP header more.
class TunnelEntry : public SimpleChannel
{
  public:
    TunnelEntry(Ipv4Address from, Ipv4Address to)
        : m_from(from),
          m_to(to)
    {
    }

    void Send(Ptr<Packet> packet,
              uint16_t,
              Mac48Address,
              Mac48Address,
              Ptr<SimpleNetDevice> sender) override
    {
        sender->GetNode()->GetObject<Ipv4>()->Send(packet->Copy(),
                                                   m_from,
                                                   m_to,
                                                   PROTOCOL_IP_IN_IP,
                                                   nullptr);
    }

  private:
    Ipv4Address m_from; //!< the address of the entry
    Ipv4Address m_to;   //!< the address of the exit
};

/// The exit of a tunnel: what comes out of it arrives at a device.
class TunnelExit : public IpL4Protocol
{
  public:
    explicit TunnelExit(Ptr<SimpleNetDevice> device)
        : m_device(device)
    {
    }

    int GetProtocolNumber() const override
    {
        return PROTOCOL_IP_IN_IP;
    }

    RxStatus Receive(Ptr<Packet> packet, const Ipv4Header&, Ptr<Ipv4Interface>) override
    {
        const auto address = Mac48Address::ConvertFrom(m_device->GetAddress());
        m_device->Receive(packet->Copy(), ETHERTYPE_IPV4, address, address);
        return RX_OK;
    }

    RxStatus Receive(Ptr<Packet>, const Ipv6Header&, Ptr<Ipv6Interface>) override
    {
        return RX_OK;
    }

    void SetDownTarget(DownTargetCallback) override
    {
    }

    void SetDownTarget6(DownTargetCallback6) override
    {
    }

    DownTargetCallback GetDownTarget() const override
    {
        return {};
    }

    DownTargetCallback6 GetDownTarget6() const override
    {
        return {};
    }

  private:
    Ptr<SimpleNetDevice> m_device; //!< the device
};

// Host A, switch 1, switch 2, switch 3, host B, and a tunnel from switch 1 to switch 3. The links
// behind the switches have 100, 40 and 10 Gb/s. All are idle, so that the tag has min(ABW) 100
// Gb/s, then 40, then 10, which are the codes 22, 17 and 11 by the default buckets.
AIDC_TEST_CASE("4.1: the tag is before all headers of layer 3, and gets through tunnels")
{
    NodeContainer nodes;
    nodes.Create(5);
    InternetStackHelper().Install(nodes);
    const std::string rates[] = {"100Gbps", "100Gbps", "40Gbps", "10Gbps"};
    std::vector<NetDeviceContainer> links;
    std::vector<Ipv4InterfaceContainer> interfaces;
    Ipv4AddressHelper addresses("10.0.1.0", "255.255.255.0");
    for (uint32_t i = 0; i < 4; ++i)
    {
        EthernetHelper ethernet;
        ethernet.SetDeviceAttribute("DataRate", StringValue(rates[i]));
        links.push_back(ethernet.Install(nodes.Get(i), nodes.Get(i + 1)));
        interfaces.push_back(addresses.Assign(links[i]));
        addresses.NewNetwork();
    }
    // Devices of the tunnel, one a side.
    const auto makeEnd = [&](uint32_t node, Ptr<SimpleChannel> channel, Ipv4Address address) {
        auto device = CreateObject<SimpleNetDevice>();
        device->SetAttribute("PointToPointMode", BooleanValue(true));
        device->SetAddress(Mac48Address::Allocate());
        device->SetChannel(channel);
        nodes.Get(node)->AddDevice(device);
        auto ipv4 = nodes.Get(node)->GetObject<Ipv4>();
        const auto interface = ipv4->AddInterface(device);
        ipv4->AddAddress(interface, Ipv4InterfaceAddress(address, Ipv4Mask("255.255.255.0")));
        ipv4->SetUp(interface);
        return device;
    };
    const auto entry = interfaces[1].GetAddress(0);
    const auto exit = interfaces[2].GetAddress(1);
    makeEnd(1, CreateObject<TunnelEntry>(entry, exit), Ipv4Address("11.0.0.1"));
    const auto outlet = makeEnd(3, CreateObject<SimpleChannel>(), Ipv4Address("11.0.0.2"));
    nodes.Get(3)->GetObject<Ipv4>()->Insert(CreateObject<TunnelExit>(outlet));
    const auto route = [&](uint32_t node) {
        return Ipv4StaticRoutingHelper().GetStaticRouting(nodes.Get(node)->GetObject<Ipv4>());
    };
    route(0)->SetDefaultRoute(interfaces[0].GetAddress(1), 1);
    route(1)->AddNetworkRouteTo(Ipv4Address("10.0.4.0"), Ipv4Mask("255.255.255.0"), 3);
    route(1)->AddNetworkRouteTo(Ipv4Address("10.0.3.0"),
                                Ipv4Mask("255.255.255.0"),
                                interfaces[1].GetAddress(1),
                                2);

    CsigHelper helper;
    helper.GetHostHelper().SetAttribute("TagUdp", BooleanValue(true));
    helper.InstallHosts(NodeContainer(nodes.Get(0), nodes.Get(4)));
    std::vector<CsigFields> arrived;
    ConnectTrace(nodes.Get(4)->GetObject<CsigHost>(),
                 "Tag",
                 [&](const FlowKey&, const CsigFields& fields) { arrived.push_back(fields); });
    for (uint32_t node = 1; node <= 3; ++node)
    {
        for (uint32_t i = 0; i < 2; ++i)
        {
            const auto device = links[node - 1 + i].Get(1 - i);
            auto agent = CreateObject<CsigAgent>();
            agent->SetAttribute("Stage", UintegerValue(node));
            auto port = CreateObject<CsigPort>();
            port->SetAttribute("Domain", PointerValue(helper.GetDomain()));
            port->SetAttribute("Agent", PointerValue(agent));
            port->Install(DynamicCast<EthernetNetDevice>(device));
        }
    }
    std::vector<Bytes> frames;
    for (const auto& link : links)
    {
        ConnectTrace(link.Get(0), "PhyTxBegin", [&](Ptr<const Packet> frame) {
            frames.push_back(GetBytes(frame));
        });
    }
    const auto sink = MakeSocket(nodes.Get(4), SINK_PORT);
    const auto source = MakeSocket(nodes.Get(0), 0);
    Simulator::Schedule(MicroSeconds(1), [&] { SendUdp(source, interfaces[3].GetAddress(1)); });
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(frames.size(), 4, "four links");
    const uint32_t codes[] = {31, 22, 17, 11};
    const uint8_t protocols[] = {UDP_PROTOCOL, PROTOCOL_IP_IN_IP, PROTOCOL_IP_IN_IP, UDP_PROTOCOL};
    for (int i = 0; i < 4; ++i)
    {
        const auto tag = ReadFrameTag(frames[i]);
        AIDC_ASSERT(tag.has_value(), "link " << i);
        NS_TEST_EXPECT_MSG_EQ(tag->value, codes[i], "link " << i);
        NS_TEST_EXPECT_MSG_EQ(+frames[i].at(14 + 4 + 9), +protocols[i], "link " << i);
    }
    NS_TEST_ASSERT_MSG_EQ(arrived.size(), 1, "one tag arrives");
    // 10 Gb/s is place 1 of the speeds; stage 3; no orientation is known.
    NS_TEST_EXPECT_MSG_EQ(arrived[0],
                          MakeTag(0, 11, 1 << 4 | 3 << 2),
                          "the tag of the tunnel's bottleneck");
    NS_TEST_EXPECT_MSG_EQ(sink->GetRxAvailable(), 100, "the payload");
    Simulator::Destroy();
}

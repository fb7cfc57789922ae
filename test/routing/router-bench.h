// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ROUTER_BENCH_H
#define AIDC_ROUTER_BENCH_H

#include "test/test-case.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/multipath-routing.h"
#include "ns3/protocol-numbers.h"
#include "ns3/udp-header.h"

// One router whose decisions are recorded, for the test suites.

namespace aidctest
{

/// Where the flows of a RouterBench go.
const Ipv4Address BENCH_DESTINATION("10.9.0.1");

/// What a routing protocol does with a packet.
enum class Verdict : uint8_t
{
    NONE,      //!< it has no route
    FORWARD,   //!< over one port
    MULTICAST, //!< over the ports of a multicast route
    LOCAL,     //!< to this node
    REFUSE     //!< it is an error
};

const Ipv4Address NETWORK("10.9.0.0");

/// The mask of 16 bits.
const Ipv4Mask MASK16("255.255.0.0");

/// A router: ports 1 to n, and one more interface on which packets arrive. Ports have no addresses,
/// and their other ends discard what they get.
class RouterBench
{
  public:
    explicit RouterBench(uint32_t nPorts,
                         const Ipv4RoutingHelper& routing = MultipathRoutingHelper(),
                         const std::string& rate = "1Gbps")
        : node(CreateObject<Node>()),
          input(nPorts + 1)
    {
        InternetStackHelper stack;
        stack.SetIpv6StackInstall(false);
        stack.SetRoutingHelper(routing);
        stack.Install(node);
        ipv4 = node->GetObject<Ipv4L3Protocol>();
        this->routing = MultipathRoutingHelper::GetRouting(node);
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue(rate));
        for (uint32_t i = 1; i <= nPorts + 1; ++i)
        {
            link.Install(node, CreateObject<Node>());
            ipv4->AddInterface(node->GetDevice(i));
        }
        ConnectTrace(ipv4,
                     "UnicastForward",
                     [this](const Ipv4Header&, Ptr<const Packet>, uint32_t interface) {
                         outInterface = interface;
                     });
    }

    RouterBench(const RouterBench&) = delete;
    RouterBench& operator=(const RouterBench&) = delete;

    /// Set interfaces up, after queue discs were installed.
    void Start()
    {
        for (uint32_t i = 1; i <= input; ++i)
        {
            ipv4->SetUp(i);
        }
    }

    /// Get next hops over all ports. Returns one over each, of weight 1.
    std::vector<NextHop> GetAllPorts() const
    {
        std::vector<NextHop> nextHops;
        for (uint32_t i = 1; i < input; ++i)
        {
            nextHops.emplace_back(i);
        }
        return nextHops;
    }

    /// Make the header of a flow's packet. flow: the number of the flow: its source's address and
    /// port. size: of the packet, the header included, in bytes.
    static Ipv4Header MakeHeader(uint32_t flow, uint32_t size = 100)
    {
        Ipv4Header header;
        header.SetSource(Ipv4Address(0x0a010000 + flow / 1000));
        header.SetDestination(BENCH_DESTINATION);
        header.SetProtocol(PROTOCOL_UDP);
        header.SetTtl(64);
        header.SetPayloadSize(static_cast<uint16_t>(size - header.GetSerializedSize()));
        return header;
    }

    /// Make what follows the header in a flow's packet. size: of the packet, the header included,
    /// in bytes.
    static Ptr<Packet> MakePayload(uint32_t flow, uint32_t size = 100)
    {
        constexpr uint32_t headers = 20 + 8;
        auto packet = Create<Packet>(size - headers);
        UdpHeader udp;
        udp.SetSourcePort(static_cast<uint16_t>(10000 + flow % 1000));
        udp.SetDestinationPort(9);
        packet->AddHeader(udp);
        return packet;
    }

    /// Ask the routing what it does with a packet, which goes nowhere. Returns what it does;
    /// outInterface and gateway say where.
    Verdict Ask(const Ipv4Header& header, Ptr<const Packet> payload)
    {
        verdict = Verdict::NONE;
        outInterface = 0;
        nDelivered = 0;
        outputs.clear();
        routing->RouteInput(payload,
                            header,
                            node->GetDevice(input),
                            MakeCallback(&RouterBench::Forward, this),
                            MakeCallback(&RouterBench::ForwardMulticast, this),
                            MakeCallback(&RouterBench::Deliver, this),
                            MakeCallback(&RouterBench::Refuse, this));
        return verdict;
    }

    /// Ask the routing where a packet to an address goes. Returns what it does; outInterface and
    /// gateway say where.
    Verdict AskFor(const char* destination)
    {
        auto header = MakeHeader(0);
        header.SetDestination(Ipv4Address(destination));
        return Ask(header, MakePayload(0));
    }

    /// Ask the routing over which port a flow's packet goes. Returns the port, 0 if it is not
    /// forwarded.
    uint32_t GetPort(uint32_t flow)
    {
        Ask(MakeHeader(flow), MakePayload(flow));
        return outInterface;
    }

    /// Let a packet arrive, and forward it. size: of the packet, the header included, in bytes.
    /// Returns the port over which it leaves, 0 if it is not forwarded.
    uint32_t Send(uint32_t flow, uint32_t size = 100)
    {
        auto packet = MakePayload(flow, size);
        packet->AddHeader(MakeHeader(flow, size));
        return Receive(packet);
    }

    /// Let any packet arrive, and forward it. packet: the packet, with its IPv4 header. Returns the
    /// port over which it leaves, 0 if it is not forwarded.
    uint32_t Receive(Ptr<const Packet> packet)
    {
        outInterface = 0;
        const auto device = node->GetDevice(input);
        ipv4->Receive(device,
                      packet,
                      0x0800,
                      device->GetAddress(),
                      device->GetAddress(),
                      NetDevice::PACKET_HOST);
        return outInterface;
    }

    Ptr<Node> node;                 //!< the router
    Ptr<Ipv4L3Protocol> ipv4;       //!< its protocol stack
    Ptr<MultipathRouting> routing;  //!< its routing
    uint32_t input;                 //!< the interface on which packets arrive
    Verdict verdict{Verdict::NONE}; //!< what became of the last packet
    uint32_t outInterface{0};       //!< where it went
    Ipv4Address gateway;            //!< to which router
    std::set<uint32_t> outputs;     //!< where it went, if it was multicast
    uint32_t nDelivered{0};         //!< how often it was delivered to this node

  private:
    void Forward(Ptr<Ipv4Route> route, Ptr<const Packet>, const Ipv4Header&)
    {
        verdict = Verdict::FORWARD;
        outInterface = ipv4->GetInterfaceForDevice(route->GetOutputDevice());
        gateway = route->GetGateway();
    }

    /// Note that a packet is to be copied.
    void ForwardMulticast(Ptr<Ipv4MulticastRoute> route, Ptr<const Packet>, const Ipv4Header&)
    {
        verdict = Verdict::MULTICAST;
        for (const auto& output : route->GetOutputTtlMap())
        {
            outputs.insert(output.first);
        }
    }

    /// Note that a packet is for this node.
    void Deliver(Ptr<const Packet>, const Ipv4Header&, uint32_t)
    {
        verdict = Verdict::LOCAL;
        ++nDelivered;
    }

    void Refuse(Ptr<const Packet>, const Ipv4Header&, Socket::SocketErrno)
    {
        verdict = Verdict::REFUSE;
    }
};

/// Make a router whose flows may take all of its ports.
inline std::unique_ptr<RouterBench>
MakeRouter(uint32_t nPorts, const std::string& selector, uint32_t seed = 0)
{
    MultipathRoutingHelper helper("ns3::aidc::MultipathRouting", selector);
    helper.SetSelectorAttribute("Seed", UintegerValue(seed));
    auto bench = std::make_unique<RouterBench>(nPorts, helper);
    bench->Start();
    bench->routing->AddRoute(NETWORK, MASK16, bench->GetAllPorts());
    return bench;
}

} // namespace aidctest

#endif // AIDC_ROUTER_BENCH_H

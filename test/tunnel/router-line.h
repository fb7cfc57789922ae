// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ROUTER_LINE_H
#define AIDC_ROUTER_LINE_H

#include "model/core/ipv4-bytes.h"
#include "test/test-case.h"

#include "ns3/switch-port-queue-disc.h"

// Routers in a row, for the test suites of marking and notifying.

namespace aidctest
{

/// The port that the receiver listens at.
constexpr uint16_t RECEIVER_PORT = 9;

/// Two senders, two routers in a row and a receiver: 0 and 1, 2 and 3, 4. What both send at once
/// waits in the first router, whose links to the other nodes are as fast as the senders'.
class RouterLine
{
  public:
    RouterLine(SwitchDatapath::Mode datapath,
               const std::string& first,
               const Attributes& firstAttributes,
               const std::string& second,
               const Attributes& secondAttributes)
    {
        FabricPlan plan("line");
        for (uint32_t i = 0; i < 2; ++i)
        {
            plan.AddNode(FabricTier::HOST, NO_POD, i);
        }
        plan.AddNode(FabricTier::LEAF, 0, 0);
        plan.AddNode(FabricTier::LEAF, 1, 1);
        plan.AddNode(FabricTier::HOST, NO_POD, 2);
        for (const auto& [a, b] : {std::pair(0, 2), {1, 2}, {2, 3}, {3, 4}})
        {
            plan.AddLink(NodeIndex(a), NodeIndex(b), 8000000000, 1000);
        }
        plan.Finish();
        network.SetDeviceKind(FabricHelper::ETHERNET);
        network.SetDatapath(datapath);
        network.Build(plan);
        Install(2, first, firstAttributes);
        Install(3, second, secondAttributes);
        network.AssignAddresses();
        network.AssignStreams(1);
        for (const uint32_t i : {0U, 1U})
        {
            senders[i] =
                Socket::CreateSocket(network.GetNode(NodeIndex(i)), UdpSocketFactory::GetTypeId());
            senders[i]->Bind();
        }
        DynamicCast<EthernetNetDevice>(network.GetHostDevice(NodeIndex(4)))
            ->TraceConnectWithoutContext("MacRx", MakeCallback(&RouterLine::Receive, this));
    }

    /// Let both senders send packets of 1000 bytes.
    void Send(uint8_t tos, uint32_t packets)
    {
        for (const auto& sender : senders)
        {
            // Up to ns-3.41 an address brings its own type of service.
            sender->Connect(InetSocketAddress(network.GetAddress(NodeIndex(4)), RECEIVER_PORT));
            sender->SetIpTos(tos);
            for (uint32_t i = 0; i < packets; ++i)
            {
                sender->Send(Create<Packet>(972));
            }
        }
    }

    /// Get the queue disc of the port of a router towards the receiver. node: 2 or 3.
    Ptr<SwitchPortClass> GetPortClass(uint32_t node) const
    {
        const uint32_t port = node == 2 ? 2 : 1;
        const auto device = network.GetPort(NodeIndex(node), PortIndex(port));
        const auto layer = device->GetNode()->GetObject<TrafficControlLayer>();
        return DynamicCast<SwitchPortQueueDisc>(layer->GetRootQueueDiscOnDevice(device))
            ->GetClass(0);
    }

    FabricHelper network;               //!< the network
    std::array<Ptr<Socket>, 2> senders; //!< the senders' sockets
    std::array<uint32_t, 4> received{}; //!< packets that have arrived, by codepoint
    std::vector<uint8_t> order;         //!< their codepoints
    uint32_t wrongChecksums{0};         //!< packets with a wrong checksum of the IPv4 header

  private:
    void Install(uint32_t node, const std::string& queueDisc, const Attributes& attributes)
    {
        SharedBufferSwitchHelper helper;
        helper.SetNClasses(1);
        helper.SetQueueDisc(0, queueDisc);
        for (const auto& [name, value] : attributes)
        {
            helper.SetQueueDiscAttribute(0, name, StringValue(value));
        }
        SharedBufferSwitchHelper::AssignStreams(helper.Install(network.GetNode(NodeIndex(node))),
                                                100 * node);
    }

    void Receive(Ptr<const Packet> packet)
    {
        std::array<uint8_t, 34> bytes{};
        packet->CopyData(bytes.data(), bytes.size());
        Ipv4Bytes header;
        std::copy(bytes.begin() + 14, bytes.end(), header.begin());
        const uint8_t codepoint = header[Ipv4Offset::TOS] & 3;
        ++received[codepoint];
        order.push_back(codepoint);
        wrongChecksums += SumIpv4Words(header) == 0xffff ? 0 : 1;
    }

    SimulationEnd m_end; //!< of this network
};

} // namespace aidctest

#endif // AIDC_ROUTER_LINE_H

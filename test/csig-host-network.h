/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_HOST_NETWORK_H
#define AIDC_CSIG_HOST_NETWORK_H

#include "ns3/csig-fields.h"
#include "ns3/csig-host.h"
#include "ns3/csig-tag.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/queue-disc.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/tcp-options.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"

#include <functional>
#include <optional>
#include <vector>

/**
 * @file
 * @ingroup aidc-test
 * @brief Two hosts and a router that does to packets what a test wants, for the suites of CSIG's
 *        hosts.
 */

namespace aidctest
{

using namespace ns3;
using namespace ns3::aidc;

/**
 * @ingroup aidc-test
 * @brief A queue of a router's port that hands each packet to a test before it takes it.
 */
class EditingQueueDisc : public QueueDisc
{
  public:
    /// Changes a packet, which begins with the transport header; false drops it.
    using Edit = std::function<bool(Ptr<Packet>)>;

    /// Constructor.
    EditingQueueDisc()
        : QueueDisc(QueueDiscSizePolicy::SINGLE_INTERNAL_QUEUE)
    {
    }

    /**
     * @brief Get the type ID.
     * @return the type ID
     */
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("aidctest::EditingQueueDisc").SetParent<QueueDisc>().SetGroupName("Aidc");
        return tid;
    }

    Edit edit; ///< changes packets; none if empty

  private:
    bool DoEnqueue(Ptr<QueueDiscItem> item) override
    {
        if (edit && !edit(item->GetPacket()))
        {
            DropBeforeEnqueue(item, "Edited");
            return false;
        }
        return GetInternalQueue(0)->Enqueue(item);
    }

    Ptr<QueueDiscItem> DoDequeue() override
    {
        return GetInternalQueue(0)->Dequeue();
    }

    bool CheckConfig() override
    {
        AddInternalQueue(CreateObjectWithAttributes<DropTailQueue<QueueDiscItem>>(
            "MaxSize",
            QueueSizeValue(QueueSize("10000p"))));
        return true;
    }

    void InitializeParams() override
    {
    }
};

/**
 * @ingroup aidc-test
 * @brief What a segment on its way has in it.
 */
struct SeenSegment
{
    TcpHeaderBytes header;                    ///< its header
    uint32_t data{0};                         ///< bytes of data
    std::optional<CsigFields> tag;            ///< the tag, if there is one
    bool hasOption{false};                    ///< whether it carries CSIG's option
    std::optional<CsigReflection> reflection; ///< what the option says, if that can be told

    /**
     * @brief Tell whether it has a flag.
     * @param flag the flag
     * @return true if so
     */
    bool Has(uint8_t flag) const
    {
        return (header.bytes[13] & flag) != 0;
    }
};

/**
 * @brief Look into a segment.
 * @param segment the segment
 * @return what it has
 */
inline SeenSegment
Look(Ptr<const Packet> segment)
{
    SeenSegment seen;
    const TcpExperimentalOption option{253, CSIG_DEFAULT_EXID};
    const auto size = segment->CopyData(seen.header.bytes.data(), TCP_MAX_HEADER_SIZE);
    seen.header.size = ReadTcpHeaderSize(seen.header.bytes.data(), size).value_or(0);
    seen.data = segment->GetSize() - static_cast<uint32_t>(seen.header.size);
    CsigTag tag;
    if (segment->PeekPacketTag(tag))
    {
        seen.tag = tag.GetFields();
    }
    const auto place = FindTcpOption(seen.header, option);
    seen.hasOption = place && place->length > 0;
    if (seen.hasOption)
    {
        seen.reflection =
            DecodeCsigOption(seen.header.bytes.data() + place->offset, place->length, option);
    }
    return seen;
}

/**
 * @brief Replace the tag of a packet.
 * @param packet the packet
 * @param fields the new fields, or none
 */
inline void
ReplaceTag(Ptr<Packet> packet, const std::optional<CsigFields>& fields)
{
    CsigTag tag;
    packet->RemovePacketTag(tag);
    if (fields)
    {
        packet->AddPacketTag(CsigTag(*fields));
    }
}

/**
 * @ingroup aidc-test
 * @brief Host A, a router and host B, with 100 Mbit/s and 10 us a link.
 */
class CsigHostNetwork
{
  public:
    /**
     * @brief Constructor.
     * @param mtu the MTU of all devices
     */
    explicit CsigHostNetwork(uint16_t mtu = 1500)
    {
        nodes.Create(3);
        InternetStackHelper().Install(nodes);
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
        link.SetDeviceAttribute("Mtu", UintegerValue(mtu));
        link.SetChannelAttribute("Delay", StringValue("10us"));
        const auto left = link.Install(nodes.Get(0), nodes.Get(1));
        const auto right = link.Install(nodes.Get(1), nodes.Get(2));
        toA = CreateObject<EditingQueueDisc>();
        toB = CreateObject<EditingQueueDisc>();
        auto control = nodes.Get(1)->GetObject<TrafficControlLayer>();
        control->SetRootQueueDiscOnDevice(left.Get(1), toA);
        control->SetRootQueueDiscOnDevice(right.Get(0), toB);
        addressA = Ipv4AddressHelper("10.0.1.0", "255.255.255.0").Assign(left).GetAddress(0);
        addressB = Ipv4AddressHelper("10.0.2.0", "255.255.255.0").Assign(right).GetAddress(1);
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    }

    ~CsigHostNetwork()
    {
        Simulator::Destroy();
    }

    CsigHostNetwork(const CsigHostNetwork&) = delete;
    CsigHostNetwork& operator=(const CsigHostNetwork&) = delete;

    /**
     * @brief Give host A CSIG.
     * @return its CsigHost
     */
    Ptr<CsigHost> InstallA() const
    {
        return InstallOn(0);
    }

    /**
     * @brief Give host B CSIG.
     * @return its CsigHost
     */
    Ptr<CsigHost> InstallB() const
    {
        return InstallOn(2);
    }

    NodeContainer nodes;       ///< host A, the router, host B
    Ptr<EditingQueueDisc> toA; ///< the router's queue to A
    Ptr<EditingQueueDisc> toB; ///< the router's queue to B
    Ipv4Address addressA;      ///< of host A
    Ipv4Address addressB;      ///< of host B

  private:
    /**
     * @brief Give a node CSIG.
     * @param index the node
     * @return its CsigHost
     */
    Ptr<CsigHost> InstallOn(uint32_t index) const
    {
        auto host = CreateObject<CsigHost>();
        host->Install(nodes.Get(index));
        return host;
    }
};

/**
 * @ingroup aidc-test
 * @brief A TCP connection from A to B on which both may send.
 */
class TcpConnection
{
  public:
    /// B's port.
    static constexpr uint16_t SERVER_PORT = 80;

    /**
     * @brief Open it soon.
     * @param network the network
     * @param bytesOfA how many bytes A sends
     * @param bytesOfB how many bytes B sends
     * @param delayedAcks how many segments an ACK acknowledges
     * @param segmentSize the most data of a segment
     * @param clientPort A's port
     */
    TcpConnection(const CsigHostNetwork& network,
                  uint32_t bytesOfA,
                  uint32_t bytesOfB,
                  uint32_t delayedAcks = 1,
                  uint32_t segmentSize = 1000,
                  uint16_t clientPort = 5000)
        : m_left{bytesOfA, bytesOfB},
          m_flow{network.addressA.Get(), network.addressB.Get(), clientPort, SERVER_PORT, 6}
    {
        const auto serverPort = static_cast<uint16_t>(SERVER_PORT + clientPort - 5000);
        m_flow.destinationPort = serverPort;
        auto open = [&](uint32_t node) {
            auto socket =
                Socket::CreateSocket(network.nodes.Get(node), TcpSocketFactory::GetTypeId());
            socket->SetAttribute("DelAckCount", UintegerValue(delayedAcks));
            socket->SetAttribute("SegmentSize", UintegerValue(segmentSize));
            socket->SetAttribute("InitialCwnd", UintegerValue(4));
            return socket;
        };
        m_listener = open(2);
        m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), serverPort));
        m_listener->Listen();
        m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeCallback(&TcpConnection::Accept, this));
        m_sockets[0] = open(0);
        m_sockets[0]->Bind(InetSocketAddress(network.addressA, clientPort));
        m_sockets[0]->SetConnectCallback(MakeCallback(&TcpConnection::Begin, this),
                                         MakeNullCallback<void, Ptr<Socket>>());
        // Queue discs take packets only when the simulation runs.
        Simulator::Schedule(MicroSeconds(1), [this, server = network.addressB, serverPort] {
            m_sockets[0]->Connect(InetSocketAddress(server, serverPort));
        });
    }

    /**
     * @brief Let a host send more.
     * @param side 0 for A, 1 for B
     * @param bytes how many bytes
     */
    void Send(uint32_t side, uint32_t bytes)
    {
        m_left[side] += bytes;
        Fill(side);
    }

    /**
     * @brief Get how many bytes a host has received.
     * @param side 0 for A, 1 for B
     * @return the bytes
     */
    uint32_t GetReceived(uint32_t side) const
    {
        return m_received[side];
    }

    /**
     * @brief Get the flow from A to B.
     * @return its key, as A names it
     */
    FlowKey GetFlowOfA() const
    {
        return m_flow;
    }

    /**
     * @brief Get the flow from B to A.
     * @return its key, as B names it
     */
    FlowKey GetFlowOfB() const
    {
        return {m_flow.destination,
                m_flow.source,
                m_flow.destinationPort,
                m_flow.sourcePort,
                m_flow.protocol};
    }

  private:
    /**
     * @brief Take the connection at B.
     * @param socket B's socket
     */
    void Accept(Ptr<Socket> socket, const Address&)
    {
        m_sockets[1] = socket;
        Begin(socket);
    }

    /**
     * @brief Begin to send and to receive.
     * @param socket the socket
     */
    void Begin(Ptr<Socket> socket)
    {
        socket->SetRecvCallback(MakeCallback(&TcpConnection::Receive, this));
        socket->SetSendCallback(MakeCallback(&TcpConnection::Resume, this));
        Fill(socket == m_sockets[0] ? 0 : 1);
    }

    /**
     * @brief Send what there is room for.
     * @param side 0 for A, 1 for B
     */
    void Fill(uint32_t side)
    {
        auto socket = m_sockets[side];
        while (socket && m_left[side] > 0)
        {
            const auto size = std::min({m_left[side], socket->GetTxAvailable(), 10000U});
            if (size == 0 || socket->Send(Create<Packet>(size)) < 0)
            {
                return;
            }
            m_left[side] -= size;
        }
    }

    /**
     * @brief Send on when there is room again.
     * @param socket the socket
     */
    void Resume(Ptr<Socket> socket, uint32_t)
    {
        Fill(socket == m_sockets[0] ? 0 : 1);
    }

    /**
     * @brief Receive.
     * @param socket the socket
     */
    void Receive(Ptr<Socket> socket)
    {
        while (auto packet = socket->Recv())
        {
            m_received[socket == m_sockets[0] ? 0 : 1] += packet->GetSize();
        }
    }

    uint32_t m_left[2];           ///< what A and B still have to send
    uint32_t m_received[2]{0, 0}; ///< what A and B have received
    FlowKey m_flow;               ///< from A to B
    Ptr<Socket> m_listener;       ///< waits for A
    Ptr<Socket> m_sockets[2];     ///< of A and B
};

} // namespace aidctest

#endif // AIDC_CSIG_HOST_NETWORK_H

// SPDX-License-Identifier: GPL-2.0-only

#include "domain-message-socket.h"

#include "../core/require-argument.h"

#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-route.h"
#include "ns3/log.h"
#include "ns3/protocol-numbers.h"
#include "ns3/simulator.h"
#include "ns3/udp-header.h"
#include "ns3/udp-socket-factory.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcDomainMessageSocket");

Ipv4Address
FindOwnAddress(Ptr<Node> node)
{
    constexpr uint32_t LOOPBACK_NETWORK = 127;
    const auto ipv4 = node->GetObject<Ipv4>();
    for (uint32_t i = 0; ipv4 && i < ipv4->GetNInterfaces(); ++i)
    {
        for (uint32_t k = 0; k < ipv4->GetNAddresses(i); ++k)
        {
            const Ipv4Address address = ipv4->GetAddress(i, k).GetLocal();
            if (address.Get() >> 24 != LOOPBACK_NETWORK)
            {
                return address;
            }
        }
    }
    return Ipv4Address::GetAny();
}

void
DomainMessageSender::Open(Ptr<Node> node, const char* name)
{
    NS_LOG_FUNCTION(this << node << name);
    m_address =
        m_settings.address == Ipv4Address::GetAny() ? FindOwnAddress(node) : m_settings.address;
    m_ipv4 = node->GetObject<Ipv4>();
    AIDC_REFUSED_IF(m_address == Ipv4Address::GetAny(),
                    name << ": expected node " << node->GetId()
                         << " to have an address that is no loopback address");
    m_socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
    AIDC_REFUSED_IF(m_socket->Bind(InetSocketAddress(m_address, 0)) != 0,
                    name << ": node " << node->GetId() << " cannot send from " << m_address);
    m_socket->ShutdownRecv();
}

void
DomainMessageSender::Close()
{
    if (m_socket)
    {
        m_socket->Close();
        m_socket = nullptr;
        m_ipv4 = nullptr;
    }
}

bool
DomainMessageSender::Send(DomainMessageBytes bytes, Ipv4Address ingress)
{
    NS_LOG_FUNCTION(this << ingress);
    m_settings.key.Sign(bytes);
    const auto packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    // By a tag: up to ns-3.41, SendTo() does not know of the socket's type of service.
    SocketIpTosTag tos;
    tos.SetTos(static_cast<uint8_t>(m_settings.dscp << 2));
    packet->AddPacketTag(tos);
    if (m_ipv4->GetInterfaceForAddress(ingress) < 0)
    {
        return m_socket->SendTo(packet, 0, InetSocketAddress(ingress, m_settings.port)) >= 0;
    }
    SendToItself(packet, ingress);
    return true;
}

void
DomainMessageSender::SendToItself(const Ptr<Packet>& packet, Ipv4Address ingress)
{
    // The PE is this node. Routes lead to other nodes, so the packet gets a route through the
    // loopback device, which is ns-3's first interface.
    Address local;
    m_socket->GetSockName(local);
    UdpHeader header;
    header.SetSourcePort(InetSocketAddress::ConvertFrom(local).GetPort());
    header.SetDestinationPort(m_settings.port);
    if (Node::ChecksumEnabled())
    {
        header.EnableChecksums();
        header.InitializeChecksum(m_address, ingress, PROTOCOL_UDP);
    }
    packet->AddHeader(header);
    const auto route = Create<Ipv4Route>();
    route->SetSource(m_address);
    route->SetDestination(ingress);
    route->SetGateway(Ipv4Address::GetAny());
    route->SetOutputDevice(m_ipv4->GetNetDevice(0));
    m_ipv4->Send(packet, m_address, ingress, PROTOCOL_UDP, route);
}

namespace
{

/// The counters.
using Counts = DomainMessageReceiverStatistics;

/// The counters of the refusals, in their order.
constexpr uint64_t Counts::* REFUSAL_COUNTERS[] = {
    &Counts::offDomain,
    &Counts::otherDevice,
    &Counts::otherReceiver,
    &Counts::malformed,
    &Counts::unauthentic,
    &Counts::unknownKey,
    &Counts::early,
    &Counts::stale,
    &Counts::replayed,
    &Counts::tooManyDevices,
    &Counts::unknownFlow,
    &Counts::tooManyFlows,
    &Counts::unknownLink,
};

} // namespace

DomainMessageReceiver::DomainMessageReceiver(DomainMessageRecord record)
    : m_record(record)
{
}

void
DomainMessageReceiver::Open(Ptr<Node> node)
{
    NS_LOG_FUNCTION(this << node);
    m_socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
    AIDC_REFUSED_IF(m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), m_port)) != 0,
                    "expected port " << m_port << " of the node to be free");
    m_socket->SetRecvCallback(MakeCallback(&DomainMessageReceiver::ReceiveFrom, this));
}

void
DomainMessageReceiver::Close()
{
    if (m_socket)
    {
        m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        m_socket = nullptr;
    }
}

void
DomainMessageReceiver::ReceiveFrom(Ptr<Socket> socket)
{
    Address from;
    while (const auto packet = socket->RecvFrom(from))
    {
        // A longer message is refused for its length, whatever it contains.
        DomainMessageBytes bytes{};
        packet->CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
        Receive(bytes.data(), packet->GetSize(), from);
    }
}

void
DomainMessageReceiver::Receive(const uint8_t* bytes, std::size_t length, const Address& from)
{
    const int64_t now = Simulator::Now().GetNanoSeconds();
    AnyDomainMessage message;
    auto refusal = Check(bytes, length, from, now, message);
    if (!refusal)
    {
        refusal = React(message, now);
    }
    if (refusal)
    {
        NS_LOG_INFO("Refused a message from " << from << ": " << *refusal);
        ++(m_counts.*REFUSAL_COUNTERS[*refusal]);
        m_refusedTrace(*refusal, from);
    }
    else
    {
        CountAccepted(message);
        NotifyAccepted(message);
    }
}

std::optional<DomainMessageGuard::Refusal>
DomainMessageReceiver::Check(const uint8_t* bytes,
                             std::size_t length,
                             const Address& from,
                             int64_t now,
                             AnyDomainMessage& message)
{
    // The cheapest checks come first.
    if (!InetSocketAddress::IsMatchingType(from))
    {
        return DomainMessageGuard::OFF_DOMAIN;
    }
    const uint32_t sender = InetSocketAddress::ConvertFrom(from).GetIpv4().Get();
    if (!m_messageSettings.domain.Contains(sender))
    {
        return DomainMessageGuard::OFF_DOMAIN;
    }
    if (DecodeDomainMessage(bytes, length, message) != DomainMessageResult::OK ||
        GetRecord(message) != m_record)
    {
        return DomainMessageGuard::MALFORMED;
    }
    return std::visit(
        [&](const DomainMessage& header) {
            return m_guard.Check(m_messageSettings, header, bytes, sender, now);
        },
        message);
}

void
DomainMessageReceiver::CountAccepted(const AnyDomainMessage& message)
{
    ++m_counts.accepted;
    if (const auto* notification = std::get_if<CongestionNotification>(&message))
    {
        const auto severity = notification->severity;
        ++(severity == CongestionSeverity::NONE    ? m_counts.rates
           : severity == CongestionSeverity::LIGHT ? m_counts.light
                                                   : m_counts.severe);
    }
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "domain-message-receiver.h"

#include "../core/require-argument.h"

#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcDomainMessageReceiver");

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

bool
NotificationFormat::Decode(const uint8_t* bytes, std::size_t length, Message& message)
{
    return DecodeCongestionNotification(bytes, length, message) == CongestionNotificationResult::OK;
}

void
NotificationFormat::Count(const Message& message, Statistics& statistics)
{
    ++(message.severity == CongestionSeverity::NONE    ? statistics.rates
       : message.severity == CongestionSeverity::LIGHT ? statistics.light
                                                       : statistics.severe);
}

bool
LinkLoadFormat::Decode(const uint8_t* bytes, std::size_t length, Message& message)
{
    return DecodeLinkLoadReport(bytes, length, message) == LinkLoadReportResult::OK;
}

void
LinkLoadFormat::Count(const Message& /* message */, Statistics& statistics)
{
    ++statistics.accepted;
}

template <typename Format>
DomainMessageReceiver<Format>::DomainMessageReceiver(Listener& listener, const Settings& settings)
    : m_listener(listener),
      m_settings(settings)
{
}

template <typename Format>
void
DomainMessageReceiver<Format>::Open(Ptr<Node> node, uint16_t port)
{
    NS_LOG_FUNCTION(this << node << port);
    m_socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
    AIDC_REFUSED_IF(m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port)) != 0,
                    "expected port " << port << " of the node to be free");
    m_socket->SetRecvCallback(MakeCallback(&DomainMessageReceiver::ReceiveFrom, this));
}

template <typename Format>
void
DomainMessageReceiver<Format>::Close()
{
    if (m_socket)
    {
        m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        m_socket = nullptr;
    }
}

template <typename Format>
void
DomainMessageReceiver<Format>::ReceiveFrom(Ptr<Socket> socket)
{
    Address from;
    while (const auto packet = socket->RecvFrom(from))
    {
        // What is longer is refused by its length, whatever it is.
        DomainMessageBytes bytes{};
        packet->CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
        Receive(bytes.data(), packet->GetSize(), from);
    }
}

template <typename Format>
void
DomainMessageReceiver<Format>::Receive(const uint8_t* bytes,
                                       std::size_t length,
                                       const Address& from)
{
    const int64_t now = Simulator::Now().GetNanoSeconds();
    Message message;
    auto refusal = Check(bytes, length, from, now, message);
    if (!refusal)
    {
        refusal = m_listener.React(message, now);
    }
    if (refusal)
    {
        NS_LOG_INFO("Refused a message from " << from << ": " << *refusal);
        ++(m_statistics.*REFUSAL_COUNTERS[*refusal]);
    }
    else
    {
        Format::Count(message, m_statistics);
    }
    m_listener.NotifyVerdict(message, refusal, from);
}

template <typename Format>
std::optional<DomainMessageGuard::Refusal>
DomainMessageReceiver<Format>::Check(const uint8_t* bytes,
                                     std::size_t length,
                                     const Address& from,
                                     int64_t now,
                                     Message& message)
{
    // What costs least comes first.
    if (!InetSocketAddress::IsMatchingType(from))
    {
        return DomainMessageGuard::OFF_DOMAIN;
    }
    const uint32_t sender = InetSocketAddress::ConvertFrom(from).GetIpv4().Get();
    if (!m_settings.domain.Contains(sender))
    {
        return DomainMessageGuard::OFF_DOMAIN;
    }
    if (!Format::Decode(bytes, length, message))
    {
        return DomainMessageGuard::MALFORMED;
    }
    return m_guard.Check(m_settings, message, bytes, sender, now);
}

template class DomainMessageReceiver<NotificationFormat>;
template class DomainMessageReceiver<LinkLoadFormat>;

} // namespace ns3::aidc

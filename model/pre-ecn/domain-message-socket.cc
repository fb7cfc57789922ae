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

DomainMessageReceiver::DomainMessageReceiver(Listener& listener,
                                             const Settings& settings,
                                             DomainMessageRecord record)
    : m_listener(listener),
      m_settings(settings),
      m_record(record)
{
}

void
DomainMessageReceiver::Open(Ptr<Node> node, uint16_t port)
{
    NS_LOG_FUNCTION(this << node << port);
    m_socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
    AIDC_REFUSED_IF(m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port)) != 0,
                    "expected port " << port << " of the node to be free");
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
        // What is longer is refused by its length, whatever it is.
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
        refusal = m_listener.React(message, now);
    }
    if (refusal)
    {
        NS_LOG_INFO("Refused a message from " << from << ": " << *refusal);
        ++(m_statistics.*REFUSAL_COUNTERS[*refusal]);
        m_listener.NotifyRefused(*refusal, from);
    }
    else
    {
        CountAccepted(message);
        m_listener.NotifyAccepted(message);
    }
}

std::optional<DomainMessageGuard::Refusal>
DomainMessageReceiver::Check(const uint8_t* bytes,
                             std::size_t length,
                             const Address& from,
                             int64_t now,
                             AnyDomainMessage& message)
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
    if (DecodeDomainMessage(bytes, length, message) != DomainMessageResult::OK ||
        GetRecord(message) != m_record)
    {
        return DomainMessageGuard::MALFORMED;
    }
    return std::visit(
        [&](const DomainMessage& header) {
            return m_guard.Check(m_settings, header, bytes, sender, now);
        },
        message);
}

void
DomainMessageReceiver::CountAccepted(const AnyDomainMessage& message)
{
    ++m_statistics.accepted;
    if (const auto* notification = std::get_if<CongestionNotification>(&message))
    {
        const auto severity = notification->severity;
        ++(severity == CongestionSeverity::NONE    ? m_statistics.rates
           : severity == CongestionSeverity::LIGHT ? m_statistics.light
                                                   : m_statistics.severe);
    }
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "notification-receiver.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <array>
#include <limits>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcNotificationReceiver");

namespace
{

/// The counters.
using ReceiverCounts = NotificationReceiverStatistics;

/// The counters of the refusals, in their order.
constexpr uint64_t ReceiverCounts::* REFUSAL_COUNTERS[] = {
    &ReceiverCounts::offDomain,
    &ReceiverCounts::otherDevice,
    &ReceiverCounts::otherReceiver,
    &ReceiverCounts::malformed,
    &ReceiverCounts::unauthentic,
    &ReceiverCounts::unknownKey,
    &ReceiverCounts::early,
    &ReceiverCounts::stale,
    &ReceiverCounts::replayed,
    &ReceiverCounts::tooManyDevices,
    &ReceiverCounts::unknownFlow,
    &ReceiverCounts::tooManyFlows,
};

} // namespace

NotificationReceiver::NotificationReceiver(Listener& listener, const Settings& settings)
    : m_listener(listener),
      m_settings(settings)
{
}

void
NotificationReceiver::Open(Ptr<Node> node)
{
    NS_LOG_FUNCTION(this << node);
    m_socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
    NS_ABORT_MSG_IF(m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), m_settings.port)) != 0,
                    "expected port " << m_settings.port << " of the node to be free");
    m_socket->SetRecvCallback(MakeCallback(&NotificationReceiver::ReceiveFrom, this));
}

void
NotificationReceiver::Close()
{
    if (m_socket)
    {
        m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        m_socket = nullptr;
    }
}

void
NotificationReceiver::ReceiveFrom(Ptr<Socket> socket)
{
    Address from;
    while (const auto packet = socket->RecvFrom(from))
    {
        // What is longer is refused by its length, whatever it is.
        std::array<uint8_t, CONGESTION_NOTIFICATION_SIZE> bytes{};
        packet->CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
        Receive(bytes.data(), packet->GetSize(), from);
    }
}

void
NotificationReceiver::Receive(const uint8_t* bytes, std::size_t length, const Address& from)
{
    const int64_t now = Simulator::Now().GetNanoSeconds();
    CongestionNotification notification;
    auto refusal = Check(bytes, length, from, now, notification);
    if (!refusal)
    {
        refusal = m_listener.React(notification, now);
    }
    if (refusal)
    {
        NS_LOG_INFO("Refused a notification from " << from << ": " << *refusal);
        ++(m_statistics.*REFUSAL_COUNTERS[*refusal]);
    }
    else
    {
        ++(notification.severity == CongestionSeverity::NONE    ? m_statistics.rates
           : notification.severity == CongestionSeverity::LIGHT ? m_statistics.light
                                                                : m_statistics.severe);
    }
    m_listener.NotifyVerdict(notification, refusal, from);
}

std::optional<NotificationReceiver::Refusal>
NotificationReceiver::Check(const uint8_t* bytes,
                            std::size_t length,
                            const Address& from,
                            int64_t now,
                            CongestionNotification& notification)
{
    // What costs least comes first. Numbers are noted of authentic notifications only: a forged
    // one could make its successors look old.
    if (!InetSocketAddress::IsMatchingType(from))
    {
        return OFF_DOMAIN;
    }
    const uint32_t sender = InetSocketAddress::ConvertFrom(from).GetIpv4().Get();
    if (!m_settings.domain.Contains(sender))
    {
        return OFF_DOMAIN;
    }
    if (DecodeCongestionNotification(bytes, length, notification) !=
            CongestionNotificationResult::OK ||
        notification.time > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
    {
        return MALFORMED;
    }
    switch (m_settings.keys.Verify(bytes, length))
    {
    case NotificationKeys::Verdict::FORGED:
        return UNAUTHENTIC;
    case NotificationKeys::Verdict::UNKNOWN_KEY:
        return UNKNOWN_KEY;
    case NotificationKeys::Verdict::AUTHENTIC:
        break;
    }
    if (!m_settings.domain.Contains(notification.device))
    {
        return OFF_DOMAIN;
    }
    const bool isMonitor = !m_settings.monitors.IsAll() && m_settings.monitors.Contains(sender);
    if (notification.device != sender && !isMonitor)
    {
        return OTHER_DEVICE;
    }
    // The domain shares one key: what is authentic may have been sent to another PE.
    if (std::find(m_ingresses.begin(), m_ingresses.end(), notification.ingress) ==
        m_ingresses.end())
    {
        return OTHER_RECEIVER;
    }
    const auto time = static_cast<int64_t>(notification.time);
    if (time > now)
    {
        return EARLY;
    }
    const int64_t maxAge = m_settings.maxAge.GetNanoSeconds();
    if (!m_settings.maxAge.IsZero() && now - time > maxAge)
    {
        return STALE;
    }
    m_windows.SetLimits(m_settings.maxDevices, maxAge);
    switch (m_windows.Accept(notification.device,
                             notification.sequence,
                             time,
                             now,
                             m_settings.keys.IsSet()))
    {
    case ReplayWindows::Verdict::NO_ROOM:
        return TOO_MANY_DEVICES;
    case ReplayWindows::Verdict::REPLAYED:
        return REPLAYED;
    case ReplayWindows::Verdict::FRESH:
        break;
    }
    return std::nullopt;
}

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#include "notification-sender.h"

#include "../attribute-accessors.h"
#include "../core/tunnel/ip-tunnel-headers.h"

#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/value-checker.h"

#include <array>
#include <cstddef>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcNotificationSender");

NS_OBJECT_ENSURE_REGISTERED(NotificationSender);

TypeId
NotificationSender::GetTypeId()
{
    using C = NotificationSender;
    static TypeId tid =
        AddAttributes<C>(TypeId("ns3::aidc::NotificationSender")
                             .SetParent<Object>()
                             .SetGroupName("Aidc")
                             .AddConstructor<C>(),
                         "notifications",
                         CONGESTION_NOTIFICATION_PORT)
            .AddAttribute("Domain",
                          "Prefixes, as 10.0.0.0/8, separated by commas: ingress PEs there are "
                          "notified. Empty for all addresses.",
                          StringValue(""),
                          MakeParsedTextAccessor(&C::m_domainSettings, &Settings::domain),
                          MakeTextChecker(&AddressDomain::Parse))
            .AddTraceSource("Sent",
                            "A notification has been sent.",
                            MakeTraceSourceAccessor(&C::m_sentTrace),
                            "ns3::aidc::NotificationSender::SentTracedCallback");
    return tid;
}

void
NotificationSender::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Close();
    Object::DoDispose();
}

NotificationSender::NotificationSender()
{
    NS_LOG_FUNCTION(this);
}

void
NotificationSender::Open(Ptr<Node> node)
{
    NS_LOG_FUNCTION(this << node);
    DomainMessageSender::Open(node, "NotificationSender");
}

bool
NotificationSender::FindReceiver(const QueueDiscItem& item,
                                 CongestionNotification& notification,
                                 CongestionNotifierStatistics& statistics,
                                 uint32_t* innerBytes) const
{
    const auto ipv4 = dynamic_cast<const Ipv4QueueDiscItem*>(&item);
    if (!ipv4)
    {
        ++statistics.notTunneled;
        return false;
    }
    const Ipv4Header& header = ipv4->GetHeader();
    std::array<uint8_t, TUNNELED_FLOW_MAX_BYTES> bytes;
    const uint32_t size = item.GetPacket()->CopyData(bytes.data(), bytes.size());
    notification.ingress = header.GetSource().Get();
    notification.egress = header.GetDestination().Get();
    std::size_t offset = 0;
    const auto result = FindTunneledFlow(notification.ingress,
                                         header.GetProtocol(),
                                         static_cast<uint16_t>(header.GetFragmentOffset() / 8),
                                         bytes.data(),
                                         size,
                                         notification.flow,
                                         notification.egress,
                                         &offset);
    if (result != TunneledFlowResult::OK)
    {
        ++(result == TunneledFlowResult::NOT_TUNNELED ? statistics.notTunneled
                                                      : statistics.malformed);
        return false;
    }
    if (innerBytes)
    {
        *innerBytes = item.GetPacket()->GetSize() - static_cast<uint32_t>(offset);
    }
    if (!m_domainSettings.domain.Contains(notification.ingress))
    {
        ++statistics.offDomain;
        return false;
    }
    return true;
}

void
NotificationSender::Send(CongestionNotification notification,
                         CongestionNotifierStatistics& statistics)
{
    const Ipv4Address ingress(notification.ingress);
    NS_LOG_FUNCTION(this << ingress);
    if (!IsOpen())
    {
        return; // closed since
    }
    if (!DomainMessageSender::Send(notification))
    {
        ++statistics.failed;
        return;
    }
    ++(notification.severity == CongestionSeverity::NONE    ? statistics.rates
       : notification.severity == CongestionSeverity::LIGHT ? statistics.light
                                                            : statistics.severe);
    m_sentTrace(notification, ingress);
}

} // namespace ns3::aidc

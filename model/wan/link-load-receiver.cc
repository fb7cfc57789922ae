/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-load-receiver.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcLinkLoadReceiver");

LinkLoadReceiver::LinkLoadReceiver(Listener& listener, const Settings& settings)
    : m_listener(listener),
      m_settings(settings)
{
}

void
LinkLoadReceiver::Open(Ptr<Node> node)
{
    NS_LOG_FUNCTION(this << node);
    m_socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
    NS_ABORT_MSG_IF(m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), m_settings.port)) != 0,
                    "expected port " << m_settings.port << " of the node to be free");
    m_socket->SetRecvCallback(MakeCallback(&LinkLoadReceiver::ReceiveFrom, this));
}

void
LinkLoadReceiver::Close()
{
    if (m_socket)
    {
        m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        m_socket = nullptr;
    }
}

void
LinkLoadReceiver::ReceiveFrom(Ptr<Socket> socket)
{
    Address from;
    while (const auto packet = socket->RecvFrom(from))
    {
        // What is longer is refused by its length, whatever it is.
        LinkLoadReportBytes bytes{};
        packet->CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
        Receive(bytes.data(), packet->GetSize(), from);
    }
}

void
LinkLoadReceiver::Receive(const uint8_t* bytes, std::size_t length, const Address& from)
{
    const int64_t now = Simulator::Now().GetNanoSeconds();
    LinkLoadReport report;
    auto refusal = Check(bytes, length, from, now, report);
    if (!refusal && !m_listener.React(report, now))
    {
        refusal = UNKNOWN_LINK;
    }
    if (refusal)
    {
        NS_LOG_INFO("Refused a report from " << from << ": " << *refusal);
        ++m_refused[*refusal];
    }
    else
    {
        ++m_accepted;
    }
    m_listener.NotifyVerdict(report, refusal, from);
}

std::optional<LinkLoadReceiver::Refusal>
LinkLoadReceiver::Check(const uint8_t* bytes,
                        std::size_t length,
                        const Address& from,
                        int64_t now,
                        LinkLoadReport& report)
{
    // What costs least comes first. Numbers are noted of authentic reports only.
    if (!InetSocketAddress::IsMatchingType(from))
    {
        return OFF_DOMAIN;
    }
    const uint32_t sender = InetSocketAddress::ConvertFrom(from).GetIpv4().Get();
    if (!m_settings.domain.Contains(sender))
    {
        return OFF_DOMAIN;
    }
    if (DecodeLinkLoadReport(bytes, length, report) != LinkLoadReportResult::OK)
    {
        return MALFORMED;
    }
    if (!VerifyLinkLoadReport(bytes, m_settings.key))
    {
        return UNAUTHENTIC;
    }
    if (report.device != sender)
    {
        return OTHER_DEVICE;
    }
    if (std::find(m_ingresses.begin(), m_ingresses.end(), report.ingress) == m_ingresses.end())
    {
        return OTHER_RECEIVER;
    }
    const auto time = static_cast<int64_t>(report.time);
    if (time > now)
    {
        return EARLY;
    }
    const int64_t maxAge = m_settings.maxAge.GetNanoSeconds();
    if (maxAge > 0 && now - time > maxAge)
    {
        return STALE;
    }
    m_windows.SetLimits(m_settings.maxDevices, maxAge);
    switch (m_windows.Accept(report.device, report.sequence, time, now, m_settings.key.IsSet()))
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

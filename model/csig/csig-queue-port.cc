// SPDX-License-Identifier: GPL-2.0-only

#include "csig-queue-port.h"

#include "../core/require-argument.h"
#include "csig-tag.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/ipv6-queue-disc-item.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCsigQueuePort");

NS_OBJECT_ENSURE_REGISTERED(CsigQueuePort);

namespace
{

/// Get the TTL, or hop limit, of a packet in a queue disc; 0 if it is neither IPv4 nor IPv6.
uint8_t
ReadTtl(const QueueDiscItem& item)
{
    if (const auto* ipv4 = dynamic_cast<const Ipv4QueueDiscItem*>(&item))
    {
        return ipv4->GetHeader().GetTtl();
    }
    const auto* ipv6 = dynamic_cast<const Ipv6QueueDiscItem*>(&item);
    return ipv6 ? ipv6->GetHeader().GetHopLimit() : 0;
}

} // namespace

TypeId
CsigQueuePort::GetTypeId()
{
    using C = CsigQueuePort;
    static TypeId tid =
        TypeId("ns3::aidc::CsigQueuePort")
            .SetParent<Object>()
            .SetGroupName("Aidc")
            .AddConstructor<CsigQueuePort>()
            .AddAttribute("Domain",
                          "The settings that the whole network has in common; if none are set, "
                          "the agent's.",
                          PointerValue(),
                          MakePointerAccessor(&C::m_domain),
                          MakePointerChecker<CsigDomain>())
            .AddAttribute("Agent",
                          "The agent that measures; a new one if none is set.",
                          PointerValue(),
                          MakePointerAccessor(&C::m_agent),
                          MakePointerChecker<CsigAgent>())
            .AddAttribute("StripEgress",
                          "Whether packets leave this port without their tags.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&C::m_stripsEgress),
                          MakeBooleanChecker())
            .AddAttribute("StripUnsupported",
                          "Whether tags that ask for an unsupported signal are taken off.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&C::m_stripsUnsupported),
                          MakeBooleanChecker())
            .AddAttribute("Overhead",
                          "Bytes on the wire that each packet adds to its own; by default those "
                          "of the PPP header of ns-3's point-to-point device.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&C::m_overhead),
                          MakeUintegerChecker<uint32_t>(0, 1000))
            .AddTraceSource("Update",
                            "This port has put its value into a tag.",
                            MakeTraceSourceAccessor(&C::m_updateTrace),
                            "ns3::aidc::CsigPort::UpdateTracedCallback")
            .AddTraceSource("Strip",
                            "A tag was taken off by configuration (section 6.1); the fields that "
                            "it had.",
                            MakeTraceSourceAccessor(&C::m_stripTrace),
                            "ns3::aidc::CsigPort::TagTracedCallback")
            .AddTraceSource("Unsupported",
                            "A tag asks for a signal that this port does not support (section "
                            "6.3.2).",
                            MakeTraceSourceAccessor(&C::m_unsupportedTrace),
                            "ns3::aidc::CsigPort::TagTracedCallback")
            .AddTraceSource("TagSent",
                            "A packet leaves with this tag.",
                            MakeTraceSourceAccessor(&C::m_sentTrace),
                            "ns3::aidc::CsigPort::TagTracedCallback");
    return tid;
}

void
CsigQueuePort::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_agent = nullptr;
    m_domain = nullptr;
    m_device = nullptr;
    m_queueDisc = nullptr;
    Object::DoDispose();
}

void
CsigQueuePort::Install(Ptr<NetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    AIDC_REFUSED_IF(m_device, "A CsigQueuePort serves one port");
    DataRateValue rate;
    AIDC_REFUSED_UNLESS(device->GetAttributeFailSafe("DataRate", rate),
                        "CsigQueuePort: the device has no attribute DataRate");
    const auto control = device->GetNode()->GetObject<TrafficControlLayer>();
    m_queueDisc = control ? control->GetRootQueueDiscOnDevice(device) : nullptr;
    AIDC_REFUSED_UNLESS(m_queueDisc, "CsigQueuePort: the device has no root queue disc");
    m_device = device;
    m_agent = m_agent ? m_agent : CreateObject<CsigAgent>();
    m_agent->Start(rate.Get().GetBitRate(), 0, m_domain);
    m_domain = m_agent->GetDomain();
    device->AggregateObject(this);
    m_queueDisc->TraceConnectWithoutContext("Dequeue", MakeCallback(&CsigQueuePort::Dequeue, this));
}

void
CsigQueuePort::Dequeue(Ptr<const QueueDiscItem> item)
{
    const Time now = Simulator::Now();
    CsigHop hop;
    hop.now = now.GetNanoSeconds();
    hop.delay = static_cast<uint64_t>((now - item->GetTimeStamp()).GetNanoSeconds());
    m_agent->Count(hop, m_sent);
    m_sent += item->GetSize() + m_overhead;
    const Ptr<Packet> packet = item->GetPacket();
    CsigTag tag;
    if (!packet->PeekPacketTag(tag))
    {
        return;
    }
    CsigFields fields = tag.GetFields();
    hop.queuedBytes = m_queueDisc->GetNBytes();
    if (m_agent->UsesTtl(fields.format))
    {
        hop.ttl = ReadTtl(*item);
    }
    const auto outcome = m_stripsEgress ? CsigAgent::Outcome::KEPT : m_agent->Process(fields, hop);
    if (outcome == CsigAgent::Outcome::UNSUPPORTED)
    {
        ++m_statistics.unsupported;
        m_unsupportedTrace(m_device, fields);
    }
    m_statistics.frozen += outcome == CsigAgent::Outcome::FROZEN ? 1 : 0;
    if (m_stripsEgress || (m_stripsUnsupported && outcome == CsigAgent::Outcome::UNSUPPORTED))
    {
        ++m_statistics.stripped;
        packet->RemovePacketTag(tag);
        m_stripTrace(m_device, fields);
        return;
    }
    ++m_statistics.taggedOut;
    m_sentTrace(m_device, fields);
    if (outcome == CsigAgent::Outcome::UPDATED)
    {
        ++m_statistics.updated;
        CsigTag updated = tag;
        updated.SetFields(fields);
        packet->ReplacePacketTag(updated);
        m_updateTrace(m_device, tag.GetFields(), fields);
    }
}

} // namespace ns3::aidc

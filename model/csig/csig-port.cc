// SPDX-License-Identifier: GPL-2.0-only

#include "csig-port.h"

#include "../aidc-compat.h"
#include "../attribute-accessors.h"
#include "../core/require-argument.h"
#include "csig-tag.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/protocol-numbers.h"
#include "ns3/queue-disc.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCsigPort");

NS_OBJECT_ENSURE_REGISTERED(CsigPort);

static_assert(EthernetFields::MAX_TAG >= CSIG_MAX_TAG_SIZE);

namespace
{

/// Get the TTL, or hop limit, of a packet; 0 if it is neither IPv4 nor IPv6.
uint8_t
ReadTtl(const EthernetFrame& frame)
{
    if (frame.hasTransit)
    {
        return frame.transit.bytes[Ipv4Offset::TTL];
    }
    uint8_t bytes[9];
    if (frame.packet->CopyData(bytes, sizeof(bytes)) < sizeof(bytes))
    {
        return 0;
    }
    const int version = bytes[0] >> 4;
    return version == 4 ? bytes[8] : version == 6 ? bytes[7] : 0;
}

} // namespace

TypeId
CsigPort::GetTypeId()
{
    using C = CsigPort;
    static TypeId tid =
        TypeId("ns3::aidc::CsigPort")
            .SetParent<EthernetTagProcessor>()
            .SetGroupName("Aidc")
            .AddConstructor<CsigPort>()
            .AddAttribute("Domain",
                          "The settings that the whole network has in common; if none are set, "
                          "the agent's.",
                          PointerValue(),
                          MakePointerAccessor(&C::m_domain),
                          MakePointerChecker<CsigDomain>())
            .AddAttribute("Role",
                          "Where the port is.",
                          EnumValue(TRANSIT),
                          MakeEnumAccessorFor<Role>(&C::m_role),
                          MakeEnumChecker(TRANSIT, "Transit", HOST, "Host"))
            .AddAttribute("Support",
                          "The level of support.",
                          EnumValue(COMPLETE),
                          MakeEnumAccessorFor<Support>(&C::m_support),
                          MakeEnumChecker(DISCARD,
                                          "Discard",
                                          PASS_THROUGH,
                                          "PassThrough",
                                          COMPLETE,
                                          "Complete"))
            .AddAttribute("Agent",
                          "The agent that measures, at a switch with complete support; a new one "
                          "if none is set.",
                          PointerValue(),
                          MakePointerAccessor(&C::m_agent),
                          MakePointerChecker<CsigAgent>())
            .AddAttribute("StripEgress",
                          "Whether frames leave this port without their tags.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&C::m_stripsEgress),
                          MakeBooleanChecker())
            .AddAttribute("StripIngress",
                          "Whether the tags of frames that come in are taken off.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&C::m_stripsIngress),
                          MakeBooleanChecker())
            .AddAttribute("Trusted",
                          "Whether the other end may send any tags; if not, only tags of flows "
                          "that are authorized (section 9).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&C::m_isTrusted),
                          MakeBooleanChecker())
            .AddAttribute("UntrustedAction",
                          "How a tag is treated that the other end may not send.",
                          EnumValue(STRIP),
                          MakeEnumAccessorFor<Action>(&C::m_untrustedAction),
                          MakeEnumChecker(STRIP, "Strip", DROP, "Drop"))
            .AddAttribute("UnsupportedAction",
                          "How a tag is treated at egress that asks for an unsupported signal.",
                          EnumValue(KEEP),
                          MakeEnumAccessorFor<Action>(&C::m_unsupportedAction),
                          MakeEnumChecker(KEEP, "Keep", STRIP, "Strip"))
            .AddAttribute("CountOverhead",
                          "Whether preamble and gap of frames count as sent, as they take time on "
                          "the wire, too.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&C::m_countsOverhead),
                          MakeBooleanChecker())
            .AddTraceSource("Update",
                            "This port has put its value into a tag.",
                            MakeTraceSourceAccessor(&C::m_updateTrace),
                            "ns3::aidc::CsigPort::UpdateTracedCallback")
            .AddTraceSource("Strip",
                            "A tag was taken off by configuration, at ingress or egress (section "
                            "6.1); the fields that it had.",
                            MakeTraceSourceAccessor(&C::m_stripTrace),
                            "ns3::aidc::CsigPort::TagTracedCallback")
            .AddTraceSource("Untrusted",
                            "A tag has come from a sender that is not trusted (section 9).",
                            MakeTraceSourceAccessor(&C::m_untrustedTrace),
                            "ns3::aidc::CsigPort::TagTracedCallback")
            .AddTraceSource("Unsupported",
                            "A tag asks for a signal that this port does not support (section "
                            "6.3.2).",
                            MakeTraceSourceAccessor(&C::m_unsupportedTrace),
                            "ns3::aidc::CsigPort::TagTracedCallback")
            .AddTraceSource("TagSent",
                            "A frame leaves with this tag.",
                            MakeTraceSourceAccessor(&C::m_sentTrace),
                            "ns3::aidc::CsigPort::TagTracedCallback");
    return tid;
}

void
CsigPort::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_agent = nullptr;
    m_domain = nullptr;
    EthernetTagProcessor::DoDispose();
}

void
CsigPort::Install(Ptr<EthernetNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    AIDC_REFUSED_IF(m_isInstalled, "A CsigPort serves one port");
    AIDC_REFUSED_IF(device->GetTagProcessor(),
                    "CsigPort: the port has another tag processor already");
    m_isInstalled = true;
    if (m_role == TRANSIT && m_support == COMPLETE)
    {
        m_overhead = m_countsOverhead ? device->GetOverhead() : 0;
        if (!m_agent)
        {
            m_agent = CreateObject<CsigAgent>();
        }
        m_agent->Start(device->GetDataRate().GetBitRate(),
                       device->GetStatistics().GetWireOctets(m_overhead),
                       m_domain);
        m_domain = m_agent->GetDomain();
    }
    else
    {
        m_agent = nullptr;
        m_domain = m_domain ? m_domain : CreateObject<CsigDomain>();
        m_domain->CheckSettings();
    }
    m_countsNs = Time::GetResolution() == Time::NS;
    m_tpids = m_domain->GetTpids();
    device->SetTagProcessor(this);
    device->AggregateObject(this);
}

void
CsigPort::Authorize(const CsigFlowRule& rule)
{
    CheckOrRefuse([&rule] { CheckCsigFlowRule(rule); });
    m_rules.push_back(rule);
}

int64_t
CsigPort::ToNs(int64_t steps) const
{
    return m_countsNs ? steps : TimeStep(static_cast<uint64_t>(steps)).GetNanoSeconds();
}

KnownTags
CsigPort::GetKnownTags() const
{
    KnownTags known;
    for (const auto format : {CsigFormat::COMPACT, CsigFormat::EXPANDED})
    {
        known.kinds[static_cast<std::size_t>(format)] = {
            m_domain->GetTpids().Get(format),
            static_cast<uint8_t>(GetCsigTagSize(format))};
    }
    return known;
}

// Reception

bool
CsigPort::Receive(EthernetNetDevice& device, const EthernetFrame& frame, FrameContext& context)
{
    if (m_role == HOST)
    {
        CsigTag foreign;
        frame.packet->RemovePacketTag(foreign);
    }
    if (context.tagSize == 0)
    {
        return true;
    }
    ++m_statistics.taggedIn;
    const uint16_t next = frame.fields.etherType;
    if (m_tpids.Find(next) || IsTpidOfOtherTag(next))
    {
        // A CSIG tag has to be the last one (section 4.1): stripping would take off the first tag
        // only, and let the next one out of the domain.
        ++m_statistics.misplaced;
        return false;
    }
    if (m_support == DISCARD)
    {
        ++m_statistics.discarded;
        return false;
    }
    if (!m_isTrusted && !IsAuthorized(frame))
    {
        ++m_statistics.untrusted;
        TraceTag(m_untrustedTrace, device, context);
        context.tagSize = 0;
        return m_untrustedAction != DROP;
    }
    if (m_stripsIngress)
    {
        Strip(device, context);
    }
    else if (m_role == HOST)
    {
        if (const auto fields = DecodeCsigTag(context.tag.data(), context.tagSize, m_tpids))
        {
            frame.packet->AddPacketTag(CsigTag(*fields));
            return true;
        }
        ++m_statistics.bad;
        context.tagSize = 0;
    }
    return true;
}

bool
CsigPort::IsAuthorized(const EthernetFrame& frame) const
{
    TransitHeader header = frame.transit;
    if (m_rules.empty() || (!frame.hasTransit && (frame.fields.etherType != ETHERTYPE_IPV4 ||
                                                  !ReadTransitHeader(*frame.packet, header))))
    {
        return false;
    }
    const auto dscp = static_cast<uint8_t>(header.bytes[Ipv4Offset::TOS] >> 2);
    return std::any_of(m_rules.begin(), m_rules.end(), [&](const CsigFlowRule& rule) {
        return rule.Matches(header.flow, dscp);
    });
}

// Transmission

void
CsigPort::Transmit(EthernetNetDevice& device, const EthernetFrame& frame, FrameContext& context)
{
    CsigHop hop;
    if (m_agent)
    {
        const int64_t now = Simulator::Now().GetTimeStep();
        hop.now = ToNs(now);
        if (context.ingressPort != FrameContext::NO_PORT)
        {
            hop.delay = static_cast<uint64_t>(ToNs(now - context.arrival));
        }
        m_agent->Count(hop, device.GetStatistics().GetWireOctets(m_overhead));
    }
    else if (m_role == HOST)
    {
        TakeFromHost(device, frame.packet, context);
    }
    if (context.tagSize == 0)
    {
        return;
    }
    if (m_stripsEgress)
    {
        Strip(device, context);
        return;
    }
    if (m_agent)
    {
        Update(device, frame, context, hop);
    }
    if (context.tagSize != 0)
    {
        ++m_statistics.taggedOut;
        TraceTag(m_sentTrace, device, context);
    }
}

void
CsigPort::TakeFromHost(EthernetNetDevice& device, const Ptr<Packet>& packet, FrameContext& context)
{
    CsigTag tag;
    const bool isTagged = packet->RemovePacketTag(tag);
    if (isTagged && tag.IsRequest())
    {
        context.tagSize =
            static_cast<uint8_t>(EncodeCsigTag(tag.GetFields(), m_tpids, context.tag.data()));
    }
    else
    {
        m_statistics.foreign += isTagged ? 1 : 0;
        context.tagSize = context.isOwnTag ? context.tagSize : 0;
    }
    if (m_support == DISCARD && context.tagSize != 0)
    {
        Strip(device, context);
    }
}

void
CsigPort::Update(EthernetNetDevice& device,
                 const EthernetFrame& frame,
                 FrameContext& context,
                 CsigHop& hop)
{
    const auto read = DecodeCsigTag(context.tag.data(), context.tagSize, m_tpids);
    if (!read)
    {
        ++m_statistics.bad;
        context.tagSize = 0;
        return;
    }
    if (m_agent->UsesQueueDepth())
    {
        hop.queuedBytes = device.GetQueuedBytes();
    }
    if (m_agent->UsesTtl(read->format))
    {
        hop.ttl = ReadTtl(frame);
    }
    CsigFields fields = *read;
    switch (m_agent->Process(fields, hop))
    {
    case CsigAgent::Outcome::UPDATED:
        break;
    case CsigAgent::Outcome::KEPT:
        return;
    case CsigAgent::Outcome::UNSUPPORTED:
        ++m_statistics.unsupported;
        TraceTag(m_unsupportedTrace, device, context);
        if (m_unsupportedAction == STRIP)
        {
            Strip(device, context);
        }
        return;
    case CsigAgent::Outcome::FROZEN:
        ++m_statistics.frozen;
        return;
    }
    ++m_statistics.updated;
    EncodeCsigTag(fields, m_tpids, context.tag.data());
    if (!m_updateTrace.IsEmpty())
    {
        m_updateTrace(&device, *read, fields);
    }
}

void
CsigPort::Strip(EthernetNetDevice& device, FrameContext& context)
{
    ++m_statistics.stripped;
    TraceTag(m_stripTrace, device, context);
    context.tagSize = 0;
}

void
CsigPort::TraceTag(const TagTrace& trace,
                   EthernetNetDevice& device,
                   const FrameContext& context) const
{
    if (trace.IsEmpty())
    {
        return;
    }
    if (const auto fields = DecodeCsigTag(context.tag.data(), context.tagSize, m_tpids))
    {
        trace(&device, *fields);
    }
}

} // namespace ns3::aidc

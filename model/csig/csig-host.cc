/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-host.h"

#include "csig-tag.h"

#include "ns3/aidc-compat.h"
#include "ns3/boolean.h"
#include "ns3/csig-text.h"
#include "ns3/double.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/udp-l4-protocol.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCsigHost");
NS_OBJECT_ENSURE_REGISTERED(CsigHost);

template <auto Member, typename T>
void
CsigHost::Set(T value)
{
    this->*Member = value;
    Derive();
}

template <auto Member, typename T>
T
CsigHost::Get() const
{
    return this->*Member;
}

TypeId
CsigHost::GetTypeId()
{
    using C = CsigHost;
    static TypeId tid =
        TypeId("ns3::aidc::CsigHost")
            .SetParent<Object>()
            .SetGroupName("Aidc")
            .AddConstructor<CsigHost>()
            .AddAttribute("Domain",
                          "The settings that the whole network has in common; new ones with the "
                          "defaults if none are set",
                          PointerValue(),
                          MakePointerAccessor(&C::SetDomain, &C::GetDomain),
                          MakePointerChecker<CsigDomain>())
            .AddAttribute("Format",
                          "The format of the tags that this host sends; it takes both",
                          EnumValue(COMPACT),
                          MakeEnumAccessorFor<Format>(&C::SetFormat, &C::GetFormat),
                          MakeEnumChecker(COMPACT, "Compact", EXPANDED, "Expanded"))
            .AddAttribute("Signals",
                          "The signals to ask for in turn, separated by commas: min(ABW), "
                          "min(ABW/C), max(PD) and, where it is on, max(nQD)",
                          StringValue("min(ABW)"),
                          MakeStringAccessor(&C::SetSignals, &C::GetSignals),
                          MakeTextChecker(&ParseCsigSignals))
            .AddAttribute(
                "Mode",
                "The tag that is reflected where several tags of a signal have come: the latest, "
                "or a summary with the worst",
                EnumValue(LATEST),
                MakeEnumAccessorFor<Mode>(&C::Set<&C::m_mode, Mode>, &C::Get<&C::m_mode, Mode>),
                MakeEnumChecker(LATEST, "Latest", SUMMARY, "Summary"))
            .AddAttribute("Period",
                          "A tag goes with one of this many packets of a flow",
                          UintegerValue(1),
                          MakeUintegerAccessor(&C::Set<&C::m_period, uint32_t>,
                                               &C::Get<&C::m_period, uint32_t>),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Patience",
                          "The number of tags lost in a row after which a flow's packets are sent "
                          "without tags",
                          UintegerValue(3),
                          MakeUintegerAccessor(&C::Set<&C::m_patience, uint32_t>,
                                               &C::Get<&C::m_patience, uint32_t>),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("RetryInterval",
                          "Time without tags after which the path is tried again",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&C::Set<&C::m_retryInterval, Time>,
                                           &C::Get<&C::m_retryInterval, Time>),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("ReflectionDelay",
                          "The longest time that the answer to a tag takes. UDP has no sequence "
                          "numbers: within this time, an empty reflection counts as the answer",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&C::Set<&C::m_reflectionDelay, Time>,
                                           &C::Get<&C::m_reflectionDelay, Time>),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("TagAcks",
                          "Whether TCP segments without data are tagged, too",
                          BooleanValue(false),
                          MakeBooleanAccessor(&C::m_tagAcks),
                          MakeBooleanChecker())
            .AddAttribute("TagUdp",
                          "Whether UDP datagrams are tagged. No handshake asks the peer first",
                          BooleanValue(false),
                          MakeBooleanAccessor(&C::m_tagUdp),
                          MakeBooleanChecker())
            .AddAttribute("AuthorizeAll",
                          "Whether all flows may be tagged; else only those that fit a rule",
                          BooleanValue(true),
                          MakeBooleanAccessor(&C::m_authorizeAll),
                          MakeBooleanChecker())
            .AddAttribute("MaxOffers",
                          "Number of SYNs of a connection that carry the option; 0 for none",
                          UintegerValue(3),
                          MakeUintegerAccessor(&C::m_maxOffers),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "OptionLayout",
                "The layout of the TCP option: with an experiment's identifier (RFC "
                "6994), or that of the draft (section 4.2.1, figure 3)",
                EnumValue(EXPERIMENTAL),
                MakeEnumAccessorFor<OptionLayout>(&C::Set<&C::m_optionLayout, OptionLayout>,
                                                  &C::Get<&C::m_optionLayout, OptionLayout>),
                MakeEnumChecker(EXPERIMENTAL, "Experimental", DRAFT, "Draft"))
            .AddAttribute("DraftOptionKind",
                          "Number of the TCP option's kind in the layout of the draft; none is "
                          "assigned yet (section 4.2.1)",
                          UintegerValue(252),
                          MakeUintegerAccessor(&C::Set<&C::m_draftOptionKind, uint8_t>,
                                               &C::Get<&C::m_draftOptionKind, uint8_t>),
                          MakeUintegerChecker<uint8_t>(175, 252))
            .AddAttribute("AverageWeight",
                          "Weight of a new signal in the average over a flow's packets (section "
                          "5.3.2), above 0 to 1",
                          DoubleValue(0.125),
                          MakeDoubleAccessor(&C::m_averageWeight),
                          MakeDoubleChecker<double>(std::numeric_limits<double>::min(), 1))
            .AddAttribute("OptionKind",
                          "Number of the TCP option's kind, an experimental one (RFC 6994)",
                          UintegerValue(253),
                          MakeUintegerAccessor(&C::Set<&C::m_optionKind, uint8_t>,
                                               &C::Get<&C::m_optionKind, uint8_t>),
                          MakeUintegerChecker<uint8_t>(253, 254))
            .AddAttribute("OptionExId",
                          "Number of the experiment in the TCP option (RFC 6994)",
                          UintegerValue(CSIG_DEFAULT_EXID),
                          MakeUintegerAccessor(&C::Set<&C::m_optionExId, uint16_t>,
                                               &C::Get<&C::m_optionExId, uint16_t>),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("MaxFlows",
                          "How many flows are remembered",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&C::Set<&C::m_maxFlows, uint32_t>,
                                               &C::Get<&C::m_maxFlows, uint32_t>),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("FlowTimeout",
                          "Silence after which a flow gives its room to a new one",
                          TimeValue(Seconds(60)),
                          MakeTimeAccessor(&C::Set<&C::m_flowTimeout, Time>,
                                           &C::Get<&C::m_flowTimeout, Time>),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddTraceSource("Signal",
                            "A signal has come back to its sender",
                            MakeTraceSourceAccessor(&C::m_signalTrace),
                            "ns3::aidc::CsigHost::FieldsTracedCallback")
            .AddTraceSource("Tag",
                            "A tag has arrived, for protocols that the receiver drives",
                            MakeTraceSourceAccessor(&C::m_tagTrace),
                            "ns3::aidc::CsigHost::FieldsTracedCallback")
            .AddTraceSource("TagSent",
                            "A packet leaves with a new tag (section 4.4.1)",
                            MakeTraceSourceAccessor(&C::m_tagSentTrace),
                            "ns3::aidc::CsigHost::FieldsTracedCallback")
            .AddTraceSource("Capability",
                            "What is known of a flow's path has changed",
                            MakeTraceSourceAccessor(&C::m_capabilityTrace),
                            "ns3::aidc::CsigHost::CapabilityTracedCallback")
            .AddTraceSource("Drop",
                            "A TCP segment was dropped because its header is malformed",
                            MakeTraceSourceAccessor(&C::m_dropTrace),
                            "ns3::Packet::TracedCallback");
    return tid;
}

CsigHost::CsigHost()
{
    Derive();
}

CsigHost::~CsigHost()
{
}

void
CsigHost::DoDispose()
{
    for (const auto& layer : m_layers)
    {
        layer->Dispose();
    }
    m_flows.Clear();
    m_sinks.clear();
    m_domain = nullptr;
    Object::DoDispose();
}

void
CsigHost::Install(Ptr<Node> node)
{
    auto ipv4 = node->GetObject<Ipv4>();
    auto tcp = node->GetObject<TcpL4Protocol>();
    auto udp = node->GetObject<UdpL4Protocol>();
    NS_ABORT_MSG_UNLESS(ipv4 && (tcp || udp),
                        "CsigHost needs IPv4 and TCP or UDP on node "
                            << node->GetId() << ": run InternetStackHelper on it first");
    NS_ABORT_MSG_IF(node->GetObject<CsigHost>(),
                    "Node " << node->GetId() << " has a CsigHost already");
    if (!m_domain)
    {
        SetDomain(CreateObject<CsigDomain>());
    }
    try
    {
        CheckSignals();
    }
    catch (const std::invalid_argument& error)
    {
        NS_ABORT_MSG(error.what());
    }
    const auto stepIn = [&](Ptr<IpL4Protocol> transport,
                            CsigL4Protocol::SendHook send,
                            CsigL4Protocol::ReceiveHook receive) {
        auto layer = CreateObject<CsigL4Protocol>();
        layer->Insert(ipv4, transport, send, receive);
        m_layers.push_back(layer);
    };
    if (tcp)
    {
        stepIn(tcp,
               MakeCallback(&CsigHost::SendSegment, this),
               MakeCallback(&CsigHost::ReceiveSegment, this));
    }
    if (udp)
    {
        stepIn(udp,
               MakeCallback(&CsigHost::SendDatagram, this),
               MakeCallback(&CsigHost::ReceiveDatagram, this));
    }
    node->AggregateObject(this);
}

void
CsigHost::Authorize(const CsigFlowRule& rule)
{
    try
    {
        CheckCsigFlowRule(rule);
    }
    catch (const std::invalid_argument& error)
    {
        NS_ABORT_MSG(error.what());
    }
    m_rules.push_back(rule);
}

void
CsigHost::LeaveUntagged(Ptr<const NetDevice> device)
{
    m_untaggedDevices.push_back(device);
}

bool
CsigHost::IsAuthorized(Ptr<const Packet> packet, const FlowKey& flow) const
{
    if (m_authorizeAll || m_rules.empty())
    {
        return m_authorizeAll;
    }
    SocketIpTosTag tos;
    const uint8_t dscp = packet->PeekPacketTag(tos) ? tos.GetTos() >> 2 : 0;
    return std::any_of(m_rules.begin(), m_rules.end(), [&](const CsigFlowRule& rule) {
        return rule.Matches(flow, dscp);
    });
}

void
CsigHost::TagPacket(Ptr<Packet> packet,
                    const Ptr<Ipv4Route>& route,
                    const FlowKey& key,
                    CsigFlow& flow,
                    uint32_t end)
{
    const auto& devices = m_untaggedDevices;
    const bool isUntagged =
        !devices.empty() && route &&
        std::find(devices.begin(), devices.end(), route->GetOutputDevice()) != devices.end();
    if (isUntagged || !IsAuthorized(packet, key))
    {
        return;
    }
    const auto before = flow.requester.GetCapability();
    const auto type = flow.requester.NextPacket(m_plan, Simulator::Now().GetNanoSeconds(), end);
    const auto after = flow.requester.GetCapability();
    if (type)
    {
        CsigTag tag(m_requests[*type]);
        tag.SetRequest(true);
        packet->AddPacketTag(tag);
        ++m_statistics.tagsSent;
        m_tagSentTrace(key, m_requests[*type]);
    }
    TraceCapability(key, before, after);
}

void
CsigHost::TraceCapability(const FlowKey& key, CsigCapability before, CsigCapability after)
{
    if (after != before)
    {
        m_capabilityTrace(key, after);
    }
}

std::optional<CsigFields>
CsigHost::TakeTag(Ptr<Packet> packet)
{
    CsigTag tag;
    if (!packet->RemovePacketTag(tag))
    {
        return std::nullopt;
    }
    ++m_statistics.tagsReceived;
    return tag.GetFields();
}

void
CsigHost::NoteArrival(CsigFlow& flow, const std::optional<CsigFields>& tag)
{
    if (tag)
    {
        flow.reflector.NoteTag(*tag, m_summaries[tag->type]);
        return;
    }
    ++m_statistics.untaggedReceived;
    flow.reflector.NoteUntagged();
}

void
CsigHost::NoteReflection(const FlowKey& key,
                         CsigFlow& flow,
                         const CsigReflection& reflection,
                         std::optional<uint32_t> acknowledged)
{
    const auto now = Simulator::Now().GetNanoSeconds();
    const auto before = flow.requester.GetCapability();
    if (reflection.fields)
    {
        ++m_statistics.reflectionsReceived;
        NoteValue(flow, *reflection.fields);
        flow.requester.NoteSignal(*reflection.fields, now);
        flow.requester.NoteOther(m_plan, reflection.fields->type, now, acknowledged);
    }
    else if (reflection.untagged)
    {
        ++m_statistics.emptyReceived;
        flow.requester.NoteEmpty(m_plan, now, acknowledged);
    }
    const auto after = flow.requester.GetCapability();

    // The users come last: what they do may remove the flow.
    TraceCapability(key, before, after);
    if (reflection.fields)
    {
        m_signalTrace(key, *reflection.fields);
        const auto sink = m_sinks.empty() ? m_sinks.end() : m_sinks.find(key);
        if (sink != m_sinks.end())
        {
            const auto callback = sink->second; // it may end itself
            callback(key, *reflection.fields);
        }
    }
}

void
CsigHost::NoteValue(CsigFlow& flow, const CsigFields& fields) const
{
    const auto reading = m_domain ? m_domain->Read(fields) : std::nullopt;
    if (reading && reading->hasBottleneck)
    {
        auto& average = flow.averages[static_cast<std::size_t>(reading->signal)];
        const auto value = static_cast<double>(reading->GetValue());
        average = average ? *average + m_averageWeight * (value - *average) : value;
    }
}

std::optional<double>
CsigHost::GetAverage(const FlowKey& flow, CsigSignal signal) const
{
    const auto known = m_flows.Peek(flow);
    return known ? known->averages[static_cast<std::size_t>(signal)] : std::nullopt;
}

void
CsigHost::SetSink(const FlowKey& flow, SignalSink sink)
{
    if (sink.IsNull())
    {
        m_sinks.erase(flow);
        return;
    }
    m_sinks[flow] = sink;
}

std::optional<CsigRequester::Signal>
CsigHost::GetSignal(const FlowKey& flow, CsigSignal signal) const
{
    const auto known = m_flows.Peek(flow);
    const auto newest = known ? known->requester.GetSignal(m_config.GetType(signal)) : nullptr;
    return newest ? std::optional(*newest) : std::nullopt;
}

const FlowKey&
CsigHost::GetArrivingFlow() const
{
    return m_arriving;
}

CsigCapability
CsigHost::GetCapability(const FlowKey& flow) const
{
    const auto known = m_flows.Peek(flow);
    return known ? known->requester.GetCapability() : CsigCapability::UNKNOWN;
}

CsigCapability
CsigHost::GetCapability(const FlowKey& flow, CsigSignal signal) const
{
    const auto known = m_flows.Peek(flow);
    return known ? known->requester.GetCapability(m_config.GetType(signal))
                 : CsigCapability::UNKNOWN;
}

bool
CsigHost::IsAgreed(const FlowKey& flow) const
{
    const auto known = m_flows.Peek(flow);
    return known && known->negotiation.IsAgreed();
}

const CsigHostStatistics&
CsigHost::GetStatistics() const
{
    return m_statistics;
}

uint32_t
CsigHost::GetNFlows() const
{
    return static_cast<uint32_t>(m_flows.GetSize());
}

std::vector<FlowKey>
CsigHost::GetFlows() const
{
    return m_flows.GetKeys();
}

uint64_t
CsigHost::GetNEvictions() const
{
    return m_flows.GetEvictions();
}

} // namespace ns3::aidc

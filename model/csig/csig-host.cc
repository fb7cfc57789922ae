// SPDX-License-Identifier: GPL-2.0-only

#include "csig-host.h"

#include "../aidc-compat.h"
#include "../attribute-accessors.h"
#include "../core/require-argument.h"
#include "../ethernet/lazy-trace-accessor.h"
#include "csig-l4-protocol.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/udp-l4-protocol.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

#include <limits>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCsigHost");
NS_OBJECT_ENSURE_REGISTERED(CsigHost);

TypeId
CsigHost::GetTypeId()
{
    using C = CsigHost;
    using S = CsigHostSettings;
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
            .AddAttribute(
                "Format",
                "The format of the tags that this host sends; it takes both",
                EnumValue(CsigFormat::COMPACT),
                MakeFunctionAccessor<C, EnumValueOf<CsigFormat>>(
                    [](const C& host) { return host.m_settings.format; },
                    [](C& host, const EnumValueOf<CsigFormat>& format) {
                        host.Change(host.m_settings.format, static_cast<CsigFormat>(format.Get()));
                    }),
                MakeEnumChecker(CsigFormat::COMPACT, "Compact", CsigFormat::EXPANDED, "Expanded"))
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
                EnumValue(S::LATEST),
                MakeSettingsAccessor<EnumValueOf<S::Mode>>(&C::m_settings, &S::mode),
                MakeEnumChecker(S::LATEST, "Latest", S::SUMMARY, "Summary"))
            .AddAttribute("Period",
                          "A tag goes with one of this many packets of a flow",
                          UintegerValue(1),
                          MakeSettingsAccessor<UintegerValue>(&C::m_plan, &CsigRequestPlan::period),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "Patience",
                "The number of tags lost in a row after which a flow's packets are sent "
                "without tags",
                UintegerValue(3),
                MakeSettingsAccessor<UintegerValue>(&C::m_plan, &CsigRequestPlan::patience),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "RetryInterval",
                "Time without tags after which the path is tried again",
                TimeValue(MilliSeconds(100)),
                MakeSettingsAccessor<TimeValue>(&C::m_plan, &CsigRequestPlan::retryInterval),
                MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute(
                "ReflectionDelay",
                "The longest time that the answer to a tag takes. UDP has no sequence "
                "numbers: within this time, an empty reflection counts as the answer",
                TimeValue(MilliSeconds(1)),
                MakeSettingsAccessor<TimeValue>(&C::m_plan, &CsigRequestPlan::reflectionDelay),
                MakeTimeChecker(Seconds(0)))
            .AddAttribute("TagAcks",
                          "Whether TCP segments without data are tagged, too",
                          BooleanValue(false),
                          MakeSettingsAccessor<BooleanValue>(&C::m_settings, &S::tagAcks),
                          MakeBooleanChecker())
            .AddAttribute("TagUdp",
                          "Whether UDP datagrams are tagged. No handshake asks the peer first",
                          BooleanValue(false),
                          MakeSettingsAccessor<BooleanValue>(&C::m_settings, &S::tagUdp),
                          MakeBooleanChecker())
            .AddAttribute("AuthorizeAll",
                          "Whether all flows may be tagged; else only those that fit a rule",
                          BooleanValue(true),
                          MakeSettingsAccessor<BooleanValue>(&C::m_settings, &S::authorizeAll),
                          MakeBooleanChecker())
            .AddAttribute("MaxOffers",
                          "Number of SYNs of a connection that carry the option; 0 for none",
                          UintegerValue(3),
                          MakeSettingsAccessor<UintegerValue>(&C::m_settings, &S::maxOffers),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("OptionLayout",
                          "The layout of the TCP option: with an experiment's identifier (RFC "
                          "6994), or as in the draft (section 4.2.1, figure 3)",
                          EnumValue(S::EXPERIMENTAL),
                          MakeSettingsAccessor<EnumValueOf<S::OptionLayout>>(&C::m_settings,
                                                                             &S::optionLayout),
                          MakeEnumChecker(S::EXPERIMENTAL, "Experimental", S::DRAFT, "Draft"))
            .AddAttribute("DraftOptionKind",
                          "Number of the TCP option's kind in the layout of the draft; none is "
                          "assigned yet (section 4.2.1)",
                          UintegerValue(252),
                          MakeSettingsAccessor<UintegerValue>(&C::m_settings, &S::draftOptionKind),
                          MakeUintegerChecker<uint8_t>(175, 252))
            .AddAttribute("AverageWeight",
                          "Weight of a new signal in the average over a flow's packets (section "
                          "5.3.2), above 0 to 1",
                          DoubleValue(0.125),
                          MakeSettingsAccessor<DoubleValue>(&C::m_settings, &S::averageWeight),
                          MakeDoubleChecker<double>(std::numeric_limits<double>::min(), 1))
            .AddAttribute("OptionKind",
                          "Number of the TCP option's kind, an experimental one (RFC 6994)",
                          UintegerValue(253),
                          MakeSettingsAccessor<UintegerValue>(&C::m_settings, &S::optionKind),
                          MakeUintegerChecker<uint8_t>(253, 254))
            .AddAttribute("OptionExId",
                          "Number of the experiment in the TCP option (RFC 6994)",
                          UintegerValue(CSIG_DEFAULT_EXID),
                          MakeSettingsAccessor<UintegerValue>(&C::m_settings, &S::optionExId),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("MaxFlows",
                          "How many flows are remembered",
                          UintegerValue(65536),
                          MakeSettingsAccessor<UintegerValue>(&C::m_settings, &S::maxFlows),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("FlowTimeout",
                          "Silence after which a flow gives its room to a new one",
                          TimeValue(Seconds(60)),
                          MakeSettingsAccessor<TimeValue>(&C::m_settings, &S::flowTimeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddTraceSource("Signal",
                            "A signal has come back to its sender",
                            MakeLazyTraceAccessor(&C::m_traces, &CsigHostTraces::signal),
                            "ns3::aidc::CsigHost::FieldsTracedCallback")
            .AddTraceSource("Tag",
                            "A tag has arrived, for protocols that the receiver drives",
                            MakeLazyTraceAccessor(&C::m_traces, &CsigHostTraces::tag),
                            "ns3::aidc::CsigHost::FieldsTracedCallback")
            .AddTraceSource("TagSent",
                            "A packet leaves with a new tag (section 4.4.1)",
                            MakeLazyTraceAccessor(&C::m_traces, &CsigHostTraces::tagSent),
                            "ns3::aidc::CsigHost::FieldsTracedCallback")
            .AddTraceSource("Capability",
                            "What is known of a flow's path has changed",
                            MakeLazyTraceAccessor(&C::m_traces, &CsigHostTraces::capability),
                            "ns3::aidc::CsigHost::CapabilityTracedCallback")
            .AddTraceSource("Drop",
                            "A TCP segment was dropped because its header is malformed",
                            MakeLazyTraceAccessor(&C::m_traces, &CsigHostTraces::drop),
                            "ns3::Packet::TracedCallback");
    return tid;
}

CsigHost::CsigHost()
    : m_segments(CreateObject<CsigTcpSegments>(m_flows))
{
}

CsigHost::~CsigHost() = default;

void
CsigHost::DoDispose()
{
    for (const auto& layer : m_layers)
    {
        layer->Dispose();
    }
    m_flows.table.Clear();
    m_flows.sinks.clear();
    m_flows.domain = nullptr;
    Object::DoDispose();
}

void
CsigHost::Install(Ptr<Node> node)
{
    NS_LOG_FUNCTION(this << node);
    auto ipv4 = node->GetObject<Ipv4>();
    auto tcp = node->GetObject<TcpL4Protocol>();
    auto udp = node->GetObject<UdpL4Protocol>();
    AIDC_REFUSED_UNLESS(ipv4 && (tcp || udp),
                        "CsigHost needs IPv4 and TCP or UDP on node "
                            << node->GetId() << ": run InternetStackHelper on it first");
    AIDC_REFUSED_IF(node->GetObject<CsigHost>(),
                    "Node " << node->GetId() << " has a CsigHost already");
    if (!m_flows.domain)
    {
        SetDomain(CreateObject<CsigDomain>());
    }
    CheckOrRefuse([this] { CheckRequests(); });
    const auto stepIn = [&](Ptr<IpL4Protocol> transport, Ptr<CsigL4Protocol> layer) {
        layer->Insert(ipv4, transport);
        m_layers.push_back(layer);
    };
    if (tcp)
    {
        stepIn(tcp, m_segments);
    }
    if (udp)
    {
        stepIn(udp, CreateObject<CsigUdpDatagrams>(m_flows));
    }
    node->AggregateObject(this);
}

// Attributes

template <typename T>
void
CsigHost::Change(T& setting, const T& value)
{
    SetChecked(setting, value, [this] {
        if (!m_layers.empty())
        {
            CheckRequests();
        }
    });
    ListTypes();
}

void
CsigHost::CheckRequests() const
{
    CheckCsigRequests("CsigHost", m_settings.signals, m_settings.format, m_settings.codes);
}

void
CsigHost::ListTypes()
{
    m_plan.types.clear();
    for (const auto signal : m_settings.signals)
    {
        m_plan.types.push_back(m_settings.codes.GetType(signal));
    }
}

bool
CsigHost::SetSignals(const std::string& names)
{
    NS_LOG_FUNCTION(this << names);
    return TrySetAttribute(*this, [&] { Change(m_settings.signals, ParseCsigSignals(names)); });
}

std::string
CsigHost::GetSignals() const
{
    return FormatCsigSignals(m_settings.signals);
}

void
CsigHost::SetDomain(Ptr<CsigDomain> domain)
{
    m_flows.domain = domain;
    m_settings.codes = CsigSignalSettings();
    if (domain)
    {
        domain->CheckSettings();
        m_settings.codes = domain->GetSignals();
    }
    ListTypes();
}

void
CsigHost::Authorize(const CsigFlowRule& rule)
{
    CheckOrRefuse([&rule] { CheckCsigFlowRule(rule); });
    m_flows.rules.push_back(rule);
}

// Flows

void
CsigHost::SetSink(const FlowKey& flow, SignalSink sink)
{
    if (sink.IsNull())
    {
        m_flows.sinks.erase(flow);
        return;
    }
    m_flows.sinks[flow] = sink;
}

void
CsigHost::AddReflection(Ptr<Packet> payload, const FlowKey& flow)
{
    auto& reflector = m_flows.Add(flow).reflector;
    const auto reflection = reflector.Peek();
    reflector.Advance();
    m_flows.statistics.reflectionsSent += reflection.fields ? 1 : 0;
    m_flows.statistics.emptySent += !reflection.fields && reflection.untagged ? 1 : 0;
    payload->AddHeader(CsigReflectionHeader(reflection));
}

bool
CsigHost::RemoveReflection(Ptr<Packet> payload, const FlowKey& flow)
{
    CsigReflectionHeader header;
    if (payload->PeekHeader(header) == 0)
    {
        ++m_flows.statistics.malformedReflections;
        return false;
    }
    payload->RemoveHeader(header);
    if (auto known = m_flows.Find(flow))
    {
        m_flows.NoteReflection(flow, *known, header.GetReflection(), std::nullopt);
    }
    return true;
}

std::optional<CsigRequester::Signal>
CsigHost::GetSignal(const FlowKey& flow, CsigSignal signal) const
{
    const auto known = m_flows.table.Peek(flow);
    const auto newest =
        known ? known->requester.GetSignal(m_settings.codes.GetType(signal)) : nullptr;
    return newest ? std::optional(*newest) : std::nullopt;
}

std::optional<double>
CsigHost::GetAverage(const FlowKey& flow, CsigSignal signal) const
{
    const auto known = m_flows.table.Peek(flow);
    return known ? known->averages[static_cast<std::size_t>(signal)] : std::nullopt;
}

const FlowKey&
CsigHost::GetArrivingFlow() const
{
    return m_segments->GetArrivingFlow();
}

CsigCapability
CsigHost::GetCapability(const FlowKey& flow) const
{
    const auto known = m_flows.table.Peek(flow);
    return known ? known->requester.GetCapability() : CsigCapability::UNKNOWN;
}

CsigCapability
CsigHost::GetCapability(const FlowKey& flow, CsigSignal signal) const
{
    const auto known = m_flows.table.Peek(flow);
    return known ? known->requester.GetCapability(m_settings.codes.GetType(signal))
                 : CsigCapability::UNKNOWN;
}

bool
CsigHost::IsAgreed(const FlowKey& flow) const
{
    const auto known = m_flows.table.Peek(flow);
    return known && known->negotiation.IsAgreed();
}

} // namespace ns3::aidc

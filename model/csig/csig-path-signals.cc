// SPDX-License-Identifier: GPL-2.0-only

#include "csig-path-signals.h"

#include "../aidc-compat.h"
#include "../attribute-accessors.h"
#include "../core/csig/csig-reflection.h"
#include "../core/mix-bits.h"

#include "ns3/enum.h"
#include "ns3/ethernet-frame.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCsigPathSignals");

NS_OBJECT_ENSURE_REGISTERED(CsigPathSignals);

TypeId
CsigPathSignals::GetTypeId()
{
    using C = CsigPathSignals;
    static TypeId tid =
        TypeId("ns3::aidc::CsigPathSignals")
            .SetParent<PathSignals>()
            .SetGroupName("Aidc")
            .AddConstructor<CsigPathSignals>()
            .AddAttribute("Domain",
                          "The settings that the whole network has in common; new ones with the "
                          "defaults if none are set.",
                          PointerValue(),
                          MakePointerAccessor(&C::SetDomain, &C::GetDomain),
                          MakePointerChecker<CsigDomain>())
            .AddAttribute(
                "Format",
                "The format of the tags that are sent; both are reflected.",
                EnumValue(CsigFormat::COMPACT),
                MakeFunctionAccessor<C, EnumValueOf<CsigFormat>>(
                    [](const C& signals) { return signals.m_format; },
                    [](C& signals, const EnumValueOf<CsigFormat>& format) {
                        SetChecked(signals.m_format,
                                   static_cast<CsigFormat>(format.Get()),
                                   [&signals] { signals.CheckSignals(signals.m_signals); });
                        signals.Derive();
                    }),
                MakeEnumChecker(CsigFormat::COMPACT, "Compact", CsigFormat::EXPANDED, "Expanded"))
            .AddAttribute("Signals",
                          "The signals to ask for, equally often, separated by commas: min(ABW), "
                          "min(ABW/C), max(PD) and, where it is on, max(nQD).",
                          StringValue("min(ABW)"),
                          MakeStringAccessor(&C::SetSignals, &C::GetSignals),
                          MakeTextChecker(&ParseCsigSignals))
            .AddAttribute("Period",
                          "A tag goes with one of this many packets of the adapter, on average.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&C::m_period),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "Patience",
                "The number of tags of a signal lost in a row after which its flow no longer asks "
                "for the signal (section 6.3.3).",
                UintegerValue(3),
                MakeSettingsAccessor<UintegerValue>(&C::m_plan, &CsigRequestPlan::patience),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "RetryInterval",
                "Time after which a flow asks for such a signal once more; it doubles "
                "while tagged packets get lost.",
                TimeValue(MilliSeconds(100)),
                MakeSettingsAccessor<TimeValue>(&C::m_plan, &CsigRequestPlan::retryInterval),
                MakeTimeChecker(NanoSeconds(1)))
            .AddTraceSource("Capability",
                            "What is known of a flow's path has changed.",
                            MakeTraceSourceAccessor(&C::m_capabilityTrace),
                            "ns3::aidc::CsigPathSignals::CapabilityTracedCallback");
    return tid;
}

CsigPathSignals::CsigPathSignals()
{
    // Signals come at random, not in turns: so many others in a row are one case in 10,000, and
    // it takes several of these.
    m_plan.maxOthers = 8;
}

void
CsigPathSignals::NotifyConstructionCompleted()
{
    PathSignals::NotifyConstructionCompleted();
    m_isConstructed = true;
    SetDomain(m_domain);
}

void
CsigPathSignals::DoDispose()
{
    m_domain = nullptr;
    PathSignals::DoDispose();
}

// Attributes

void
CsigPathSignals::CheckSignals(const std::vector<CsigSignal>& signals) const
{
    if (m_domain)
    {
        // Until all attributes are set, the format is not known.
        const auto format = m_isConstructed ? m_format : CsigFormat::EXPANDED;
        CheckCsigRequests("CsigPathSignals", signals, format, m_domain->GetSignals());
    }
}

bool
CsigPathSignals::SetSignals(const std::string& names)
{
    return TrySetAttribute(*this, [this, &names] {
        auto signals = ParseCsigSignals(names);
        CheckSignals(signals);
        m_signals = signals;
        Derive();
    });
}

std::string
CsigPathSignals::GetSignals() const
{
    return FormatCsigSignals(m_signals);
}

void
CsigPathSignals::SetDomain(Ptr<CsigDomain> domain)
{
    NS_LOG_FUNCTION(this << domain);
    if (!domain && !m_isConstructed)
    {
        return; // until all attributes are set
    }
    m_domain = domain ? domain : CreateObject<CsigDomain>();
    m_domain->CheckSettings();
    CheckOrRefuse([this] { CheckSignals(m_signals); });
    Derive();
}

void
CsigPathSignals::Derive()
{
    m_requests.clear();
    m_plan.types.clear();
    m_paths.clear();
    if (!m_domain || !m_isConstructed)
    {
        return; // not all attributes are set yet
    }
    for (const auto signal : m_signals)
    {
        RequestTag request;
        request.size = static_cast<uint8_t>(
            EncodeCsigTag(MakeCsigRequest(m_format, signal, m_domain->GetSignals()),
                          m_domain->GetTpids(),
                          request.tag.data()));
        m_requests.push_back(request);
        m_plan.types.push_back(m_domain->GetSignals().GetType(signal));
    }
}

// Packets

void
CsigPathSignals::Tag(FrameContext& context, const Request& request)
{
    const uint64_t number = MixBits(m_nPackets++);
    const int64_t now = Simulator::Now().GetNanoSeconds();
    auto& path = GetPath(request.flow);
    const auto before = path.GetCapability();
    if (request.isRepeat && request.position)
    {
        // Without a tag: a device on the way may have dropped it because of that.
        path.NoteRepeat(m_plan, now, 1, *request.position);
        TraceCapability(request.flow, before, path);
        return;
    }
    if (number % m_period != 0)
    {
        return;
    }
    for (std::size_t i = 0; i < m_requests.size(); ++i)
    {
        const std::size_t index = (number / m_period + i) % m_requests.size();
        auto& watch = path.Get(m_plan.types[index]);
        const bool isDue = request.position ? watch.IsDue(m_plan, now)
                                            : watch.GetCapability() != CsigCapability::NOT_CAPABLE;
        if (!isDue)
        {
            continue;
        }
        context.tag = m_requests[index].tag;
        context.tagSize = m_requests[index].size;
        context.isOwnTag = true;
        if (request.position)
        {
            watch.NoteRequest(m_plan, now, *request.position);
            TraceCapability(request.flow, before, path);
        }
        return;
    }
}

std::size_t
CsigPathSignals::Reflect(const FrameContext& context, uint8_t* bytes, std::size_t size)
{
    CsigReflection reflection;
    reflection.fields = DecodeCsigTag(context.tag.data(), context.tagSize, m_domain->GetTpids());
    if (!reflection.fields || size < GetCsigReflectionSize(reflection.fields->format))
    {
        return 0;
    }
    return EncodeCsigReflection(reflection, bytes);
}

std::optional<CsigReading>
CsigPathSignals::Read(const Answer& answer, const uint8_t* bytes, std::size_t size)
{
    CsigReflection reflection;
    const bool isWhole = size > 0 && DecodeCsigReflection(bytes, size, reflection) == size;
    const int64_t now = Simulator::Now().GetNanoSeconds();
    auto& path = GetPath(answer.flow);
    const auto before = path.GetCapability();
    const bool hasFields = isWhole && reflection.fields;
    if (hasFields)
    {
        path.NoteSignal(reflection.fields->type);
        path.NoteOther(m_plan, reflection.fields->type, now, answer.acknowledged);
    }
    else
    {
        path.NoteEmpty(m_plan, now, answer.acknowledged);
    }
    TraceCapability(answer.flow, before, path);
    return hasFields ? m_domain->Read(*reflection.fields) : std::nullopt;
}

// Capability

CsigPathWatches&
CsigPathSignals::GetPath(uint32_t flow)
{
    const auto [path, isNew] = m_paths.try_emplace(flow);
    for (std::size_t i = 0; isNew && i < m_plan.types.size(); ++i)
    {
        path->second.Get(m_plan.types[i]);
    }
    return path->second;
}

void
CsigPathSignals::TraceCapability(uint32_t flow, CsigCapability before, const CsigPathWatches& path)
{
    const auto after = path.GetCapability();
    if (after != before)
    {
        NS_LOG_LOGIC("Capability of flow " << flow << ": " << static_cast<int>(after));
        m_capabilityTrace(flow, after);
    }
}

CsigCapability
CsigPathSignals::GetCapability(uint32_t flow) const
{
    const auto found = m_paths.find(flow);
    return found == m_paths.end() ? CsigCapability::UNKNOWN : found->second.GetCapability();
}

CsigCapability
CsigPathSignals::GetCapability(uint32_t flow, CsigSignal signal) const
{
    const auto found = m_paths.find(flow);
    const auto asked = std::find(m_signals.begin(), m_signals.end(), signal);
    return found == m_paths.end() || asked == m_signals.end()
               ? CsigCapability::UNKNOWN
               : found->second.GetCapability(m_plan.types[asked - m_signals.begin()]);
}

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#include "csig-domain.h"

#include "../attribute-accessors.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/log.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

#include <cstddef>
#include <string>
#include <type_traits>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCsigDomain");
NS_OBJECT_ENSURE_REGISTERED(CsigDomain);

namespace
{

/// The smallest EtherType; what is below is a length (IEEE 802.3).
constexpr uint16_t MIN_TPID = 0x0600;

/// What the names and texts of a signal's attributes have of the signal.
struct SignalTexts
{
    CsigSignal signal;    //!< the signal
    const char* prefix;   //!< what the names of its attributes begin with
    const char* examples; //!< an example of buckets
};

/// The signals, in the order of their attributes.
constexpr SignalTexts SIGNALS[] = {
    {CsigSignal::ABW, "Abw", ": 1 to 32 values, where each bucket begins, as `0,1Gbps,5Gbps`."},
    {CsigSignal::ABW_RATIO, "AbwRatio", ", as `0,1%,5%`."},
    {CsigSignal::HOP_DELAY, "HopDelay", ", as `0,10us,50us`."},
    {CsigSignal::QUEUE_DEPTH, "QueueDepth", ", as `0,10us,50us`."}};

/// What the names and texts of a format's attributes have of the format.
struct FormatTexts
{
    CsigFormat format;  //!< the format
    const char* prefix; //!< what the names of its attributes begin with
    const char* name;   //!< its name in the draft
};

/// The formats, in the order of their attributes.
constexpr FormatTexts FORMATS[] = {{CsigFormat::COMPACT, "Compact", "compact"},
                                   {CsigFormat::EXPANDED, "Expanded", "expanded"}};

/// @return its number
template <typename E>
constexpr std::size_t
ToIndex(E e)
{
    return static_cast<std::size_t>(e);
}

uint16_t&
FindTpid(CsigTpids& tpids, CsigFormat format)
{
    return format == CsigFormat::COMPACT ? tpids.compact : tpids.expanded;
}

/// Parse a locator's layout, or none. @throws std::invalid_argument if the text makes no layout
std::optional<CsigLocatorLayout>
ParseLayout(CsigFormat format, const std::string& text)
{
    return text.empty() ? std::nullopt : std::optional(CsigLocatorLayout::Parse(format, text));
}

} // namespace

TypeId
CsigDomain::GetTypeId()
{
    static TypeId tid = [] {
        auto made = TypeId("ns3::aidc::CsigDomain")
                        .SetParent<Object>()
                        .SetGroupName("Aidc")
                        .AddConstructor<CsigDomain>();
        AddSignalAttributes(made);
        return made;
    }();
    return tid;
}

void
CsigDomain::AddSignalAttributes(TypeId& tid)
{
    using C = CsigDomain;
    // A checker for each attribute: object factories tell attributes by their checkers.
    for (const auto& [format, prefix, name] : FORMATS)
    {
        tid.AddAttribute(
            std::string(prefix) + "Tpid",
            std::string("TPID of ") + name + " tags, of no other protocol (section 4.1." +
                (format == CsigFormat::COMPACT ? "1" : "2") + ").",
            UintegerValue(CsigTpids().Get(format)),
            MakeFunctionAccessor<C, UintegerValue>(
                [format = format](const C& domain) { return domain.m_tpids.Get(format); },
                [format = format](C& domain, const UintegerValue& value) {
                    FindTpid(domain.m_tpids, format) = static_cast<uint16_t>(value.Get());
                }),
            MakeValueChecker<UintegerValue>(MakeUintegerChecker<uint16_t>(MIN_TPID),
                                            [](const UintegerValue& value) {
                                                CheckCsigTpid(static_cast<uint16_t>(value.Get()));
                                            }));
    }
    for (const auto& [signal, prefix, examples] : SIGNALS)
    {
        tid.AddAttribute(
            std::string(prefix) + "Type",
            std::string("Type code of ") + GetCsigName(signal) +
                "; those from 8 on are for expanded tags only.",
            UintegerValue(CsigSignalSettings().GetType(signal)),
            MakeFunctionAccessor<C, UintegerValue>(
                [signal = signal](const C& domain) { return domain.m_signals.GetType(signal); },
                [signal = signal](C& domain, const UintegerValue& value) {
                    domain.m_signals.types[ToIndex(signal)] = static_cast<uint8_t>(value.Get());
                }),
            MakeUintegerChecker<uint8_t>(0, CSIG_MAX_TYPE));
    }
    tid.AddAttribute(
        "QueueDepth",
        "Whether max(nQD), which is not in the draft, is a signal.",
        BooleanValue(false),
        MakeSettingsAccessor<BooleanValue>(&C::m_signals, &CsigSignalSettings::queueDepth),
        MakeBooleanChecker());
    tid.AddAttribute(
        "DoNotUpdate",
        "Whether the lowest reserved bit, which has no meaning in the draft, forbids "
        "to update the tag.",
        BooleanValue(false),
        MakeSettingsAccessor<BooleanValue>(&C::m_signals, &CsigSignalSettings::doNotUpdate),
        MakeBooleanChecker());
    for (const auto& [signal, prefix, examples] : SIGNALS)
    {
        tid.AddAttribute(
            std::string(prefix) + "Buckets",
            std::string("Buckets of ") + GetCsigName(signal) + " in compact tags" + examples,
            StringValue(FormatCsigBuckets(signal, GetDefaultCsigBuckets(signal))),
            MakeFunctionAccessor<C, StringValue>(
                [signal = signal](const C& domain) {
                    return FormatCsigBuckets(signal, domain.m_quantizer.GetBuckets(signal));
                },
                [signal = signal](C& domain, const StringValue& value) {
                    domain.m_quantizer.SetBuckets(signal, ParseCsigBuckets(signal, value.Get()));
                }),
            MakeTextChecker(
                [signal = signal](const std::string& text) { ParseCsigBuckets(signal, text); }));
    }
    // kind: any value of the attribute's type.
    const auto makeQuantum = [](CsigSignal signal, const auto& kind) {
        using V = std::decay_t<decltype(kind)>;
        return MakeFunctionAccessor<C, V>(
            [signal](const C& domain) {
                return FieldToValue<V>(domain.m_quantizer.GetQuantum(signal));
            },
            [signal](C& domain, const V& value) {
                uint64_t quantum = 0;
                ValueToField(value, quantum);
                domain.m_quantizer.SetQuantum(signal, quantum);
            });
    };
    tid.AddAttribute(
        "AbwQuantum",
        "Quantum of min(ABW) in expanded tags.",
        DataRateValue(DataRate(GetDefaultCsigQuantum(CsigSignal::ABW))),
        makeQuantum(CsigSignal::ABW, DataRateValue()),
        MakeValueChecker<DataRateValue>(MakeDataRateChecker(), [](const DataRateValue& value) {
            CsigQuantizer().SetQuantum(CsigSignal::ABW, value.Get().GetBitRate());
        }));
    tid.AddAttribute("AbwRatioQuantum",
                     "Quantum of min(ABW/C) in expanded tags, in millionths.",
                     UintegerValue(GetDefaultCsigQuantum(CsigSignal::ABW_RATIO)),
                     makeQuantum(CsigSignal::ABW_RATIO, UintegerValue()),
                     MakeUintegerChecker<uint64_t>(1, 1000000));
    for (const auto& [signal, prefix, examples] : SIGNALS)
    {
        if (signal != CsigSignal::ABW && signal != CsigSignal::ABW_RATIO)
        {
            tid.AddAttribute(std::string(prefix) + "Quantum",
                             std::string("Quantum of ") + GetCsigName(signal) +
                                 " in expanded tags.",
                             TimeValue(NanoSeconds(GetDefaultCsigQuantum(signal))),
                             makeQuantum(signal, TimeValue()),
                             MakeTimeChecker(NanoSeconds(1), Seconds(1)));
        }
    }
    for (const auto& [format, prefix, name] : FORMATS)
    {
        tid.AddAttribute(
            std::string(prefix) + "Locator",
            std::string("Attributes of the locator metadata in ") + name +
                " tags with their bits, " + (format == CsigFormat::COMPACT ? "7" : "16") +
                " at most, from the highest bit on.",
            StringValue(CsigLocatorLayout(format).Format()),
            MakeFunctionAccessor<C, StringValue>(
                [format = format](const C& domain) { return domain.GetLayout(format).Format(); },
                [format = format](C& domain, const StringValue& value) {
                    domain.m_layouts[ToIndex(format)] =
                        CsigLocatorLayout::Parse(format, value.Get());
                }),
            MakeTextChecker([format = format](const std::string& text) {
                CsigLocatorLayout::Parse(format, text);
            }));
    }
    for (const auto& texts : SIGNALS)
    {
        for (const auto& [format, prefix, name] : FORMATS)
        {
            tid.AddAttribute(
                std::string(texts.prefix) + prefix + "Locator",
                std::string("Attributes of the locator metadata of ") + GetCsigName(texts.signal) +
                    " in " + name + " tags; empty for the same as " + prefix +
                    "Locator (section 5.5.1).",
                StringValue(""),
                MakeFunctionAccessor<C, StringValue>(
                    [format = format, signal = texts.signal](const C& domain) {
                        const auto& own = domain.m_own[ToIndex(format)][ToIndex(signal)];
                        return own ? own->Format() : std::string();
                    },
                    [format = format, signal = texts.signal](C& domain, const StringValue& value) {
                        domain.m_own[ToIndex(format)][ToIndex(signal)] =
                            ParseLayout(format, value.Get());
                    }),
                MakeTextChecker(
                    [format = format](const std::string& text) { ParseLayout(format, text); }));
        }
    }
    tid.AddAttribute(
        "LinkSpeeds",
        "Speeds of links that a locator's capacity can name, 31 at most; a speed is written as its "
        "place, from 1, and any other as 0.",
        StringValue(FormatCsigSpeeds(CsigSpeeds())),
        MakeFunctionAccessor<C, StringValue>(
            [](const C& domain) { return FormatCsigSpeeds(domain.m_speeds); },
            [](C& domain, const StringValue& value) {
                domain.m_speeds = ParseCsigSpeeds(value.Get());
            }),
        MakeTextChecker(&ParseCsigSpeeds));
}

void
CsigDomain::CheckSettings() const
{
    NS_LOG_FUNCTION(this);
    CheckOrRefuse([this] {
        CheckCsigTpids(m_tpids);
        CheckCsigSignals(m_signals);
    });
}

std::optional<CsigReading>
CsigDomain::Read(const CsigFields& fields) const
{
    const auto signal = m_signals.Find(fields.type);
    return signal ? ReadCsig(fields, m_signals, m_quantizer, GetLayout(fields.format, *signal))
                  : std::nullopt;
}

const CsigLocatorLayout&
CsigDomain::GetLayout(CsigFormat format) const
{
    return m_layouts[ToIndex(format)];
}

const CsigLocatorLayout&
CsigDomain::GetLayout(CsigFormat format, CsigSignal signal) const
{
    const auto& own = m_own[ToIndex(format)][ToIndex(signal)];
    return own ? *own : GetLayout(format);
}
} // namespace ns3::aidc

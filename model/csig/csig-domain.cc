/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-domain.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/csig-buckets.h"
#include "ns3/csig-text.h"
#include "ns3/string.h"
#include "ns3/try-set-attribute.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

#include <cstddef>
#include <stdexcept>

namespace ns3::aidc
{

NS_OBJECT_ENSURE_REGISTERED(CsigDomain);

namespace
{

/// The smallest EtherType; what is below is a length (IEEE 802.3).
constexpr uint16_t MIN_TPID = 0x0600;

/**
 * @brief Get the text of a signal's default buckets.
 * @param signal the signal
 * @return the value of its attribute
 */
StringValue
GetDefaultBuckets(CsigSignal signal)
{
    return StringValue(FormatCsigBuckets(signal, GetDefaultCsigBuckets(signal)));
}

/**
 * @brief Make the checker of a signal's buckets.
 * @param signal the signal
 * @return the checker
 */
Ptr<const AttributeChecker>
MakeBucketsChecker(CsigSignal signal)
{
    return MakeTextChecker([signal](const std::string& text) { ParseCsigBuckets(signal, text); });
}

/**
 * @brief Make the checker of the layout of a locator.
 * @param format the format of the tags
 * @return the checker
 */
Ptr<const AttributeChecker>
MakeLayoutChecker(CsigFormat format)
{
    return MakeTextChecker(
        [format](const std::string& text) { CsigLocatorLayout::Parse(format, text); });
}

/**
 * @brief Make the checker of the layout of a signal's locator.
 * @param format the format of the tags
 * @return the checker
 */
Ptr<const AttributeChecker>
MakeSignalLayoutChecker(CsigFormat format)
{
    return MakeTextChecker([format](const std::string& text) {
        if (!text.empty())
        {
            CsigLocatorLayout::Parse(format, text);
        }
    });
}

} // namespace

TypeId
CsigDomain::GetTypeId()
{
    using Signal = CsigSignal;
    // A checker for each attribute: object factories tell attributes by their checkers.
    const auto makeTpidChecker = [] {
        return MakeValueChecker<UintegerValue>(
            MakeUintegerChecker<uint16_t>(MIN_TPID),
            [](const UintegerValue& value) { CheckCsigTpid(static_cast<uint16_t>(value.Get())); });
    };
    static TypeId tid =
        TypeId("ns3::aidc::CsigDomain")
            .SetParent<Object>()
            .SetGroupName("Aidc")
            .AddConstructor<CsigDomain>()
            .AddAttribute("CompactTpid",
                          "TPID of compact tags, of no other protocol (section 4.1.1).",
                          UintegerValue(CsigTpids().compact),
                          MakeUintegerAccessor(&CsigDomain::SetTpid<CsigFormat::COMPACT>,
                                               &CsigDomain::GetTpid<CsigFormat::COMPACT>),
                          makeTpidChecker())
            .AddAttribute("ExpandedTpid",
                          "TPID of expanded tags, of no other protocol (section 4.1.2).",
                          UintegerValue(CsigTpids().expanded),
                          MakeUintegerAccessor(&CsigDomain::SetTpid<CsigFormat::EXPANDED>,
                                               &CsigDomain::GetTpid<CsigFormat::EXPANDED>),
                          makeTpidChecker())
            .AddAttribute("AbwType",
                          "Type code of min(ABW); those from 8 on are for expanded tags only.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&CsigDomain::SetType<Signal::ABW>,
                                               &CsigDomain::GetType<Signal::ABW>),
                          MakeUintegerChecker<uint8_t>(0, CSIG_MAX_TYPE))
            .AddAttribute("AbwRatioType",
                          "Type code of min(ABW/C); those from 8 on are for expanded tags only.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&CsigDomain::SetType<Signal::ABW_RATIO>,
                                               &CsigDomain::GetType<Signal::ABW_RATIO>),
                          MakeUintegerChecker<uint8_t>(0, CSIG_MAX_TYPE))
            .AddAttribute("HopDelayType",
                          "Type code of max(PD); those from 8 on are for expanded tags only.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&CsigDomain::SetType<Signal::HOP_DELAY>,
                                               &CsigDomain::GetType<Signal::HOP_DELAY>),
                          MakeUintegerChecker<uint8_t>(0, CSIG_MAX_TYPE))
            .AddAttribute("QueueDepthType",
                          "Type code of max(nQD); those from 8 on are for expanded tags only.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&CsigDomain::SetType<Signal::QUEUE_DEPTH>,
                                               &CsigDomain::GetType<Signal::QUEUE_DEPTH>),
                          MakeUintegerChecker<uint8_t>(0, CSIG_MAX_TYPE))
            .AddAttribute(
                "QueueDepth",
                "Whether max(nQD), which is not in the draft, is a signal.",
                BooleanValue(false),
                MakeBooleanAccessor(&CsigDomain::SetQueueDepth, &CsigDomain::GetQueueDepth),
                MakeBooleanChecker())
            .AddAttribute(
                "DoNotUpdate",
                "Whether the lowest reserved bit, which has no meaning in the draft, "
                "forbids to update the tag.",
                BooleanValue(false),
                MakeBooleanAccessor(&CsigDomain::SetDoNotUpdate, &CsigDomain::GetDoNotUpdate),
                MakeBooleanChecker())
            .AddAttribute("AbwBuckets",
                          "Buckets of min(ABW) in compact tags: 1 to 32 values, where each bucket "
                          "begins, as `0,1Gbps,5Gbps`.",
                          GetDefaultBuckets(Signal::ABW),
                          MakeStringAccessor(&CsigDomain::SetBuckets<Signal::ABW>,
                                             &CsigDomain::GetBuckets<Signal::ABW>),
                          MakeBucketsChecker(Signal::ABW))
            .AddAttribute("AbwRatioBuckets",
                          "Buckets of min(ABW/C) in compact tags, as `0,1%,5%`.",
                          GetDefaultBuckets(Signal::ABW_RATIO),
                          MakeStringAccessor(&CsigDomain::SetBuckets<Signal::ABW_RATIO>,
                                             &CsigDomain::GetBuckets<Signal::ABW_RATIO>),
                          MakeBucketsChecker(Signal::ABW_RATIO))
            .AddAttribute("HopDelayBuckets",
                          "Buckets of max(PD) in compact tags, as `0,10us,50us`.",
                          GetDefaultBuckets(Signal::HOP_DELAY),
                          MakeStringAccessor(&CsigDomain::SetBuckets<Signal::HOP_DELAY>,
                                             &CsigDomain::GetBuckets<Signal::HOP_DELAY>),
                          MakeBucketsChecker(Signal::HOP_DELAY))
            .AddAttribute("QueueDepthBuckets",
                          "Buckets of max(nQD) in compact tags, as `0,10us,50us`.",
                          GetDefaultBuckets(Signal::QUEUE_DEPTH),
                          MakeStringAccessor(&CsigDomain::SetBuckets<Signal::QUEUE_DEPTH>,
                                             &CsigDomain::GetBuckets<Signal::QUEUE_DEPTH>),
                          MakeBucketsChecker(Signal::QUEUE_DEPTH))
            .AddAttribute(
                "AbwQuantum",
                "Quantum of min(ABW) in expanded tags.",
                DataRateValue(DataRate(GetDefaultCsigQuantum(Signal::ABW))),
                MakeDataRateAccessor(&CsigDomain::SetAbwQuantum, &CsigDomain::GetAbwQuantum),
                MakeValueChecker<DataRateValue>(
                    MakeDataRateChecker(),
                    [](const DataRateValue& value) {
                        CsigQuantizer().SetQuantum(Signal::ABW, value.Get().GetBitRate());
                    }))
            .AddAttribute("AbwRatioQuantum",
                          "Quantum of min(ABW/C) in expanded tags, in millionths.",
                          UintegerValue(GetDefaultCsigQuantum(Signal::ABW_RATIO)),
                          MakeUintegerAccessor(&CsigDomain::SetQuantum<Signal::ABW_RATIO>,
                                               &CsigDomain::GetQuantum<Signal::ABW_RATIO>),
                          MakeUintegerChecker<uint64_t>(1, 1000000))
            .AddAttribute("HopDelayQuantum",
                          "Quantum of max(PD) in expanded tags.",
                          TimeValue(NanoSeconds(GetDefaultCsigQuantum(Signal::HOP_DELAY))),
                          MakeTimeAccessor(&CsigDomain::SetTimeQuantum<Signal::HOP_DELAY>,
                                           &CsigDomain::GetTimeQuantum<Signal::HOP_DELAY>),
                          MakeTimeChecker(NanoSeconds(1), Seconds(1)))
            .AddAttribute("QueueDepthQuantum",
                          "Quantum of max(nQD) in expanded tags.",
                          TimeValue(NanoSeconds(GetDefaultCsigQuantum(Signal::QUEUE_DEPTH))),
                          MakeTimeAccessor(&CsigDomain::SetTimeQuantum<Signal::QUEUE_DEPTH>,
                                           &CsigDomain::GetTimeQuantum<Signal::QUEUE_DEPTH>),
                          MakeTimeChecker(NanoSeconds(1), Seconds(1)))
            .AddAttribute("CompactLocator",
                          "Attributes of the locator metadata in compact tags with their bits, 7 "
                          "at most, from the highest bit on.",
                          StringValue(CsigLocatorLayout(CsigFormat::COMPACT).Format()),
                          MakeStringAccessor(&CsigDomain::SetLayout<CsigFormat::COMPACT>,
                                             &CsigDomain::GetLayoutText<CsigFormat::COMPACT>),
                          MakeLayoutChecker(CsigFormat::COMPACT))
            .AddAttribute("ExpandedLocator",
                          "Attributes of the locator metadata in expanded tags with their bits, 16 "
                          "at most, from the highest bit on.",
                          StringValue(CsigLocatorLayout(CsigFormat::EXPANDED).Format()),
                          MakeStringAccessor(&CsigDomain::SetLayout<CsigFormat::EXPANDED>,
                                             &CsigDomain::GetLayoutText<CsigFormat::EXPANDED>),
                          MakeLayoutChecker(CsigFormat::EXPANDED))
            .AddAttribute("AbwCompactLocator",
                          "Attributes of the locator metadata of min(ABW) in compact tags; empty "
                          "for those of CompactLocator (section 5.5.1).",
                          StringValue(""),
                          MakeStringAccessor(
                              &CsigDomain::SetSignalLayout<CsigFormat::COMPACT, Signal::ABW>,
                              &CsigDomain::GetSignalLayoutText<CsigFormat::COMPACT, Signal::ABW>),
                          MakeSignalLayoutChecker(CsigFormat::COMPACT))
            .AddAttribute("AbwExpandedLocator",
                          "Attributes of the locator metadata of min(ABW) in expanded tags; empty "
                          "for those of ExpandedLocator (section 5.5.1).",
                          StringValue(""),
                          MakeStringAccessor(
                              &CsigDomain::SetSignalLayout<CsigFormat::EXPANDED, Signal::ABW>,
                              &CsigDomain::GetSignalLayoutText<CsigFormat::EXPANDED, Signal::ABW>),
                          MakeSignalLayoutChecker(CsigFormat::EXPANDED))
            .AddAttribute(
                "AbwRatioCompactLocator",
                "Attributes of the locator metadata of min(ABW/C) in compact tags; empty "
                "for those of CompactLocator (section 5.5.1).",
                StringValue(""),
                MakeStringAccessor(
                    &CsigDomain::SetSignalLayout<CsigFormat::COMPACT, Signal::ABW_RATIO>,
                    &CsigDomain::GetSignalLayoutText<CsigFormat::COMPACT, Signal::ABW_RATIO>),
                MakeSignalLayoutChecker(CsigFormat::COMPACT))
            .AddAttribute(
                "AbwRatioExpandedLocator",
                "Attributes of the locator metadata of min(ABW/C) in expanded tags; empty "
                "for those of ExpandedLocator (section 5.5.1).",
                StringValue(""),
                MakeStringAccessor(
                    &CsigDomain::SetSignalLayout<CsigFormat::EXPANDED, Signal::ABW_RATIO>,
                    &CsigDomain::GetSignalLayoutText<CsigFormat::EXPANDED, Signal::ABW_RATIO>),
                MakeSignalLayoutChecker(CsigFormat::EXPANDED))
            .AddAttribute(
                "HopDelayCompactLocator",
                "Attributes of the locator metadata of max(PD) in compact tags; empty "
                "for those of CompactLocator (section 5.5.1).",
                StringValue(""),
                MakeStringAccessor(
                    &CsigDomain::SetSignalLayout<CsigFormat::COMPACT, Signal::HOP_DELAY>,
                    &CsigDomain::GetSignalLayoutText<CsigFormat::COMPACT, Signal::HOP_DELAY>),
                MakeSignalLayoutChecker(CsigFormat::COMPACT))
            .AddAttribute(
                "HopDelayExpandedLocator",
                "Attributes of the locator metadata of max(PD) in expanded tags; empty "
                "for those of ExpandedLocator (section 5.5.1).",
                StringValue(""),
                MakeStringAccessor(
                    &CsigDomain::SetSignalLayout<CsigFormat::EXPANDED, Signal::HOP_DELAY>,
                    &CsigDomain::GetSignalLayoutText<CsigFormat::EXPANDED, Signal::HOP_DELAY>),
                MakeSignalLayoutChecker(CsigFormat::EXPANDED))
            .AddAttribute(
                "QueueDepthCompactLocator",
                "Attributes of the locator metadata of max(nQD) in compact tags; empty "
                "for those of CompactLocator (section 5.5.1).",
                StringValue(""),
                MakeStringAccessor(
                    &CsigDomain::SetSignalLayout<CsigFormat::COMPACT, Signal::QUEUE_DEPTH>,
                    &CsigDomain::GetSignalLayoutText<CsigFormat::COMPACT, Signal::QUEUE_DEPTH>),
                MakeSignalLayoutChecker(CsigFormat::COMPACT))
            .AddAttribute(
                "QueueDepthExpandedLocator",
                "Attributes of the locator metadata of max(nQD) in expanded tags; empty "
                "for those of ExpandedLocator (section 5.5.1).",
                StringValue(""),
                MakeStringAccessor(
                    &CsigDomain::SetSignalLayout<CsigFormat::EXPANDED, Signal::QUEUE_DEPTH>,
                    &CsigDomain::GetSignalLayoutText<CsigFormat::EXPANDED, Signal::QUEUE_DEPTH>),
                MakeSignalLayoutChecker(CsigFormat::EXPANDED))
            .AddAttribute("LinkSpeeds",
                          "Speeds of links that a locator's capacity can name, 31 at most; a "
                          "speed is written as its place, from 1, and any other as 0.",
                          StringValue(FormatCsigSpeeds(CsigSpeeds())),
                          MakeStringAccessor(&CsigDomain::SetSpeeds, &CsigDomain::GetSpeedsText),
                          MakeTextChecker(&ParseCsigSpeeds));
    return tid;
}

CsigDomain::CsigDomain()
    : m_compact(CsigFormat::COMPACT),
      m_expanded(CsigFormat::EXPANDED)
{
}

void
CsigDomain::CheckConfig() const
{
    try
    {
        CheckCsigTpids(m_tpids);
        aidc::CheckConfig(m_signals);
    }
    catch (const std::invalid_argument& error)
    {
        NS_ABORT_MSG(error.what());
    }
}

std::optional<CsigReading>
CsigDomain::Read(const CsigFields& fields) const
{
    const auto signal = m_signals.Find(fields.type);
    return signal ? ReadCsig(fields, m_signals, m_quantizer, GetLayout(fields.format, *signal))
                  : std::nullopt;
}

const CsigTpids&
CsigDomain::GetTpids() const
{
    return m_tpids;
}

const CsigLocatorLayout&
CsigDomain::GetLayout(CsigFormat format) const
{
    return format == CsigFormat::COMPACT ? m_compact : m_expanded;
}

const CsigLocatorLayout&
CsigDomain::GetLayout(CsigFormat format, CsigSignal signal) const
{
    const auto& own = m_own[static_cast<std::size_t>(format)][static_cast<std::size_t>(signal)];
    return own ? *own : GetLayout(format);
}

const CsigSpeeds&
CsigDomain::GetSpeeds() const
{
    return m_speeds;
}

template <CsigFormat F>
void
CsigDomain::SetTpid(uint16_t tpid)
{
    (F == CsigFormat::COMPACT ? m_tpids.compact : m_tpids.expanded) = tpid;
}

template <CsigFormat F>
uint16_t
CsigDomain::GetTpid() const
{
    return m_tpids.Get(F);
}

void
CsigDomain::SetQueueDepth(bool isSignal)
{
    m_signals.queueDepth = isSignal;
}

bool
CsigDomain::GetQueueDepth() const
{
    return m_signals.queueDepth;
}

void
CsigDomain::SetDoNotUpdate(bool isUsed)
{
    m_signals.doNotUpdate = isUsed;
}

bool
CsigDomain::GetDoNotUpdate() const
{
    return m_signals.doNotUpdate;
}

template <CsigSignal S>
void
CsigDomain::SetType(uint8_t type)
{
    m_signals.types[static_cast<std::size_t>(S)] = type;
}

template <CsigSignal S>
uint8_t
CsigDomain::GetType() const
{
    return m_signals.GetType(S);
}

template <CsigSignal S>
bool
CsigDomain::SetBuckets(const std::string& text)
{
    return TrySetAttribute(*this, [&] { m_quantizer.SetBuckets(S, ParseCsigBuckets(S, text)); });
}

template <CsigSignal S>
std::string
CsigDomain::GetBuckets() const
{
    return FormatCsigBuckets(S, m_quantizer.GetBuckets(S));
}

template <CsigSignal S>
bool
CsigDomain::SetQuantum(uint64_t quantum)
{
    return TrySetAttribute(*this, [&] { m_quantizer.SetQuantum(S, quantum); });
}

template <CsigSignal S>
uint64_t
CsigDomain::GetQuantum() const
{
    return m_quantizer.GetQuantum(S);
}

template <CsigSignal S>
bool
CsigDomain::SetTimeQuantum(Time quantum)
{
    return SetQuantum<S>(static_cast<uint64_t>(quantum.GetNanoSeconds()));
}

template <CsigSignal S>
Time
CsigDomain::GetTimeQuantum() const
{
    return NanoSeconds(m_quantizer.GetQuantum(S));
}

bool
CsigDomain::SetAbwQuantum(DataRate quantum)
{
    return SetQuantum<CsigSignal::ABW>(quantum.GetBitRate());
}

DataRate
CsigDomain::GetAbwQuantum() const
{
    return DataRate(m_quantizer.GetQuantum(CsigSignal::ABW));
}

template <CsigFormat F>
bool
CsigDomain::SetLayout(const std::string& text)
{
    return TrySetAttribute(*this, [&] {
        (F == CsigFormat::COMPACT ? m_compact : m_expanded) = CsigLocatorLayout::Parse(F, text);
    });
}

template <CsigFormat F>
std::string
CsigDomain::GetLayoutText() const
{
    return GetLayout(F).Format();
}

template <CsigFormat F, CsigSignal S>
bool
CsigDomain::SetSignalLayout(const std::string& text)
{
    return TrySetAttribute(*this, [&] {
        auto& own = m_own[static_cast<std::size_t>(F)][static_cast<std::size_t>(S)];
        own = text.empty() ? std::nullopt : std::optional(CsigLocatorLayout::Parse(F, text));
    });
}

template <CsigFormat F, CsigSignal S>
std::string
CsigDomain::GetSignalLayoutText() const
{
    const auto& own = m_own[static_cast<std::size_t>(F)][static_cast<std::size_t>(S)];
    return own ? own->Format() : "";
}

bool
CsigDomain::SetSpeeds(const std::string& text)
{
    return TrySetAttribute(*this, [&] { m_speeds = ParseCsigSpeeds(text); });
}

std::string
CsigDomain::GetSpeedsText() const
{
    return FormatCsigSpeeds(m_speeds);
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-path-signals.h"

#include "ns3/abort.h"
#include "ns3/aidc-compat.h"
#include "ns3/csig-reflection.h"
#include "ns3/csig-text.h"
#include "ns3/enum.h"
#include "ns3/frame-context.h"
#include "ns3/mix-bits.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/try-set-attribute.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

#include <stdexcept>

namespace ns3::aidc
{

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
                          "What the whole network has in common; a new one if none is set.",
                          PointerValue(),
                          MakePointerAccessor(&C::SetDomain, &C::GetDomain),
                          MakePointerChecker<CsigDomain>())
            .AddAttribute("Format",
                          "The format of the tags that are sent; both are reflected.",
                          EnumValue(COMPACT),
                          MakeEnumAccessorFor<Format>(&C::SetFormat, &C::GetFormat),
                          MakeEnumChecker(COMPACT, "Compact", EXPANDED, "Expanded"))
            .AddAttribute("Signals",
                          "The signals to ask for, equally often, separated by commas: min(ABW), "
                          "min(ABW/C), max(PD) and, where it is on, max(nQD).",
                          StringValue("min(ABW)"),
                          MakeStringAccessor(&C::SetSignals, &C::GetSignals),
                          MakeTextChecker(&ParseCsigSignals))
            .AddAttribute("Period",
                          "Of how many packets of the adapter one is tagged, on average.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&C::m_period),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

CsigPathSignals::CsigPathSignals() = default;
CsigPathSignals::~CsigPathSignals() = default;

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
CsigPathSignals::CheckSignals(const CsigDomain& domain,
                              const std::vector<CsigSignal>& signals) const
{
    for (const auto signal : signals)
    {
        const bool isCompact = m_format == COMPACT && m_isConstructed;
        if (isCompact && domain.GetSignals().GetType(signal) > CSIG_MAX_COMPACT_TYPE)
        {
            throw std::invalid_argument("CsigPathSignals asks for " +
                                        std::string(GetCsigName(signal)) +
                                        ", whose type code is for expanded tags only");
        }
        if (domain.GetSignals().Find(domain.GetSignals().GetType(signal)) != signal)
        {
            throw std::invalid_argument("CsigPathSignals asks for " +
                                        std::string(GetCsigName(signal)) +
                                        ", which its CsigDomain has off");
        }
    }
}

bool
CsigPathSignals::SetSignals(const std::string& names)
{
    return TrySetAttribute(*this, [this, &names] {
        auto signals = ParseCsigSignals(names);
        if (m_domain)
        {
            CheckSignals(*m_domain, signals);
        }
        m_signals = signals;
        Derive();
    });
}

std::string
CsigPathSignals::GetSignals() const
{
    return FormatCsigSignals(m_signals);
}

bool
CsigPathSignals::SetFormat(Format format)
{
    return TrySetAttribute(*this, [this, format] {
        SetChecked(m_format, format, [this] {
            if (m_domain)
            {
                CheckSignals(*m_domain, m_signals);
            }
        });
        Derive();
    });
}

CsigPathSignals::Format
CsigPathSignals::GetFormat() const
{
    return m_format;
}

void
CsigPathSignals::SetDomain(Ptr<CsigDomain> domain)
{
    if (!domain && !m_isConstructed)
    {
        return; // until all attributes are set
    }
    m_domain = domain ? domain : CreateObject<CsigDomain>();
    m_domain->CheckConfig();
    try
    {
        CheckSignals(*m_domain, m_signals);
    }
    catch (const std::invalid_argument& error)
    {
        NS_ABORT_MSG(error.what());
    }
    Derive();
}

Ptr<CsigDomain>
CsigPathSignals::GetDomain() const
{
    return m_domain;
}

void
CsigPathSignals::Derive()
{
    m_requests.clear();
    if (!m_domain || !m_isConstructed)
    {
        return; // not all attributes are set yet
    }
    const auto format = m_format == COMPACT ? CsigFormat::COMPACT : CsigFormat::EXPANDED;
    for (const auto signal : m_signals)
    {
        Request request;
        request.size = static_cast<uint8_t>(
            EncodeCsigTag(MakeCsigRequest(format, signal, m_domain->GetSignals()),
                          m_domain->GetTpids(),
                          request.tag.data()));
        m_requests.push_back(request);
    }
}

// Packets

void
CsigPathSignals::Tag(FrameContext& context)
{
    const uint64_t number = MixBits(m_nPackets++);
    if (number % m_period != 0)
    {
        return;
    }
    const Request& request = m_requests[number / m_period % m_requests.size()];
    context.tag = request.tag;
    context.tagSize = request.size;
    context.isOwnTag = true;
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
CsigPathSignals::Read(const uint8_t* bytes, std::size_t size)
{
    CsigReflection reflection;
    if (size == 0 || DecodeCsigReflection(bytes, size, reflection) != size || !reflection.fields)
    {
        return std::nullopt;
    }
    return m_domain->Read(*reflection.fields);
}

} // namespace ns3::aidc

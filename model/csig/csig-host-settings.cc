/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// CsigHost: what is configured.

#include "csig-host.h"

#include "ns3/csig-text.h"
#include "ns3/try-set-attribute.h"

#include <stdexcept>

namespace ns3::aidc
{

bool
CsigHost::SetSignals(const std::string& names)
{
    return TrySetAttribute(*this, [this, &names] {
        SetChecked(m_signals, ParseCsigSignals(names), [this] {
            if (!m_layers.empty())
            {
                CheckSignals();
            }
        });
        Derive();
    });
}

bool
CsigHost::SetFormat(Format format)
{
    return TrySetAttribute(*this, [this, format] {
        SetChecked(m_format, format, [this] {
            if (!m_layers.empty())
            {
                CheckSignals();
            }
        });
        Derive();
    });
}

CsigHost::Format
CsigHost::GetFormat() const
{
    return m_format;
}

std::string
CsigHost::GetSignals() const
{
    return FormatCsigSignals(m_signals);
}

void
CsigHost::SetDomain(Ptr<CsigDomain> domain)
{
    m_domain = domain;
    m_config = CsigSignalConfig();
    if (domain)
    {
        domain->CheckConfig();
        m_config = domain->GetSignals();
    }
    Derive();
}

Ptr<CsigDomain>
CsigHost::GetDomain() const
{
    return m_domain;
}

void
CsigHost::CheckSignals() const
{
    for (const auto signal : m_signals)
    {
        if (m_format == COMPACT && m_config.GetType(signal) > CSIG_MAX_COMPACT_TYPE)
        {
            throw std::invalid_argument("CsigHost asks for " + std::string(GetCsigName(signal)) +
                                        ", whose type code is for expanded tags only");
        }
        if (m_config.Find(m_config.GetType(signal)) != signal)
        {
            throw std::invalid_argument("CsigHost asks for " + std::string(GetCsigName(signal)) +
                                        ", which its CsigDomain has off");
        }
    }
}

void
CsigHost::Derive()
{
    m_flows.SetLimits(m_maxFlows, m_flowTimeout.GetNanoSeconds());
    const bool hasExId = m_optionLayout == EXPERIMENTAL;
    m_options.SetOption({hasExId ? m_optionKind : m_draftOptionKind, m_optionExId, hasExId});
    m_plan.period = m_period;
    m_plan.patience = m_patience;
    m_plan.retryInterval = m_retryInterval.GetNanoSeconds();
    m_plan.reflectionDelay = m_reflectionDelay.GetNanoSeconds();
    m_plan.types.clear();
    for (const auto signal : m_signals)
    {
        const auto fields =
            MakeCsigRequest(m_format == COMPACT ? CsigFormat::COMPACT : CsigFormat::EXPANDED,
                            signal,
                            m_config);
        m_plan.types.push_back(fields.type);
        m_requests[fields.type] = fields;
    }
    for (uint8_t type = 0; type < m_summaries.size(); ++type)
    {
        const auto signal = m_config.Find(type);
        m_summaries[type] = CsigSummary::LATEST;
        if (m_mode == SUMMARY && signal)
        {
            m_summaries[type] = GetCsigAggregation(*signal) == CsigAggregation::MIN
                                    ? CsigSummary::SMALLEST
                                    : CsigSummary::LARGEST;
        }
    }
}

} // namespace ns3::aidc

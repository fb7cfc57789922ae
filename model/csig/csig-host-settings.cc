/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// CsigHost: what is configured.

#include "csig-host.h"

#include "ns3/try-set-attribute.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <stdexcept>

namespace ns3::aidc
{

namespace
{

/// All signals.
constexpr std::array<CsigSignal, CSIG_SIGNALS> SIGNALS{CsigSignal::ABW,
                                                       CsigSignal::ABW_RATIO,
                                                       CsigSignal::HOP_DELAY,
                                                       CsigSignal::QUEUE_DEPTH};

} // namespace

bool
CsigHost::SetSignals(const std::string& names)
{
    return TrySetAttribute(*this, [this, &names] {
        std::vector<CsigSignal> signals;
        std::istringstream text(names);
        std::string name;
        while (std::getline(text, name, ','))
        {
            const auto signal = std::find_if(SIGNALS.begin(), SIGNALS.end(), [&](auto known) {
                return name == GetCsigName(known);
            });
            if (signal == SIGNALS.end())
            {
                throw std::invalid_argument("Signals: there is no signal \"" + name + "\"");
            }
            signals.push_back(*signal);
        }
        if (signals.empty() || names.back() == ',')
        {
            throw std::invalid_argument("Signals: expected names with commas between them");
        }
        SetChecked(m_signals, signals, [this] {
            if (!m_layers.empty())
            {
                CheckSignals();
            }
        });
        UpdatePlan();
    });
}

std::string
CsigHost::GetSignals() const
{
    std::string names;
    for (const auto signal : m_signals)
    {
        names += (names.empty() ? "" : ",") + std::string(GetCsigName(signal));
    }
    return names;
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
    UpdatePlan();
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
        if (m_config.Find(m_config.GetType(signal)) != signal)
        {
            throw std::invalid_argument("CsigHost asks for " + std::string(GetCsigName(signal)) +
                                        ", which its CsigDomain has off");
        }
    }
}

void
CsigHost::UpdatePlan()
{
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

void
CsigHost::SetFormat(Format format)
{
    m_format = format;
    UpdatePlan();
}

CsigHost::Format
CsigHost::GetFormat() const
{
    return m_format;
}

void
CsigHost::SetMode(Mode mode)
{
    m_mode = mode;
    UpdatePlan();
}

CsigHost::Mode
CsigHost::GetMode() const
{
    return m_mode;
}

void
CsigHost::SetPeriod(uint32_t period)
{
    m_plan.period = period;
}

uint32_t
CsigHost::GetPeriod() const
{
    return m_plan.period;
}

void
CsigHost::SetPatience(uint32_t patience)
{
    m_plan.patience = patience;
}

uint32_t
CsigHost::GetPatience() const
{
    return m_plan.patience;
}

void
CsigHost::SetRetryInterval(Time interval)
{
    m_plan.retryInterval = interval.GetNanoSeconds();
}

Time
CsigHost::GetRetryInterval() const
{
    return NanoSeconds(m_plan.retryInterval);
}

void
CsigHost::SetReflectionDelay(Time delay)
{
    m_plan.reflectionDelay = delay.GetNanoSeconds();
}

Time
CsigHost::GetReflectionDelay() const
{
    return NanoSeconds(m_plan.reflectionDelay);
}

void
CsigHost::SetOptionKind(uint8_t kind)
{
    m_options.SetKind(kind);
}

uint8_t
CsigHost::GetOptionKind() const
{
    return m_options.GetOption().kind;
}

void
CsigHost::SetOptionExId(uint16_t exId)
{
    m_options.SetExId(exId);
}

uint16_t
CsigHost::GetOptionExId() const
{
    return m_options.GetOption().exId;
}

void
CsigHost::SetMaxFlows(uint32_t maxFlows)
{
    m_maxFlows = maxFlows;
    m_flows.SetLimits(m_maxFlows, m_flowTimeout);
}

uint32_t
CsigHost::GetMaxFlows() const
{
    return m_maxFlows;
}

void
CsigHost::SetFlowTimeout(Time timeout)
{
    m_flowTimeout = timeout.GetNanoSeconds();
    m_flows.SetLimits(m_maxFlows, m_flowTimeout);
}

Time
CsigHost::GetFlowTimeout() const
{
    return NanoSeconds(m_flowTimeout);
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-signal.h"

#include <stdexcept>

namespace ns3::aidc
{

const char*
GetCsigName(CsigSignal signal)
{
    switch (signal)
    {
    case CsigSignal::ABW:
        return "min(ABW)";
    case CsigSignal::ABW_RATIO:
        return "min(ABW/C)";
    case CsigSignal::HOP_DELAY:
        return "max(PD)";
    case CsigSignal::QUEUE_DEPTH:
        return "max(nQD)";
    }
    return "?";
}

const char*
GetCsigUnit(CsigSignal signal)
{
    switch (signal)
    {
    case CsigSignal::ABW:
        return "bit/s";
    case CsigSignal::ABW_RATIO:
        return "ppm";
    case CsigSignal::HOP_DELAY:
    case CsigSignal::QUEUE_DEPTH:
        return "ns";
    }
    return "?";
}

std::optional<CsigSignal>
CsigSignalSettings::Find(uint8_t type) const
{
    const std::size_t count = queueDepth ? CSIG_SIGNALS : CSIG_SIGNALS - 1;
    for (std::size_t i = 0; i < count; ++i)
    {
        if (types[i] == type)
        {
            return static_cast<CsigSignal>(i);
        }
    }
    return std::nullopt;
}

void
CheckCsigSignals(const CsigSignalSettings& settings)
{
    constexpr uint32_t largest = CSIG_MAX_TYPE;
    const std::size_t count = settings.queueDepth ? CSIG_SIGNALS : CSIG_SIGNALS - 1;
    for (std::size_t i = 0; i < count; ++i)
    {
        const std::string name = GetCsigName(static_cast<CsigSignal>(i));
        const auto type = settings.types[i];
        if (type > largest)
        {
            throw std::invalid_argument("The CSIG type of " + name + " must be from 0 to " +
                                        std::to_string(largest) + ", not " + std::to_string(type));
        }
        for (std::size_t j = 0; j < i; ++j)
        {
            if (settings.types[j] == type)
            {
                throw std::invalid_argument("Each CSIG signal needs a type of its own, but " +
                                            std::string(GetCsigName(static_cast<CsigSignal>(j))) +
                                            " and " + name + " both have " + std::to_string(type));
            }
        }
    }
}

void
CheckCsigRequests(const std::string& sender,
                  const std::vector<CsigSignal>& signals,
                  CsigFormat format,
                  const CsigSignalSettings& settings)
{
    for (const auto signal : signals)
    {
        const auto type = settings.GetType(signal);
        if (format == CsigFormat::COMPACT && type > CSIG_MAX_COMPACT_TYPE)
        {
            throw std::invalid_argument(sender + " asks for " + GetCsigName(signal) +
                                        ", whose type code is for expanded tags only");
        }
        if (settings.Find(type) != signal)
        {
            throw std::invalid_argument(sender + " asks for " + GetCsigName(signal) +
                                        ", which its CsigDomain has off");
        }
    }
}

CsigFields
MakeCsigRequest(CsigFormat format, CsigSignal signal, const CsigSignalSettings& settings)
{
    CsigFields fields;
    fields.format = format;
    fields.type = settings.GetType(signal);
    fields.value = GetCsigInitialValue(GetCsigAggregation(signal), format);
    return fields;
}

} // namespace ns3::aidc

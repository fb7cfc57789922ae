/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-reading.h"

namespace ns3::aidc
{

std::optional<CsigReading>
ReadCsig(const CsigFields& fields,
         const CsigSignalSettings& signals,
         const CsigQuantizer& quantizer,
         const CsigLocatorLayout& layout)
{
    const auto signal = signals.Find(fields.type);
    if (!signal)
    {
        return std::nullopt;
    }
    const bool isInitial =
        fields.value == GetCsigInitialValue(GetCsigAggregation(*signal), fields.format);
    if (!isInitial && !quantizer.HasCode(fields.format, *signal, fields.value))
    {
        return std::nullopt;
    }
    return CsigReading{*signal,
                       quantizer.Decode(fields.format, *signal, fields.value),
                       layout.Decode(fields.locator),
                       !isInitial};
}

} // namespace ns3::aidc

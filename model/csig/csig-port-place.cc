/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-port-place.h"

#include "csig-domain.h"

#include <algorithm>

namespace ns3::aidc
{

void
CsigPortPlace::Encode(const Settings& settings, uint64_t capacity, const CsigDomain& domain)
{
    CsigLocator locator;
    locator.Set(CsigAttribute::CAPACITY, domain.GetSpeeds().Encode(capacity));
    locator.Set(CsigAttribute::STAGE, settings.stage);
    locator.Set(CsigAttribute::ORIENTATION, settings.orientation);
    locator.Set(CsigAttribute::PORT, settings.port);
    locator.Set(CsigAttribute::DEVICE, settings.device);
    locator.Set(CsigAttribute::CUSTOM, settings.custom);
    for (std::size_t signal = 0; signal < CSIG_SIGNALS; ++signal)
    {
        for (const auto format : {CsigFormat::COMPACT, CsigFormat::EXPANDED})
        {
            const auto index = static_cast<std::size_t>(format);
            const auto& layout = domain.GetLayout(format, static_cast<CsigSignal>(signal));
            const auto& fields = layout.GetFields();
            m_locators[index][signal] = layout.Encode(locator);
            m_usesTtl[index] |= std::any_of(fields.begin(), fields.end(), [](const auto& field) {
                return field.attribute == CsigAttribute::TTL;
            });
        }
    }
}

} // namespace ns3::aidc

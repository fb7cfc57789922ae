/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-path-policy.h"

#include <stdexcept>

namespace ns3::aidc
{

bool
IsCsigLastHop(const CsigLocator& locator, uint32_t leafStage)
{
    return locator.Get(CsigAttribute::STAGE) == leafStage &&
           locator.Get(CsigAttribute::ORIENTATION) == static_cast<uint32_t>(CsigOrientation::DOWN);
}

CsigPathPolicy::CsigPathPolicy(const CsigPathPolicySettings& settings)
    : m_settings(settings)
{
    if (settings.patience == 0)
    {
        throw std::invalid_argument("expected a patience of at least 1 signal");
    }
    if (settings.pause < 0)
    {
        throw std::invalid_argument("expected a pause between changes of at least 0");
    }
}

CsigPathAction
CsigPathPolicy::NoteSignal(int64_t now, uint64_t value, const CsigLocator& locator)
{
    const bool isCongested = m_settings.aggregation == CsigAggregation::MIN
                                 ? value < m_settings.threshold
                                 : value > m_settings.threshold;
    if (!isCongested)
    {
        m_nCongested = 0;
        return CsigPathAction::KEEP;
    }
    if (m_settings.sparesLastHop && IsCsigLastHop(locator, m_settings.leafStage))
    {
        m_nCongested = 0;
        return CsigPathAction::LAST_HOP;
    }
    ++m_nCongested;
    const bool isTooSoon = m_lastChange && now - *m_lastChange < m_settings.pause;
    if (m_nCongested < m_settings.patience || isTooSoon)
    {
        return CsigPathAction::KEEP;
    }
    m_nCongested = 0;
    m_lastChange = now;
    return CsigPathAction::REHASH;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-reflector.h"

namespace ns3::aidc
{

void
CsigReflector::NoteTag(const CsigFields& fields, CsigSummary summary)
{
    const uint32_t slot = fields.type + (fields.format == CsigFormat::EXPANDED ? 8 : 0);
    const uint32_t bit = uint32_t{1} << slot;
    auto& kept = m_fields[slot];
    const bool isOldKept = (m_waiting & bit) != 0 &&
                           ((summary == CsigSummary::SMALLEST && kept.value < fields.value) ||
                            (summary == CsigSummary::LARGEST && kept.value > fields.value));
    if (!isOldKept)
    {
        kept = fields;
    }
    m_waiting |= bit;
}

CsigReflection
CsigReflector::Peek() const
{
    CsigReflection reflection;
    reflection.untagged = m_untagged;
    const auto slot = FindNext();
    if (slot != SLOTS)
    {
        reflection.fields = m_fields[slot];
    }
    return reflection;
}

void
CsigReflector::Advance()
{
    const auto slot = FindNext();
    if (slot != SLOTS)
    {
        m_waiting &= ~(uint32_t{1} << slot);
        m_last = slot;
    }
    m_untagged = false;
}

uint32_t
CsigReflector::FindNext() const
{
    for (uint32_t i = 1; m_waiting != 0 && i <= SLOTS; ++i)
    {
        const auto slot = (m_last + i) % SLOTS;
        if ((m_waiting >> slot & 1) != 0)
        {
            return slot;
        }
    }
    return SLOTS;
}

} // namespace ns3::aidc

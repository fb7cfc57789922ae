/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-sent-segments.h"

namespace ns3::aidc
{
bool
CsigSentSegments::Note(uint32_t sequence, uint32_t size, uint32_t acknowledgment)
{
    const uint32_t end = sequence + size;
    if (!m_isKnown)
    {
        m_isKnown = true;
        m_end = end;
        m_acknowledgment = acknowledgment;
        return false;
    }
    // Sequence numbers wrap around.
    const bool hasOldData = static_cast<int32_t>(sequence - m_end) < 0;
    const bool isNewEnd = static_cast<int32_t>(end - m_end) > 0;
    const bool isNewAcknowledgment = static_cast<int32_t>(acknowledgment - m_acknowledgment) > 0;
    m_end = isNewEnd ? end : m_end;
    m_acknowledgment = isNewAcknowledgment ? acknowledgment : m_acknowledgment;
    return size > 0 ? hasOldData : !isNewAcknowledgment;
}

} // namespace ns3::aidc

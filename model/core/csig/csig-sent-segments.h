/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_SENT_SEGMENTS_H
#define AIDC_CSIG_SENT_SEGMENTS_H

#include <cstdint>

namespace ns3::aidc
{

/// Tells which TCP segments of a connection repeat earlier ones. These must be sent without a tag,
/// in case a device drops tagged packets (section 6.2.1 of draft-ravi-ippm-csig-01).
class CsigSentSegments
{
  public:
    /// Forget everything: a new connection begins.
    void Restart()
    {
        m_isKnown = false;
    }

    /// Note a segment that leaves. size: bytes of data. @return whether some of its data
    /// was sent before or, if it has none, its acknowledgment
    bool Note(uint32_t sequence, uint32_t size, uint32_t acknowledgment);

  private:
    bool m_isKnown{false};        //!< whether there was a segment
    uint32_t m_end{0};            //!< the sequence number after all data that was sent
    uint32_t m_acknowledgment{0}; //!< the highest acknowledgment number that was sent
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_SENT_SEGMENTS_H

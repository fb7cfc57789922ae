/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_REFLECTOR_H
#define AIDC_CSIG_REFLECTOR_H

#include "csig-fields.h"
#include "csig-reflection.h"

#include <array>
#include <cstdint>

namespace ns3::aidc
{

/// Which of the fields that arrive between two reflections is reflected.
enum class CsigSummary : uint8_t
{
    LATEST,   //!< the newest
    SMALLEST, //!< the fields with the smallest value, the newest of several
    LARGEST   //!< the fields with the largest value, the newest of several
};

/**
 * @brief A receiver's memory of the tags of a flow, until it has reflected them (sections 4.2 and
 *        4.3.2 of draft-ravi-ippm-csig-01).
 *
 * A packet that acknowledges several packets can reflect only one signal. So there is a slot for
 * each signal type of each format (sections 4.2 and 6.3.2). Slots with new fields take turns in
 * ascending order, so that no type starves, whatever the order of the sender's requests. Fields
 * that are not reflected yet wait for their next turn.
 *
 * Packets without a tag are only reported if there are no fields to reflect (section 6.3.3).
 */
class CsigReflector
{
  public:
    /// Remember the fields of a packet that has arrived. fields: the fields, each within its bits;
    /// summary: which fields to keep if fields of the same type wait.
    void NoteTag(const CsigFields& fields, CsigSummary summary);

    /// Remember that a packet has arrived without a tag.
    void NoteUntagged()
    {
        m_untagged = true;
    }

    /// @return whether there is something to reflect
    bool HasNews() const
    {
        return m_waiting != 0 || m_untagged;
    }

    /// Get the next reflection, and keep it.
    /// @return the reflection; neither fields nor untagged if there is no news
    CsigReflection Peek() const;

    /// Remove the reflection of Peek(). The next turn is another type's.
    void Advance();

  private:
    /// Types of the compact format, then types of the expanded format.
    static constexpr uint32_t SLOTS = 8 + 16;

    /// Find the waiting slot whose turn it is. @return the slot; SLOTS if none waits
    uint32_t FindNext() const;

    std::array<CsigFields, SLOTS> m_fields{}; //!< the waiting fields of each type
    uint32_t m_waiting{0};                    //!< bit by bit, the slots that wait
    uint32_t m_last{SLOTS - 1};               //!< the slot that was reflected last
    bool m_untagged{false};                   //!< packets arrived without a tag
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_REFLECTOR_H

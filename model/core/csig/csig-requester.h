/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_REQUESTER_H
#define AIDC_CSIG_REQUESTER_H

#include "csig-fields.h"
#include "csig-path-watch.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A sender's memory of a flow: which signal to request next, what has come back, and whether
 *        the path keeps the tags (sections 4.3.3, 4.4.1 and 6.3.3 of draft-ravi-ippm-csig-01).
 *
 * A path that cannot carry tags has them stripped, of all signals or of some. The receiver reports
 * that packets came without one, but it cannot know which of them had one. So for each signal the
 * sender watches one tagged packet at a time: an empty reflection that acknowledges this packet is
 * a strike, after which the next packet with that signal is watched; one valid reflection of the
 * signal clears all strikes. So is a reflection of other signals, if this one has had its turn
 * since. With several strikes in a row the path is not capable of the signal, which is not asked
 * for until after an interval it is tried once more.
 *
 * A device that knows no tags drops their packets (section 6.2.1), and nothing comes back. So
 * packets that are sent again must go without a tag, and if the watched packet is one of them, this
 * is a strike, too. From then on, packets with the signal are sent one at a time until one is
 * answered, and the interval doubles with every trial in vain.
 *
 * A transport with sequence numbers gives the position of a packet's end, and the position that a
 * reflection acknowledges. For one without them, a reflection counts if it comes later after the
 * tagged packet than an answer would.
 */
class CsigRequester
{
  public:
    /// Something that has come back.
    struct Signal
    {
        CsigFields fields; //!< the data fields
        int64_t time;      //!< when they came, ns
    };

    /// Say what the next packet requests, and count the packet.
    /// @param plan what to ask for
    /// @param now the time, ns
    /// @param end position of the packet's end; any number for a transport without positions
    /// @return the signal type; none if the packet has to go without a tag
    std::optional<uint8_t> NextPacket(const CsigRequestPlan& plan, int64_t now, uint32_t end);

    /// Take a packet that is sent again, and without a tag. It is for transports with positions.
    /// @param plan what is asked for
    /// @param now the time, ns
    /// @param size how many positions it takes; 0 if it only acknowledges
    /// @param end position of its end
    void NoteRepeat(const CsigRequestPlan& plan, int64_t now, uint32_t size, uint32_t end);

    /// Take that a new connection begins, whose positions have nothing to do with earlier ones.
    void Restart();

    /// Take fields that have come back.
    /// @param fields the fields, each within its bits
    /// @param now the time, ns
    void NoteSignal(const CsigFields& fields, int64_t now);

    /// Take a reflection of another signal: those that wait at the receiver take turns, so that
    /// this can mean that packets arrived without a tag.
    /// @param plan what is asked for
    /// @param type the signal type that it is of
    /// @param now the time, ns
    /// @param acknowledged as for NoteEmpty
    void NoteOther(const CsigRequestPlan& plan,
                   uint8_t type,
                   int64_t now,
                   std::optional<uint32_t> acknowledged);

    /// Take an empty reflection: packets arrived without a tag.
    /// @param plan what is asked for
    /// @param now the time, ns
    /// @param acknowledged the position up to which the receiver has everything; none if the
    ///        transport has no positions
    void NoteEmpty(const CsigRequestPlan& plan, int64_t now, std::optional<uint32_t> acknowledged);

    /// Get the newest signal of a type.
    /// @param type the type, below 16
    /// @return the signal; null if none has come back
    const Signal* GetSignal(uint8_t type) const;

    /// Get what is known of the path.
    /// @return capable if it is of any signal, not capable if it is of none that is asked for
    CsigCapability GetCapability() const;

    /// @param type the signal type
    /// @return what is known of the path as to the signal
    CsigCapability GetCapability(uint8_t type) const;

  private:
    /// Get what is known of the path as to a signal.
    /// @param type the signal type
    /// @return that, which is new if the type is
    CsigPathWatch& GetPath(uint8_t type);

    /// Have what is known of all signals of a plan, and of no others. @param plan the plan
    void Follow(const CsigRequestPlan& plan);

    std::array<Signal, 16> m_signals{}; //!< the newest of each type
    uint16_t m_known{0};                //!< bit by bit, the types that have come
    uint32_t m_untagged{0};             //!< packets until the next one is tagged
    uint32_t m_turn{0};                 //!< the next type's index in the plan
    std::vector<CsigPathWatch> m_paths; //!< by signal: what is asked for or has come
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_REQUESTER_H

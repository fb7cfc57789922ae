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
 * @brief A sender's memory of a flow: the signal to request next, the reflections, and whether the
 *        path keeps tags (sections 4.3.3, 4.4.1 and 6.3.3 of draft-ravi-ippm-csig-01).
 *
 * Devices on the path may strip the tags of all signals or of some. The receiver reports that
 * packets arrived without a tag, but it cannot know which of them were sent with one. So for each
 * signal the sender watches one tagged packet at a time. An empty reflection that acknowledges this
 * packet is a strike, and so is a reflection of other signals if this signal has had its turn
 * since. After a strike, the next packet with the signal is watched. One valid reflection of the
 * signal clears all strikes. After several strikes in a row, the path is not capable of the signal,
 * which is then requested only once after each interval.
 *
 * A device without support may drop tagged packets (section 6.2.1), so that nothing is reflected.
 * Therefore packets that are sent again must have no tag. If the watched packet is sent again, this
 * is a strike, too. From then on, packets with the signal are sent one at a time until one is
 * answered, and the interval doubles with each trial in vain.
 *
 * A transport with sequence numbers gives the position of a packet's end, and the position that a
 * reflection acknowledges. Without positions, a reflection counts if it comes later after the
 * tagged packet than the latest answer would (reflectionDelay).
 */
class CsigRequester
{
  public:
    /// A signal that was reflected.
    struct Signal
    {
        CsigFields fields; //!< the data fields
        int64_t time;      //!< when they arrived, ns
    };

    /// Choose the signal that the next packet requests, and count the packet.
    /// @param plan the requests
    /// @param now the time, ns
    /// @param end position of the packet's end; any number for a transport without positions
    /// @return the signal type; none if the packet has to go without a tag
    std::optional<uint8_t> NextPacket(const CsigRequestPlan& plan, int64_t now, uint32_t end);

    /// Note a packet that is sent again without a tag. For transports with positions. now:
    /// the time, ns; size: how many positions it takes; 0 if it only acknowledges.
    void NoteRepeat(const CsigRequestPlan& plan, int64_t now, uint32_t size, uint32_t end);

    /// Note that a new connection begins, whose positions are unrelated to earlier ones.
    void Restart();

    /// Note reflected fields. fields: the fields, each within its bits; now: the time, ns.
    void NoteSignal(const CsigFields& fields, int64_t now);

    /// Note a reflection of another signal. Signals that wait at the receiver take turns,
    /// so this can mean that packets arrived without a tag.
    /// @param plan the requests
    /// @param type the signal type of the reflection
    /// @param now the time, ns
    /// @param acknowledged as for NoteEmpty
    void NoteOther(const CsigRequestPlan& plan,
                   uint8_t type,
                   int64_t now,
                   std::optional<uint32_t> acknowledged);

    /// Note an empty reflection: packets arrived without a tag.
    /// @param plan the requests
    /// @param now the time, ns
    /// @param acknowledged the position up to which the receiver has everything; none if the
    ///        transport has no positions
    void NoteEmpty(const CsigRequestPlan& plan, int64_t now, std::optional<uint32_t> acknowledged);

    /// Get the newest signal of a type. @param type the type, below 16 @return the signal; null if
    /// none was reflected
    const Signal* GetSignal(uint8_t type) const;

    /// Get the capability of the path.
    /// @return CAPABLE if it is for any signal, NOT_CAPABLE if it is for no requested one
    CsigCapability GetCapability() const;

    /// @param type the signal type @return the capability of the path for the signal
    CsigCapability GetCapability(uint8_t type) const;

  private:
    /// Get the state of the path for a signal, or make it.
    CsigPathWatch& GetPath(uint8_t type);

    /// Keep the state of the path for the signals of a plan, and for no others.
    void Follow(const CsigRequestPlan& plan);

    std::array<Signal, 16> m_signals{}; //!< the newest of each type
    uint16_t m_known{0};                //!< the types that were reflected, a bit each
    uint32_t m_untagged{0};             //!< packets until the next one is tagged
    uint32_t m_turn{0};                 //!< the next type's index in the plan
    std::vector<CsigPathWatch> m_paths; //!< by signal, requested or reflected
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_REQUESTER_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_REQUESTER_H
#define AIDC_CSIG_REQUESTER_H

#include "csig-fields.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief What senders ask for, and when they give up. The same for all flows of a host.
 */
struct CsigRequestPlan
{
    std::vector<uint8_t> types{0};      //!< the signal types to ask for in turn, at least one
    uint32_t period{1};                 //!< every how many packets one is tagged, at least 1
    uint32_t patience{3};               //!< after how many unanswered tags in a row to stop
    int64_t retryInterval{100'000'000}; //!< after how long to try again, ns
    int64_t reflectionDelay{1'000'000}; //!< how late an answer may be at most, ns; it counts
                                        //!< where the transport has no positions
};

/**
 * @ingroup aidc
 * @brief What a sender knows of a flow's path (section 6.3.3).
 */
enum class CsigCapability : uint8_t
{
    UNKNOWN,    //!< nothing has come back yet
    CAPABLE,    //!< tags arrive at the receiver
    NOT_CAPABLE //!< packets arrive without the tag that they had
};

/**
 * @ingroup aidc
 * @brief A sender's memory of a flow: which signal to request next, what has come back, and whether
 *        the path keeps the tags (sections 4.3.3, 4.4.1 and 6.3.3 of draft-ravi-ippm-csig-01).
 *
 * A path that cannot carry tags has them stripped. The receiver reports that packets came without
 * one, but it cannot know which of them had one. So the sender watches one tagged packet at a time:
 * an empty reflection that acknowledges this packet is a strike, after which the next tagged packet
 * is watched; one valid reflection clears all strikes. With several strikes in a row the path is
 * not capable and packets are sent untagged, until after an interval it is tried once more.
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

    /**
     * @brief Say what the next packet requests, and count the packet.
     * @param plan what to ask for
     * @param now the time, ns
     * @param end position of the packet's end; any number for a transport without positions
     * @return the signal type; none if the packet has to go without a tag
     */
    std::optional<uint8_t> NextPacket(const CsigRequestPlan& plan, int64_t now, uint32_t end);

    /**
     * @brief Take fields that have come back.
     * @param fields the fields, each within its bits
     * @param now the time, ns
     */
    void NoteSignal(const CsigFields& fields, int64_t now);

    /**
     * @brief Take an empty reflection: packets arrived without a tag.
     * @param plan what is asked for
     * @param now the time, ns
     * @param acknowledged the position up to which the receiver has everything; none if the
     *        transport has no positions
     */
    void NoteEmpty(const CsigRequestPlan& plan, int64_t now, std::optional<uint32_t> acknowledged);

    /**
     * @brief Get the newest signal of a type.
     * @param type the type, below 16
     * @return the signal; null if none has come back
     */
    const Signal* GetSignal(uint8_t type) const;

    /**
     * @brief Get what is known of the path.
     * @return that
     */
    CsigCapability GetCapability() const;

  private:
    std::array<Signal, 16> m_signals{};                   //!< the newest of each type
    uint16_t m_known{0};                                  //!< bit by bit, the types that have come
    CsigCapability m_capability{CsigCapability::UNKNOWN}; //!< what is known of the path
    bool m_isWatching{false};                             //!< whether a tagged packet is watched
    uint32_t m_watchedEnd{0};                             //!< the end of that packet
    int64_t m_watchedTime{0};                             //!< when it was sent, ns
    int64_t m_stopTime{0};                                //!< when tagging was stopped, ns
    uint32_t m_strikes{0};                                //!< tags in a row that got lost
    uint32_t m_untagged{0};                               //!< packets until the next one is tagged
    uint32_t m_turn{0};                                   //!< the next type's index in the plan
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_REQUESTER_H

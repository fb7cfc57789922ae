/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_PATH_WATCH_H
#define AIDC_CSIG_PATH_WATCH_H

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// What senders ask for, and when they give up. The same for all flows of a host.
struct CsigRequestPlan
{
    std::vector<uint8_t> types{0};      //!< the signal types to ask for in turn, at least one
    uint32_t period{1};                 //!< every how many packets one is tagged, at least 1
    uint32_t patience{3};               //!< after how many unanswered tags in a row to stop
    uint32_t maxOthers{1};              //!< how many reflections of other signals, times the number
                                        //!< of types, are a lost tag
    int64_t retryInterval{100'000'000}; //!< after how long to try again, ns
    int64_t reflectionDelay{1'000'000}; //!< how late an answer may be at most, ns; it counts
                                        //!< where the transport has no positions
};

/// @ingroup aidc
/// What a sender knows of a flow's path (section 6.3.3).
enum class CsigCapability : uint8_t
{
    UNKNOWN,    //!< nothing has come back yet
    CAPABLE,    //!< tags arrive at the receiver
    NOT_CAPABLE //!< packets arrive without the tag that they had, or not at all
};

/**
 * @ingroup aidc
 * @brief What a sender knows of a flow's path as to a signal (section 6.3.3 of
 *        draft-ravi-ippm-csig-01): it watches one tagged packet at a time.
 *
 * Positions wrap around as TCP's sequence numbers do.
 */
class CsigPathWatch
{
  public:
    /// Constructor. @param type the signal type
    explicit CsigPathWatch(uint8_t type);

    /// Get the signal.
    /// @return its type
    uint8_t GetType() const
    {
        return m_type;
    }

    /// @return what is known of the path
    CsigCapability GetCapability() const
    {
        return m_capability;
    }

    /// Tell whether the signal may be asked for.
    /// @param plan what is asked for
    /// @param now the time, ns
    /// @return whether it may
    bool IsDue(const CsigRequestPlan& plan, int64_t now) const;

    /// Take that a packet asks for the signal.
    /// @param plan what is asked for
    /// @param now the time, ns
    /// @param end position of the packet's end; any number for a transport without positions
    void NoteRequest(const CsigRequestPlan& plan, int64_t now, uint32_t end);

    /// Take a packet that is sent again, and without a tag.
    /// @param plan what is asked for
    /// @param now the time, ns
    /// @param size how many positions it takes; 0 if it only acknowledges
    /// @param end position of its end
    void NoteRepeat(const CsigRequestPlan& plan, int64_t now, uint32_t size, uint32_t end);

    /// Take a valid reflection of the signal.
    void NoteSignal();

    /// Take a reflection of another signal.
    /// @param plan what is asked for
    /// @param now the time, ns
    /// @param acknowledged as for NoteEmpty
    void NoteOther(const CsigRequestPlan& plan, int64_t now, std::optional<uint32_t> acknowledged);

    /// Take that packets arrived without a tag.
    /// @param plan what is asked for
    /// @param now the time, ns
    /// @param acknowledged the position up to which the receiver has everything; none if the
    ///        transport has no positions
    void NoteEmpty(const CsigRequestPlan& plan, int64_t now, std::optional<uint32_t> acknowledged);

    /// Watch no packet: a new connection begins.
    void Restart()
    {
        m_isWatching = false;
    }

  private:
    /// Tell whether a reflection can answer the watched packet.
    /// @param plan what is asked for
    /// @param now the time, ns
    /// @param acknowledged as for NoteEmpty
    /// @return whether it can
    bool IsAnswer(const CsigRequestPlan& plan,
                  int64_t now,
                  std::optional<uint32_t> acknowledged) const;

    /// Take that the watched packet's tag got lost.
    /// @param plan what is asked for
    /// @param now the time, ns
    /// @param isSilent whether the packet got lost, too
    void Strike(const CsigRequestPlan& plan, int64_t now, bool isSilent);

    uint8_t m_type;                                       //!< the signal type
    CsigCapability m_capability{CsigCapability::UNKNOWN}; //!< what is known
    bool m_isWatching{false};                             //!< whether a tagged packet is watched
    bool m_isSilent{false};   //!< whether the last watched packet got lost with its tag
    uint32_t m_watchedEnd{0}; //!< the end of the watched packet
    uint32_t m_others{0};     //!< reflections of other signals that answer that packet
    uint32_t m_strikes{0};    //!< tags in a row that got lost
    uint32_t m_vainTrials{0}; //!< in a row, of which nothing came back
    int64_t m_watchedTime{0}; //!< when the watched packet was sent, ns
    int64_t m_stopTime{0};    //!< when the signal was no longer asked for, ns
};

/// @ingroup aidc
/// Get what is known of a path by what is known of it as to the signals that are asked for.
/// @param watches the signals
/// @return capable if it is of any signal, not capable if it is of none
CsigCapability GetCsigCapability(const std::vector<CsigPathWatch>& watches);

} // namespace ns3::aidc

#endif // AIDC_CSIG_PATH_WATCH_H

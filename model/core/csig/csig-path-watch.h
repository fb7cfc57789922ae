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

/// Which signals senders request, and when they give up. The same for all flows of a host.
struct CsigRequestPlan
{
    std::vector<uint8_t> types{0}; //!< the signal types to ask for in turn, at least one
    uint32_t period{1};            //!< one in this number of packets is tagged, at least 1
    uint32_t patience{3};          //!< unanswered tags in a row after which to stop
    /// A tag is lost after so many reflections of other signals, times the number of types.
    uint32_t maxOthers{1};
    int64_t retryInterval{100'000'000}; //!< time after which to try again, ns
    /// The latest time of an answer, ns; used if the transport has no positions.
    int64_t reflectionDelay{1'000'000};
};

/// The capability of a flow's path, as its sender knows it (section 6.3.3).
enum class CsigCapability : uint8_t
{
    UNKNOWN,    //!< nothing was reflected yet
    CAPABLE,    //!< tags arrive at the receiver
    NOT_CAPABLE //!< packets arrive without their tags, or not at all
};

/**
 * @brief Finds out whether a flow's path carries tags of a signal (section 6.3.3 of
 *        draft-ravi-ippm-csig-01), by watching one tagged packet at a time.
 *
 * Positions wrap around as TCP's sequence numbers do.
 */
class CsigPathWatch
{
  public:
    /// Constructor. @param type the signal type
    explicit CsigPathWatch(uint8_t type);

    /// Get the signal.
    uint8_t GetType() const
    {
        return m_type;
    }

    /// @return the capability of the path, as far as it is known
    CsigCapability GetCapability() const
    {
        return m_capability;
    }

    /// Tell whether the signal may be asked for. now: the time, ns. @return whether it may
    bool IsDue(const CsigRequestPlan& plan, int64_t now) const;

    /// Note that a packet requests the signal. now: the time, ns; end: position of the
    /// packet's end; any number for a transport without positions.
    void NoteRequest(const CsigRequestPlan& plan, int64_t now, uint32_t end);

    /// Note a packet that is sent again, and without a tag. now: the time, ns; size: how
    /// many positions it takes; 0 if it only acknowledges; end: position of its end.
    void NoteRepeat(const CsigRequestPlan& plan, int64_t now, uint32_t size, uint32_t end);

    /// Note a valid reflection of the signal.
    void NoteSignal();

    /// Note a reflection of another signal. now: the time, ns; acknowledged: as for
    /// NoteEmpty.
    void NoteOther(const CsigRequestPlan& plan, int64_t now, std::optional<uint32_t> acknowledged);

    /// Note that packets arrived without a tag. now: the time, ns; acknowledged: the position
    /// up to which the receiver has everything; none if the transport has no positions.
    void NoteEmpty(const CsigRequestPlan& plan, int64_t now, std::optional<uint32_t> acknowledged);

    /// Stop watching, because a new connection begins.
    void Restart()
    {
        m_isWatching = false;
    }

  private:
    /// Tell whether a reflection can answer the watched packet.
    bool IsAnswer(const CsigRequestPlan& plan,
                  int64_t now,
                  std::optional<uint32_t> acknowledged) const;

    /// Note that the watched packet's tag was lost.
    void Strike(const CsigRequestPlan& plan, int64_t now, bool isSilent);

    uint8_t m_type;                                       //!< the signal type
    CsigCapability m_capability{CsigCapability::UNKNOWN}; //!< the capability
    bool m_isWatching{false};                             //!< whether a tagged packet is watched
    bool m_isSilent{false};   //!< whether the last watched packet was lost with its tag
    uint32_t m_watchedEnd{0}; //!< the end of the watched packet
    uint32_t m_others{0};     //!< reflections of other signals that answer that packet
    uint32_t m_strikes{0};    //!< tags in a row that were lost
    uint32_t m_vainTrials{0}; //!< trials in a row without a reflection
    int64_t m_watchedTime{0}; //!< when the watched packet was sent, ns
    int64_t m_stopTime{0};    //!< when requests for the signal stopped, ns
};

/// Get the capability of a path from its capability for each requested signal.
/// @param watches the signals
/// @return CAPABLE if it is for any signal, NOT_CAPABLE if it is for none
CsigCapability GetCsigCapability(const std::vector<CsigPathWatch>& watches);

} // namespace ns3::aidc

#endif // AIDC_CSIG_PATH_WATCH_H

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_REQUESTER_H
#define AIDC_CSIG_REQUESTER_H

#include "csig-fields.h"

#include <array>
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

/// Finds out whether a flow's path carries tags of a signal (section 6.3.3 of
/// draft-ravi-ippm-csig-01), by watching one tagged packet at a time. Positions wrap around as
/// TCP's sequence numbers do.
class CsigPathWatch
{
  public:
    /// Constructor. type: the signal type.
    explicit CsigPathWatch(uint8_t type)
        : m_type(type)
    {
    }

    /// @return the signal type
    uint8_t GetType() const
    {
        return m_type;
    }

    /// @return the capability of the path, as far as it is known
    CsigCapability GetCapability() const
    {
        return m_capability;
    }

    /// @return whether the signal may be asked for now, ns
    bool IsDue(const CsigRequestPlan& plan, int64_t now) const;

    /// Note that a packet requests the signal. now: the time, ns; end: position of the
    /// packet's end; any number for a transport without positions.
    void NoteRequest(const CsigRequestPlan& plan, int64_t now, uint32_t end);

    /// As CsigPathWatches::NoteRepeat().
    void NoteRepeat(const CsigRequestPlan& plan, int64_t now, uint32_t size, uint32_t end);
    /// As CsigPathWatches::NoteSignal().
    void NoteSignal();
    /// As CsigPathWatches::NoteOther().
    void NoteOther(const CsigRequestPlan& plan, int64_t now, std::optional<uint32_t> acknowledged);
    /// As CsigPathWatches::NoteEmpty().
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

/// The capability of a flow's path for signals, requested or reflected.
class CsigPathWatches
{
  public:
    /// @return the state of the path for a signal type, which is made if there is none
    CsigPathWatch& Get(uint8_t type);

    /// Note a packet that is sent again without a tag. For transports with positions. now:
    /// the time, ns; size: how many positions it takes; 0 if it only acknowledges.
    void NoteRepeat(const CsigRequestPlan& plan, int64_t now, uint32_t size, uint32_t end);

    /// Note that a new connection begins, whose positions are unrelated to earlier ones.
    void Restart();

    /// Note a valid reflection of a signal. Only a type that is watched counts.
    void NoteSignal(uint8_t type);

    /// Note a reflection of another signal. Signals that wait at the receiver take turns, so this
    /// can mean that packets arrived without a tag. type: the reflection's type; others: as for
    /// NoteEmpty.
    void NoteOther(const CsigRequestPlan& plan,
                   uint8_t type,
                   int64_t now,
                   std::optional<uint32_t> acknowledged);

    /// Note an empty reflection: packets arrived without a tag. now: the time, ns; acknowledged:
    /// the position up to which the receiver has everything; none if the transport has no
    /// positions.
    void NoteEmpty(const CsigRequestPlan& plan, int64_t now, std::optional<uint32_t> acknowledged);

    /// @return the capability of the path: CAPABLE if it is for any signal, NOT_CAPABLE if it is
    /// for none
    CsigCapability GetCapability() const;

    /// @return the capability of the path for a signal type
    CsigCapability GetCapability(uint8_t type) const;

  protected:
    std::vector<CsigPathWatch> m_watches; //!< by signal
};

/// A sender's memory of a flow: the signal to request next, the reflections, and whether the
/// path keeps tags (sections 4.3.3, 4.4.1 and 6.3.3 of draft-ravi-ippm-csig-01).
///
/// Devices on the path may strip the tags of all signals or of some. The receiver reports that
/// packets arrived without a tag, but it cannot know which of them were sent with one. So for each
/// signal the sender watches one tagged packet at a time. An empty reflection that acknowledges
/// this packet is a strike, and so is a reflection of other signals if this signal has had its turn
/// since. After a strike, the next packet with the signal is watched. One valid reflection of the
/// signal clears all strikes. After several strikes in a row, the path is not capable of the
/// signal, which is then requested only once after each interval.
///
/// A device without support may drop tagged packets (section 6.2.1), so that nothing is reflected.
/// Therefore packets that are sent again must have no tag. If the watched packet is sent again,
/// this is a strike, too. From then on, packets with the signal are sent one at a time until one is
/// answered, and the interval doubles with each trial in vain.
///
/// A transport with sequence numbers gives the position of a packet's end, and the position that a
/// reflection acknowledges. Without positions, a reflection counts if it comes later after the
/// tagged packet than the latest answer would (reflectionDelay).
class CsigRequester : public CsigPathWatches
{
  public:
    /// A signal that was reflected.
    struct Signal
    {
        CsigFields fields; //!< the data fields
        int64_t time;      //!< when they arrived, ns
    };

    /// Choose the signal that the next packet requests, and count the packet. now: the time, ns;
    /// end: position of the packet's end; any number for a transport without positions.
    /// @return the signal type; none if the packet has to go without a tag
    std::optional<uint8_t> NextPacket(const CsigRequestPlan& plan, int64_t now, uint32_t end);

    /// Note reflected fields. fields: the fields, each within its bits; now: the time, ns.
    void NoteSignal(const CsigFields& fields, int64_t now);

    /// @return the newest signal of a type; null if none was reflected
    const Signal* GetSignal(uint8_t type) const;

  private:
    /// Keep the state of the path for the signals of a plan, and for no others.
    void Follow(const CsigRequestPlan& plan);

    std::array<Signal, 16> m_signals{}; //!< the newest of each type
    uint16_t m_known{0};                //!< the types that were reflected, a bit each
    uint32_t m_untagged{0};             //!< packets until the next one is tagged
    uint32_t m_turn{0};                 //!< the next type's index in the plan
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_REQUESTER_H

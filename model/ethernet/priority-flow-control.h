// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PRIORITY_FLOW_CONTROL_H
#define AIDC_PRIORITY_FLOW_CONTROL_H

#include "../core/ethernet/mac-control.h"
#include "ethernet-port-hooks.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::aidc
{

class PausableClasses;

/// The counters of a port's PAUSE and priority flow control.
struct PriorityFlowControlStatistics
{
    /// Counters of a priority. A frame for several priorities counts for each of them.
    struct Priority
    {
        uint64_t sentXoff{0};     //!< frames sent to stop it, repetitions included
        uint64_t sentXon{0};      //!< frames sent to resume it
        uint64_t receivedXoff{0}; //!< PFC frames received that stop it
        uint64_t receivedXon{0};  //!< PFC frames received that resume it
        uint64_t pauses{0};       //!< times that it was stopped, by PFC or PAUSE
        uint64_t storms{0};       //!< times that the watchdog has found a storm
        Time paused;              //!< how long it was stopped, by PFC or PAUSE
    };

    std::array<Priority, PFC_PRIORITIES> priorities; //!< by priority
    uint64_t sentPause{0};                           //!< PAUSE frames sent
    uint64_t receivedPause{0};                       //!< PAUSE frames received
    uint64_t unknown{0}; //!< frames received that are neither PFC nor PAUSE
};

/// PAUSE (IEEE 802.3, Annex 31B) and priority flow control (IEEE 802.1Qbb, now IEEE 802.1Q,
/// clause 36) of an EthernetNetDevice, to which it is aggregated.
///
/// Sending: SetXoff() makes the peer pause or resume a priority. The frame is sent before all
/// queued packets. While the priority stays paused, the frame is repeated before its quanta expire.
/// A frame with 0 quanta makes the peer resume.
///
/// Receiving: a frame pauses a priority, that is, the class of this number in the port's root queue
/// disc and in its frame source. The class resumes when the quanta have passed or a frame with 0
/// quanta arrives. A frame that is being sent is finished. PAUSE pauses all classes, and so does a
/// PFC frame with all priorities. A link has either PFC or PAUSE: a port counts and ignores frames
/// of the kind that is not its Mode.
///
/// A watchdog may guard the paused classes against storms (PauseWatchdog).
///
/// Not modeled: negotiation (DCBX), the delays of MAC and PHY.
class PriorityFlowControl : public EthernetMacControl
{
  public:
    /// What to send.
    enum Mode
    {
        PFC,  //!< frames that pause some priorities
        PAUSE //!< frames that pause all
    };

    /// What the watchdog does with a class during a storm of pauses.
    enum WatchdogAction
    {
        DROP,    //!< drops its packets, queued and new
        FORWARD, //!< sends them in spite of the pause
        ALERT    //!< only reports the storm
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// Become the MAC control of a port, and part of it. @param device the port
    void Install(Ptr<EthernetNetDevice> device);

    /// Make the peer pause or resume a priority. @param priority the priority, 0 to 7
    /// @param xoff true to pause
    void SetXoff(uint32_t priority, bool xoff);

    /// Tell whether the peer has paused a priority. @param priority the priority, 0 to 7
    /// @return true if it has, even if the watchdog overrides it
    bool IsPaused(uint32_t priority) const
    {
        return m_pauses.at(priority).isPaused;
    }

    /// Tell whether the watchdog has found a storm. @param priority the priority, 0 to 7
    /// @return true until it is over
    bool IsStormed(uint32_t priority) const
    {
        return m_pauses.at(priority).dog.IsStormed();
    }

    /// @return the statistics; their paused time does not include pauses that still last
    const PriorityFlowControlStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    // From EthernetMacControl
    bool Receive(EthernetNetDevice& device,
                 const Ptr<const Packet>& payload,
                 const EthernetFields& fields) override;
    bool TakeFrame(EthernetNetDevice& device, MacControlFrame& frame) override;

    /// TracedCallback signature for a MAC control frame. @param [in] frame the frame
    typedef void (*FrameTracedCallback)(const MacControlFrame& frame);

    /// TracedCallback signature for a priority that the peer pauses or resumes.
    /// @param [in] priority the priority
    /// @param [in] isPaused true if it is paused
    typedef void (*PausedTracedCallback)(uint32_t priority, bool isPaused);

    /// TracedCallback signature for what the watchdog has found. @param [in] priority the priority
    /// @param [in] event STORM or RESTORED
    typedef void (*WatchdogTracedCallback)(uint32_t priority, PauseWatchdogEvent event);

  protected:
    void DoDispose() override;

  private:
    /// The state of a priority that the peer can pause.
    struct Pause
    {
        bool isPaused{false}; //!< whether the peer has paused it
        Time since;           //!< since when
        EventId start;        //!< when the class stops, after the response time
        EventId end;          //!< when its quanta have passed
        PauseWatchdog dog;    //!< looks after the class
        EventId look;         //!< when the watchdog looks
    };

    /// Find what has a class of this number that can be paused: the root queue disc, the frame
    /// source, or both.
    std::vector<PausableClasses*> FindClasses(uint32_t priority) const;

    /// Pause and resume as a frame says. @param frame the frame
    void Obey(const MacControlFrame& frame);

    /// Pause or resume a priority. quanta: for how long, 0 to resume.
    void SetPause(uint32_t priority, uint16_t quanta);

    /// Set whether the peer has paused a priority.
    void SetPaused(uint32_t priority, bool isPaused);

    /// Stop the class of a priority or let it send, by the pause and the watchdog.
    void Apply(uint32_t priority);

    /// Have the watchdog look at a priority. @param priority the priority
    void Look(uint32_t priority);

    /// React to what the watchdog has found.
    void React(uint32_t priority, PauseWatchdogEvent event);

    /// Repeat the last frame, before its quanta expire.
    void Refresh();

    /// The link has come up or gone down.
    void NotifyLinkChange();

    /// Get the time that pause quanta take on this link.
    Time GetDuration(uint16_t quanta) const;

    EthernetNetDevice* m_device{nullptr};             //!< the port, to which this is aggregated
    Mode m_mode;                                      //!< attribute Mode
    uint8_t m_priorities;                             //!< attribute Priorities
    uint16_t m_quanta;                                //!< attribute PauseQuanta
    double m_refreshFraction;                         //!< attribute RefreshFraction
    Time m_responseTime;                              //!< attribute ResponseTime
    Time m_detectionTime;                             //!< attribute DetectionTime
    Time m_restorationTime;                           //!< attribute RestorationTime
    WatchdogAction m_action;                          //!< attribute WatchdogAction
    uint8_t m_xoff{0};                                //!< the priorities that the peer is to pause
    uint8_t m_told{0};                                //!< the priorities that the last frame paused
    bool m_isRefreshDue{false};                       //!< whether to repeat the last frame
    EventId m_refresh;                                //!< when to repeat it
    std::array<Pause, PFC_PRIORITIES> m_pauses;       //!< the state of each priority
    PriorityFlowControlStatistics m_statistics;       //!< the statistics
    TracedCallback<const MacControlFrame&> m_txTrace; //!< trace Tx
    TracedCallback<const MacControlFrame&> m_rxTrace; //!< trace Rx
    TracedCallback<uint32_t, bool> m_pausedTrace;     //!< trace Paused
    TracedCallback<uint32_t, PauseWatchdogEvent> m_watchdogTrace; //!< trace Watchdog
};

} // namespace ns3::aidc

#endif // AIDC_PRIORITY_FLOW_CONTROL_H

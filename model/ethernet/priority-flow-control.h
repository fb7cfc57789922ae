/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PRIORITY_FLOW_CONTROL_H
#define AIDC_PRIORITY_FLOW_CONTROL_H

#include "../core/ethernet/mac-control.h"
#include "../core/ethernet/pause-watchdog.h"
#include "ethernet-port-hooks.h"
#include "priority-flow-control-statistics.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::aidc
{

class PausableClasses;

/**
 * @ingroup aidc
 * @brief PAUSE (IEEE 802.3, Annex 31B) and priority flow control (IEEE 802.1Qbb, now IEEE 802.1Q,
 *        clause 36) of an EthernetNetDevice, to which it is aggregated.
 *
 * Sending: SetXoff() has the peer pause or resume a priority. The frame is sent before all queued
 * packets. While the peer is to pause, the frame is repeated before its quanta expire; then a frame
 * with 0 quanta has the peer resume.
 *
 * Receiving: a frame pauses the class of the port's root queue disc, and of its frame source, that
 * has the number of the priority. The class resumes when the quanta have passed or a frame with 0
 * quanta arrives. A frame that is being sent is finished. PAUSE pauses all classes, and so does a
 * PFC frame with all priorities. A link has either PFC or PAUSE: a port counts frames of the kind
 * that is not its Mode, and ignores them.
 *
 * A watchdog may guard the paused classes against storms (PauseWatchdog).
 *
 * Not modeled: negotiation (DCBX), the delays of MAC and PHY.
 */
class PriorityFlowControl : public EthernetMacControl
{
  public:
    /// What to send.
    enum Mode
    {
        PFC,  //!< frames that pause some priorities
        PAUSE //!< frames that pause all
    };

    /// What the watchdog does with a class that is paused by a storm.
    enum WatchdogAction
    {
        DROP,    //!< drops its packets, queued and new
        FORWARD, //!< sends it in spite of the pause
        ALERT    //!< reports it only
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// Become the MAC control of a port, and part of it. @param device the port
    void Install(Ptr<EthernetNetDevice> device);

    /// Have the peer stop a priority, or let it go on. @param priority the priority, 0 to 7
    /// @param xoff true if it is to stop
    void SetXoff(uint32_t priority, bool xoff);

    /// Tell whether the peer wants a priority to be stopped. @param priority the priority, 0 to 7
    /// @return true if it does, even if the watchdog does not obey
    bool IsPaused(uint32_t priority) const;

    /// Tell whether the watchdog has found a storm. @param priority the priority, 0 to 7
    /// @return true until it is over
    bool IsStormed(uint32_t priority) const;

    /// @return the statistics, of which the time paused is that of pauses that are over
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
    /// What the peer wants of a priority.
    struct Pause
    {
        bool isPaused{false}; //!< whether it is to be stopped
        Time since;           //!< since when
        EventId start;        //!< when it will be stopped, after the response time
        EventId end;          //!< when its quanta have passed
        PauseWatchdog dog;    //!< looks after the class
        EventId look;         //!< when the watchdog looks
    };

    /// Find the owners of the port's class of a number that can be paused: the root queue disc, the
    /// frame source, or both.
    std::vector<PausableClasses*> FindClasses(uint32_t priority) const;

    /// Do what a frame says. @param frame the frame
    void Obey(const MacControlFrame& frame);

    /// Stop a priority, or let it go on. @param priority the priority
    /// @param quanta for how long, 0 to let it go on
    void SetPause(uint32_t priority, uint16_t quanta);

    /// Note what the peer wants of a priority. @param priority the priority
    /// @param isPaused whether it is to be stopped
    void SetPaused(uint32_t priority, bool isPaused);

    /// Stop the class of a priority or let it go on, as the peer and the watchdog want it.
    /// @param priority the priority
    void Apply(uint32_t priority);

    /// Have the watchdog look at a priority. @param priority the priority
    void Look(uint32_t priority);

    /// Do what the watchdog's finding asks for. @param priority the priority
    /// @param event what it has found
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
    uint8_t m_told{0};                                //!< those that the last frame paused
    bool m_isRefreshDue{false};                       //!< whether to repeat the last frame
    EventId m_refresh;                                //!< when to repeat it
    std::array<Pause, PFC_PRIORITIES> m_pauses;       //!< what the peer paused, by priority
    PriorityFlowControlStatistics m_statistics;       //!< the statistics
    TracedCallback<const MacControlFrame&> m_txTrace; //!< trace Tx
    TracedCallback<const MacControlFrame&> m_rxTrace; //!< trace Rx
    TracedCallback<uint32_t, bool> m_pausedTrace;     //!< trace Paused
    TracedCallback<uint32_t, PauseWatchdogEvent> m_watchdogTrace; //!< trace Watchdog
};

} // namespace ns3::aidc

#endif // AIDC_PRIORITY_FLOW_CONTROL_H

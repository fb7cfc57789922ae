// SPDX-License-Identifier: GPL-2.0-only

#include "priority-flow-control.h"

#include "../aidc-compat.h"
#include "../core/ethernet/mac-control.h"
#include "../core/never.h"
#include "../core/require-argument.h"
#include "ethernet-net-device.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/queue-disc.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcPriorityFlowControl");

NS_OBJECT_ENSURE_REGISTERED(PriorityFlowControl);

TypeId
PriorityFlowControl::GetTypeId()
{
    using C = PriorityFlowControl;
    static TypeId tid =
        TypeId("ns3::aidc::PriorityFlowControl")
            .SetParent<EthernetMacControl>()
            .SetGroupName("Aidc")
            .AddConstructor<PriorityFlowControl>()
            .AddAttribute("Mode",
                          "The kind of frames that stop the peer and that this port obeys: Pfc, by "
                          "priority, or Pause, for all. Frames of the other kind are only counted.",
                          EnumValue(PFC),
                          MakeEnumAccessorFor<Mode>(&C::m_mode),
                          MakeEnumChecker(PFC, "Pfc", PAUSE, "Pause"))
            .AddAttribute("Priorities",
                          "The priorities with PFC, the sum of 2^p for each priority p: pauses "
                          "of other priorities are not obeyed.",
                          UintegerValue(255),
                          MakeUintegerAccessor(&C::m_priorities),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("PauseQuanta",
                          "How long the peer is stopped by a frame, in quanta of 512 bit times.",
                          UintegerValue(65535),
                          MakeUintegerAccessor(&C::m_quanta),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("RefreshFraction",
                          "The part of the quanta after which a frame is repeated.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&C::m_refreshFraction),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("ResponseTime",
                          "Time from a frame's reception until it stops a class. Quanta count from "
                          "the reception.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&C::m_responseTime),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("DetectionTime",
                          "How long a class that has packets may be stopped before the watchdog "
                          "declares a storm; 0 is no watchdog.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&C::m_detectionTime),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("RestorationTime",
                          "How long there must have been no pause for a storm to be over; 0 is as "
                          "long as DetectionTime.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&C::m_restorationTime),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("WatchdogAction",
                          "How a class is treated in a storm: its packets are dropped or "
                          "forwarded in spite of the pause, or there is only an alert.",
                          EnumValue(DROP),
                          MakeEnumAccessorFor<WatchdogAction>(&C::m_action),
                          MakeEnumChecker(DROP, "Drop", FORWARD, "Forward", ALERT, "Alert"))
            .AddTraceSource("Tx",
                            "A frame is sent.",
                            MakeTraceSourceAccessor(&C::m_txTrace),
                            "ns3::aidc::PriorityFlowControl::FrameTracedCallback")
            .AddTraceSource("Rx",
                            "A frame has been received.",
                            MakeTraceSourceAccessor(&C::m_rxTrace),
                            "ns3::aidc::PriorityFlowControl::FrameTracedCallback")
            .AddTraceSource("Paused",
                            "The peer stops a priority or lets it go on.",
                            MakeTraceSourceAccessor(&C::m_pausedTrace),
                            "ns3::aidc::PriorityFlowControl::PausedTracedCallback")
            .AddTraceSource("Watchdog",
                            "The watchdog has found a storm, or the end of one.",
                            MakeTraceSourceAccessor(&C::m_watchdogTrace),
                            "ns3::aidc::PriorityFlowControl::WatchdogTracedCallback");
    return tid;
}

void
PriorityFlowControl::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_refresh.Cancel();
    for (auto& pause : m_pauses)
    {
        pause.start.Cancel();
        pause.end.Cancel();
        pause.look.Cancel();
    }
    m_device = nullptr;
    EthernetMacControl::DoDispose();
}

void
PriorityFlowControl::Install(Ptr<EthernetNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    AIDC_REFUSED_IF(m_device, "PriorityFlowControl serves one port");
    AIDC_REFUSED_IF(device->GetMacControl(), "The port has MAC control already");
    m_device = PeekPointer(device);
    device->SetMacControl(this);
    device->AddLinkChangeCallback(MakeCallback(&PriorityFlowControl::NotifyLinkChange, this));
    device->AggregateObject(this);
}

Time
PriorityFlowControl::GetDuration(uint16_t quanta) const
{
    return TimeStep(PauseQuantaToTicks(quanta,
                                       m_device->GetDataRate().GetBitRate(),
                                       static_cast<uint64_t>(Seconds(1).GetTimeStep())));
}

// Sending

void
PriorityFlowControl::SetXoff(uint32_t priority, bool xoff)
{
    NS_LOG_FUNCTION(this << priority << xoff);
    AIDC_REFUSED_IF(priority >= PFC_PRIORITIES, "There is no priority " << priority);
    const auto bit = static_cast<uint8_t>(1U << priority);
    m_xoff = static_cast<uint8_t>(xoff ? m_xoff | bit : m_xoff & ~bit);
    if (m_xoff != m_told && m_device)
    {
        m_device->RequestControl();
    }
}

bool
PriorityFlowControl::TakeFrame(EthernetNetDevice&, MacControlFrame& frame)
{
    const auto changed = static_cast<uint8_t>(m_xoff ^ m_told);
    if (changed == 0 && !m_isRefreshDue)
    {
        return false; // what was to be said has been revoked meanwhile
    }
    frame = MacControlFrame();
    if (m_mode == PAUSE)
    {
        frame.opcode = MacControlOpcode::PAUSE;
        frame.quanta[0] = m_xoff != 0 ? m_quanta : 0;
        ++m_statistics.sentPause;
    }
    else
    {
        frame.enabled = m_xoff | changed;
    }
    for (uint32_t i = 0; i < PFC_PRIORITIES; ++i)
    {
        const bool xoff = ((m_xoff >> i) & 1U) != 0;
        if (((frame.enabled >> i) & 1U) != 0)
        {
            frame.quanta[i] = xoff ? m_quanta : 0;
            ++(xoff ? m_statistics.priorities[i].sentXoff : m_statistics.priorities[i].sentXon);
        }
    }
    m_told = m_xoff;
    m_isRefreshDue = false;
    m_refresh.Cancel();
    if (m_xoff != 0)
    {
        m_refresh = Simulator::Schedule(GetDuration(m_quanta) * m_refreshFraction,
                                        &PriorityFlowControl::Refresh,
                                        this);
    }
    m_txTrace(frame);
    return true;
}

void
PriorityFlowControl::Refresh()
{
    m_isRefreshDue = true;
    m_device->RequestControl();
}

// Receiving

std::vector<PausableClasses*>
PriorityFlowControl::FindClasses(uint32_t priority) const
{
    std::vector<PausableClasses*> found;
    for (auto* classes : {dynamic_cast<PausableClasses*>(PeekPointer(m_device->GetQueueDisc())),
                          dynamic_cast<PausableClasses*>(PeekPointer(m_device->GetFrameSource()))})
    {
        if (classes && priority < classes->GetNClasses())
        {
            found.push_back(classes);
        }
    }
    return found;
}

bool
PriorityFlowControl::Receive(EthernetNetDevice&,
                             const Ptr<const Packet>& payload,
                             const EthernetFields&)
{
    if (!m_device)
    {
        return false; // disposed of
    }
    std::array<uint8_t, MAC_CONTROL_PAYLOAD_SIZE> bytes;
    const uint32_t size = payload->CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
    MacControlFrame frame;
    if (DecodeMacControl(bytes.data(), size, frame) != MacControlResult::OK)
    {
        ++m_statistics.unknown;
        return false;
    }
    m_rxTrace(frame);
    const bool isPause = frame.opcode == MacControlOpcode::PAUSE;
    if (isPause)
    {
        ++m_statistics.receivedPause;
        frame.enabled = 0xff;
        frame.quanta.fill(frame.quanta[0]);
    }
    else
    {
        for (uint32_t i = 0; i < PFC_PRIORITIES; ++i)
        {
            if (((frame.enabled >> i) & 1U) != 0)
            {
                auto& counters = m_statistics.priorities[i];
                ++(frame.quanta[i] > 0 ? counters.receivedXoff : counters.receivedXon);
            }
        }
        frame.enabled &= m_priorities;
    }
    // A link has PFC or PAUSE, never both.
    if (isPause == (m_mode == PAUSE))
    {
        Obey(frame);
    }
    return true;
}

void
PriorityFlowControl::Obey(const MacControlFrame& frame)
{
    // From the highest, which is to send first when all may go on at once.
    for (uint32_t i = PFC_PRIORITIES; i-- > 0;)
    {
        if (((frame.enabled >> i) & 1U) != 0)
        {
            SetPause(i, frame.quanta[i]);
        }
    }
}

void
PriorityFlowControl::SetPause(uint32_t priority, uint16_t quanta)
{
    // IEEE 802.3, Annex 31B.3: the timer is set when a frame is received; the response delays the
    // stop, which may thus come after the end.
    auto& pause = m_pauses[priority];
    pause.end.Cancel();
    if (quanta == 0)
    {
        SetPaused(priority, false);
        return;
    }
    pause.end = Simulator::Schedule(GetDuration(quanta),
                                    &PriorityFlowControl::SetPaused,
                                    this,
                                    priority,
                                    false);
    if (m_responseTime.IsZero())
    {
        SetPaused(priority, true);
    }
    else if (!pause.isPaused && pause.start.IsExpired())
    {
        pause.start = Simulator::Schedule(m_responseTime,
                                          &PriorityFlowControl::SetPaused,
                                          this,
                                          priority,
                                          true);
    }
}

void
PriorityFlowControl::SetPaused(uint32_t priority, bool isPaused)
{
    auto& pause = m_pauses[priority];
    pause.start.Cancel();
    if (pause.isPaused == isPaused)
    {
        return;
    }
    const Time now = Simulator::Now();
    auto& counters = m_statistics.priorities[priority];
    if (isPaused)
    {
        ++counters.pauses;
    }
    else
    {
        counters.paused += now - pause.since;
    }
    pause.isPaused = isPaused;
    pause.since = now;
    m_pausedTrace(priority, isPaused);
    Look(priority);
    Apply(priority);
}

void
PriorityFlowControl::Apply(uint32_t priority)
{
    const auto& pause = m_pauses[priority];
    const bool isIgnored = pause.dog.IsStormed() && m_action == FORWARD;
    for (auto* classes : FindClasses(priority))
    {
        classes->SetPaused(priority, pause.isPaused && !isIgnored);
    }
}

// Watchdog

void
PriorityFlowControl::Look(uint32_t priority)
{
    auto& pause = m_pauses[priority];
    const auto found =
        m_detectionTime.IsZero() ? std::vector<PausableClasses*>() : FindClasses(priority);
    if (found.empty())
    {
        return;
    }
    PausedQueueView view;
    view.paused = pause.isPaused;
    for (const auto* classes : found)
    {
        view.waiting = view.waiting || classes->IsWaiting(priority);
        view.sent += classes->GetSent(priority);
    }
    const Time restoration = m_restorationTime.IsZero() ? m_detectionTime : m_restorationTime;
    pause.dog.SetTimes(m_detectionTime.GetTimeStep(), restoration.GetTimeStep());
    const int64_t now = Simulator::Now().GetTimeStep();
    const PauseWatchdogEvent event = pause.dog.Observe(now, view);
    pause.look.Cancel();
    if (pause.dog.GetDeadline() != NEVER)
    {
        pause.look = Simulator::Schedule(TimeStep(pause.dog.GetDeadline() - now),
                                         &PriorityFlowControl::Look,
                                         this,
                                         priority);
    }
    if (event != PauseWatchdogEvent::NONE)
    {
        React(priority, event);
    }
}

void
PriorityFlowControl::React(uint32_t priority, PauseWatchdogEvent event)
{
    const bool isStorm = event == PauseWatchdogEvent::STORM;
    NS_LOG_WARN("At " << Simulator::Now().As(Time::US) << ", port " << m_device->GetIfIndex()
                      << " of node " << m_device->GetNode()->GetId() << ": priority " << priority
                      << (isStorm ? " is stopped by a storm of pauses or a deadlock"
                                  : " is restored after a storm of pauses"));
    m_statistics.priorities[priority].storms += isStorm;
    m_watchdogTrace(priority, event);
    if (m_action == DROP)
    {
        for (auto* classes : FindClasses(priority))
        {
            classes->SetDiscarding(priority, isStorm);
        }
    }
    Apply(priority);
}

void
PriorityFlowControl::NotifyLinkChange()
{
    // What either end was told is void once the link has been down.
    m_told = 0;
    m_isRefreshDue = false;
    if (m_device->IsLinkUp())
    {
        if (m_xoff != 0)
        {
            m_device->RequestControl();
        }
        return;
    }
    m_refresh.Cancel();
    for (uint32_t i = 0; i < PFC_PRIORITIES; ++i)
    {
        SetPause(i, 0);
    }
}

} // namespace ns3::aidc

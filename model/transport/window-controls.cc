// SPDX-License-Identifier: GPL-2.0-only

#include "window-controls.h"

#include "../aidc-compat.h"
#include "../attribute-accessors.h"
#include "../core/require-argument.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcWindowControls");

NS_OBJECT_ENSURE_REGISTERED(SwiftControl);

namespace
{

/// The largest window is at least so many packets.
constexpr double MANY_PACKETS = 256;

/// N of the paper's W_AI for CSIG, how many flows share a link.
constexpr double MANY_FLOWS = 50;

} // namespace

TypeId
SwiftControl::GetTypeId()
{
    using C = SwiftControl;
    using S = SwiftWindow::Settings;
    static TypeId tid =
        TypeId("ns3::aidc::SwiftControl")
            .SetParent<JumpStartControl>()
            .SetGroupName("Aidc")
            .AddConstructor<SwiftControl>()
            .AddAttribute("GoverningDelay",
                          "The delay that governs the fabric's window: RoundTrip, the round-trip "
                          "time less the part of the end hosts, or HopDelay, CSIG's max(PD).",
                          EnumValue(ROUND_TRIP),
                          MakeEnumAccessorFor<Delay>(&C::m_delay),
                          MakeEnumChecker(ROUND_TRIP, "RoundTrip", HOP_DELAY, "HopDelay"))
            .AddAttribute("BaseTarget",
                          "Base target of the fabric's delay in a round trip; 0 is 20 us (htsim), "
                          "or 1.25 times the idle round-trip time if that is more (our choice).",
                          TimeValue(Time(0)),
                          MakeSettingsAccessor<TimeValue>(&C::m_settings, &S::baseTarget),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("PerHopTarget",
                          "What each router on the way adds to the target. Default of htsim: "
                          "20 us / 6.55.",
                          TimeValue(NanoSeconds(3053)),
                          MakeSettingsAccessor<TimeValue>(&C::m_settings, &S::hopTarget),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ScalingRange",
                          "Most that a small window adds to the target. Default of htsim: 5 times "
                          "20 us.",
                          TimeValue(MicroSeconds(100)),
                          MakeSettingsAccessor<TimeValue>(&C::m_settings, &S::scalingRange),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ScalingMin",
                          "Window in packets at and below which all of ScalingRange is added; "
                          "below ScalingMax. Default of htsim.",
                          DoubleValue(S().scalingMin),
                          MakeSettingsAccessor<DoubleValue>(&C::m_settings, &S::scalingMin),
                          MakeDoubleChecker<double>(1e-6, 1e9))
            .AddAttribute("ScalingMax",
                          "Window in packets at and above which nothing is added. Default of "
                          "htsim.",
                          DoubleValue(S().scalingMax),
                          MakeSettingsAccessor<DoubleValue>(&C::m_settings, &S::scalingMax),
                          MakeDoubleChecker<double>(1e-6, 1e9))
            .AddAttribute("HopDelayTarget",
                          "Target of max(PD). Our choice: about half of BaseTarget.",
                          TimeValue(MicroSeconds(10)),
                          MakeSettingsAccessor<TimeValue>(&C::m_settings, &S::hopDelayTarget),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("LeastIncrease",
                          "With max(PD), the part of AdditiveIncrease by which a window grows near "
                          "HopDelayTarget; below, it is the distance to it as a part of it, if "
                          "that is more. 1 is Swift's constant increase. Our choice.",
                          DoubleValue(0.25),
                          MakeSettingsAccessor<DoubleValue>(&C::m_settings, &S::leastIncrease),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("EndpointTarget",
                          "Target of the end hosts' delay. Our choice: the paper has a fixed one.",
                          TimeValue(MicroSeconds(100)),
                          MakeSettingsAccessor<TimeValue>(&C::m_settings, &S::endpointTarget),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("EndpointGain",
                          "Weight of a new value in the average of the end hosts' delay, 1 for no "
                          "average. Our choice: as for TCP's round-trip time.",
                          DoubleValue(0.125),
                          MakeSettingsAccessor<DoubleValue>(&C::m_settings, &S::endpointGain),
                          MakeDoubleChecker<double>(1e-6, 1))
            .AddAttribute("AdditiveIncrease",
                          "Packets by which a window below its target grows in a round trip. "
                          "Default of htsim.",
                          DoubleValue(S().additiveIncrease),
                          MakeSettingsAccessor<DoubleValue>(&C::m_settings, &S::additiveIncrease),
                          MakeDoubleChecker<double>(0, 1e6))
            .AddAttribute("Beta",
                          "Part of the excess delay by which a window is cut. Default of htsim.",
                          DoubleValue(S().beta),
                          MakeSettingsAccessor<DoubleValue>(&C::m_settings, &S::beta),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MaxDecrease",
                          "Largest part of a window that is cut at once. Default of htsim.",
                          DoubleValue(S().maxDecrease),
                          MakeSettingsAccessor<DoubleValue>(&C::m_settings, &S::maxDecrease),
                          MakeDoubleChecker<double>(0, 0.99))
            .AddAttribute("MinWindow",
                          "Least window in packets. Default of the paper.",
                          DoubleValue(S().minWindow),
                          MakeSettingsAccessor<DoubleValue>(&C::m_settings, &S::minWindow),
                          MakeDoubleChecker<double>(1e-6, 1e9))
            .AddAttribute("MaxWindow",
                          "Largest window in packets, at least MinWindow; 0 is what the line sends "
                          "in the sum of idle round-trip time, BaseTarget, ScalingRange and "
                          "HopDelayTarget, and at least 256 (our choice).",
                          DoubleValue(0),
                          MakeSettingsAccessor<DoubleValue>(&C::m_settings, &S::maxWindow),
                          MakeDoubleChecker<double>(0, 1e9))
            .AddAttribute("InitialWindow",
                          "Window in packets at the beginning; 0 is one bandwidth-delay product of "
                          "the line, or 10 packets with JumpStart or if the idle round-trip time "
                          "is not known (our choice).",
                          DoubleValue(0),
                          MakeDoubleAccessor(&C::m_initialWindow),
                          MakeDoubleChecker<double>(0, 1e9))
            .AddAttribute(
                "RetransmitLimit",
                "Number of timeouts, without an acknowledgment between them, that lead to "
                "MinWindow. Default of htsim.",
                UintegerValue(S().retransmitLimit),
                MakeSettingsAccessor<UintegerValue>(&C::m_settings, &S::retransmitLimit),
                MakeUintegerChecker<uint32_t>(1));
    return tid;
}

void
SwiftControl::Start(Time now, const Connection& connection)
{
    NS_LOG_FUNCTION(this << now << connection.lineRate);
    JumpStartControl::Start(now, connection);
    AIDC_REFUSED_IF(m_settings.scalingMin >= m_settings.scalingMax,
                    "SwiftControl: ScalingMin " << m_settings.scalingMin
                                                << " is not below ScalingMax "
                                                << m_settings.scalingMax);
    AIDC_REFUSED_IF(m_settings.maxWindow > 0 && m_settings.minWindow > m_settings.maxWindow,
                    "SwiftControl: MinWindow " << m_settings.minWindow << " is above MaxWindow "
                                               << m_settings.maxWindow);
    SwiftWindow::Settings settings = m_settings;
    settings.usesHopDelay = m_delay == HOP_DELAY;
    settings.initialRtt = connection.baseRtt.GetNanoSeconds();
    const auto baseRtt = static_cast<double>(settings.initialRtt);
    if (settings.baseTarget == 0)
    {
        settings.baseTarget = std::max(20000.0, 1.25 * baseRtt);
    }
    if (settings.maxWindow == 0)
    {
        const double duration =
            baseRtt + settings.baseTarget + settings.scalingRange + settings.hopDelayTarget;
        settings.maxWindow = std::max({MANY_PACKETS, settings.minWindow, GetLinePackets(duration)});
    }
    m_firstWindow = m_initialWindow;
    if (m_firstWindow == 0)
    {
        const bool hasProduct = !HasJumpStart() && !connection.baseRtt.IsZero();
        m_firstWindow = hasProduct ? GetLinePackets(baseRtt) : FEW_PACKETS;
    }
    m_swift.Start(settings, m_firstWindow, m_firstWindow);
    Refresh();
}

void
SwiftControl::BeginAnew()
{
    m_swift.Lower(m_firstWindow);
    Refresh();
}

void
SwiftControl::NotifyAcknowledgment(Time now, const Acknowledgment& acknowledgment)
{
    m_swift.NotifyAcknowledgment(now.GetNanoSeconds(),
                                 {acknowledgment.rtt.GetNanoSeconds(),
                                  acknowledgment.endpointDelay.GetNanoSeconds(),
                                  static_cast<double>(acknowledgment.nPackets),
                                  acknowledgment.nHops});
    Refresh();
}

void
SwiftControl::NotifySignal(Time, const CsigReading& reading)
{
    if (reading.signal == CsigSignal::HOP_DELAY)
    {
        m_swift.NotifyHopDelay(static_cast<int64_t>(reading.GetValue()));
    }
    else if (reading.signal == CsigSignal::ABW)
    {
        const auto& connection = GetConnection();
        const auto baseRtt = connection.baseRtt.GetNanoSeconds();
        const double nBytes = Jump(reading, baseRtt > 0 ? baseRtt : m_swift.GetRtt());
        if (nBytes > 0)
        {
            m_swift.Raise(nBytes / connection.packetSize);
            Refresh();
        }
    }
}

void
SwiftControl::NotifyLoss(Time now, bool isTimeout)
{
    NS_LOG_LOGIC("loss at a window of " << GetWindow(now) << " bytes"
                                        << (isTimeout ? ", timeout" : ""));
    m_swift.NotifyLoss(now.GetNanoSeconds(), isTimeout);
    Refresh();
}

double
SwiftControl::GetLinePackets(double duration) const
{
    const auto& connection = GetConnection();
    return static_cast<double>(connection.lineRate) * duration / 8e9 / connection.packetSize;
}

void
SwiftControl::Refresh()
{
    const auto& connection = GetConnection();
    const double packetSize = connection.packetSize;
    SetWindow(static_cast<uint64_t>(m_swift.GetInFlight() * packetSize));
    uint64_t rate = connection.lineRate;
    const double delay = m_swift.GetPacingDelay();
    if (delay > 0)
    {
        const auto pace = static_cast<uint64_t>(packetSize * 8e9 / delay);
        rate = std::clamp<uint64_t>(pace, 1, connection.lineRate);
    }
    SetRate(rate);
}

NS_OBJECT_ENSURE_REGISTERED(EcnWindowControl);

TypeId
EcnWindowControl::GetTypeId()
{
    using C = EcnWindowControl;
    using S = EcnWindow::Settings;
    static TypeId tid =
        TypeId("ns3::aidc::EcnWindowControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Aidc")
            .AddConstructor<EcnWindowControl>()
            .AddAttribute("EwmaGain",
                          "g, the gain of alpha, a share. Default of RFC 8257.",
                          DoubleValue(S().gain),
                          MakeSettingsAccessor<DoubleValue>(&C::m_settings, &S::gain),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("InitialAlpha",
                          "Alpha, a share, at the beginning. Default of RFC 8257.",
                          DoubleValue(S().initialAlpha),
                          MakeSettingsAccessor<DoubleValue>(&C::m_settings, &S::initialAlpha),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("InitialWindow",
                          "Window in packets at the beginning. Default of RFC 6928.",
                          DoubleValue(10),
                          MakeDoubleAccessor(&C::m_initialWindow),
                          MakeDoubleChecker<double>(1, 1e9))
            .AddAttribute("MinWindow",
                          "Least window in packets. Default of FlooredDctcp.",
                          DoubleValue(2),
                          MakeDoubleAccessor(&C::m_minWindow),
                          MakeDoubleChecker<double>(1, 1e9));
    return tid;
}

void
EcnWindowControl::Start(Time now, const Connection& connection)
{
    NS_LOG_FUNCTION(this << now << connection.lineRate);
    CongestionControl::Start(now, connection);
    EcnWindow::Settings settings = m_settings;
    settings.packetSize = connection.packetSize;
    settings.initialWindow = m_initialWindow * connection.packetSize;
    settings.minWindow = m_minWindow * connection.packetSize;
    m_law.Start(settings);
    SetWindow(static_cast<uint64_t>(m_law.GetWindow()));
}

void
EcnWindowControl::NotifyAcknowledgment(Time, const Acknowledgment& acknowledgment)
{
    m_law.NotifyAcknowledgment(acknowledgment.nBytes,
                               acknowledgment.nInFlight,
                               acknowledgment.isMarked);
    SetWindow(static_cast<uint64_t>(m_law.GetWindow()));
}

void
EcnWindowControl::NotifyLoss(Time, bool isTimeout)
{
    NS_LOG_LOGIC("loss at a window of " << m_law.GetWindow() << " bytes"
                                        << (isTimeout ? ", timeout" : ""));
    m_law.NotifyLoss(isTimeout);
    SetWindow(static_cast<uint64_t>(m_law.GetWindow()));
}

NS_OBJECT_ENSURE_REGISTERED(FixedWindowControl);

TypeId
FixedWindowControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::FixedWindowControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Aidc")
            .AddConstructor<FixedWindowControl>()
            .AddAttribute("Window",
                          "Bytes on the wire that may be in flight; 0 is what the line sends in "
                          "the idle round-trip time, or no limit if that is not known.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FixedWindowControl::m_size),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

void
FixedWindowControl::Start(Time now, const Connection& connection)
{
    NS_LOG_FUNCTION(this << now << connection.lineRate);
    CongestionControl::Start(now, connection);
    if (m_size > 0)
    {
        SetWindow(m_size);
    }
    else if (connection.baseRtt.IsStrictlyPositive())
    {
        const auto baseRtt = static_cast<double>(connection.baseRtt.GetNanoSeconds());
        SetWindow(static_cast<uint64_t>(static_cast<double>(connection.lineRate) * baseRtt / 8e9));
    }
}

NS_OBJECT_ENSURE_REGISTERED(HpccControl);

TypeId
HpccControl::GetTypeId()
{
    using C = HpccControl;
    using S = UtilizationWindow::Settings;
    static TypeId tid =
        TypeId("ns3::aidc::HpccControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Aidc")
            .AddConstructor<HpccControl>()
            .AddAttribute("Eta",
                          "The share of the busiest link's rate that is wanted. Default of the "
                          "paper.",
                          DoubleValue(S().eta),
                          MakeSettingsAccessor<DoubleValue>(&C::m_settings, &S::eta),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("MaxStage",
                          "Number of additive steps before one by utilization. Default of the "
                          "paper; the authors' simulator is configured with 0.",
                          UintegerValue(S().maxStage),
                          MakeSettingsAccessor<UintegerValue>(&C::m_settings, &S::maxStage),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("AdditiveIncrease",
                          "W_AI in bytes; 0 is the line's bandwidth-delay product times "
                          "(1 - Eta) / Flows (the paper).",
                          UintegerValue(0),
                          MakeSettingsAccessor<UintegerValue>(&C::m_settings, &S::additiveIncrease),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Flows",
                          "N of the paper, the number of flows that are expected to share a link; "
                          "of effect where AdditiveIncrease is 0. The default is our choice.",
                          UintegerValue(50),
                          MakeUintegerAccessor(&C::m_nFlows),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MinRate",
                          "The least rate, at least 1 bit/s, and the line rate if that is less. "
                          "Default of the authors' configuration.",
                          DataRateValue(DataRate("100Mbps")),
                          MakeDataRateAccessor(&C::m_minRate),
                          MakeDataRateChecker());
    return tid;
}

void
HpccControl::Start(Time now, const Connection& connection)
{
    NS_LOG_FUNCTION(this << now << connection.lineRate);
    CongestionControl::Start(now, connection);
    m_baseRtt = 0;
    m_counts = {};
    if (connection.baseRtt.IsStrictlyPositive())
    {
        Begin(connection.baseRtt.GetNanoSeconds());
    }
}

void
HpccControl::Begin(int64_t baseRtt)
{
    m_baseRtt = baseRtt;
    const auto lineRate = GetConnection().lineRate;
    m_hpcc.Start(
        UtilizationWindow::Derive(m_settings, lineRate, m_minRate.GetBitRate(), baseRtt, m_nFlows));
    SetPacedWindow(m_hpcc.GetWindows().GetWindow(), m_baseRtt);
}

void
HpccControl::NotifyAcknowledgment(Time, const Acknowledgment& acknowledgment)
{
    if (m_baseRtt == 0 && acknowledgment.rtt.IsStrictlyPositive())
    {
        Begin(acknowledgment.rtt.GetNanoSeconds());
    }
}

void
HpccControl::NotifyTelemetry(Time now, const Telemetry& telemetry)
{
    if (m_baseRtt == 0)
    {
        return;
    }
    const auto outcome = m_hpcc.NotifyReport(
        {now.GetNanoSeconds(), telemetry.acknowledged, telemetry.next, telemetry.header});
    ++m_counts[static_cast<std::size_t>(outcome)];
    NS_LOG_LOGIC("outcome " << static_cast<int>(outcome) << ", W "
                            << m_hpcc.GetWindows().GetWindow());
    SetPacedWindow(m_hpcc.GetWindows().GetWindow(), m_baseRtt);
}

NS_OBJECT_ENSURE_REGISTERED(CsigControl);

TypeId
CsigControl::GetTypeId()
{
    using C = CsigControl;
    using S = UtilizationWindow::Settings;
    static TypeId tid =
        TypeId("ns3::aidc::CsigControl")
            .SetParent<JumpStartControl>()
            .SetGroupName("Aidc")
            .AddConstructor<CsigControl>()
            .AddAttribute("Eta",
                          "The share of the busiest link's rate that is wanted. Default of HPCC's "
                          "paper.",
                          DoubleValue(S().eta),
                          MakeSettingsAccessor<DoubleValue>(&C::m_settings, &S::eta),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("MaxStage",
                          "Number of additive steps before one by utilization. Default of "
                          "HPCC's paper.",
                          UintegerValue(S().maxStage),
                          MakeSettingsAccessor<UintegerValue>(&C::m_settings, &S::maxStage),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("AdditiveIncrease",
                          "W_AI in bytes; 0 is the line's bandwidth-delay product times "
                          "(1 - Eta) / N (HPCC's paper) with N = 50 (our choice).",
                          UintegerValue(0),
                          MakeSettingsAccessor<UintegerValue>(&C::m_settings, &S::additiveIncrease),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("MinRate",
                          "The least rate, at least 1 bit/s, and the line rate if that is less. "
                          "Default of HPCC's simulator.",
                          DataRateValue(DataRate("100Mbps")),
                          MakeDataRateAccessor(&C::m_minRate),
                          MakeDataRateChecker())
            .AddAttribute("UseQueueDelay",
                          "Whether max(nQD) or max(PD), where there are such signals, add to the "
                          "utilization, as the queue does in HPCC's paper.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&C::m_usesQueueDelay),
                          MakeBooleanChecker())
            .AddAttribute("InitialWindow",
                          "Window in packets at the beginning; 0 is the line's bandwidth-delay "
                          "product (HPCC's paper), or 10 packets with JumpStart (our choice).",
                          DoubleValue(0),
                          MakeDoubleAccessor(&C::m_initialWindow),
                          MakeDoubleChecker<double>(0, 1e9));
    return tid;
}

void
CsigControl::Start(Time now, const Connection& connection)
{
    NS_LOG_FUNCTION(this << now << connection.lineRate);
    JumpStartControl::Start(now, connection);
    m_queueDelay = 0;
    m_lastQueueDelay = 0;
    m_baseRtt = 0;
    if (connection.baseRtt.IsStrictlyPositive())
    {
        Begin(connection.baseRtt.GetNanoSeconds());
    }
}

void
CsigControl::Begin(int64_t baseRtt)
{
    const auto& connection = GetConnection();
    m_baseRtt = baseRtt;
    m_rtt = baseRtt;
    const auto settings = UtilizationWindow::Derive(m_settings,
                                                    connection.lineRate,
                                                    m_minRate.GetBitRate(),
                                                    baseRtt,
                                                    MANY_FLOWS);
    m_firstWindow = m_initialWindow * connection.packetSize;
    if (m_initialWindow == 0)
    {
        m_firstWindow = HasJumpStart() ? FEW_PACKETS * connection.packetSize : settings.maxWindow;
    }
    m_utilization.Start(settings, m_firstWindow);
    SetPacedWindow(m_utilization.GetWindow(), m_baseRtt);
}

void
CsigControl::BeginAnew()
{
    if (m_baseRtt > 0)
    {
        m_utilization.Lower(m_firstWindow);
        SetPacedWindow(m_utilization.GetWindow(), m_baseRtt);
    }
}

void
CsigControl::NotifyAcknowledgment(Time, const Acknowledgment& acknowledgment)
{
    const auto rtt = acknowledgment.rtt.GetNanoSeconds();
    if (rtt > 0 && m_baseRtt == 0)
    {
        Begin(rtt);
    }
    else if (rtt > 0)
    {
        m_rtt = rtt;
    }
}

void
CsigControl::NotifySignal(Time now, const CsigReading& reading)
{
    if (m_baseRtt == 0)
    {
        return;
    }
    switch (reading.signal)
    {
    case CsigSignal::ABW:
        m_utilization.Raise(Jump(reading, m_baseRtt));
        break;
    case CsigSignal::ABW_RATIO: {
        const double available = std::min(1.0, static_cast<double>(reading.GetValue()) / 1e6);
        const double queue = m_queueDelay / static_cast<double>(m_baseRtt);
        m_utilization.NotifyUtilization(now.GetNanoSeconds(), 1 - available + queue, m_rtt);
        break;
    }
    case CsigSignal::HOP_DELAY:
    case CsigSignal::QUEUE_DEPTH:
        if (m_usesQueueDelay)
        {
            const auto delay = static_cast<double>(reading.range.low);
            m_queueDelay = std::min(m_lastQueueDelay, delay);
            m_lastQueueDelay = delay;
        }
        return;
    }
    SetPacedWindow(m_utilization.GetWindow(), m_baseRtt);
}

} // namespace ns3::aidc

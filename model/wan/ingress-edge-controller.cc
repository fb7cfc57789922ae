/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ingress-edge-controller.h"

#include "ip-tunnel-net-device.h"

#include "ns3/abort.h"
#include "ns3/aidc-compat.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/try-set-attribute.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

#include <stdexcept>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcIngressEdgeController");

NS_OBJECT_ENSURE_REGISTERED(IngressEdgeController);

namespace
{

/// No time may be longer, so that sums of times stay in range.
constexpr int64_t LONGEST_SECONDS = 1000000;

/**
 * @brief Check that a floor and a largest rate fit each other.
 * @param config has both
 * @throws std::invalid_argument if they do not
 */
void
CheckRates(const EdgeRateLaw::Config& config)
{
    if (config.floor == 0 || config.floor > config.lineRate)
    {
        throw std::invalid_argument("Floor: expected from 1 bit/s to MaxRate, " +
                                    std::to_string(config.lineRate) + " bit/s; found " +
                                    std::to_string(config.floor) + " bit/s");
    }
}

} // namespace

template <auto Config, auto Member, typename T>
void
IngressEdgeController::Set(T value)
{
    (this->*Config).*Member = value;
}

template <auto Config, auto Member, typename T>
T
IngressEdgeController::Get() const
{
    return (this->*Config).*Member;
}

template <auto Config, auto Member>
void
IngressEdgeController::SetTime(Time time)
{
    (this->*Config).*Member = time.GetNanoSeconds();
}

template <auto Config, auto Member>
Time
IngressEdgeController::GetTime() const
{
    return NanoSeconds((this->*Config).*Member);
}

TypeId
IngressEdgeController::GetTypeId()
{
    using C = IngressEdgeController;
    using Rates = EdgeRateLaw::Config;
    using Paths = PathSteering::Config;
    constexpr auto RATES = &C::m_rateConfig;
    constexpr auto PATHS = &C::m_steeringConfig;
    const Time longest = Seconds(LONGEST_SECONDS);
    static TypeId tid =
        TypeId("ns3::aidc::IngressEdgeController")
            .SetParent<TunnelTrafficController>()
            .SetGroupName("Aidc")
            .AddConstructor<C>()
            .AddAttribute("Port",
                          "The UDP port that notifications come to.",
                          UintegerValue(CONGESTION_NOTIFICATION_PORT),
                          MakeUintegerAccessor(&C::m_port),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("Key",
                          "The key that notifications are authenticated with, in hexadecimal "
                          "digits; empty for none: then anybody of the domain can notify.",
                          StringValue(""),
                          MakeStringAccessor(&C::SetKey, &C::GetKey),
                          MakeTextChecker(&NotificationKey::Parse))
            .AddAttribute("Domain",
                          "Prefixes, as 10.0.0.0/8, separated by commas: notifications come from "
                          "there and are of devices there. Empty for all addresses.",
                          StringValue(""),
                          MakeStringAccessor(&C::SetDomain, &C::GetDomain),
                          MakeTextChecker(&AddressDomain::Parse))
            .AddAttribute("Monitors",
                          "Prefixes of CongestionMonitors, which may notify on behalf of other "
                          "devices. Any other sender may only name itself as the device. Empty "
                          "for none.",
                          StringValue(""),
                          MakeStringAccessor(&C::SetMonitors, &C::GetMonitors),
                          MakeTextChecker(&AddressDomain::Parse))
            .AddAttribute("MaxAge",
                          "Age from which on a notification is refused, by the time of its mark; "
                          "0 for never.",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&C::m_maxAge),
                          MakeTimeChecker(Time(0), longest))
            .AddAttribute("MaxDevices",
                          "How many devices may notify at a time. One is forgotten when MaxAge has "
                          "passed since its last notification, and another one needs its room.",
                          UintegerValue(256),
                          MakeUintegerAccessor(&C::m_maxDevices),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxFlows",
                          "How many flows (or tunnels) may be limited, steered or watched.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&C::m_maxFlows),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("AgeingTime",
                          "Silence after which a flow is forgotten, limited or not.",
                          TimeValue(Seconds(10)),
                          MakeTimeAccessor(&C::m_ageingTime),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("Granularity",
                          "What is limited and steered: the flow that was notified of, or all "
                          "packets that enter its tunnel. It has to be set before the simulation "
                          "begins.",
                          EnumValue(FLOW),
                          MakeEnumAccessorFor<Granularity>(&C::m_granularity),
                          MakeEnumChecker(FLOW, "Flow", TUNNEL, "Tunnel"))
            .AddAttribute(
                "LightReaction",
                "The reaction to light congestion.",
                EnumValue(RATE),
                MakeEnumAccessorFor<Reaction>(&C::m_lightReaction),
                MakeEnumChecker(NONE, "None", RATE, "Rate", REROUTE, "Reroute", BOTH, "Both"))
            .AddAttribute(
                "SevereReaction",
                "The reaction of this node to severe congestion, in addition to that of the "
                "sender to CE. With None the rate of a flow stays what it is meanwhile.",
                EnumValue(AS_LIGHT),
                MakeEnumAccessorFor<Reaction>(&C::m_severeReaction),
                MakeEnumChecker(AS_LIGHT,
                                "AsLight",
                                NONE,
                                "None",
                                RATE,
                                "Rate",
                                REROUTE,
                                "Reroute",
                                BOTH,
                                "Both"))
            .AddAttribute("LightStep",
                          "The part of its rate that a flow loses at a step for light congestion.",
                          DoubleValue(0.05),
                          MakeDoubleAccessor(&C::m_lightStep),
                          MakeDoubleChecker<double>(0, 0.99))
            .AddAttribute("SevereStep",
                          "The part of its rate that a flow loses at a step for severe "
                          "congestion, if SevereReaction has Rate.",
                          DoubleValue(0.25),
                          MakeDoubleAccessor(&C::m_severeStep),
                          MakeDoubleChecker<double>(0, 0.99))
            .AddAttribute("WaitForFeedback",
                          "Whether StepInterval, QuietTime and RecoveryInterval are prolonged to "
                          "the feedback delay, twice the age of the last notification.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&C::m_waitsForFeedback),
                          MakeBooleanChecker())
            .AddAttribute("MeasureTime",
                          "How long the rate of a flow is measured, and by how much the first step "
                          "comes later than the first notification.",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&C::m_measureTime),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("StepInterval",
                          "Least time between two steps of a flow.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&C::SetTime<RATES, &Rates::stepInterval>,
                                           &C::GetTime<RATES, &Rates::stepInterval>),
                          MakeTimeChecker(Time(0), longest))
            .AddAttribute("QuietTime",
                          "Time without notifications of a flow before its rate recovers: several "
                          "intervals of notifications.",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&C::SetTime<RATES, &Rates::quietTime>,
                                           &C::GetTime<RATES, &Rates::quietTime>),
                          MakeTimeChecker(Time(0), longest))
            .AddAttribute("RecoveryInterval",
                          "Least time between two rises of a flow's rate; also how often all flows "
                          "are looked at that were notified of.",
                          TimeValue(MicroSeconds(200)),
                          MakeTimeAccessor(&C::SetTime<RATES, &Rates::recoveryInterval>,
                                           &C::GetTime<RATES, &Rates::recoveryInterval>),
                          MakeTimeChecker(MicroSeconds(1), longest))
            .AddAttribute(
                "RecoveryStep",
                "By how much a flow's rate rises, as a fraction of the highest rate measured "
                "since the flow has been limited.",
                DoubleValue(0.02),
                MakeDoubleAccessor(&C::Set<RATES, &Rates::recoveryStep, double>,
                                   &C::Get<RATES, &Rates::recoveryStep, double>),
                MakeDoubleChecker<double>(1e-6, 1))
            .AddAttribute("Floor",
                          "The least rate of a flow, at least 1 bit/s. A flow that sends no faster "
                          "than this is not limited.",
                          DataRateValue(DataRate("100Mbps")),
                          MakeDataRateAccessor(&C::SetFloor, &C::GetFloor),
                          MakeRateChecker(1, EdgeRateLaw::UNLIMITED))
            .AddAttribute("MaxRate",
                          "The largest rate of a flow while it is limited, not below Floor; 0 for "
                          "none.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&C::SetMaxRate, &C::GetMaxRate),
                          MakeDataRateChecker())
            .AddAttribute("SteerThreshold",
                          "How many notifications of a flow within SteerWindow steer it.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&C::Set<PATHS, &Paths::threshold, uint32_t>,
                                               &C::Get<PATHS, &Paths::threshold, uint32_t>),
                          MakeUintegerChecker<uint32_t>(1, PathSteering::MAX_THRESHOLD))
            .AddAttribute("SteerWindow",
                          "The time within which SteerThreshold notifications come.",
                          TimeValue(MilliSeconds(50)),
                          MakeTimeAccessor(&C::SetTime<PATHS, &Paths::window>,
                                           &C::GetTime<PATHS, &Paths::window>),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("SteerHoldDown",
                          "Least time that a flow stays on a path, unless that goes down.",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&C::SetTime<PATHS, &Paths::holdDown>,
                                           &C::GetTime<PATHS, &Paths::holdDown>),
                          MakeTimeChecker(Time(0), longest))
            .AddAttribute("SteerQuietTime",
                          "Time without notifications before a path is taken to be free of "
                          "congestion, and before a flow returns to the primary path.",
                          TimeValue(MilliSeconds(200)),
                          MakeTimeAccessor(&C::SetTime<PATHS, &Paths::quietTime>,
                                           &C::GetTime<PATHS, &Paths::quietTime>),
                          MakeTimeChecker(Time(0), longest))
            .AddAttribute(
                "SteerGap",
                "The least pause before a packet that takes another path. For paths of equal "
                "delays, it is the difference that their queues may make.",
                TimeValue(MicroSeconds(500)),
                MakeTimeAccessor(&C::SetTime<PATHS, &Paths::gap>, &C::GetTime<PATHS, &Paths::gap>),
                MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("SteerForceTime",
                          "How long a flow waits for a pause; then it takes the other path without "
                          "one, and packets may overtake each other. 0 for ever.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&C::SetTime<PATHS, &Paths::force>,
                                           &C::GetTime<PATHS, &Paths::force>),
                          MakeTimeChecker(Time(0), longest))
            .AddAttribute("Shaper",
                          "The shaper in which packets wait.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&C::GetShaper),
                          MakePointerChecker<EdgeShaper>())
            .AddTraceSource("Notification",
                            "A notification was accepted.",
                            MakeTraceSourceAccessor(&C::m_notificationTrace),
                            "ns3::aidc::IngressEdgeController::NotificationTracedCallback")
            .AddTraceSource("Refused",
                            "A notification was refused.",
                            MakeTraceSourceAccessor(&C::m_refusedTrace),
                            "ns3::aidc::IngressEdgeController::RefusedTracedCallback")
            .AddTraceSource("Rate",
                            "The rate of a flow has changed.",
                            MakeTraceSourceAccessor(&C::m_rateTrace),
                            "ns3::aidc::IngressEdgeController::RateTracedCallback")
            .AddTraceSource("Path",
                            "The path of a flow has changed.",
                            MakeTraceSourceAccessor(&C::m_pathTrace),
                            "ns3::aidc::IngressEdgeController::PathTracedCallback");
    return tid;
}

IngressEdgeController::IngressEdgeController()
    : m_shaper(CreateObject<EdgeShaper>())
{
    NS_LOG_FUNCTION(this);
}

IngressEdgeController::~IngressEdgeController()
{
    NS_LOG_FUNCTION(this);
}

void
IngressEdgeController::Install(Ptr<Node> node)
{
    NS_LOG_FUNCTION(this << node);
    NS_ABORT_MSG_IF(m_node, "IngressEdgeController serves one node");
    m_node = node;
    node->AggregateObject(this);
    m_shaper->Install(node, MakeCallback(&IngressEdgeController::Release, this));
}

void
IngressEdgeController::NotifyConstructionCompleted()
{
    TunnelTrafficController::NotifyConstructionCompleted();
    m_isConstructed = true;
    try
    {
        CheckRates(m_rateConfig);
    }
    catch (const std::invalid_argument& error)
    {
        NS_ABORT_MSG("IngressEdgeController: " << error.what());
    }
}

void
IngressEdgeController::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    m_socket = Socket::CreateSocket(m_node, UdpSocketFactory::GetTypeId());
    NS_ABORT_MSG_IF(m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), m_port)) != 0,
                    "expected port " << m_port << " of the node to be free");
    m_socket->SetRecvCallback(MakeCallback(&IngressEdgeController::ReceiveFrom, this));
    TunnelTrafficController::DoInitialize();
}

void
IngressEdgeController::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_tick.Cancel();
    if (m_socket)
    {
        m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        m_socket = nullptr;
    }
    m_shaper->Dispose();
    m_shaper = nullptr;
    m_shaped.clear();
    m_flows = {};
    m_tunnels.clear();
    m_node = nullptr;
    TunnelTrafficController::DoDispose();
}

Ptr<EdgeShaper>
IngressEdgeController::GetShaper() const
{
    return m_shaper;
}

std::size_t
IngressEdgeController::GetNFlows() const
{
    return m_flows.GetSize();
}

const IngressEdgeStatistics&
IngressEdgeController::GetStatistics() const
{
    return m_statistics;
}

bool
IngressEdgeController::SetFloor(DataRate rate)
{
    return TrySetAttribute(*this, [this, rate] {
        auto config = m_rateConfig;
        config.floor = rate.GetBitRate();
        if (m_isConstructed)
        {
            CheckRates(config);
        }
        m_rateConfig = config;
    });
}

DataRate
IngressEdgeController::GetFloor() const
{
    return DataRate(m_rateConfig.floor);
}

bool
IngressEdgeController::SetMaxRate(DataRate rate)
{
    return TrySetAttribute(*this, [this, rate] {
        auto config = m_rateConfig;
        config.lineRate = rate.GetBitRate() == 0 ? EdgeRateLaw::UNLIMITED : rate.GetBitRate();
        if (m_isConstructed)
        {
            CheckRates(config);
        }
        m_rateConfig = config;
    });
}

DataRate
IngressEdgeController::GetMaxRate() const
{
    return DataRate(m_rateConfig.lineRate == EdgeRateLaw::UNLIMITED ? 0 : m_rateConfig.lineRate);
}

bool
IngressEdgeController::SetKey(const std::string& text)
{
    return TrySetAttribute(*this, [this, &text] { m_key = NotificationKey::Parse(text); });
}

std::string
IngressEdgeController::GetKey() const
{
    return m_key.Print();
}

bool
IngressEdgeController::SetDomain(const std::string& text)
{
    return TrySetAttribute(*this, [this, &text] { m_domain = AddressDomain::Parse(text); });
}

std::string
IngressEdgeController::GetDomain() const
{
    return m_domain.Print();
}

bool
IngressEdgeController::SetMonitors(const std::string& text)
{
    return TrySetAttribute(*this, [this, &text] { m_monitors = AddressDomain::Parse(text); });
}

std::string
IngressEdgeController::GetMonitors() const
{
    return m_monitors.Print();
}

} // namespace ns3::aidc

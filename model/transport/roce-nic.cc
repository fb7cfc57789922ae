/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-nic.h"

#include "ns3/abort.h"
#include "ns3/aidc-compat.h"
#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/try-set-attribute.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcRoceNic");

NS_OBJECT_ENSURE_REGISTERED(RoceNic);

namespace
{

/**
 * @brief Check a path MTU.
 * @param bytes the path MTU, 256 to 4096 bytes
 * @throws std::invalid_argument if it is none of InfiniBand's
 */
void
CheckPathMtu(uint64_t bytes)
{
    if ((bytes & (bytes - 1)) != 0)
    {
        throw std::invalid_argument("RoceNic: expected a PathMtu of 256, 512, 1024, 2048 or 4096 "
                                    "bytes, found " +
                                    std::to_string(bytes));
    }
}

} // namespace

TypeId
RoceNic::GetTypeId()
{
    using C = RoceNic;
    static TypeId tid =
        TypeId("ns3::aidc::RoceNic")
            .SetParent<EthernetFrameHandler>()
            .SetGroupName("Aidc")
            .AddConstructor<RoceNic>()
            .AddAttribute("PathMtu",
                          "Payload of a full packet: 256, 512, 1024, 2048 or 4096 bytes. The MTU "
                          "of the ports has to be larger by 60 bytes.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&C::m_pathMtu),
                          MakeValueChecker<UintegerValue>(
                              MakeUintegerChecker<uint32_t>(256, 4096),
                              [](const UintegerValue& value) { CheckPathMtu(value.Get()); }))
            .AddAttribute("AckInterval",
                          "A packet asks for an acknowledgment after this many packets and at the "
                          "end of each message; with a window, each packet does.",
                          UintegerValue(16),
                          MakeUintegerAccessor(&C::m_ackInterval),
                          MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute("MaxPackets",
                          "Packets of a queue pair that may be unacknowledged.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&C::m_maxPackets),
                          MakeUintegerChecker<uint32_t>(1024, 1U << 22))
            .AddAttribute(
                "Recovery",
                "How lost packets are sent again.",
                EnumValue(GO_BACK_N),
                MakeEnumAccessorFor<Recovery>(&C::m_recovery),
                MakeEnumChecker(GO_BACK_N, "GoBackN", SELECTIVE_REPEAT, "SelectiveRepeat"))
            .AddAttribute(
                "ReorderWindow",
                "With selective repeat, packets of a queue pair that may overtake another one "
                "before that one counts as lost; for networks that spray packets.",
                UintegerValue(0),
                MakeUintegerAccessor(&C::m_reorderWindow),
                MakeUintegerChecker<uint32_t>(0, 1U << 22))
            .AddAttribute(
                "AckTimeout",
                "Exponent n of the retransmission timeout, 4.096 us times 2^n; 0 for none; 32 for "
                "a timeout that is derived from the path: the idle round trip and a full buffer "
                "(RTO_high of IRN), or what measured round trips ask for if that is more (RFC "
                "6298), twice as long after each timeout.",
                UintegerValue(DERIVED_TIMEOUT),
                MakeUintegerAccessor(&C::m_ackTimeout),
                MakeUintegerChecker<uint8_t>(0, DERIVED_TIMEOUT))
            .AddAttribute("LowTimeout",
                          "With selective repeat, the first timeout while few packets are "
                          "unacknowledged (RTO_low of IRN); 0 to derive it: 4 idle round trips, at "
                          "least 100 us, and at most the other timeout.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&C::m_lowTimeout),
                          MakeTimeChecker(Time()))
            .AddAttribute("LowTimeoutPackets",
                          "The most packets for which LowTimeout holds.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&C::m_lowPackets),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "RetryCount",
                "Number of attempts without progress (timeouts, sequence errors) before a "
                "queue pair fails.",
                UintegerValue(7),
                MakeUintegerAccessor(&C::m_retryCount),
                MakeUintegerChecker<uint8_t>(0, 7))
            .AddAttribute(
                "RnrRetry",
                "Number of attempts while the peer has no receive request; 7 is for ever.",
                UintegerValue(7),
                MakeUintegerAccessor(&C::m_rnrRetry),
                MakeUintegerChecker<uint8_t>(0, 7))
            .AddAttribute("RnrTimer",
                          "Code of the time for which a peer waits if it has found no receive "
                          "request; 12 is 0.64 ms.",
                          UintegerValue(12),
                          MakeUintegerAccessor(&C::m_rnrTimer),
                          MakeUintegerChecker<uint8_t>(0, 31))
            .AddAttribute("Dscp",
                          "Differentiated services codepoint of data and acknowledgments.",
                          UintegerValue(26),
                          MakeUintegerAccessor(&C::m_dscp),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddAttribute("CnpDscp",
                          "Differentiated services codepoint of congestion notification packets.",
                          UintegerValue(48),
                          MakeUintegerAccessor(&C::m_cnpDscp),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddAttribute("DscpMap",
                          "Traffic classes of DSCPs, as of the switches' ports: DSCP:class pairs "
                          "separated by commas; others go to the class of their three upper bits.",
                          StringValue(""),
                          MakeStringAccessor(&C::SetDscpMap, &C::GetDscpMap),
                          MakeTextChecker([](const std::string& text) {
                              TrafficClassMap().SetDscps(text, RoceNicPort::N_CLASSES);
                          }))
            .AddAttribute("TimeToLive",
                          "Time to live of packets.",
                          UintegerValue(64),
                          MakeUintegerAccessor(&C::m_timeToLive),
                          MakeUintegerChecker<uint8_t>(1))
            .AddAttribute(
                "CongestionControl",
                "The congestion control of queue pairs, as a TypeId with attributes in "
                "brackets.",
                ObjectFactoryValue(ObjectFactory(CongestionControl::GetTypeId().GetName())),
                MakeObjectFactoryAccessor(&C::m_control),
                MakeObjectFactoryChecker())
            .AddAttribute("CnpInterval",
                          "The least time between two congestion notification packets of a queue "
                          "pair (50 us: DCQCN, SIGCOMM 2015).",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&C::m_cnpInterval),
                          MakeTimeChecker(Time()))
            .AddAttribute("CnpDelay",
                          "The time that an adapter takes from a marked packet to its "
                          "notification.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&C::m_cnpDelay),
                          MakeTimeChecker(Time()))
            .AddAttribute("AckDelay",
                          "The time that an adapter takes from a packet to its answer.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&C::m_ackDelay),
                          MakeTimeChecker(Time()))
            .AddAttribute("MessageDelay",
                          "The time that an adapter takes from a work request to its first packet.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&C::m_messageDelay),
                          MakeTimeChecker(Time()))
            .AddAttribute("VerifyInvariantCrc",
                          "Whether the invariant CRC of all packets is verified, and not only of "
                          "those that have come as bytes.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&C::m_isVerified),
                          MakeBooleanChecker())
            .AddAttribute("Signals",
                          "The signals of the path that packets carry, such as those of CSIG.",
                          PointerValue(),
                          MakePointerAccessor(&C::m_signals),
                          MakePointerChecker<PathSignals>())
            .AddTraceSource("Retransmission",
                            "Packets are sent again.",
                            MakeTraceSourceAccessor(&C::m_retransmissionTrace),
                            "ns3::aidc::RoceNic::RetransmissionTracedCallback")
            .AddTraceSource("Pause",
                            "A class of a port is paused or goes on.",
                            MakeTraceSourceAccessor(&C::m_pauseTrace),
                            "ns3::aidc::RoceNic::PauseTracedCallback")
            .AddTraceSource("Rate",
                            "The rate of a queue pair has changed since its last packet.",
                            MakeTraceSourceAccessor(&C::m_rateTrace),
                            "ns3::aidc::RoceNic::RateTracedCallback")
            .AddTraceSource("State",
                            "A queue pair is connected, has failed, or is forgotten.",
                            MakeTraceSourceAccessor(&C::m_stateTrace),
                            "ns3::aidc::RoceNic::StateTracedCallback")
            .AddTraceSource("Rx",
                            "A packet for a queue pair has arrived.",
                            MakeTraceSourceAccessor(&C::m_rxTrace),
                            "ns3::aidc::RoceNic::PacketTracedCallback")
            .AddTraceSource(
                "Completion",
                "A work request has ended; with an error, if the queue pair has failed.",
                MakeTraceSourceAccessor(&C::m_completionTrace),
                "ns3::aidc::RoceNic::CompletionTracedCallback");
    return tid;
}

RoceNic::RoceNic()
    : m_warned(std::make_shared<Warned>())
{
    NS_LOG_FUNCTION(this);
    m_common.retransmission = &m_retransmissionTrace;
    m_common.pause = &m_pauseTrace;
    m_common.rate = &m_rateTrace;
    m_common.completion = &m_completionTrace;
    m_common.state = &m_stateTrace;
    m_regions.Register(0, std::numeric_limits<uint64_t>::max());
}

RoceNic::~RoceNic()
{
    NS_LOG_FUNCTION(this);
}

void
RoceNic::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Forget();
    for (const auto& port : m_ports)
    {
        if (port->GetDevice())
        {
            port->GetDevice()->SetFrameHandler(nullptr);
        }
        port->Dispose();
    }
    m_ports.clear();
    m_served.clear();
    m_former.clear();
    m_common.signals = nullptr;
    m_signals = nullptr;
    EthernetFrameHandler::DoDispose();
}

bool
RoceNic::SetDscpMap(std::string map)
{
    return TrySetAttribute(*this, [this, &map] {
        m_common.classes.SetDscps(map, RoceNicPort::N_CLASSES);
        m_common.classes.Fill(RoceNicPort::N_CLASSES);
    });
}

std::string
RoceNic::GetDscpMap() const
{
    return m_common.classes.GetDscps();
}

// Set-up

void
RoceNic::Install(Ptr<Node> node)
{
    NS_LOG_FUNCTION(this << node);
    NS_ABORT_MSG_IF(node->GetObject<RoceNic>(),
                    "RoceNic: node " << node->GetId() << " has one already");
    node->AggregateObject(this);
}

void
RoceNic::ShareWarned(std::shared_ptr<Warned> warned)
{
    m_warned = std::move(warned);
}

void
RoceNic::AddPort(Ptr<EthernetNetDevice> device, Ipv4Address address)
{
    NS_LOG_FUNCTION(this << device << address);
    // IPv4, UDP, the longest headers of a packet with data, its check sequence.
    constexpr uint32_t HEADERS = 20 + 8 + ROCE_MAX_HEADER_SIZE + 4;
    NS_ABORT_MSG_IF(device->GetMtu() < m_pathMtu + HEADERS,
                    "RoceNic: port " << device->GetIfIndex() << " of node "
                                     << device->GetNode()->GetId() << " has an MTU of "
                                     << device->GetMtu() << " bytes; the path MTU of " << m_pathMtu
                                     << " needs " << m_pathMtu + HEADERS);
    auto port = CreateObject<RoceNicPort>();
    port->Install(device, address.Get(), m_common);
    m_ports.push_back(port);
    m_served.resize(std::max<std::size_t>(m_served.size(), device->GetIfIndex() + 1));
    m_served[device->GetIfIndex()] = {PeekPointer(port), device->GetFrameHandler()};
    device->SetFrameHandler(this);
}

uint32_t
RoceNic::GetNPorts() const
{
    return static_cast<uint32_t>(m_ports.size());
}

Ptr<RoceNicPort>
RoceNic::GetPort(uint32_t i) const
{
    NS_ABORT_MSG_UNLESS(i < m_ports.size(),
                        "RoceNic: expected a port below " << m_ports.size() << ", found " << i);
    return m_ports[i];
}

Ipv4Address
RoceNic::GetAddress(uint32_t i) const
{
    return Ipv4Address(GetPort(i)->GetAddress());
}

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#include "roce-nic.h"

#include "../aidc-compat.h"
#include "../attribute-accessors.h"
#include "../core/require-argument.h"
#include "../ethernet/lazy-trace-accessor.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/roce-packet.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"
#include "ns3/warning.h"

#include <algorithm>
#include <limits>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcRoceNic");

namespace
{

/// Bytes of a switch's buffer where the path is not known: the default of SharedBuffer.
constexpr double UNKNOWN_BUFFER = 12e6;

/// The key of all memory, which is registered first.
constexpr uint32_t ALL_MEMORY = 1;

} // namespace

std::optional<RoceTimeout>
RoceTimeoutSettings::Make(RoceSettings::Recovery recovery,
                          const RoceConnection& connection,
                          const RocePath& path,
                          Time ackDelay) const
{
    if (ackTimeout == 0)
    {
        return std::nullopt;
    }
    RoceTimeout::Settings settings;
    if (path.baseRtt.IsStrictlyPositive())
    {
        settings.baseRtt = (path.baseRtt + ackDelay).GetNanoSeconds();
    }
    settings.queueing =
        path.queueing.IsStrictlyPositive()
            ? path.queueing.GetNanoSeconds()
            : static_cast<int64_t>(8e9 * UNKNOWN_BUFFER / static_cast<double>(connection.lineRate));
    settings.queueing = std::max(settings.queueing, path.pause.GetNanoSeconds());
    const bool isSelective = recovery == RoceSettings::SELECTIVE_REPEAT;
    // Receivers under go-back-N drop packets that overtake others, with pauses, too.
    settings.isLossless = path.isLossless && isSelective;
    settings.hasProbe = hasProbe && isSelective;
    settings.lowPackets = isSelective ? lowPackets : 0;
    settings.seed = (uint64_t{connection.localAddress} << 32) + connection.localQp;
    if (ackTimeout != DERIVED)
    {
        settings.high = static_cast<int64_t>(GetAckTimeoutNanoseconds(ackTimeout));
        WarnIfBelow("AckTimeout",
                    *settings.high,
                    settings.baseRtt == 0 || path.queueing.IsZero()
                        ? settings.baseRtt
                        : RoceTimeout::GetHigh(settings));
    }
    if (lowTimeout > 0)
    {
        settings.low = lowTimeout;
        WarnIfBelow("LowTimeout",
                    *settings.low,
                    settings.baseRtt > 0 && settings.lowPackets > 0 ? RoceTimeout::GetLow(settings)
                                                                    : 0);
    }
    return RoceTimeout(settings);
}

void
RoceTimeoutSettings::WarnIfBelow(const std::string& attribute, int64_t set, int64_t derived) const
{
    if (set < derived && warned->insert(attribute).second)
    {
        Warn("RoceNic: ",
             attribute,
             " of ",
             static_cast<double>(set) / 1e3,
             " us is below the ",
             static_cast<double>(derived) / 1e3,
             " us that the path takes, idle or with a full buffer: packets that only wait are sent "
             "again; left unset, it is derived from the path");
    }
}

NS_OBJECT_ENSURE_REGISTERED(RoceNic);

TypeId
RoceNic::GetTypeId()
{
    using C = RoceNic;
    using P = RoceSettings;
    using S = RoceNicSettings;
    using T = RoceTimeoutSettings;
    static TypeId tid =
        TypeId("ns3::aidc::RoceNic")
            .SetParent<Object>()
            .SetGroupName("Aidc")
            .AddConstructor<RoceNic>()
            .AddAttribute("PathMtu",
                          "Payload of a full packet: 256, 512, 1024, 2048 or 4096 bytes. The MTU "
                          "of the ports has to be larger by 64 bytes, and by 106 bytes with a "
                          "congestion control that wants in-band telemetry.",
                          UintegerValue(P().pathMtu),
                          MakeSettingsAccessor<UintegerValue>(&C::m_connection, &P::pathMtu),
                          MakeValueChecker<UintegerValue>(
                              MakeUintegerChecker<uint32_t>(256, 4096),
                              [](const UintegerValue& value) {
                                  AIDC_REQUIRE((value.Get() & (value.Get() - 1)) == 0,
                                               "RoceNic: expected a PathMtu of 256, 512, 1024, "
                                               "2048 or 4096 bytes, found " +
                                                   std::to_string(value.Get()));
                              }))
            .AddAttribute("AckInterval",
                          "A packet asks for an acknowledgment after this many packets and at the "
                          "end of each message; with a window, each packet does.",
                          UintegerValue(P().ackInterval),
                          MakeSettingsAccessor<UintegerValue>(&C::m_connection, &P::ackInterval),
                          MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute("MaxPackets",
                          "Packets of a queue pair that may be unacknowledged, from 1024 on; 0 to "
                          "derive it from the path: what its slowest link carries in two idle "
                          "round trips and the wait in a full buffer, at least 4096.",
                          UintegerValue(0),
                          MakeSettingsAccessor<UintegerValue>(&C::m_connection, &P::maxPackets),
                          MakeValueChecker<UintegerValue>(
                              MakeUintegerChecker<uint32_t>(0, ROCE_MAX_WINDOW),
                              [](const UintegerValue& value) {
                                  AIDC_REQUIRE(
                                      value.Get() == 0 || value.Get() >= 1024,
                                      "RoceNic: expected MaxPackets of 0, or from 1024 to " +
                                          std::to_string(ROCE_MAX_WINDOW) + ", found " +
                                          std::to_string(value.Get()));
                              }))
            .AddAttribute(
                "Recovery",
                "How lost packets are sent again.",
                EnumValue(P().recovery),
                MakeSettingsAccessor<EnumValueOf<P::Recovery>>(&C::m_connection, &P::recovery),
                MakeEnumChecker(P::GO_BACK_N, "GoBackN", P::SELECTIVE_REPEAT, "SelectiveRepeat"))
            .AddAttribute(
                "ReorderWindow",
                "With selective repeat, packets of a queue pair that may overtake another one "
                "before that one counts as lost; for networks that spray packets.",
                UintegerValue(P().reorderWindow),
                MakeSettingsAccessor<UintegerValue>(&C::m_connection, &P::reorderWindow),
                MakeUintegerChecker<uint32_t>(0, 1U << 22))
            .AddAttribute(
                "AckTimeout",
                "Exponent n of the retransmission timeout, 4.096 us times 2^n; 0 for none; 32 for "
                "a timeout that is derived from the path: the idle round trip and a full buffer "
                "(RTO_high of IRN), or what measured round trips ask for if that is more (RFC "
                "6298), twice as long after each timeout.",
                UintegerValue(T().ackTimeout),
                MakeSettingsAccessor<UintegerValue>(&C::m_timeouts, &T::ackTimeout),
                MakeUintegerChecker<uint8_t>(0, T::DERIVED))
            .AddAttribute("LowTimeout",
                          "With selective repeat, the first timeout while few packets are "
                          "unacknowledged (RTO_low of IRN); 0 to derive it: 4 idle round trips, at "
                          "least 100 us, and at most the other timeout.",
                          TimeValue(Time()),
                          MakeSettingsAccessor<TimeValue>(&C::m_timeouts, &T::lowTimeout),
                          MakeTimeChecker(Time()))
            .AddAttribute("LowTimeoutPackets",
                          "The most packets for which LowTimeout holds.",
                          UintegerValue(T().lowPackets),
                          MakeSettingsAccessor<UintegerValue>(&C::m_timeouts, &T::lowPackets),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("TailLossProbe",
                          "With selective repeat, repeat the newest packet after twice the "
                          "smoothed round-trip time without an answer, before the timeout (RFC "
                          "8985, section 7): nothing else tells that the end of a message, or its "
                          "acknowledgment, is lost.",
                          BooleanValue(T().hasProbe),
                          MakeSettingsAccessor<BooleanValue>(&C::m_timeouts, &T::hasProbe),
                          MakeBooleanChecker())
            .AddAttribute(
                "RetryCount",
                "Number of attempts without progress (timeouts, sequence errors) before a "
                "queue pair fails.",
                UintegerValue(P().retryCount),
                MakeSettingsAccessor<UintegerValue>(&C::m_connection, &P::retryCount),
                MakeUintegerChecker<uint8_t>(0, 7))
            .AddAttribute(
                "RnrRetry",
                "Number of attempts while the peer has no receive request; 7 is for ever.",
                UintegerValue(P().rnrRetry),
                MakeSettingsAccessor<UintegerValue>(&C::m_connection, &P::rnrRetry),
                MakeUintegerChecker<uint8_t>(0, 7))
            .AddAttribute("RnrTimer",
                          "Code of the time for which a peer waits if it has found no receive "
                          "request; 12 is 0.64 ms.",
                          UintegerValue(P().rnrTimer),
                          MakeSettingsAccessor<UintegerValue>(&C::m_connection, &P::rnrTimer),
                          MakeUintegerChecker<uint8_t>(0, 31))
            .AddAttribute("Dscp",
                          "Differentiated services codepoint of data and acknowledgments.",
                          UintegerValue(26),
                          MakeUintegerAccessor(&C::m_dscp),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddAttribute("CnpDscp",
                          "Differentiated services codepoint of congestion notification packets.",
                          UintegerValue(48),
                          MakeSettingsAccessor<UintegerValue>(&C::m_settings, &S::cnpDscp),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddAttribute("DscpMap",
                          "Traffic classes of DSCPs, as of the switches' ports: DSCP:class pairs "
                          "separated by commas; others go to the class of their three upper bits.",
                          StringValue(""),
                          MakeFunctionAccessor<C, StringValue>(
                              [](const C& nic) { return nic.m_settings.classes.GetDscps(); },
                              [](C& nic, const StringValue& map) {
                                  auto& classes = nic.m_settings.classes;
                                  classes.SetDscps(map.Get(), RoceNicPort::N_CLASSES);
                                  classes.Fill(RoceNicPort::N_CLASSES);
                              }),
                          MakeTextChecker([](const std::string& text) {
                              TrafficClassMap().SetDscps(text, RoceNicPort::N_CLASSES);
                          }))
            .AddAttribute("TimeToLive",
                          "Time to live of packets.",
                          UintegerValue(64),
                          MakeSettingsAccessor<UintegerValue>(&C::m_settings, &S::timeToLive),
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
                          MakeSettingsAccessor<TimeValue>(&C::m_settings, &S::cnpInterval),
                          MakeTimeChecker(Time()))
            .AddAttribute("CnpDelay",
                          "The time that an adapter takes from a marked packet to its "
                          "notification.",
                          TimeValue(Time()),
                          MakeSettingsAccessor<TimeValue>(&C::m_settings, &S::cnpDelay),
                          MakeTimeChecker(Time()))
            .AddAttribute("AckDelay",
                          "The time that an adapter takes from a packet to its answer.",
                          TimeValue(Time()),
                          MakeSettingsAccessor<TimeValue>(&C::m_settings, &S::ackDelay),
                          MakeTimeChecker(Time()))
            .AddAttribute("MessageDelay",
                          "The time that an adapter takes from a work request to its first packet.",
                          TimeValue(Time()),
                          MakeSettingsAccessor<TimeValue>(&C::m_settings, &S::messageDelay),
                          MakeTimeChecker(Time()))
            .AddAttribute("VerifyInvariantCrc",
                          "Whether the invariant CRC of all packets is verified, and not only of "
                          "those that have come as bytes.",
                          BooleanValue(false),
                          MakeSettingsAccessor<BooleanValue>(&C::m_settings, &S::isVerified),
                          MakeBooleanChecker())
            .AddAttribute("Signals",
                          "The signals of the path that packets carry, such as CSIG's.",
                          PointerValue(),
                          MakeSettingsAccessor<PointerValue>(&C::m_settings, &S::signals),
                          MakePointerChecker<PathSignals>())
            .AddTraceSource("Retransmission",
                            "Packets are sent again.",
                            MakeLazyTraceAccessor(&C::m_record, &RoceNicRecord::retransmission),
                            "ns3::aidc::RoceNic::RetransmissionTracedCallback")
            .AddTraceSource("Pause",
                            "A class of a port is paused or goes on.",
                            MakeLazyTraceAccessor(&C::m_record, &RoceNicRecord::pause),
                            "ns3::aidc::RoceNic::PauseTracedCallback")
            .AddTraceSource("Rate",
                            "The rate of a queue pair has changed since its last packet.",
                            MakeLazyTraceAccessor(&C::m_record, &RoceNicRecord::rate),
                            "ns3::aidc::RoceNic::RateTracedCallback")
            .AddTraceSource("State",
                            "A queue pair is connected, has failed, or is forgotten.",
                            MakeLazyTraceAccessor(&C::m_record, &RoceNicRecord::state),
                            "ns3::aidc::RoceNic::StateTracedCallback")
            .AddTraceSource("Rx",
                            "A packet for a queue pair has arrived.",
                            MakeLazyTraceAccessor(&C::m_record, &RoceNicRecord::received),
                            "ns3::aidc::RoceNic::PacketTracedCallback")
            .AddTraceSource(
                "Completion",
                "A work request has ended; with an error, if the queue pair has failed.",
                MakeLazyTraceAccessor(&C::m_record, &RoceNicRecord::completion),
                "ns3::aidc::RoceNic::CompletionTracedCallback")
            .AddTraceSource("SendOutgoing",
                            "An IPv4 packet is sent, which does not pass Ipv4L3Protocol.",
                            MakeLazyTraceAccessor(&C::m_record, &RoceNicRecord::sent),
                            "ns3::aidc::RoceNic::DatagramTracedCallback")
            .AddTraceSource("LocalDeliver",
                            "An IPv4 packet for this adapter has arrived, which does not pass "
                            "Ipv4L3Protocol.",
                            MakeLazyTraceAccessor(&C::m_record, &RoceNicRecord::delivered),
                            "ns3::aidc::RoceNic::DatagramTracedCallback");
    return tid;
}

RoceNic::RoceNic()
    : m_record(std::make_unique<RoceNicRecord>()),
      m_pairs(*m_record)
{
    NS_LOG_FUNCTION(this);
    m_timeouts.warned = std::make_shared<RoceTimeoutSettings::Warned>();
    m_regions.Register(0, std::numeric_limits<uint64_t>::max());
}

void
RoceNic::DoDispose()
{
    NS_LOG_FUNCTION(this);
    for (const auto& port : m_ports)
    {
        port->Dispose();
    }
    m_ports.clear();
    m_pairs.Clear();
    m_settings.signals = nullptr;
    Object::DoDispose();
}

// Set-up

void
RoceNic::Install(Ptr<Node> node)
{
    NS_LOG_FUNCTION(this << node);
    AIDC_REFUSED_IF(node->GetObject<RoceNic>(),
                    "RoceNic: node " << node->GetId() << " has one already");
    node->AggregateObject(this);
}

void
RoceNic::AddPort(Ptr<EthernetNetDevice> device, Ipv4Address address)
{
    NS_LOG_FUNCTION(this << device << address);
    auto port = CreateObject<RoceNicPort>();
    port->Install(device, address.Get(), m_pairs, m_settings, *m_record);
    port->CheckMtu(m_connection.pathMtu, false);
    m_ports.push_back(port);
    m_portLoads.push_back(0);
    if (m_ports.size() == 2)
    {
        m_pairs.SetOrdered(device->GetNode()->GetId());
    }
}

Ptr<RoceNicPort>
RoceNic::GetPort(uint32_t i) const
{
    AIDC_REFUSED_UNLESS(i < m_ports.size(),
                        "RoceNic: expected a port below " << m_ports.size() << ", found " << i);
    return m_ports[i];
}

// Queue pairs

uint32_t
RoceNic::Create()
{
    AIDC_REFUSED_IF(m_ports.empty(), "RoceNic: a queue pair needs a port");
    const auto least = std::min_element(m_portLoads.begin(), m_portLoads.end());
    return CreateAt(static_cast<uint32_t>(least - m_portLoads.begin()));
}

uint32_t
RoceNic::CreateAt(uint32_t port)
{
    GetPort(port); // there has to be one
    ++m_portLoads[port];
    return m_pairs.Create(port);
}

void
RoceNic::SetFirstPsn(uint32_t qp, uint32_t firstPsn, uint32_t remotePsn)
{
    auto& entry = m_pairs.GetUnconnected(qp);
    entry.firstPsn = firstPsn;
    entry.remotePsn = remotePsn;
}

void
RoceNic::Connect(uint32_t qp, Ipv4Address remote, uint32_t remoteQp, const RocePath& path)
{
    NS_LOG_FUNCTION(this << qp << remote << remoteQp);
    auto& entry = m_pairs.GetUnconnected(qp);
    RoceNicPort& port = *m_ports[entry.port];

    RoceConnection connection;
    connection.localAddress = port.GetAddress();
    connection.remoteAddress = remote.Get();
    connection.localQp = qp;
    connection.remoteQp = remoteQp;
    connection.firstPsn = entry.firstPsn;
    connection.remotePsn = entry.remotePsn;
    connection.lineRate = port.GetDevice()->GetDataRate().GetBitRate();
    connection.dscp = m_dscp;
    connection.trafficClass =
        static_cast<uint8_t>(m_settings.classes.GetClassOfTos(static_cast<uint8_t>(m_dscp << 2)));

    const auto control = m_control.Create<CongestionControl>();
    AIDC_REFUSED_UNLESS(control,
                        "RoceNic: " << m_control.GetTypeId().GetName()
                                    << " is no CongestionControl");
    port.CheckMtu(m_connection.pathMtu, control->WantsTelemetry());
    CongestionControl::Connection properties;
    properties.lineRate = connection.lineRate;
    properties.packetSize = m_connection.pathMtu + RoceQueuePair::GetWireOverhead(*control);
    properties.baseRtt = path.baseRtt;
    control->Start(Simulator::Now(), properties);

    RoceSettings settings = m_connection;
    if (settings.maxPackets == 0)
    {
        settings.maxPackets = GetRoceWindow(path.baseRtt.GetNanoSeconds(),
                                            path.queueing.GetNanoSeconds(),
                                            path.rate > 0 ? path.rate : connection.lineRate,
                                            settings.pathMtu);
    }
    entry.pair = std::make_unique<RoceQueuePair>(
        RoceQueuePair::Adapter{port, m_settings, *m_record, m_regions},
        settings,
        connection,
        control,
        m_timeouts.Make(m_connection.recovery, connection, path, m_settings.ackDelay));
    m_record->state(qp, RoceQpState::READY_TO_SEND);
}

void
RoceNic::Post(uint32_t qp, const RoceWork& work)
{
    RoceQueuePair& pair = m_pairs.Get(qp);
    AIDC_REFUSED_IF(work.nBytes > ROCE_MAX_MESSAGE ||
                        GetRocePackets(work.nBytes, m_connection.pathMtu) >= PSN_HALF_TURN,
                    "RoceNic: a message of " << work.nBytes << " bytes is too long");
    RoceWork begun = work;
    if (begun.remoteKey == 0)
    {
        begun.remoteKey = ALL_MEMORY;
    }
    pair.Post(begun);
}

void
RoceNic::Restart()
{
    NS_LOG_FUNCTION(this);
    for (const auto& port : m_ports)
    {
        port->Clear();
    }
    for (const uint32_t qp : m_pairs.Forget())
    {
        m_record->state(qp, RoceQpState::RESET);
    }
}

} // namespace ns3::aidc

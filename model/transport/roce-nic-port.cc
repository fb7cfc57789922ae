// SPDX-License-Identifier: GPL-2.0-only

#include "roce-nic-port.h"

#include "../core/ipv4-bytes.h"
#include "../core/require-argument.h"
#include "../core/transport/invariant-crc.h"
#include "../core/transport/roce-bytes.h"

#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/protocol-numbers.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <cmath>
#include <vector>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcRoceNicPort");

namespace
{

using boost::endian::load_big_u16;
using boost::endian::load_little_u32;

constexpr uint8_t ECN_MASK = 3; //!< the ECN codepoint
constexpr uint8_t CE = 3;       //!< congestion experienced
constexpr uint8_t ECT_0 = 2;    //!< the codepoint of all packets: congestion marks may replace it

/// Where UDP's header has the length.
constexpr uint32_t UDP_LENGTH = 4;

/// The partition of all adapters.
constexpr uint16_t DEFAULT_PARTITION = 0xffff;

/// The bit of a partition key that says whether its owner is a full member.
constexpr uint16_t MEMBERSHIP = 0x8000;

/// Read the headers after IPv4. size: the bytes of the payload, as the IPv4 header gives them.
RoceResult
ReadHeaders(const Packet& payload, uint32_t size, RocePacket& packet)
{
    uint8_t bytes[UDP_HEADER_SIZE + ROCE_MAX_HEADER_SIZE];
    const uint32_t nBytes = payload.CopyData(bytes, sizeof(bytes));
    if (nBytes < UDP_HEADER_SIZE || size < UDP_HEADER_SIZE)
    {
        return RoceResult::TOO_SHORT;
    }
    if (load_big_u16(bytes + UDP_LENGTH) != size)
    {
        return RoceResult::BAD_LENGTH;
    }
    return DecodeRoce(bytes + UDP_HEADER_SIZE,
                      nBytes - UDP_HEADER_SIZE,
                      size - UDP_HEADER_SIZE,
                      packet);
}

/// @return whether the CRC is right behind a payload of the size that the IPv4 header gives
bool
HasGoodInvariantCrc(const Packet& payload,
                    uint32_t size,
                    const Ipv4Bytes& header,
                    std::size_t nLeftOut)
{
    std::vector<uint8_t> whole(header.begin(), header.end());
    whole.resize(header.size() + size);
    payload.CopyData(whole.data() + header.size(), size);
    const std::size_t end = whole.size() - INVARIANT_CRC_SIZE;
    return load_little_u32(&whole[end]) == ComputeInvariantCrc(whole.data(), end, 0, nLeftOut);
}

} // namespace

/// Takes the RoCEv2 packets out of the frames that arrive at a port of a RoceNic, and gives
/// them to their queue pairs.
///
/// A packet is dropped and counted if it is malformed, if it is for no queue pair, or if it does
/// not come from that queue pair's peer.
class RoceReceiver : public EthernetFrameHandler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aidc::RoceReceiver")
                                .SetParent<EthernetFrameHandler>()
                                .SetGroupName("Aidc")
                                .AddConstructor<RoceReceiver>();
        return tid;
    }

    /// Begin to take the frames of a port; others go to its former handler, if it had one.
    void Install(EthernetNetDevice& device,
                 uint32_t address,
                 RoceQueuePairTable& pairs,
                 const RoceNicSettings& settings,
                 RoceNicRecord& record)
    {
        m_address = address;
        m_pairs = &pairs;
        m_settings = &settings;
        m_record = &record;
        m_next = device.GetFrameHandler();
        device.SetFrameHandler(this);
    }

    // From EthernetFrameHandler
    bool Handle(EthernetNetDevice& device,
                EthernetFrame& frame,
                const FrameContext& context) override;

  protected:
    void DoDispose() override
    {
        m_next = nullptr;
        EthernetFrameHandler::DoDispose();
    }

  private:
    /// Parse the IPv4 header of a packet to UDP port 4791 of this port. @return whether it is one
    bool ReadDestination(EthernetFrame& frame) const;

    /// Read the packet of such a frame. @return false if it is dropped, which is counted here
    bool ReadPacket(const EthernetFrame& frame, bool isVerified, RocePacket& packet) const;

    uint32_t m_address{0};                      //!< the IPv4 address of the port
    RoceQueuePairTable* m_pairs{nullptr};       //!< gives packets to their queue pairs
    const RoceNicSettings* m_settings{nullptr}; //!< the attributes of the adapter
    RoceNicRecord* m_record{nullptr};           //!< where packets that are dropped are counted
    Ptr<EthernetFrameHandler> m_next;           //!< takes all other frames
};

NS_OBJECT_ENSURE_REGISTERED(RoceReceiver);
NS_OBJECT_ENSURE_REGISTERED(RoceNicPort);

bool
RoceReceiver::Handle(EthernetNetDevice& device, EthernetFrame& frame, const FrameContext& context)
{
    // A packet that arrives as a value was never written as bytes, so that no byte can be wrong.
    const bool isVerified = m_settings->isVerified || !frame.hasTransit;
    if (frame.fields.etherType != ETHERTYPE_IPV4 || !ReadDestination(frame))
    {
        return m_next && m_next->Handle(device, frame, context);
    }
    if (!m_record->delivered.IsEmpty())
    {
        m_record->delivered(TransitHeaderReader().Read(frame.transit.bytes),
                            frame.packet,
                            device.GetIfIndex());
    }
    RoceArrival arrival;
    if (ReadPacket(frame, isVerified, arrival.packet))
    {
        const uint8_t ttl = frame.transit.bytes[Ipv4Offset::TTL];
        arrival.port = device.GetIfIndex();
        arrival.source = frame.transit.flow.source;
        arrival.isMarked = (frame.transit.bytes[Ipv4Offset::TOS] & ECN_MASK) == CE;
        arrival.nHops = m_settings->timeToLive > ttl ? m_settings->timeToLive - ttl : 0U;
        arrival.context = context;
        m_pairs->Take(arrival);
    }
    frame.packet = nullptr;
    return true;
}

bool
RoceReceiver::ReadDestination(EthernetFrame& frame) const
{
    TransitHeader read;
    if (!frame.hasTransit && !ReadTransitHeader(*frame.packet, read))
    {
        return false;
    }
    const TransitHeader& header = frame.hasTransit ? frame.transit : read;
    // The flow of IP in IP is the flow of the inner packet.
    if (header.flow.destinationPort != ROCE_UDP_PORT ||
        header.bytes[Ipv4Offset::PROTOCOL] != PROTOCOL_UDP || header.flow.destination != m_address)
    {
        return false;
    }
    if (!frame.hasTransit)
    {
        frame.ReadPayload(read);
    }
    return true;
}

bool
RoceReceiver::ReadPacket(const EthernetFrame& frame, bool isVerified, RocePacket& packet) const
{
    RoceNicStatistics& counted = m_record->counted;
    const Ipv4Bytes& header = frame.transit.bytes;
    const uint32_t size = GetIpv4Length(header) - static_cast<uint32_t>(header.size());
    const RoceResult result = ReadHeaders(*frame.packet, size, packet);
    if (result != RoceResult::OK)
    {
        NS_LOG_LOGIC("drops a malformed packet");
        ++counted.malformed[static_cast<std::size_t>(result)];
        return false;
    }
    if (isVerified &&
        !HasGoodInvariantCrc(*frame.packet, size, header, GetRoceTelemetrySize(packet)))
    {
        NS_LOG_LOGIC("drops a packet with a wrong invariant CRC");
        ++counted.badInvariantCrcs;
        return false;
    }
    if (((packet.pKey ^ DEFAULT_PARTITION) & ~MEMBERSHIP) != 0)
    {
        NS_LOG_LOGIC("drops a packet of another partition");
        ++counted.badPartitions;
        return false;
    }
    return true;
}

TypeId
RoceNicPort::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::RoceNicPort")
                            .SetParent<EthernetFrameSource>()
                            .SetGroupName("Aidc")
                            .AddConstructor<RoceNicPort>();
    return tid;
}

RoceNicPort::RoceNicPort()
    : m_receiver(CreateObject<RoceReceiver>())
{
}

RoceNicPort::~RoceNicPort() = default;

void
RoceNicPort::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_wake.Cancel();
    if (m_device)
    {
        m_device->SetFrameHandler(nullptr);
        m_device->SetFrameSource(nullptr);
        m_device = nullptr;
        m_receiver->Dispose();
    }
    m_classes = {};
    m_settings = nullptr;
    m_record = nullptr;
    EthernetFrameSource::DoDispose();
}

void
RoceNicPort::Install(Ptr<EthernetNetDevice> device,
                     uint32_t address,
                     RoceQueuePairTable& pairs,
                     const RoceNicSettings& settings,
                     RoceNicRecord& record)
{
    NS_LOG_FUNCTION(this << device << address);
    m_device = device;
    m_address = address;
    m_node = device->GetNode()->GetId();
    m_settings = &settings;
    m_record = &record;
    device->SetFrameSource(this);
    m_receiver->Install(*device, address, pairs, settings, record);
}

void
RoceNicPort::CheckMtu(uint32_t pathMtu, bool hasTelemetry) const
{
    // IPv4, UDP, the longest headers of a packet with data, its check sequence.
    const uint32_t headers =
        20 + 8 + ROCE_MAX_PLAIN_HEADER_SIZE + 4 + (hasTelemetry ? uint32_t{INT_HEADER_SIZE} : 0);
    AIDC_REFUSED_IF(m_device->GetMtu() < pathMtu + headers,
                    "RoceNic: port " << m_device->GetIfIndex() << " of node "
                                     << m_device->GetNode()->GetId() << " has an MTU of "
                                     << m_device->GetMtu() << " bytes; the path MTU of " << pathMtu
                                     << " needs " << pathMtu + headers
                                     << (hasTelemetry ? " with in-band telemetry" : ""));
}

void
RoceNicPort::Clear()
{
    NS_LOG_FUNCTION(this);
    m_wake.Cancel();
    m_wakeTime = NEVER_DOUBLE;
    m_controlClasses = 0;
    for (auto& trafficClass : m_classes)
    {
        trafficClass.control.Clear();
    }
    m_turns.Clear();
}

// Turns

void
RoceNicPort::Activate(RoceQueuePair& pair)
{
    m_turns.WithdrawPaced(pair);
    if (!pair.IsWaiting() && Enqueue(pair, GetTimeNow()) && HasFrame())
    {
        m_device->RequestFrame();
    }
}

bool
RoceNicPort::Enqueue(RoceQueuePair& pair, Time now)
{
    if (!pair.IsReady(now))
    {
        return false;
    }
    const double time = RoceQueuePair::ToNs(now);
    const double next = pair.GetNextTime(now);
    if (next <= time)
    {
        m_turns.Push(pair, time);
        return true;
    }
    m_turns.PushPaced(pair, std::min(next, pair.GetNextChange()));
    ArmWake();
    return false;
}

void
RoceNicPort::ArmWake()
{
    const double time = std::ceil(m_turns.GetNextTime());
    if (m_wakeTime <= time)
    {
        return; // Wake() looks again
    }
    if (m_wakeTime < NEVER_DOUBLE)
    {
        m_wake.Cancel();
    }
    m_wakeTime = time;
    m_wake.Schedule(m_node, NanoSeconds(static_cast<int64_t>(time)) - GetTimeNow());
}

void
RoceNicPort::Wake()
{
    m_wakeTime = NEVER_DOUBLE;
    m_turns.MovePaced(RoceQueuePair::ToNs(GetTimeNow()));
    if (HasFrame())
    {
        m_device->PullFrame();
    }
    ArmWake();
}

// Frames

void
RoceNicPort::SendControl(const RoceQueuePair& pair, const RocePacket& packet)
{
    const uint32_t index =
        packet.opcode == RoceOpcode::CNP
            ? m_settings->classes.GetClassOfTos(static_cast<uint8_t>(m_settings->cnpDscp << 2))
            : pair.GetClass();
    m_classes[index].control.Push({packet, &pair});
    m_controlClasses |= 1U << index;
    if (HasFrame())
    {
        m_device->RequestFrame();
    }
}

bool
RoceNicPort::TakeFrame(EthernetNetDevice&, EthernetFrame& frame, FrameContext& context)
{
    return TakeControl(frame) || TakeData(frame, context);
}

bool
RoceNicPort::TakeControl(EthernetFrame& frame)
{
    const uint32_t classes = m_controlClasses & ~m_turns.GetPaused();
    if (classes == 0)
    {
        return false;
    }
    uint32_t index = N_CLASSES - 1;
    while (((classes >> index) & 1U) == 0)
    {
        --index;
    }
    Class& trafficClass = m_classes[index];
    const Control control = trafficClass.control[0];
    trafficClass.control.Pop();
    if (trafficClass.control.IsEmpty())
    {
        m_controlClasses &= ~(1U << index);
    }
    ++trafficClass.sent;
    const bool isCnp = control.packet.opcode == RoceOpcode::CNP;
    const uint8_t dscp = isCnp ? m_settings->cnpDscp : control.pair->GetConnection().dscp;
    MakeFrame(*control.pair, control.packet, dscp, frame);
    return true;
}

bool
RoceNicPort::TakeData(EthernetFrame& frame, FrameContext& context)
{
    const Time now = GetTimeNow();
    const double time = RoceQueuePair::ToNs(now);
    m_turns.MovePaced(time);
    while (RoceTurn* turn = m_turns.Take(time))
    {
        auto& pair = static_cast<RoceQueuePair&>(*turn);
        if (!pair.IsReady(now))
        {
            continue; // its window has closed meanwhile
        }
        if (pair.GetNextTime(now) > time)
        {
            Enqueue(pair, now); // it was woken by a change of its rate
            continue;
        }
        const RocePacket packet = pair.TakePacket(now, context);
        MakeFrame(pair, packet, pair.GetConnection().dscp, frame);
        ++m_classes[pair.GetClass()].sent;
        pair.NotifySent(now,
                        frame.GetSize() + context.tagSize + EthernetNetDevice::FCS_SIZE +
                            m_device->GetOverhead());
        if (!pair.IsWaiting()) // by a callback of a trace source
        {
            Enqueue(pair, now); // the port asks again by itself
        }
        return true;
    }
    return false;
}

void
RoceNicPort::MakeFrame(const RoceQueuePair& pair,
                       const RocePacket& packet,
                       uint8_t dscp,
                       EthernetFrame& frame)
{
    const FlowKey& flow = pair.GetFlow();
    RoceDatagram datagram;
    datagram.source = flow.source;
    datagram.destination = flow.destination;
    datagram.sourcePort = flow.sourcePort;
    datagram.dscp = dscp;
    datagram.ecn = ECT_0;
    datagram.ttl = m_settings->timeToLive;
    std::array<uint8_t, ROCE_MAX_DATAGRAM_HEADER_SIZE> bytes;
    const std::size_t size = EncodeRoceDatagram(datagram, packet, bytes.data());
    RoceTrailer::Bytes crc;
    EncodeRoceTrailer(bytes.data(), size, packet, crc.data());

    // What follows the headers: zeros, which take no memory, and the check sequence.
    frame.packet = Create<Packet>(packet.payloadSize + GetRocePadCount(packet.payloadSize));
    m_header.SetBytes(bytes.data() + IPV4_HEADER_SIZE, size - IPV4_HEADER_SIZE);
    m_trailer.SetBytes(crc);
    frame.packet->AddHeader(m_header);
    frame.packet->AddTrailer(m_trailer);
    std::copy_n(bytes.begin(), IPV4_HEADER_SIZE, frame.transit.bytes.begin());
    frame.transit.flow = flow;
    frame.hasTransit = true;
    if (!m_record->sent.IsEmpty())
    {
        m_record->sent(TransitHeaderReader().Read(frame.transit.bytes),
                       frame.packet,
                       m_device->GetIfIndex());
    }
}

// Pauses

void
RoceNicPort::SetPaused(uint32_t index, bool paused)
{
    if (!m_turns.SetPaused(index, paused, RoceQueuePair::ToNs(GetTimeNow())))
    {
        return;
    }
    NS_LOG_LOGIC("class " << index << (paused ? " is paused" : " goes on"));
    m_record->pause(m_device->GetIfIndex(), index, paused);
    if (!paused && HasFrame())
    {
        m_device->RequestFrame();
    }
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-net-device.h"

#include "ethernet-channel.h"
#include "ethernet-frame-header.h"
#include "ethernet-transmit-queue.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/mac-control.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/queue-disc.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <typeinfo>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcEthernetNetDevice");

NS_OBJECT_ENSURE_REGISTERED(EthernetNetDevice);

namespace
{

constexpr uint16_t ETHERTYPE_IPV4 = 0x0800;
constexpr uint16_t ETHERTYPE_IPV6 = 0x86dd;
/// The smallest EtherType; lower numbers are lengths of IEEE 802.2 frames.
constexpr uint16_t MIN_ETHERTYPE = 0x0600;
/// The least that IPv4 asks of a link (RFC 791, section 3.2).
constexpr uint16_t MIN_MTU = 68;
constexpr MacBytes BROADCAST{0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
/// The highest rate in bit/s.
constexpr uint64_t MAX_RATE = 100000000000000;

/**
 * @brief Get the bytes of an address.
 * @param address the address
 * @return its bytes
 */
MacBytes
ToBytes(const Address& address)
{
    MacBytes bytes;
    Mac48Address::ConvertFrom(address).CopyTo(bytes.data());
    return bytes;
}

/**
 * @brief Make an address of its bytes.
 * @param bytes the bytes
 * @return the address
 */
Mac48Address
ToAddress(const MacBytes& bytes)
{
    Mac48Address address;
    address.CopyFrom(bytes.data());
    return address;
}

/**
 * @brief Show a packet to who watches.
 * @param trace the trace
 * @param packet the packet
 */
void
Fire(const TracedCallback<Ptr<const Packet>>& trace, const Ptr<const Packet>& packet)
{
    // Most ports have nobody who watches, and passing a packet on is not free.
    if (!trace.IsEmpty())
    {
        trace(packet);
    }
}

/**
 * @brief Tell whether an address is that of a group; that of all is too.
 * @param bytes the address
 * @return whether it is
 */
bool
IsGroup(const MacBytes& bytes)
{
    return (bytes[0] & 1) != 0;
}

} // namespace

TypeId
EthernetNetDevice::GetTypeId()
{
    using C = EthernetNetDevice;
    static TypeId tid =
        TypeId("ns3::aidc::EthernetNetDevice")
            .SetParent<NetDevice>()
            .SetGroupName("Aidc")
            .AddConstructor<EthernetNetDevice>()
            .AddAttribute("Mtu",
                          "The largest payload of a frame in bytes.",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&C::SetMtu, &C::GetMtu),
                          MakeUintegerChecker<uint16_t>(MIN_MTU))
            .AddAttribute("Address",
                          "The address of this port.",
                          Mac48AddressValue(Mac48Address("ff:ff:ff:ff:ff:ff")),
                          MakeMac48AddressAccessor(&C::SetMacAddress, &C::GetMacAddress),
                          MakeMac48AddressChecker())
            .AddAttribute("DataRate",
                          "The rate of the link, from 1 bit/s to 100 Tb/s.",
                          DataRateValue(DataRate("100Gbps")),
                          MakeDataRateAccessor(&C::SetDataRate, &C::GetDataRate),
                          MakeDataRateChecker())
            .AddAttribute("Overhead",
                          "Bytes that a frame occupies on the wire beside itself: preamble, start "
                          "of frame and gap to the next one.",
                          UintegerValue(20),
                          MakeUintegerAccessor(&C::m_overhead),
                          MakeUintegerChecker<uint32_t>(0, 1000))
            .AddAttribute("NeedsArp",
                          "Whether addresses are to be resolved, as they must where bridges stand "
                          "between two stations.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&C::m_needsArp),
                          MakeBooleanChecker())
            .AddAttribute("TxQueueSize",
                          "Size of the device's own queue, for packets that do not come from a "
                          "queue disc; in packets, or in bytes of payload.",
                          QueueSizeValue(QueueSize("100p")),
                          MakeQueueSizeAccessor(&C::m_queueSize),
                          MakeQueueSizeChecker())
            .AddAttribute("VlanId",
                          "The VLAN of this port (IEEE 802.1Q): its frames have a tag, and those "
                          "of others are discarded; 0 is none.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&C::m_vlanId),
                          MakeUintegerChecker<uint16_t>(0, 4094))
            .AddAttribute("VlanPriority",
                          "Priority code point of frames; one that is not 0 gives them a tag even "
                          "without a VLAN.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&C::m_vlanPriority),
                          MakeUintegerChecker<uint8_t>(0, 7))
            .AddAttribute("ServiceVlanId",
                          "The service VLAN (IEEE 802.1ad), whose tag precedes that of VlanId; 0 "
                          "is none.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&C::m_serviceVlanId),
                          MakeUintegerChecker<uint16_t>(0, 4094))
            .AddAttribute("ReceiveErrorModel",
                          "Corrupts frames that arrive.",
                          PointerValue(),
                          MakePointerAccessor(&C::m_receiveErrorModel),
                          MakePointerChecker<ErrorModel>())
            .AddTraceSource("MacTx",
                            "A packet is handed to the port, without its frame.",
                            MakeTraceSourceAccessor(&C::m_macTxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacTxDrop",
                            "A packet is dropped before transmission, without its frame.",
                            MakeTraceSourceAccessor(&C::m_macTxDropTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacPromiscRx",
                            "A whole frame has arrived, whomever it is for; while there is a "
                            "promiscuous receiver only.",
                            MakeTraceSourceAccessor(&C::m_macPromiscRxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRx",
                            "A whole frame for this node has arrived.",
                            MakeTraceSourceAccessor(&C::m_macRxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxBegin",
                            "The transmission of a whole frame begins.",
                            MakeTraceSourceAccessor(&C::m_phyTxBeginTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxEnd",
                            "The transmission of a whole frame is over.",
                            MakeTraceSourceAccessor(&C::m_phyTxEndTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxEnd",
                            "A whole frame has arrived intact.",
                            MakeTraceSourceAccessor(&C::m_phyRxEndTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxDrop",
                            "A frame that arrives is dropped.",
                            MakeTraceSourceAccessor(&C::m_phyRxDropTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("Sniffer",
                            "A whole frame is sent or has arrived, as captures show it.",
                            MakeTraceSourceAccessor(&C::m_snifferTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PromiscSniffer",
                            "A whole frame is sent or has arrived, whomever it is for.",
                            MakeTraceSourceAccessor(&C::m_promiscSnifferTrace),
                            "ns3::Packet::TracedCallback");
    return tid;
}

EthernetNetDevice::EthernetNetDevice()
{
    NS_LOG_FUNCTION(this);
}

EthernetNetDevice::~EthernetNetDevice()
{
    NS_LOG_FUNCTION(this);
}

void
EthernetNetDevice::DoDispose()
{
    NS_LOG_FUNCTION(this);
    if (m_transmitQueue)
    {
        m_transmitQueue->SetPort(nullptr);
        m_transmitQueue = nullptr;
    }
    m_tagProcessor = nullptr;
    m_frameHandler = nullptr;
    m_receiveErrorModel = nullptr;
    m_paddings.fill(nullptr);
    m_queueDisc = nullptr;
    m_hasQueueDisc = false;
    m_link = nullptr;
    m_channel = nullptr;
    m_macControl = nullptr;
    m_queue.clear();
    m_receive = NetDevice::ReceiveCallback();
    m_promiscReceive = NetDevice::PromiscReceiveCallback();
    m_node = nullptr;
    NetDevice::DoDispose();
}

void
EthernetNetDevice::Attach(Ptr<EthernetChannel> channel)
{
    NS_LOG_FUNCTION(this << channel);
    NS_ABORT_MSG_IF(m_channel, "EthernetNetDevice: the port is attached to a link already");
    m_channel = channel;
    m_link = PeekPointer(channel);
    m_end = static_cast<uint32_t>(channel->GetNDevices());
    auto interface = CreateObjectWithAttributes<NetDeviceQueueInterface>(
        "TxQueuesType",
        TypeIdValue(EthernetTransmitQueue::GetTypeId()));
    m_transmitQueue = DynamicCast<EthernetTransmitQueue>(interface->GetTxQueue(0));
    m_transmitQueue->SetPort(this);
    AggregateObject(interface);
    m_hasChecksums = Node::ChecksumEnabled();
    channel->Attach(this);
}

const EthernetPortStatistics&
EthernetNetDevice::GetStatistics() const
{
    return m_statistics;
}

void
EthernetNetDevice::SetRemoteAddress(const Address& address)
{
    m_remoteAddress = address;
    m_remote = ToBytes(address);
}

const Address&
EthernetNetDevice::GetRemoteAddress() const
{
    return m_remoteAddress;
}

void
EthernetNetDevice::SetTagProcessor(Ptr<EthernetTagProcessor> processor)
{
    NS_LOG_FUNCTION(this << processor);
    m_tagProcessor = processor;
    m_knownTags = processor ? processor->GetKnownTags() : KnownTags();
    m_isContextKept = m_isContextKept || processor;
}

Ptr<EthernetTagProcessor>
EthernetNetDevice::GetTagProcessor() const
{
    return m_tagProcessor;
}

void
EthernetNetDevice::SetFrameHandler(Ptr<EthernetFrameHandler> handler)
{
    NS_LOG_FUNCTION(this << handler);
    m_frameHandler = handler;
}

void
EthernetNetDevice::SetMacControl(Ptr<EthernetMacControl> control)
{
    NS_LOG_FUNCTION(this << control);
    m_macControl = control;
}

Ptr<EthernetMacControl>
EthernetNetDevice::GetMacControl() const
{
    return m_macControl;
}

void
EthernetNetDevice::SetKeepContext(bool isKept)
{
    m_isContextKept = isKept;
}

bool
EthernetNetDevice::SetDataRate(DataRate rate)
{
    NS_LOG_FUNCTION(this << rate);
    if (rate.GetBitRate() < 1 || rate.GetBitRate() > MAX_RATE)
    {
        NS_LOG_ERROR("Expected a DataRate from 1bps to 100Tbps, found " << rate);
        return false;
    }
    m_dataRate = rate;
    m_clock.SetRate(rate.GetBitRate(), static_cast<uint64_t>(Seconds(1).GetTimeStep()));
    return true;
}

DataRate
EthernetNetDevice::GetDataRate() const
{
    return m_dataRate;
}

// Transmission

bool
EthernetNetDevice::IsBusy() const
{
    return Simulator::Now().GetTimeStep() < m_clock.GetEnd();
}

bool
EthernetNetDevice::MustWait()
{
    if (!GetQueueDisc() || (!IsBusy() && !m_isControlDue && m_queue.empty()))
    {
        return false;
    }
    if (m_queueDisc->GetNPackets() > 0)
    {
        ScheduleCompletion();
    }
    return true;
}

void
EthernetNetDevice::ScheduleCompletion()
{
    if (!m_isCompletionScheduled)
    {
        m_isCompletionScheduled = true;
        const int64_t now = Simulator::Now().GetTimeStep();
        Simulator::Schedule(TimeStep(std::max<int64_t>(m_clock.GetEnd() - now, 0)),
                            &EthernetNetDevice::Complete,
                            this);
    }
}

void
EthernetNetDevice::Complete()
{
    m_isCompletionScheduled = false;
    if (!m_channel)
    {
        return; // disposed of
    }
    if (IsBusy())
    {
        // Something else was sent at this instant before the queues had their turn.
        ScheduleCompletion();
        return;
    }
    if (m_isControlDue)
    {
        TransmitControl();
        if (IsBusy())
        {
            ScheduleCompletion();
            return;
        }
    }
    if (m_queue.empty())
    {
        Pull();
        return;
    }
    Outgoing outgoing = std::move(m_queue.front());
    m_queue.pop_front();
    m_queuedBytes -= outgoing.packet->GetSize();
    Transmit(outgoing);
    ScheduleCompletion();
}

void
EthernetNetDevice::Pull()
{
    // As QueueDisc::Run() does, but for the number of packets: the port has room for one. If there
    // are packets and none of them may be sent now, it is the queue disc that resumes.
    const auto item = GetQueueDisc() ? m_queueDisc->Dequeue() : nullptr;
    if (item)
    {
        item->AddHeader();
        TransmitItem(item);
        if (m_queueDisc->GetNPackets() > 0)
        {
            ScheduleCompletion();
        }
    }
}

void
EthernetNetDevice::NotifyQueueDisc(bool isInstalled)
{
    m_hasQueueDisc = isInstalled;
    m_queueDisc = nullptr;
}

Ptr<QueueDisc>
EthernetNetDevice::GetQueueDisc()
{
    if (m_hasQueueDisc && !m_queueDisc)
    {
        auto root = m_node->GetObject<TrafficControlLayer>()->GetRootQueueDiscOnDevice(this);
        if (root->GetWakeMode() == QueueDisc::WAKE_CHILD)
        {
            root = root->GetQueueDiscClass(0)->GetQueueDisc();
        }
        m_queueDisc = PeekPointer(root);
        // Not by Send(), to which the queue disc could not tell what it knows of the packet.
        root->SetSendCallback([this](Ptr<QueueDiscItem> item) { TransmitItem(item); });
    }
    return m_queueDisc;
}

void
EthernetNetDevice::Forward(const Ptr<EthernetQueueItem>& item)
{
    if (!m_queueDisc && !GetQueueDisc())
    {
        item->WriteHeader(*item->GetPacket(), m_hasChecksums);
        Submit({item->GetPacket(), m_remote, m_address, item->GetProtocol(), item->GetContext()});
        return;
    }
    m_queueDisc->Enqueue(item);
    if (!MustWait())
    {
        Pull();
    }
}

void
EthernetNetDevice::TransmitItem(const Ptr<QueueDiscItem>& item)
{
    Outgoing outgoing{item->GetPacket(), m_remote, m_address, item->GetProtocol(), {}};
    // It is the packet's last use here, unless somebody beside the item has kept it.
    if (outgoing.packet->GetReferenceCount() > 2)
    {
        outgoing.packet = outgoing.packet->Copy();
    }
    if (typeid(*PeekPointer(item)) == typeid(EthernetQueueItem))
    {
        auto* transit = static_cast<EthernetQueueItem*>(PeekPointer(item));
        outgoing.context = transit->GetContext();
        transit->WriteHeader(*outgoing.packet, m_hasChecksums);
    }
    else
    {
        outgoing.destination = Resolve(*outgoing.packet, item->GetAddress(), item->GetProtocol());
        TakeContext(outgoing);
        SocketPriorityTag priority; // of use above the port only
        outgoing.packet->RemovePacketTag(priority);
    }
    if (Accept(outgoing))
    {
        Transmit(outgoing);
    }
}

void
EthernetNetDevice::TakeContext(Outgoing& outgoing) const
{
    FrameContextTag tag;
    if (m_isContextKept && outgoing.packet->RemovePacketTag(tag))
    {
        outgoing.context = tag.GetContext();
    }
}

bool
EthernetNetDevice::Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber)
{
    Outgoing outgoing{packet->Copy(),
                      Resolve(*packet, dest, protocolNumber),
                      m_address,
                      protocolNumber,
                      {}};
    TakeContext(outgoing);
    return Submit(std::move(outgoing));
}

bool
EthernetNetDevice::SendFrom(Ptr<Packet> packet,
                            const Address& source,
                            const Address& dest,
                            uint16_t protocolNumber)
{
    Outgoing outgoing{packet->Copy(), ToBytes(dest), ToBytes(source), protocolNumber, {}};
    TakeContext(outgoing);
    return Submit(std::move(outgoing));
}

void
EthernetNetDevice::RequestControl()
{
    m_isControlDue = true;
    // Not at once: the queue disc may just be handing over a packet.
    ScheduleCompletion();
}

void
EthernetNetDevice::TransmitControl()
{
    m_isControlDue = false;
    MacControlFrame frame;
    if (!m_isUp || !m_macControl || !m_macControl->TakeFrame(*this, frame))
    {
        return;
    }
    const auto bytes = EncodeMacControl(frame);
    Outgoing outgoing{Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())),
                      MAC_CONTROL_ADDRESS,
                      m_address,
                      MAC_CONTROL_ETHER_TYPE,
                      {},
                      true};
    Transmit(outgoing);
}

bool
EthernetNetDevice::Accept(const Outgoing& outgoing)
{
    CountOut(outgoing.destination);
    if (!m_isUp || outgoing.packet->GetSize() > m_mtu || outgoing.etherType < MIN_ETHERTYPE)
    {
        ++(m_isUp ? m_statistics.outErrors : m_statistics.outDiscards);
        m_macTxDropTrace(outgoing.packet);
        return false;
    }
    m_macTxTrace(outgoing.packet);
    return true;
}

bool
EthernetNetDevice::Submit(Outgoing outgoing)
{
    if (!Accept(outgoing))
    {
        return false;
    }
    const uint32_t size = outgoing.packet->GetSize();
    if (!IsBusy() && !m_isControlDue && m_queue.empty())
    {
        Transmit(outgoing);
        return true;
    }
    const bool isFull = m_queueSize.GetUnit() == QueueSizeUnit::PACKETS
                            ? m_queue.size() >= m_queueSize.GetValue()
                            : m_queuedBytes + size > m_queueSize.GetValue();
    if (isFull)
    {
        ++m_statistics.outDiscards;
        m_macTxDropTrace(outgoing.packet);
        return false;
    }
    m_queuedBytes += size;
    m_queue.push_back(std::move(outgoing));
    ScheduleCompletion();
    return true;
}

MacBytes
EthernetNetDevice::Resolve(const Packet& packet,
                           const Address& destination,
                           uint16_t etherType) const
{
    const MacBytes bytes = ToBytes(destination);
    if (m_needsArp || bytes != BROADCAST)
    {
        return bytes;
    }
    // ns-3's stack sends to all what needs no address resolution.
    uint8_t header[40];
    const uint32_t size = packet.CopyData(header, sizeof(header));
    if (etherType == ETHERTYPE_IPV4 && size >= 20)
    {
        const auto address = Ipv4Address::Deserialize(header + 16);
        return address.IsMulticast()   ? ToBytes(GetMulticast(address))
               : address.IsBroadcast() ? BROADCAST
                                       : m_remote;
    }
    if (etherType == ETHERTYPE_IPV6 && size >= 40)
    {
        const auto address = Ipv6Address::Deserialize(header + 24);
        return address.IsMulticast() ? ToBytes(GetMulticast(address)) : m_remote;
    }
    return bytes;
}

void
EthernetNetDevice::Transmit(Outgoing& outgoing)
{
    EthernetFrameHeader header;
    EthernetFields& fields = header.GetFields();
    fields.destination = outgoing.destination;
    fields.source = outgoing.source;
    fields.etherType = outgoing.etherType;
    if (!outgoing.isControl)
    {
        if (m_tagProcessor)
        {
            m_tagProcessor->Transmit(*this, outgoing.packet, outgoing.context);
            fields.tag = outgoing.context.tag;
            fields.tagSize = outgoing.context.tagSize;
        }
        if (m_serviceVlanId != 0)
        {
            fields.vlans[fields.nVlans++] = {TPID_S_VLAN, m_vlanPriority, false, m_serviceVlanId};
        }
        if (m_vlanId != 0 || m_vlanPriority != 0)
        {
            fields.vlans[fields.nVlans++] = {TPID_C_VLAN, m_vlanPriority, false, m_vlanId};
        }
    }
    const auto& frame = outgoing.packet;
    frame->AddHeader(header);
    if (frame->GetSize() < MIN_FRAME_SIZE)
    {
        frame->AddAtEnd(GetPadding(MIN_FRAME_SIZE - frame->GetSize()));
    }
    Fire(m_snifferTrace, frame);
    Fire(m_promiscSnifferTrace, frame);
    Fire(m_phyTxBeginTrace, frame);
    const uint32_t octets = frame->GetSize() + FCS_SIZE;
    m_statistics.outOctets += octets;
    ++m_statistics.outFrames;
    const int64_t now = Simulator::Now().GetTimeStep();
    const uint64_t bits = 8 * static_cast<uint64_t>(octets + m_overhead);
    const Time duration = TimeStep(static_cast<uint64_t>(m_clock.Occupy(now, bits) - now));
    if (!m_phyTxEndTrace.IsEmpty())
    {
        Simulator::Schedule(duration, [this, copy = frame->Copy()] { m_phyTxEndTrace(copy); });
    }
    m_link->Carry(frame, m_end, duration);
}

Ptr<const Packet>
EthernetNetDevice::GetPadding(uint32_t size)
{
    // Not Packet::AddPaddingAtEnd(): its bytes are those that happen to be in memory, and packets
    // that are printed do not know of them.
    auto& padding = m_paddings.at(size - 1);
    if (!padding)
    {
        padding = Create<Packet>(size);
    }
    return padding;
}

void
EthernetNetDevice::CountOut(const MacBytes& destination)
{
    ++(!IsGroup(destination)      ? m_statistics.outUnicastFrames
       : destination == BROADCAST ? m_statistics.outBroadcastFrames
                                  : m_statistics.outMulticastFrames);
}

// Reception

void
EthernetNetDevice::Receive(Ptr<Packet> frame, uint32_t epoch)
{
    ReceiveOwn(frame, epoch);
}

void
EthernetNetDevice::ReceiveOwn(Ptr<Packet>& frame, uint32_t epoch)
{
    if (!m_channel)
    {
        return; // disposed of
    }
    if (epoch != m_linkEpoch || m_isBroken)
    {
        DropReceived(frame, m_statistics.inLost);
        return;
    }
    const uint32_t size = frame->GetSize();
    if (m_receiveErrorModel && m_receiveErrorModel->IsCorrupt(frame))
    {
        DropReceived(frame, m_statistics.inErrors);
        return;
    }
    Fire(m_snifferTrace, frame);
    Fire(m_promiscSnifferTrace, frame);
    Fire(m_phyRxEndTrace, frame);
    const bool isSeen = !m_macRxTrace.IsEmpty() || !m_macPromiscRxTrace.IsEmpty();
    const Ptr<const Packet> whole = isSeen ? frame->Copy() : nullptr;

    // Not by RemoveHeader(): ns-3 reads headers byte by byte.
    uint8_t bytes[EthernetFields::MAX_SIZE];
    EthernetFields fields;
    const uint32_t nBytes = frame->CopyData(bytes, sizeof(bytes));
    if (size < MIN_FRAME_SIZE || !ReadEthernetHeader(bytes, nBytes, m_knownTags, fields) ||
        fields.etherType < MIN_ETHERTYPE || size - fields.GetSize() > m_mtu)
    {
        DropReceived(frame, m_statistics.inErrors);
        return;
    }
    frame->RemoveAtStart(static_cast<uint32_t>(fields.GetSize()));
    m_statistics.inOctets += size + FCS_SIZE;
    if (fields.etherType == MAC_CONTROL_ETHER_TYPE)
    {
        ReceiveControl(whole, frame, fields);
        return;
    }
    if (!IsOfVlan(fields))
    {
        DropReceived(frame, m_statistics.inDiscards);
        return;
    }
    FrameContext context;
    context.arrival = Simulator::Now().GetTimeStep();
    context.ingressPort = static_cast<uint16_t>(m_ifIndex);
    context.tag = fields.tag;
    context.tagSize = fields.tagSize;
    if (m_tagProcessor && !m_tagProcessor->Receive(*this, frame, context))
    {
        DropReceived(frame, m_statistics.inDiscards);
        return;
    }
    CountIn(fields.destination);
    if (m_frameHandler && fields.destination == m_address &&
        m_frameHandler->Handle(*this, frame, fields, context))
    {
        Fire(m_macRxTrace, whole);
        return;
    }
    KeepContext(frame, context);
    Deliver(whole, frame, fields);
}

void
EthernetNetDevice::CountIn(const MacBytes& destination)
{
    const bool isForOther = destination != m_address && m_promiscReceive.IsNull();
    ++(!IsGroup(destination)
           ? (isForOther ? m_statistics.inOtherHosts : m_statistics.inUnicastFrames)
       : destination == BROADCAST ? m_statistics.inBroadcastFrames
                                  : m_statistics.inMulticastFrames);
}

void
EthernetNetDevice::ReceiveFromRank(Ptr<Packet> frame)
{
    Receive(frame, m_linkEpoch);
}

void
EthernetNetDevice::KeepContext(const Ptr<Packet>& packet, const FrameContext& context) const
{
    if (m_isContextKept)
    {
        FrameContextTag tag(context);
        packet->ReplacePacketTag(tag);
    }
}

void
EthernetNetDevice::Deliver(const Ptr<const Packet>& frame,
                           const Ptr<Packet>& packet,
                           const EthernetFields& fields)
{
    PacketType type = PACKET_OTHERHOST;
    if (fields.destination == m_address)
    {
        type = PACKET_HOST;
    }
    else if (IsGroup(fields.destination))
    {
        type = fields.destination == BROADCAST ? PACKET_BROADCAST : PACKET_MULTICAST;
    }
    const Address source = ToAddress(fields.source);
    if (!m_promiscReceive.IsNull())
    {
        m_macPromiscRxTrace(frame);
        m_promiscReceive(this,
                         packet,
                         fields.etherType,
                         source,
                         ToAddress(fields.destination),
                         type);
    }
    if (type != PACKET_OTHERHOST)
    {
        m_macRxTrace(frame);
        m_receive(this, packet, fields.etherType, source);
    }
}

void
EthernetNetDevice::ReceiveControl(const Ptr<const Packet>& frame,
                                  const Ptr<Packet>& payload,
                                  const EthernetFields& fields)
{
    // IEEE 802.3, clause 31: to the group of MAC control or to this station, and without tags.
    const bool isForUs =
        fields.destination == MAC_CONTROL_ADDRESS || fields.destination == m_address;
    if (!m_macControl || !isForUs || fields.nVlans > 0 ||
        !m_macControl->Receive(*this, payload, fields))
    {
        DropReceived(payload, m_statistics.inDiscards);
        return;
    }
    // RFC 3635: those that no higher layer gets are no packets of the interface.
    m_macRxTrace(frame);
}

void
EthernetNetDevice::DropReceived(const Ptr<const Packet>& frame, uint64_t& counter)
{
    ++counter;
    m_phyRxDropTrace(frame);
}

bool
EthernetNetDevice::IsOfVlan(const EthernetFields& fields) const
{
    // A tag with identifier 0 gives a priority only. More tags are those of a tunnel that does not
    // end here.
    std::size_t i = 0;
    uint16_t service = 0;
    uint16_t customer = 0;
    if (i < fields.nVlans && fields.vlans[i].tpid == TPID_S_VLAN)
    {
        service = fields.vlans[i++].id;
    }
    if (i < fields.nVlans && fields.vlans[i].tpid == TPID_C_VLAN)
    {
        customer = fields.vlans[i++].id;
    }
    return i == fields.nVlans && service == m_serviceVlanId && customer == m_vlanId;
}

// Link

void
EthernetNetDevice::NotifyLinkBroken(bool isBroken)
{
    m_isBroken = isBroken;
    ++m_linkEpoch;
}

void
EthernetNetDevice::NotifyLinkState(bool isUp)
{
    NS_LOG_FUNCTION(this << isUp);
    if (m_isUp == isUp)
    {
        return;
    }
    m_isUp = isUp;
    m_isControlDue = false;
    for (; !m_queue.empty(); m_queue.pop_front())
    {
        ++m_statistics.outDiscards;
        m_macTxDropTrace(m_queue.front().packet);
    }
    m_queuedBytes = 0;
    m_linkChange();
}

bool
EthernetNetDevice::IsLinkUp() const
{
    return m_isUp;
}

void
EthernetNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChange.ConnectWithoutContext(callback);
}

// What ns-3 asks of every device

void
EthernetNetDevice::SetIfIndex(uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
EthernetNetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
EthernetNetDevice::GetChannel() const
{
    return m_channel;
}

void
EthernetNetDevice::SetAddress(Address address)
{
    m_address = ToBytes(address);
    if (m_channel)
    {
        m_channel->ExchangeAddresses();
    }
}

Address
EthernetNetDevice::GetAddress() const
{
    return ToAddress(m_address);
}

void
EthernetNetDevice::SetMacAddress(Mac48Address address)
{
    SetAddress(address);
}

Mac48Address
EthernetNetDevice::GetMacAddress() const
{
    return ToAddress(m_address);
}

bool
EthernetNetDevice::SetMtu(uint16_t mtu)
{
    if (mtu < MIN_MTU)
    {
        return false;
    }
    m_mtu = mtu;
    return true;
}

uint16_t
EthernetNetDevice::GetMtu() const
{
    return m_mtu;
}

bool
EthernetNetDevice::IsBroadcast() const
{
    return true;
}

Address
EthernetNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
EthernetNetDevice::IsMulticast() const
{
    return true;
}

Address
EthernetNetDevice::GetMulticast(Ipv4Address multicastGroup) const
{
    return Mac48Address::GetMulticast(multicastGroup);
}

Address
EthernetNetDevice::GetMulticast(Ipv6Address addr) const
{
    return Mac48Address::GetMulticast(addr);
}

bool
EthernetNetDevice::IsBridge() const
{
    return false;
}

bool
EthernetNetDevice::IsPointToPoint() const
{
    // ns-3's parallel simulators need to know, and look at such links only.
    return !m_needsArp;
}

Ptr<Node>
EthernetNetDevice::GetNode() const
{
    return m_node;
}

void
EthernetNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
EthernetNetDevice::NeedsArp() const
{
    return m_needsArp;
}

void
EthernetNetDevice::SetReceiveCallback(NetDevice::ReceiveCallback cb)
{
    m_receive = cb;
}

void
EthernetNetDevice::SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback cb)
{
    m_promiscReceive = cb;
}

bool
EthernetNetDevice::SupportsSendFrom() const
{
    return true;
}

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#include "ethernet-net-device.h"

#include "../attribute-accessors.h"
#include "../core/ethernet/mac-control.h"
#include "../core/require-argument.h"
#include "../simulator/event-clock.h"
#include "lazy-trace-accessor.h"

#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/protocol-numbers.h"
#include "ns3/queue-disc.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcEthernetNetDevice");

NS_OBJECT_ENSURE_REGISTERED(EthernetNetDevice);

namespace
{

/// A trace source of packets.
struct PacketTraceSource
{
    const char* name;                                            //!< its name
    EthernetPortTraces::PacketTrace EthernetPortTraces::* trace; //!< the trace source
    const char* help;                                            //!< when it tells of a packet
};

/// The trace sources of packets.
constexpr PacketTraceSource PACKET_TRACES[] = {
    {"MacTx", &EthernetPortTraces::macTx, "A packet is handed to the port, without its frame."},
    {"MacTxDrop",
     &EthernetPortTraces::macTxDrop,
     "A packet is dropped before transmission, without its frame."},
    {"MacPromiscRx",
     &EthernetPortTraces::macPromiscRx,
     "A whole frame has arrived, whomever it is for; while there is a promiscuous receiver only."},
    {"MacRx", &EthernetPortTraces::macRx, "A whole frame for this node has arrived."},
    {"PhyTxBegin", &EthernetPortTraces::phyTxBegin, "The transmission of a whole frame begins."},
    {"PhyTxEnd", &EthernetPortTraces::phyTxEnd, "The transmission of a whole frame is over."},
    {"PhyRxEnd", &EthernetPortTraces::phyRxEnd, "A whole frame has arrived intact."},
    {"PhyRxDrop", &EthernetPortTraces::phyRxDrop, "A frame that arrives is dropped."},
    {"Sniffer",
     &EthernetPortTraces::sniffer,
     "A whole frame is sent or has arrived, as captures show it."},
    {"PromiscSniffer",
     &EthernetPortTraces::promiscSniffer,
     "A whole frame is sent or has arrived, whomever it is for."},
};

/// Add the trace sources of a port.
template <typename Find>
TypeId
AddTraceSources(TypeId tid, Find find)
{
    for (const auto& source : PACKET_TRACES)
    {
        tid.AddTraceSource(source.name,
                           source.help,
                           MakeLazyTraceAccessor(find, source.trace),
                           "ns3::Packet::TracedCallback");
    }
    tid.AddTraceSource("FrameBegin",
                       "The transmission of a frame begins: its packet, without the headers that "
                       "the port has parsed, and the bytes of the frame.",
                       MakeLazyTraceAccessor(find, &EthernetPortTraces::frameBegin),
                       "ns3::aidc::EthernetNetDevice::FrameTracedCallback");
    tid.AddTraceSource("FrameEnd",
                       "A frame has arrived intact: its packet, without the headers that the port "
                       "has parsed, and the bytes of the frame.",
                       MakeLazyTraceAccessor(find, &EthernetPortTraces::frameEnd),
                       "ns3::aidc::EthernetNetDevice::FrameTracedCallback");
    return tid.AddTraceSource("LinkState",
                              "The port has noticed that its link is down, or up again.",
                              MakeLazyTraceAccessor(find, &EthernetPortTraces::linkState),
                              "ns3::aidc::EthernetNetDevice::LinkStateTracedCallback");
}

} // namespace

TypeId
EthernetNetDevice::GetTypeId()
{
    using C = EthernetNetDevice;
    static TypeId tid = AddTraceSources(
        TypeId("ns3::aidc::EthernetNetDevice")
            .SetParent<NetDevice>()
            .SetGroupName("Aidc")
            .AddConstructor<EthernetNetDevice>()
            .AddAttribute("Mtu",
                          "The largest payload of a frame in bytes.",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&C::SetMtu, &C::GetMtu),
                          MakeUintegerChecker<uint16_t>(EthernetMac::MIN_MTU))
            .AddAttribute("Address",
                          "The address of this port.",
                          Mac48AddressValue(Mac48Address("ff:ff:ff:ff:ff:ff")),
                          MakeFunctionAccessor<C, Mac48AddressValue>(
                              [](const C& device) { return ToMac48Address(device.m_mac.address); },
                              [](C& device, const Mac48AddressValue& address) {
                                  device.SetAddress(address.Get());
                              }),
                          MakeMac48AddressChecker())
            .AddAttribute("DataRate",
                          "The rate of the link, from 1 bit/s to 100 Tb/s.",
                          DataRateValue(DataRate("100Gbps")),
                          MakeFunctionAccessor<C, DataRateValue>(
                              [](const C& device) { return device.GetDataRate(); },
                              [](C& device, const DataRateValue& rate) {
                                  return device.m_mac.SetDataRate(rate.Get());
                              }),
                          MakeRateChecker(1, EthernetMac::MAX_RATE))
            .AddAttribute("Overhead",
                          "Bytes that a frame occupies on the wire in addition to its own: "
                          "preamble, start of frame and gap to the next frame.",
                          UintegerValue(20),
                          MakeSettingsAccessor<UintegerValue>(&C::m_mac, &EthernetMac::overhead),
                          MakeUintegerChecker<uint32_t>(0, 1000))
            .AddAttribute("NeedsArp",
                          "Whether addresses are to be resolved, as they must where bridges stand "
                          "between two stations.",
                          BooleanValue(false),
                          MakeSettingsAccessor<BooleanValue>(&C::m_mac, &EthernetMac::needsArp),
                          MakeBooleanChecker())
            .AddAttribute("TxQueueSize",
                          "Size of the device's own queue, for packets that do not come from a "
                          "queue disc; in packets, or in bytes of payload.",
                          QueueSizeValue(QueueSize("100p")),
                          MakeSettingsAccessor<QueueSizeValue>(&C::m_mac, &EthernetMac::queueSize),
                          MakeQueueSizeChecker())
            .AddAttribute("VlanId",
                          "The VLAN of this port (IEEE 802.1Q): its frames have a tag, and those "
                          "of others are discarded; 0 is none.",
                          UintegerValue(0),
                          MakeSettingsAccessor<UintegerValue>(&C::m_vlans, &VlanMembership::vlanId),
                          MakeUintegerChecker<uint16_t>(0, 4094))
            .AddAttribute(
                "VlanPriority",
                "Priority code point of frames; one that is not 0 gives them a tag even "
                "without a VLAN.",
                UintegerValue(0),
                MakeSettingsAccessor<UintegerValue>(&C::m_vlans, &VlanMembership::priority),
                MakeUintegerChecker<uint8_t>(0, 7))
            .AddAttribute(
                "KeepPriority",
                "Whether a packet that has come with a VLAN tag leaves with the priority "
                "code point of that tag (IEEE 802.1Q, 6.9) in place of VlanPriority; the "
                "number of tags stays the same.",
                BooleanValue(false),
                MakeSettingsAccessor<BooleanValue>(&C::m_vlans, &VlanMembership::isPriorityKept),
                MakeBooleanChecker())
            .AddAttribute(
                "ServiceVlanId",
                "The service VLAN (IEEE 802.1ad), whose tag precedes the tag of VlanId; 0 "
                "is none.",
                UintegerValue(0),
                MakeSettingsAccessor<UintegerValue>(&C::m_vlans, &VlanMembership::serviceVlanId),
                MakeUintegerChecker<uint16_t>(0, 4094))
            .AddAttribute(
                "OuterVlanId",
                "The VLAN of a tunnel (IEEE 802.1ad) that ends at this port, whose tag "
                "precedes the tags of ServiceVlanId and VlanId; 0 is none.",
                UintegerValue(0),
                MakeSettingsAccessor<UintegerValue>(&C::m_vlans, &VlanMembership::outerVlanId),
                MakeUintegerChecker<uint16_t>(0, 4094))
            .AddAttribute("OuterServiceVlanId",
                          "The service VLAN of a tunnel (IEEE 802.1ad) that ends at this port, "
                          "whose tag precedes all others; 0 is none.",
                          UintegerValue(0),
                          MakeSettingsAccessor<UintegerValue>(&C::m_vlans,
                                                              &VlanMembership::outerServiceVlanId),
                          MakeUintegerChecker<uint16_t>(0, 4094))
            .AddAttribute(
                "ReceiveErrorModel",
                "Corrupts frames that arrive.",
                PointerValue(),
                MakeSettingsAccessor<PointerValue>(&C::m_mac, &EthernetMac::receiveErrorModel),
                MakePointerChecker<ErrorModel>()),
        &C::GetTraces);
    return tid;
}

void
EthernetNetDevice::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_transmitter.Dispose();
    m_mac.link = nullptr;
    m_mac.channel = nullptr;
    m_mac.tagProcessor = nullptr;
    m_mac.frameHandler = nullptr;
    m_mac.frameSource = nullptr;
    m_mac.macControl = nullptr;
    m_mac.receiveErrorModel = nullptr;
    m_receive = NetDevice::ReceiveCallback();
    m_promiscReceive = NetDevice::PromiscReceiveCallback();
    m_node = nullptr;
    EthernetPort::DoDispose();
}

void
EthernetNetDevice::Attach(Ptr<EthernetChannel> channel)
{
    NS_LOG_FUNCTION(this << channel);
    AIDC_REFUSED_IF(m_mac.channel, "EthernetNetDevice: the port is attached to a link already");
    m_transmitter.Start(*this);
    m_mac.Attach(*this, channel);
}

void
EthernetNetDevice::SetTagProcessor(Ptr<EthernetTagProcessor> processor)
{
    NS_LOG_FUNCTION(this << processor);
    m_mac.tagProcessor = processor;
    m_mac.knownTags = processor ? processor->GetKnownTags() : KnownTags();
    m_mac.isContextKept = m_mac.isContextKept || processor;
}

void
EthernetNetDevice::SetFrameSource(Ptr<EthernetFrameSource> source)
{
    NS_LOG_FUNCTION(this << source);
    m_mac.frameSource = source;
    m_transmitter.NotifyFrameSource();
}

Ptr<QueueDisc>
EthernetNetDevice::GetQueueDisc()
{
    return m_transmitter.FindQueueDisc();
}

uint64_t
EthernetNetDevice::GetQueuedBytes()
{
    const auto* root = m_transmitter.FindQueueDisc();
    return root ? root->GetNBytes() : 0;
}

// The link

void
EthernetNetDevice::NotifyLinkState(bool isUp)
{
    NS_LOG_FUNCTION(this << isUp);
    if (m_mac.isUp == isUp)
    {
        return;
    }
    m_mac.isUp = isUp;
    m_transmitter.NotifyLinkState();
    NS_LOG_INFO("The link is " << (isUp ? "up" : "down"));
    if (m_mac.traces)
    {
        m_mac.traces->linkState(isUp);
    }
    m_linkChange();
}

// Frames

bool
EthernetNetDevice::Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber)
{
    NS_LOG_FUNCTION(this << packet << dest << protocolNumber);
    return m_transmitter.Send(packet->Copy(),
                              m_transmitter.Resolve(*packet, dest, protocolNumber),
                              m_mac.address,
                              protocolNumber);
}

bool
EthernetNetDevice::SendFrom(Ptr<Packet> packet,
                            const Address& source,
                            const Address& dest,
                            uint16_t protocolNumber)
{
    NS_LOG_FUNCTION(this << packet << source << dest << protocolNumber);
    return m_transmitter.Send(packet->Copy(), ToMacBytes(dest), ToMacBytes(source), protocolNumber);
}

void
EthernetNetDevice::Receive(Ptr<Packet> frame, uint32_t epoch)
{
    NS_LOG_FUNCTION(this << frame << epoch);
    auto whole = EthernetFrame::FromBytes(frame);
    Receive(whole, epoch);
}

void
EthernetNetDevice::Receive(EthernetFrame& frame, uint32_t epoch)
{
    Ptr<const Packet> whole; // null if nothing traces it
    if (!m_mac.link || !IsIntact(frame, epoch, whole))
    {
        return; // disposed of, or dropped
    }
    const EthernetFields& fields = frame.fields;
    if (fields.etherType == ETHERTYPE_MAC_CONTROL)
    {
        ReceiveControl(frame, whole);
        return;
    }
    if (!m_vlans.Includes(fields))
    {
        m_mac.DropReceived(frame, &EthernetPortStatistics::inDiscards, "of another VLAN");
        return;
    }
    FrameContext context;
    context.arrival = GetTimeStepNow();
    context.ingressPort = static_cast<uint16_t>(m_ifIndex);
    context.priority = fields.nVlans > 0 ? fields.vlans[0].priority : FrameContext::NO_PRIORITY;
    context.tag = fields.tag;
    context.tagSize = fields.tagSize;
    if (m_mac.tagProcessor && !m_mac.tagProcessor->Receive(*this, frame, context))
    {
        m_mac.DropReceived(frame, &EthernetPortStatistics::inDiscards, "refused for its tag");
        return;
    }
    const bool isForUs = IsSameAddress(fields.destination, m_mac.address);
    m_mac.CountIn(fields.destination, !isForUs && m_promiscReceive.IsNull());
    if (isForUs && m_mac.frameHandler && m_mac.frameHandler->Handle(*this, frame, context))
    {
        m_mac.NotifyReceived(whole);
        return;
    }
    const auto packet = frame.TakePayload();
    KeepContext(packet, context);
    Deliver(whole, packet, fields);
}

bool
EthernetNetDevice::IsIntact(EthernetFrame& frame, uint32_t epoch, Ptr<const Packet>& whole)
{
    if (m_mac.IsLost(epoch))
    {
        m_mac.DropReceived(frame, &EthernetPortStatistics::inLost, "the link has failed");
        return false;
    }
    const uint32_t size = frame.GetSize();
    if (m_mac.receiveErrorModel && m_mac.receiveErrorModel->IsCorrupt(frame.Write()))
    {
        m_mac.DropReceived(frame, &EthernetPortStatistics::inErrors, "corrupted");
        return false;
    }
    m_mac.NotifyArrived(frame, whole);
    const EthernetFields& fields = frame.fields;
    if (size < EthernetFrame::MIN_SIZE || !frame.Read(m_mac.knownTags) ||
        fields.etherType < MIN_ETHERTYPE || size - fields.GetSize() > m_mac.mtu)
    {
        m_mac.DropReceived(frame, &EthernetPortStatistics::inErrors, "wrong size or header");
        return false;
    }
    m_mac.statistics.inOctets += size + EthernetMac::FCS_SIZE;
    return true;
}

void
EthernetNetDevice::ReceiveControl(EthernetFrame& frame, const Ptr<const Packet>& whole)
{
    // IEEE 802.3, clause 31: to the group of MAC control or to this station, and without tags.
    const EthernetFields& fields = frame.fields;
    const bool isForUs =
        fields.destination == MAC_CONTROL_ADDRESS || fields.destination == m_mac.address;
    if (!m_mac.macControl || !isForUs || fields.nVlans > 0 || fields.tagSize > 0)
    {
        m_mac.DropReceived(frame, &EthernetPortStatistics::inDiscards, "no such MAC control here");
        return;
    }
    const auto payload = frame.TakePayload();
    if (!m_mac.macControl->Receive(*this, payload, fields))
    {
        frame.packet = payload;
        m_mac.DropReceived(frame, &EthernetPortStatistics::inDiscards, "unknown MAC control");
        return;
    }
    // RFC 3635: frames that no higher layer gets are no packets of the interface.
    NS_LOG_LOGIC("MAC control of " << payload->GetSize() << " bytes taken");
    m_mac.NotifyReceived(whole);
}

void
EthernetNetDevice::KeepContext(const Ptr<Packet>& packet, const FrameContext& context) const
{
    if (m_mac.isContextKept)
    {
        FrameContextTag tag(context);
        packet->ReplacePacketTag(tag);
    }
}

void
EthernetNetDevice::Deliver(const Ptr<const Packet>& whole,
                           const Ptr<Packet>& packet,
                           const EthernetFields& fields)
{
    PacketType type = PACKET_OTHERHOST;
    if (fields.destination == m_mac.address)
    {
        type = PACKET_HOST;
    }
    else if (IsGroup(fields.destination))
    {
        type = fields.destination == MAC_BROADCAST ? PACKET_BROADCAST : PACKET_MULTICAST;
    }
    NS_LOG_LOGIC("Packet of type " << type << " and EtherType " << fields.etherType);
    const Address source = ToMac48Address(fields.source);
    if (!m_promiscReceive.IsNull())
    {
        if (whole)
        {
            m_mac.traces->macPromiscRx(whole);
        }
        m_promiscReceive(this,
                         packet,
                         fields.etherType,
                         source,
                         ToMac48Address(fields.destination),
                         type);
    }
    if (type != PACKET_OTHERHOST)
    {
        m_mac.NotifyReceived(whole);
        if (!m_receive(this, packet, fields.etherType, source) && m_promiscReceive.IsNull())
        {
            NS_LOG_LOGIC("Nobody in the node takes EtherType " << fields.etherType);
            ++m_mac.statistics.inUnknownProtocols;
        }
    }
}

// What ns-3 asks of every device

void
EthernetNetDevice::SetAddress(Address address)
{
    NS_LOG_FUNCTION(this << address);
    m_mac.address = ToMacBytes(address);
    if (m_mac.channel)
    {
        m_mac.channel->ExchangeAddresses();
    }
}

bool
EthernetNetDevice::SetMtu(uint16_t mtu)
{
    NS_LOG_FUNCTION(this << mtu);
    if (mtu < EthernetMac::MIN_MTU)
    {
        return false;
    }
    m_mac.mtu = mtu;
    return true;
}

void
EthernetNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChange.ConnectWithoutContext(callback);
}

void
EthernetNetDevice::SetReceiveCallback(NetDevice::ReceiveCallback cb)
{
    NS_LOG_FUNCTION(this);
    m_receive = cb;
}

void
EthernetNetDevice::SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback cb)
{
    NS_LOG_FUNCTION(this);
    m_promiscReceive = cb;
}

Address
EthernetNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
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

} // namespace ns3::aidc

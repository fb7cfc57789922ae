/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-net-device.h"

#include "ethernet-channel.h"
#include "ethernet-port-traces.h"
#include "ethernet-transmit-queue.h"
#include "lazy-trace-accessor.h"
#include "mac-bytes.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcEthernetNetDevice");

NS_OBJECT_ENSURE_REGISTERED(EthernetNetDevice);

namespace
{

/// The least that IPv4 asks of a link (RFC 791, section 3.2).
constexpr uint16_t MIN_MTU = 68;
/// The highest rate in bit/s.
constexpr uint64_t MAX_RATE = 100000000000000;

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
                          MakeRateChecker(1, MAX_RATE))
            .AddAttribute("Overhead",
                          "Bytes that a frame occupies on the wire in addition to its own: "
                          "preamble, start of frame and gap to the next frame.",
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
            .AddAttribute("KeepPriority",
                          "Whether a packet that has come with a VLAN tag leaves with the priority "
                          "code point of that tag (IEEE 802.1Q, 6.9) in place of VlanPriority; the "
                          "number of tags stays the same.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&C::m_isPriorityKept),
                          MakeBooleanChecker())
            .AddAttribute("ServiceVlanId",
                          "The service VLAN (IEEE 802.1ad), whose tag precedes that of VlanId; 0 "
                          "is none.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&C::m_serviceVlanId),
                          MakeUintegerChecker<uint16_t>(0, 4094))
            .AddAttribute("OuterVlanId",
                          "The VLAN of a tunnel (IEEE 802.1ad) that ends at this port, whose tag "
                          "precedes those of ServiceVlanId and VlanId; 0 is none.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&C::m_outerVlanId),
                          MakeUintegerChecker<uint16_t>(0, 4094))
            .AddAttribute("OuterServiceVlanId",
                          "The service VLAN of a tunnel (IEEE 802.1ad) that ends at this port, "
                          "whose tag precedes all others; 0 is none.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&C::m_outerServiceVlanId),
                          MakeUintegerChecker<uint16_t>(0, 4094))
            .AddAttribute("ReceiveErrorModel",
                          "Corrupts frames that arrive.",
                          PointerValue(),
                          MakePointerAccessor(&C::m_receiveErrorModel),
                          MakePointerChecker<ErrorModel>())
            .AddTraceSource("MacTx",
                            "A packet is handed to the port, without its frame.",
                            MakeLazyTraceAccessor(&C::m_traces, &EthernetPortTraces::macTx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacTxDrop",
                            "A packet is dropped before transmission, without its frame.",
                            MakeLazyTraceAccessor(&C::m_traces, &EthernetPortTraces::macTxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacPromiscRx",
                            "A whole frame has arrived, whomever it is for; while there is a "
                            "promiscuous receiver only.",
                            MakeLazyTraceAccessor(&C::m_traces, &EthernetPortTraces::macPromiscRx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRx",
                            "A whole frame for this node has arrived.",
                            MakeLazyTraceAccessor(&C::m_traces, &EthernetPortTraces::macRx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxBegin",
                            "The transmission of a whole frame begins.",
                            MakeLazyTraceAccessor(&C::m_traces, &EthernetPortTraces::phyTxBegin),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxEnd",
                            "The transmission of a whole frame is over.",
                            MakeLazyTraceAccessor(&C::m_traces, &EthernetPortTraces::phyTxEnd),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxEnd",
                            "A whole frame has arrived intact.",
                            MakeLazyTraceAccessor(&C::m_traces, &EthernetPortTraces::phyRxEnd),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxDrop",
                            "A frame that arrives is dropped.",
                            MakeLazyTraceAccessor(&C::m_traces, &EthernetPortTraces::phyRxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("Sniffer",
                            "A whole frame is sent or has arrived, as captures show it.",
                            MakeLazyTraceAccessor(&C::m_traces, &EthernetPortTraces::sniffer),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource(
                "PromiscSniffer",
                "A whole frame is sent or has arrived, whomever it is for.",
                MakeLazyTraceAccessor(&C::m_traces, &EthernetPortTraces::promiscSniffer),
                "ns3::Packet::TracedCallback")
            .AddTraceSource("LinkState",
                            "The port has noticed that its link is down, or up again.",
                            MakeLazyTraceAccessor(&C::m_traces, &EthernetPortTraces::linkState),
                            "ns3::aidc::EthernetPort::LinkStateTracedCallback");
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
    m_rootQueue = nullptr;
    m_hasQueueDisc = false;
    m_link = nullptr;
    m_channel = nullptr;
    m_macControl = nullptr;
    m_frameSource = nullptr;
    m_isFrameDue = false;
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

void
EthernetNetDevice::SetRemoteAddress(const Address& address)
{
    m_remoteAddress = address;
    m_remote = ToMacBytes(address);
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

Ptr<EthernetFrameHandler>
EthernetNetDevice::GetFrameHandler() const
{
    return m_frameHandler;
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
EthernetNetDevice::SetFrameSource(Ptr<EthernetFrameSource> source)
{
    NS_LOG_FUNCTION(this << source);
    m_frameSource = source;
    m_isFrameDue = false;
}

Ptr<EthernetFrameSource>
EthernetNetDevice::GetFrameSource() const
{
    return m_frameSource;
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

// Link

void
EthernetNetDevice::NotifyLinkFailed(bool isFailed)
{
    m_isFailed = isFailed;
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
        ++m_statistics.outLost;
        DropOutgoing(m_queue.front().frame);
    }
    m_queuedBytes = 0;
    if (m_traces)
    {
        m_traces->linkState(isUp);
    }
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

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#include "ethernet-transmitter.h"

#include "../core/ethernet/ethernet-fields.h"
#include "../core/ethernet/mac-control.h"

#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/protocol-numbers.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-item.h"
#include "ns3/socket.h"
#include "ns3/traffic-control-layer.h"

#include <typeinfo>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcEthernetTransmitter");

NS_OBJECT_ENSURE_REGISTERED(EthernetTransmitQueue);

TypeId
EthernetTransmitQueue::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::EthernetTransmitQueue")
                            .SetParent<NetDeviceQueue>()
                            .SetGroupName("Aidc")
                            .AddConstructor<EthernetTransmitQueue>();
    return tid;
}

bool
EthernetTransmitQueue::IsStopped() const
{
    return m_transmitter && m_transmitter->MustWait();
}

void
EthernetTransmitQueue::Wake()
{
    // At once: ns-3 would do so by one more event of the same instant.
    if (!m_wake.IsNull())
    {
        m_wake();
    }
}

void
EthernetTransmitQueue::SetWakeCallback(WakeCallback cb)
{
    NS_LOG_FUNCTION(this << cb.IsNull());
    m_wake = cb;
    if (m_transmitter)
    {
        m_transmitter->NotifyQueueDisc(!cb.IsNull());
    }
}

namespace
{

/// A packet from NetDevice::Send() or SendFrom() in a port's root queue disc.
///
/// It keeps its addresses. An IP packet is classified by its DSCP. It cannot be marked, as bridges
/// do not change packets.
class BridgedQueueItem final : public QueueDiscItem
{
  public:
    /// Constructor. packet: the packet with all of its headers.
    BridgedQueueItem(const Ptr<Packet>& packet,
                     const Address& destination,
                     const MacBytes& source,
                     uint16_t etherType)
        : QueueDiscItem(packet, destination, etherType),
          m_source(source)
    {
    }

    /// @return the source address
    const MacBytes& GetSource() const
    {
        return m_source;
    }

    // From QueueDiscItem
    void AddHeader() override
    {
        // It has all of them.
    }

    bool Mark() override
    {
        return false;
    }

    bool GetUint8Value(Uint8Values field, uint8_t& value) const override
    {
        uint8_t bytes[2];
        if (field != IP_DSFIELD ||
            (GetProtocol() != ETHERTYPE_IPV4 && GetProtocol() != ETHERTYPE_IPV6) ||
            GetPacket()->CopyData(bytes, sizeof(bytes)) < sizeof(bytes))
        {
            return false;
        }
        value = GetProtocol() == ETHERTYPE_IPV4
                    ? bytes[1]
                    : static_cast<uint8_t>((bytes[0] & 0xf) << 4 | bytes[1] >> 4);
        return true;
    }

  private:
    MacBytes m_source; //!< the source address
};

/// Make a header without tags.
EthernetFields
MakeFields(const MacBytes& destination, const MacBytes& source, uint16_t etherType)
{
    EthernetFields fields;
    fields.destination = destination;
    fields.source = source;
    fields.etherType = etherType;
    return fields;
}

} // namespace

EthernetTransmitter::EthernetTransmitter(EthernetNetDevice& device,
                                         EthernetMac& mac,
                                         const VlanMembership& vlans)
    : m_mac(mac),
      m_vlans(vlans),
      m_device(device)
{
}

void
EthernetTransmitter::Start(NetDevice& port)
{
    m_port = &port;
    // EthernetChannel refuses a port without a node.
    m_nodeId = port.GetNode() ? port.GetNode()->GetId() : 0;
    m_hasChecksums = Node::ChecksumEnabled();
    auto interface = CreateObjectWithAttributes<NetDeviceQueueInterface>(
        "TxQueuesType",
        TypeIdValue(EthernetTransmitQueue::GetTypeId()));
    m_transmitQueue = DynamicCast<EthernetTransmitQueue>(interface->GetTxQueue(0));
    m_transmitQueue->SetTransmitter(this);
    port.AggregateObject(interface);
}

void
EthernetTransmitter::Dispose()
{
    if (m_transmitQueue)
    {
        m_transmitQueue->SetTransmitter(nullptr);
        m_transmitQueue = nullptr;
    }
    m_rootQueue = nullptr;
    m_hasQueueDisc = false;
    m_isFrameDue = false;
    m_queue.clear();
}

void
EthernetTransmitter::NotifyQueueDisc(bool isInstalled)
{
    NS_LOG_FUNCTION(this << isInstalled);
    m_hasQueueDisc = isInstalled;
    m_rootQueue = nullptr;
}

void
EthernetTransmitter::NotifyLinkState()
{
    NS_LOG_FUNCTION(this << m_queue.size());
    m_isControlDue = false;
    for (; !m_queue.empty(); m_queue.pop_front())
    {
        ++m_mac.statistics.outLost;
        m_mac.DropOutgoing(m_queue.front().frame,
                           &EthernetPortStatistics::outDiscards,
                           "the link has changed");
    }
    m_queuedBytes = 0;
}

QueueDisc*
EthernetTransmitter::LookUpQueueDisc()
{
    const auto layer = m_port->GetNode()->GetObject<TrafficControlLayer>();
    auto root = layer->GetRootQueueDiscOnDevice(m_port);
    if (root->GetWakeMode() == QueueDisc::WAKE_CHILD)
    {
        root = root->GetQueueDiscClass(0)->GetQueueDisc(); // ns-3 queues packets there
    }
    m_rootQueue = PeekPointer(root);
    NS_LOG_LOGIC("The root queue disc is " << m_rootQueue);
    // Not by NetDevice::Send(), to which the queue disc could not tell what it knows of the packet.
    root->SetSendCallback([this](Ptr<QueueDiscItem> item) { SendItem(*item); });
    return m_rootQueue;
}

bool
EthernetTransmitter::MustWait()
{
    if (!FindQueueDisc() || (!m_mac.IsBusy() && !m_isControlDue && m_queue.empty()))
    {
        return false;
    }
    if (!m_isCompletionScheduled && m_rootQueue->GetNPackets() > 0)
    {
        ScheduleCompletion();
    }
    return true;
}

// Inlined where a frame comes by.
inline void
EthernetTransmitter::Transmit(Outgoing& outgoing)
{
    auto& [frame, context] = outgoing;
    if (m_mac.tagProcessor)
    {
        m_mac.tagProcessor->Transmit(m_device, frame, context);
        frame.fields.tag = context.tag;
        frame.fields.tagSize = context.tagSize;
    }
    m_vlans.AddTags(frame.fields, context.priority);
    m_mac.Send(frame);
}

inline void
EthernetTransmitter::Enqueue(const Ptr<QueueDiscItem>& item)
{
    m_rootQueue->Enqueue(item);
    if (!MustWait())
    {
        Pull();
    }
}

void
EthernetTransmitter::ScheduleCompletion()
{
    if (!m_isCompletionScheduled)
    {
        m_isCompletionScheduled = true;
        m_completion.Schedule(m_nodeId, m_mac.GetTimeUntilIdle());
    }
}

void
EthernetTransmitter::Complete()
{
    m_isCompletionScheduled = false;
    if (!m_mac.link)
    {
        return; // disposed of
    }
    if (m_mac.IsBusy())
    {
        // Something else was sent at this instant before the queues had their turn.
        ScheduleCompletion();
        return;
    }
    if (m_isControlDue)
    {
        TransmitControl();
        if (m_mac.IsBusy())
        {
            ScheduleCompletion();
            return;
        }
    }
    // One of the source and one of the queues, while both have some that may be sent.
    const bool isSourceFirst = m_isFrameDue && !m_wasFromSource;
    if (!(isSourceFirst && TransmitFromSource()) && !TransmitQueued() && m_isFrameDue &&
        !isSourceFirst)
    {
        TransmitFromSource();
    }
    if (m_isFrameDue)
    {
        ScheduleCompletion();
    }
}

bool
EthernetTransmitter::TransmitFromSource()
{
    const auto header = MakeFields(m_mac.remote, m_mac.address, ETHERTYPE_IPV4);
    Outgoing outgoing{{nullptr, header}};
    m_isFrameDue = false;
    if (!m_mac.frameSource->TakeFrame(m_device, outgoing.frame, outgoing.context))
    {
        NS_LOG_LOGIC("The frame source has nothing that may be sent");
        return false;
    }
    m_wasFromSource = true;
    if (Accept(outgoing.frame))
    {
        Transmit(outgoing);
    }
    else
    {
        // It takes its time nevertheless, so that a source never sends without end at one instant.
        m_mac.Occupy(outgoing.frame.GetSize());
    }
    m_isFrameDue = m_isFrameDue || m_mac.frameSource->HasFrame();
    // What waits in the queues has its turn next.
    if (!m_queue.empty() || (FindQueueDisc() && m_rootQueue->GetNPackets() > 0))
    {
        ScheduleCompletion();
    }
    return true;
}

bool
EthernetTransmitter::TransmitQueued()
{
    if (m_queue.empty())
    {
        return Pull();
    }
    Outgoing outgoing = std::move(m_queue.front());
    m_queue.pop_front();
    m_queuedBytes -= outgoing.frame.GetPayloadSize();
    m_wasFromSource = false;
    NS_LOG_LOGIC("Send from the own queue, which has " << m_queue.size() << " packets left");
    Transmit(outgoing);
    ScheduleCompletion();
    return true;
}

bool
EthernetTransmitter::Pull()
{
    // As QueueDisc::Run() does, but for the number of packets: the port has room for one. If there
    // are packets and none of them may be sent now, it is the queue disc that resumes.
    const auto item = FindQueueDisc() ? m_rootQueue->Dequeue() : nullptr;
    if (!item)
    {
        return false;
    }
    m_wasFromSource = false;
    item->AddHeader();
    SendItem(*item);
    return true;
}

void
EthernetTransmitter::RequestFrame()
{
    if (!m_isFrameDue)
    {
        m_isFrameDue = true;
        // Not at once: the caller may be in the middle of another frame.
        ScheduleCompletion();
    }
}

void
EthernetTransmitter::PullFrame()
{
    m_isFrameDue = true;
    if (m_mac.IsBusy())
    {
        ScheduleCompletion();
    }
    else if (!m_isCompletionScheduled)
    {
        Complete();
    }
}

void
EthernetTransmitter::RequestControl()
{
    NS_LOG_FUNCTION(this);
    m_isControlDue = true;
    // Not at once: the queue disc may just be handing over a packet.
    ScheduleCompletion();
}

void
EthernetTransmitter::TransmitControl()
{
    m_isControlDue = false;
    MacControlFrame control;
    if (!m_mac.isUp || !m_mac.macControl || !m_mac.macControl->TakeFrame(m_device, control))
    {
        NS_LOG_LOGIC("There is no MAC control to be sent any more");
        return;
    }
    const auto bytes = EncodeMacControl(control);
    EthernetFrame frame{Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())),
                        MakeFields(MAC_CONTROL_ADDRESS, m_mac.address, ETHERTYPE_MAC_CONTROL)};
    NS_LOG_LOGIC("Send MAC control, which has no tags");
    ++m_mac.statistics.outControlFrames;
    m_mac.Send(frame);
}

void
EthernetTransmitter::Forward(const Ptr<EthernetQueueItem>& item)
{
    if (FindQueueDisc())
    {
        Enqueue(item);
    }
    else
    {
        Submit(MakeOutgoing(*item));
    }
}

bool
EthernetTransmitter::Send(const Ptr<Packet>& packet,
                          const MacBytes& destination,
                          const MacBytes& source,
                          uint16_t etherType)
{
    if (m_mac.macControl && dynamic_cast<PausableClasses*>(FindQueueDisc()))
    {
        // A class that the other end has stopped is not to be bypassed.
        NS_LOG_LOGIC("Queue a packet of EtherType " << etherType << " in the root queue disc");
        Enqueue(Create<BridgedQueueItem>(packet, ToMac48Address(destination), source, etherType));
        return true;
    }
    Outgoing outgoing{{packet, MakeFields(destination, source, etherType)}};
    TakeContext(outgoing);
    return Submit(std::move(outgoing));
}

EthernetTransmitter::Outgoing
EthernetTransmitter::MakeOutgoing(QueueDiscItem& item) const
{
    const auto header = MakeFields(m_mac.remote, m_mac.address, ETHERTYPE_IPV4);
    Outgoing outgoing{{item.GetPacket(), header}};
    auto& packet = outgoing.frame.packet;
    // It is the packet's last use here, unless somebody other than the item has kept it.
    if (packet->GetReferenceCount() > 2)
    {
        packet = packet->Copy();
    }
    if (typeid(item) == typeid(EthernetQueueItem))
    {
        auto& transit = static_cast<EthernetQueueItem&>(item);
        outgoing.context = transit.GetContext();
        outgoing.frame.transit = transit.FinishHeader(m_hasChecksums);
        outgoing.frame.hasTransit = true;
        return outgoing;
    }
    outgoing.frame.fields.etherType = item.GetProtocol();
    if (typeid(item) == typeid(BridgedQueueItem))
    {
        outgoing.frame.fields.destination = ToMacBytes(item.GetAddress());
        outgoing.frame.fields.source = static_cast<BridgedQueueItem&>(item).GetSource();
        TakeContext(outgoing);
    }
    else
    {
        outgoing.frame.fields.destination = Resolve(*packet, item.GetAddress(), item.GetProtocol());
        TakeContext(outgoing);
        SocketPriorityTag priority; // of use above the port only
        packet->RemovePacketTag(priority);
    }
    return outgoing;
}

void
EthernetTransmitter::SendItem(QueueDiscItem& item)
{
    Outgoing outgoing = MakeOutgoing(item);
    if (Accept(outgoing.frame))
    {
        Transmit(outgoing);
    }
    if (m_rootQueue->GetNPackets() > 0)
    {
        ScheduleCompletion();
    }
}

void
EthernetTransmitter::TakeContext(Outgoing& outgoing)
{
    // If it stayed, the next node would take it for its own: ports there have the same numbers.
    FrameContextTag tag;
    if (outgoing.frame.packet->RemovePacketTag(tag))
    {
        outgoing.context = tag.GetContext();
    }
}

bool
EthernetTransmitter::Accept(EthernetFrame& frame)
{
    m_mac.CountOut(frame.fields.destination);
    if (!m_mac.isUp)
    {
        ++m_mac.statistics.outLost;
        m_mac.DropOutgoing(frame, &EthernetPortStatistics::outDiscards, "the link is down");
        return false;
    }
    if (frame.GetPayloadSize() > m_mac.mtu || frame.fields.etherType < MIN_ETHERTYPE ||
        m_mac.knownTags.GetSize(frame.fields.etherType) != 0)
    {
        m_mac.DropOutgoing(frame,
                           &EthernetPortStatistics::outErrors,
                           "longer than the MTU, or no EtherType");
        return false;
    }
    if (m_mac.traces && !m_mac.traces->macTx.IsEmpty())
    {
        m_mac.traces->macTx(frame.WritePayload());
    }
    return true;
}

bool
EthernetTransmitter::Submit(Outgoing&& outgoing)
{
    if (!Accept(outgoing.frame))
    {
        return false;
    }
    if (!m_mac.IsBusy() && !m_isControlDue && m_queue.empty())
    {
        Transmit(outgoing);
        return true;
    }
    const uint32_t size = outgoing.frame.GetPayloadSize();
    const bool isFull = m_mac.queueSize.GetUnit() == QueueSizeUnit::PACKETS
                            ? m_queue.size() >= m_mac.queueSize.GetValue()
                            : m_queuedBytes + size > m_mac.queueSize.GetValue();
    if (isFull)
    {
        m_mac.DropOutgoing(outgoing.frame,
                           &EthernetPortStatistics::outDiscards,
                           "the own queue is full");
        return false;
    }
    m_queuedBytes += size;
    m_queue.push_back(std::move(outgoing));
    NS_LOG_LOGIC("Queue a packet of " << size << " bytes behind " << m_queue.size() - 1);
    ScheduleCompletion();
    return true;
}

MacBytes
EthernetTransmitter::Resolve(const Packet& packet,
                             const Address& destination,
                             uint16_t etherType) const
{
    const MacBytes bytes = ToMacBytes(destination);
    if (m_mac.needsArp || bytes != MAC_BROADCAST)
    {
        return bytes;
    }
    // ns-3's stack sends to all what needs no address resolution.
    uint8_t header[40];
    const uint32_t size = packet.CopyData(header, sizeof(header));
    if (etherType == ETHERTYPE_IPV4 && size >= 20)
    {
        const auto address = Ipv4Address::Deserialize(header + 16);
        return address.IsMulticast()   ? ToMacBytes(Mac48Address::GetMulticast(address))
               : address.IsBroadcast() ? MAC_BROADCAST
                                       : m_mac.remote;
    }
    if (etherType == ETHERTYPE_IPV6 && size >= 40)
    {
        const auto address = Ipv6Address::Deserialize(header + 24);
        return address.IsMulticast() ? ToMacBytes(Mac48Address::GetMulticast(address))
                                     : m_mac.remote;
    }
    return bytes;
}

} // namespace ns3::aidc

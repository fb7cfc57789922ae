// SPDX-License-Identifier: GPL-2.0-only

#include "fabric-flow-probe.h"

#include "../../model/core/require-argument.h"

#include "ns3/config.h"
#include "ns3/ipv4-flow-probe.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/log.h"
#include "ns3/mpi-processes.h"
#include "ns3/roce-nic.h"
#include "ns3/switch-datapath.h"
#include "ns3/tag.h"

#include <ostream>
#include <string>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcFabricFlowProbe");

NS_OBJECT_ENSURE_REGISTERED(FabricFlowProbe);

namespace
{

/// Marks a packet of RoCEv2 with its flow and number. It has the same bytes as Ipv4FlowProbe's tag,
/// which has no public header.
class FabricFlowTag : public Tag
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aidc::FabricFlowTag")
                                .SetParent<Tag>()
                                .SetGroupName("Aidc")
                                .AddConstructor<FabricFlowTag>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return 5 * sizeof(uint32_t);
    }

    void Serialize(TagBuffer buffer) const override
    {
        buffer.WriteU32(flow);
        buffer.WriteU32(packet);
        buffer.WriteU32(size);
        WriteAddress(buffer, source);
        WriteAddress(buffer, destination);
    }

    void Deserialize(TagBuffer buffer) override
    {
        flow = buffer.ReadU32();
        packet = buffer.ReadU32();
        size = buffer.ReadU32();
        source = ReadAddress(buffer);
        destination = ReadAddress(buffer);
    }

    void Print(std::ostream& os) const override
    {
        os << "flow " << flow << ", packet " << packet;
    }

    /// @return whether the tag is of this packet, and not of one inside it
    bool IsOf(const Ipv4Header& header) const
    {
        return header.GetSource() == source && header.GetDestination() == destination;
    }

    uint32_t flow{0};        //!< the flow
    uint32_t packet{0};      //!< the packet's number in its flow
    uint32_t size{0};        //!< bytes of the packet, with its IPv4 header
    Ipv4Address source;      //!< of the packet
    Ipv4Address destination; //!< of the packet

  private:
    static void WriteAddress(TagBuffer& buffer, Ipv4Address address)
    {
        uint8_t bytes[sizeof(uint32_t)];
        address.Serialize(bytes);
        buffer.Write(bytes, sizeof(bytes));
    }

    /// @param [in,out] buffer where to read @return what is there
    static Ipv4Address ReadAddress(TagBuffer& buffer)
    {
        uint8_t bytes[sizeof(uint32_t)];
        buffer.Read(bytes, sizeof(bytes));
        return Ipv4Address::Deserialize(bytes);
    }
};

/// Reads the tag of Ipv4FlowProbe.
class StackFlowTag : public FabricFlowTag
{
  public:
    /// @param tid the TypeId of Ipv4FlowProbe's tag
    explicit StackFlowTag(TypeId tid)
        : m_tid(tid)
    {
    }

    TypeId GetInstanceTypeId() const override
    {
        return m_tid;
    }

  private:
    TypeId m_tid; //!< of the tag that it reads
};

/// Find the tag of a packet of ns-3's stack. @return whether it has one
bool
FindStackTag(const Packet& packet, FabricFlowTag& tag)
{
    TypeId tid;
    // It is registered with the first packet that is tagged.
    if (!TypeId::LookupByNameFailSafe("ns3::Ipv4FlowProbeTag", &tid))
    {
        return false;
    }
    StackFlowTag found(tid);
    if (!packet.FindFirstMatchingByteTag(found))
    {
        return false;
    }
    tag = found;
    return true;
}

/// @param header an IPv4 header @param packet what follows it @return bytes of both
uint32_t
GetSize(const Ipv4Header& header, const Packet& packet)
{
    return packet.GetSize() + header.GetSerializedSize();
}

} // namespace

TypeId
FabricFlowProbe::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::FabricFlowProbe").SetParent<FlowProbe>().SetGroupName("Aidc");
    return tid;
}

void
FabricFlowProbe::Install(FlowMonitorHelper& helper, const NodeContainer& nodes)
{
    AIDC_REFUSED_IF(
        MpiProcesses::Get().GetN() > 1,
        "FabricFlowProbe: expected one process, since FlowMonitor follows packets within a "
        "process; found "
            << MpiProcesses::Get().GetN());
    const auto monitor = helper.GetMonitor(); // makes the classifier, too
    const auto classifier = DynamicCast<Ipv4FlowClassifier>(helper.GetClassifier());
    AIDC_REFUSED_IF(!classifier, "FabricFlowProbe: expected a FlowMonitorHelper for IPv4");
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        CreateObject<FabricFlowProbe>(monitor, classifier, *node);
    }
}

void
FabricFlowProbe::InstallAll(FlowMonitorHelper& helper)
{
    Install(helper, NodeContainer::GetGlobal());
}

FabricFlowProbe::FabricFlowProbe(Ptr<FlowMonitor> monitor,
                                 Ptr<Ipv4FlowClassifier> classifier,
                                 Ptr<Node> node)
    : FlowProbe(monitor), // which owns it
      m_classifier(classifier)
{
    NS_LOG_FUNCTION(this << node->GetId());
    const Ptr<FabricFlowProbe> self(this);
    const auto tell = [&self](TagsOf tagsOf, Report report) {
        return Callback<void, const Ipv4Header&, Ptr<const Packet>, uint32_t>(
            [self, tagsOf, report](const Ipv4Header& header, Ptr<const Packet> packet, uint32_t) {
                self->NotifySeen(tagsOf, report, header, *packet);
            });
    };
    if (const auto nic = node->GetObject<RoceNic>())
    {
        nic->TraceConnectWithoutContext("SendOutgoing",
                                        MakeCallback(&FabricFlowProbe::NotifySent, self));
        nic->TraceConnectWithoutContext("LocalDeliver", tell(ROCE, &FlowMonitor::ReportLastRx));
    }
    if (const auto datapath = node->GetObject<SwitchDatapath>())
    {
        datapath->TraceConnectWithoutContext("UnicastForward",
                                             tell(ANY, &FlowMonitor::ReportForwarding));
    }
    if (const auto ipv4 = node->GetObject<Ipv4L3Protocol>())
    {
        ipv4->TraceConnectWithoutContext("UnicastForward",
                                         tell(ROCE, &FlowMonitor::ReportForwarding));
    }
    Config::ConnectWithoutContextFailSafe("/NodeList/" + std::to_string(node->GetId()) +
                                              "/$ns3::TrafficControlLayer/RootQueueDiscList/*/Drop",
                                          MakeCallback(&FabricFlowProbe::NotifyDropped, self));
}

FabricFlowProbe::~FabricFlowProbe() = default;

void
FabricFlowProbe::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_classifier = nullptr;
    FlowProbe::DoDispose();
}

void
FabricFlowProbe::NotifySent(const Ipv4Header& header, Ptr<const Packet> packet, uint32_t)
{
    FabricFlowTag tag;
    if (m_classifier->Classify(header, packet, &tag.flow, &tag.packet))
    {
        tag.size = GetSize(header, *packet);
        tag.source = header.GetSource();
        tag.destination = header.GetDestination();
        m_flowMonitor->ReportFirstTx(this, tag.flow, tag.packet, tag.size);
        packet->AddByteTag(tag);
    }
}

void
FabricFlowProbe::NotifySeen(TagsOf tagsOf,
                            Report report,
                            const Ipv4Header& header,
                            const Packet& packet)
{
    FabricFlowTag tag;
    const bool hasTag =
        packet.FindFirstMatchingByteTag(tag) || (tagsOf == ANY && FindStackTag(packet, tag));
    if (hasTag && tag.IsOf(header))
    {
        (PeekPointer(m_flowMonitor)->*report)(this, tag.flow, tag.packet, GetSize(header, packet));
    }
}

void
FabricFlowProbe::NotifyDropped(Ptr<const QueueDiscItem> item)
{
    FabricFlowTag tag;
    if (item->GetPacket()->FindFirstMatchingByteTag(tag))
    {
        constexpr uint32_t REASON = Ipv4FlowProbe::DROP_QUEUE_DISC;
        m_flowMonitor->ReportDrop(this, tag.flow, tag.packet, tag.size, REASON);
    }
}

} // namespace ns3::aidc

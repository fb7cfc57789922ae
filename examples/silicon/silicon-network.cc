// SPDX-License-Identifier: GPL-2.0-only

#include "silicon-network.h"

#include "ns3/experiment-switch-options.h"
#include "ns3/priority-flow-control-helper.h"
#include "ns3/simulator.h"
#include "ns3/tag.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <utility>

namespace ns3::aidc
{

namespace
{

using boost::endian::store_big_u16;
using boost::endian::store_big_u32;

/// Jumbo frames, as chips are configured for
constexpr uint16_t TESTER_MTU = 9100;

/// All priorities, a bit each
constexpr uint32_t ALL_PRIORITIES = 255;

/// A protocol number for experiments (RFC 3692).
constexpr uint8_t TESTER_PROTOCOL = 253;

/// Carries the time at which a frame was sent.
class SendTimeTag : public Tag
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aidc::SiliconSendTimeTag")
                                .SetParent<Tag>()
                                .SetGroupName("Aidc")
                                .AddConstructor<SendTimeTag>();
        return tid;
    }

    explicit SendTimeTag(Time time = Time())
        : m_time(time)
    {
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return 8;
    }

    void Serialize(TagBuffer i) const override
    {
        i.WriteU64(static_cast<uint64_t>(m_time.GetTimeStep()));
    }

    void Deserialize(TagBuffer i) override
    {
        m_time = TimeStep(i.ReadU64());
    }

    void Print(std::ostream& os) const override
    {
        os << m_time;
    }

    Time GetTime() const
    {
        return m_time;
    }

  private:
    Time m_time; //!< when it was sent
};

/// @return a switch and hosts at its ports
FabricPlan
MakePlan(const SiliconSetup& setup)
{
    FabricPlan fabric("silicon");
    const auto chip = fabric.AddNode(FabricTier::LEAF, 0, 0);
    for (uint32_t i = 0; i < setup.ports; ++i)
    {
        fabric.AddLink(chip,
                       fabric.AddNode(FabricTier::HOST, 0, i),
                       setup.rate.GetBitRate(),
                       setup.delay.GetNanoSeconds());
    }
    fabric.Finish();
    return fabric;
}

/// @return the flow control of a port that obeys and pauses all priorities
Ptr<PriorityFlowControl>
MakeControl(const Ptr<EthernetNetDevice>& device)
{
    auto control = CreateObject<PriorityFlowControl>();
    control->SetAttribute("Priorities", UintegerValue(ALL_PRIORITIES));
    control->Install(device);
    return control;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(TesterPort);

TypeId
TesterPort::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::SiliconTesterPort")
                            .SetParent<EthernetFrameSource>()
                            .SetGroupName("Aidc")
                            .AddConstructor<TesterPort>();
    return tid;
}

void
TesterPort::Install(const Ptr<EthernetNetDevice>& device, uint32_t address)
{
    m_device = device;
    m_address = address;
    device->SetFrameSource(this);
}

uint32_t
TesterPort::Send(const TesterStream& stream)
{
    m_streams.push_back(stream);
    m_device->RequestFrame();
    return static_cast<uint32_t>(m_streams.size() - 1);
}

void
TesterPort::SetLeft(uint32_t stream, uint64_t frames)
{
    m_streams[stream].frames = frames;
    m_device->RequestFrame();
}

TesterStream*
TesterPort::Choose()
{
    for (std::size_t i = 0; i < m_streams.size(); ++i)
    {
        auto& stream = m_streams[(m_turn + i) % m_streams.size()];
        if (stream.frames > 0 && ((m_paused >> stream.priority) & 1U) == 0)
        {
            m_turn = (m_turn + i + 1) % m_streams.size();
            return &stream;
        }
    }
    return nullptr;
}

bool
TesterPort::TakeFrame(EthernetNetDevice&, EthernetFrame& frame, FrameContext&)
{
    if (Simulator::Now() < m_next)
    {
        return false;
    }
    TesterStream* const stream = Choose();
    if (!stream)
    {
        return false;
    }
    --stream->frames;
    ++m_sent[stream->priority];
    const bool isLast = stream->message > 0 && stream->frames % stream->message == 0;
    const uint32_t bytes = stream->bytes + (isLast ? stream->more : 0);
    frame.packet = Create<Packet>(bytes - IPV4_HEADER_SIZE);
    frame.packet->AddPacketTag(SendTimeTag(Simulator::Now()));
    auto& header = frame.transit.bytes;
    header = {};
    header[Ipv4Offset::VERSION] = IPV4_PLAIN_VERSION;
    header[Ipv4Offset::TOS] = static_cast<uint8_t>(stream->priority << 5 | stream->ecn);
    store_big_u16(&header[Ipv4Offset::LENGTH], static_cast<uint16_t>(bytes));
    header[Ipv4Offset::TTL] = 64;
    header[Ipv4Offset::PROTOCOL] = TESTER_PROTOCOL;
    store_big_u32(&header[Ipv4Offset::SOURCE], m_address);
    store_big_u32(&header[Ipv4Offset::DESTINATION], stream->destination);
    SetIpv4Checksum(header);
    frame.transit.flow = FlowKey{m_address, stream->destination, 0, 0, TESTER_PROTOCOL};
    frame.hasTransit = true;
    if (m_load < 1)
    {
        const uint32_t wire = bytes + BufferCells::FRAME_OVERHEAD + m_device->GetOverhead();
        m_next = Simulator::Now() +
                 Seconds(m_device->GetDataRate().CalculateBytesTxTime(wire).GetSeconds() / m_load);
        Simulator::Schedule(m_next - Simulator::Now(), &EthernetNetDevice::RequestFrame, m_device);
    }
    return true;
}

bool
TesterPort::HasFrame() const
{
    return m_load >= 1 && std::any_of(m_streams.begin(), m_streams.end(), [this](const auto& s) {
               return s.frames > 0 && ((m_paused >> s.priority) & 1U) == 0;
           });
}

uint32_t
TesterPort::GetNClasses() const
{
    return 8;
}

void
TesterPort::SetPaused(uint32_t index, bool paused)
{
    const uint32_t bit = 1U << index;
    m_paused = paused ? (m_paused | bit) : (m_paused & ~bit);
    if (!paused)
    {
        m_device->RequestFrame();
    }
}

void
TesterPort::SetDiscarding(uint32_t, bool)
{
}

bool
TesterPort::IsWaiting(uint32_t index) const
{
    return std::any_of(m_streams.begin(), m_streams.end(), [index](const auto& stream) {
        return stream.priority == index && stream.frames > 0;
    });
}

uint64_t
TesterPort::GetSent(uint32_t index) const
{
    return m_sent.at(index);
}

NS_OBJECT_ENSURE_REGISTERED(TesterSink);

TypeId
TesterSink::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::SiliconTesterSink")
                            .SetParent<EthernetFrameHandler>()
                            .SetGroupName("Aidc")
                            .AddConstructor<TesterSink>();
    return tid;
}

void
TesterSink::Start(Listener listener)
{
    m_counts = {};
    m_listener = std::move(listener);
}

bool
TesterSink::Handle(EthernetNetDevice&, EthernetFrame& frame, const FrameContext&)
{
    TransitHeader header = frame.transit;
    if (!frame.hasTransit && !ReadTransitHeader(*frame.packet, header))
    {
        return false;
    }
    const uint8_t tos = header.bytes[Ipv4Offset::TOS];
    auto& count = m_counts[tos >> 5];
    const bool isMarked = (tos & 3) == 3;
    ++count.frames;
    count.bytes += GetIpv4Length(header.bytes) + BufferCells::FRAME_OVERHEAD;
    count.marked += isMarked;
    SendTimeTag tag;
    if (frame.packet->PeekPacketTag(tag))
    {
        const Time latency = Simulator::Now() - tag.GetTime();
        count.latency += latency.GetSeconds();
        count.latencyMax = std::max(count.latencyMax, latency);
        count.latencyMin = std::min(count.latencyMin, latency);
    }
    if (m_listener)
    {
        m_listener(tos >> 5, isMarked);
    }
    frame.packet = nullptr;
    return true;
}

SiliconNetwork::SiliconNetwork(const ExperimentOptions& options, const SiliconSetup& setup)
    : m_controls(setup.ports)
{
    options.Configure(m_network);
    m_network.SetMtu(TESTER_MTU);
    const auto plan = MakePlan(setup);
    m_network.Build(plan);
    SharedBufferSwitchHelper switches;
    if (!setup.chip.empty())
    {
        switches.SetChip(setup.chip);
    }
    if (setup.configure)
    {
        setup.configure(switches);
    }
    SharedBufferSwitchHelper::AssignStreams(switches.Install(m_network.GetSwitches()), 1);
    PriorityFlowControlHelper pauses;
    pauses.SetPriorities(setup.lossless);
    pauses.SetAttribute("Priorities", UintegerValue(ALL_PRIORITIES));
    if (setup.headroom > 0)
    {
        pauses.SetIngressAttribute("Headroom", MakeSize(setup.headroom));
    }
    pauses.InstallSwitches(m_network.GetSwitches());
    m_network.AssignAddresses();
    m_buffer = m_network.GetSwitches().Get(0)->GetObject<SharedBuffer>();
    for (uint32_t i = 0; i < setup.ports; ++i)
    {
        const auto host = plan.GetHosts()[i];
        const auto own = m_network.GetSwitchPort(host);
        const auto layer = own->GetNode()->GetObject<TrafficControlLayer>();
        m_ports.push_back(DynamicCast<SwitchPortQueueDisc>(layer->GetRootQueueDiscOnDevice(own)));
        m_own.push_back(own);
        const auto channel = own->GetChannel();
        const auto device = DynamicCast<EthernetNetDevice>(
            channel->GetDevice(channel->GetDevice(0) == own ? 1 : 0));
        m_testers.push_back(CreateObject<TesterPort>());
        m_testers.back()->Install(device, m_network.GetAddress(host).Get());
        m_sinks.push_back(CreateObject<TesterSink>());
        device->SetFrameHandler(m_sinks.back());
        m_devices.push_back(device);
    }
    for (const uint32_t port : setup.obedient)
    {
        m_controls[port] = MakeControl(m_devices[port]);
    }
}

SiliconNetwork::~SiliconNetwork()
{
    Simulator::Destroy();
}

uint32_t
SiliconNetwork::Send(uint32_t from, uint32_t to, TesterStream stream) const
{
    stream.destination = m_network.GetAddress(m_network.GetFabric().GetHosts()[to]).Get();
    return m_testers[from]->Send(stream);
}

Ptr<IngressBuffer>
SiliconNetwork::GetAccount(uint32_t port, uint32_t priority) const
{
    return m_buffer->GetIngress(m_own[port]->GetIfIndex(), priority);
}

void
SiliconNetwork::SetBlocked(uint32_t port, uint32_t priority, bool isBlocked)
{
    if (!m_controls[port])
    {
        m_controls[port] = MakeControl(m_devices[port]);
    }
    m_controls[port]->SetXoff(priority, isBlocked);
}

uint64_t
SiliconNetwork::GetCharge(uint32_t bytes) const
{
    return BufferCells{m_buffer->GetCellSize()}.GetCharge(bytes);
}

void
SiliconNetwork::Run(Time time)
{
    Simulator::Stop(time);
    Simulator::Run();
}

} // namespace ns3::aidc

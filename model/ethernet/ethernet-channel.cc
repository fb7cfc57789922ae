// SPDX-License-Identifier: GPL-2.0-only

#include "ethernet-channel.h"

#include "../core/object-pool.h"
#include "../core/require-argument.h"
#include "../simulator/event-clock.h"

#include "ns3/log.h"
#include "ns3/mpi-processes.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/time-window-simulator-impl.h"

#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcEthernetChannel");

NS_OBJECT_ENSURE_REGISTERED(EthernetChannel);

namespace
{

/// The arrival of a frame.
class FrameArrival final : public EventImpl
{
  public:
    /// Constructor. receiver: the receiving device, which the link keeps alive.
    FrameArrival(EthernetPort& receiver, uint32_t epoch, EthernetFrame&& frame)
        : m_receiver(receiver),
          m_epoch(epoch),
          m_frame(std::move(frame))
    {
    }

    /// Take memory from the pool. @return the memory
    static void* operator new(std::size_t)
    {
        return ObjectPool<FrameArrival>::Allocate();
    }

    /// Give memory back to the pool. @param memory the memory
    static void operator delete(void* memory)
    {
        ObjectPool<FrameArrival>::Free(memory);
    }

  private:
    void Notify() override
    {
        m_receiver.Receive(m_frame, m_epoch);
    }

    EthernetPort& m_receiver; //!< the receiving device
    uint32_t m_epoch;         //!< the state of the link when the frame was sent
    EthernetFrame m_frame;    //!< the frame
};

/// What precedes the packet.
struct RemoteFrameHeader
{
    EthernetFields fields; //!< EthernetFrame::fields
    TransitHeader transit; //!< EthernetFrame::transit
    uint32_t epoch;        //!< RemoteFrame::epoch
    uint32_t packetSize;   //!< bytes of the packet
    bool hasTransit;       //!< EthernetFrame::hasTransit
    bool isWritten;        //!< EthernetFrame::isWritten
};

static_assert(std::is_trivially_copyable_v<RemoteFrameHeader>);

/// Have ns-3 know the types of tags that sockets add to packets, which it registers when they are
/// first used: it reads only types that it knows.
void
RegisterSocketTags()
{
    static const bool isDone = [] {
        SocketIpTosTag::GetTypeId();
        SocketIpTtlTag::GetTypeId();
        SocketIpv6HopLimitTag::GetTypeId();
        SocketIpv6TclassTag::GetTypeId();
        SocketPriorityTag::GetTypeId();
        SocketSetDontFragmentTag::GetTypeId();
        return true;
    }();
    static_cast<void>(isDone);
}

} // namespace

TypeId
EthernetChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::EthernetChannel")
            .SetParent<Channel>()
            .SetGroupName("Aidc")
            .AddConstructor<EthernetChannel>()
            .AddAttribute("Delay",
                          "Propagation delay.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&EthernetChannel::m_delay),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("DetectionDelay",
                          "Time from a failure or a repair until both ends notice.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&EthernetChannel::m_detectionDelay),
                          MakeTimeChecker(Seconds(0)))
            .AddTraceSource("TxRxPointToPoint",
                            "A frame's transmission begins. PointToPointChannel has "
                            "the same name, by which NetAnim finds it.",
                            MakeTraceSourceAccessor(&EthernetChannel::m_frameTrace),
                            "ns3::aidc::EthernetChannel::FrameTracedCallback");
    return tid;
}

void
EthernetChannel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_detection.Cancel();
    m_devices.fill(nullptr);
    Channel::DoDispose();
}

void
EthernetChannel::Attach(Ptr<EthernetPort> device)
{
    NS_LOG_FUNCTION(this << device);
    const std::size_t end = GetNDevices();
    AIDC_REFUSED_IF(end == 2, "EthernetChannel: a link has two ends, and both are attached");
    AIDC_REFUSED_UNLESS(device->GetNode(),
                        "EthernetChannel: a device is added to its node before it is attached");
    m_devices[end] = device;
    m_ends[end] = {PeekPointer(device), device->GetNode()->GetId()};
    if (end == 1)
    {
        m_isRemote = MpiProcesses::Get().GetN() > 1 &&
                     m_devices[0]->GetNode()->GetSystemId() != device->GetNode()->GetSystemId();
        ExchangeAddresses();
        Detect();
    }
}

void
EthernetChannel::ExchangeAddresses()
{
    for (uint32_t end = 0; GetNDevices() == 2 && end < 2; ++end)
    {
        m_devices[end]->SetRemoteAddress(m_devices[1 - end]->GetAddress());
    }
}

void
EthernetChannel::Carry(EthernetFrame& frame, uint32_t end, uint32_t epoch, Time duration)
{
    const Time arrival = duration + m_delay;
    if (!m_frameTrace.IsEmpty())
    {
        m_frameTrace(frame.Write(), m_devices[end], m_devices[1 - end], duration, arrival);
    }
    const auto& receiver = m_ends[1 - end];
    if (m_isRemote)
    {
        SendToProcess(1 - end, epoch, frame, arrival);
        return;
    }
    ScheduleOnNode(receiver.node,
                   arrival,
                   new FrameArrival(*receiver.device, epoch, std::move(frame)));
}

void
EthernetChannel::SendToProcess(uint32_t end, uint32_t epoch, const EthernetFrame& frame, Time delay)
{
    NS_LOG_FUNCTION(this << end << epoch << delay);
    if (m_devices[1 - end]->GetNode()->GetSystemId() != Simulator::GetSystemId())
    {
        return; // the other process sends it, too
    }
    auto* windows = TimeWindowSimulatorImpl::GetRunning();
    AIDC_REFUSED_UNLESS(windows,
                        "EthernetChannel: expected time windows, which join the processes; "
                        "TimeWindowHelper::Enable() chooses them");
    WriteRemoteFrame(epoch, frame, m_bytes);
    windows->Send(*m_devices[end], delay, m_bytes.data(), m_bytes.size());
}

void
EthernetChannel::Receive(uint32_t end, const uint8_t* bytes, std::size_t size)
{
    auto read = ReadRemoteFrame(bytes, size);
    m_devices[end]->Receive(read.frame, read.epoch);
}

void
EthernetChannel::SetFailed(bool isFailed)
{
    NS_LOG_FUNCTION(this << isFailed);
    if (m_isFailed == isFailed)
    {
        return;
    }
    m_isFailed = isFailed;
    for (const auto& device : m_devices)
    {
        if (device)
        {
            device->NotifyLinkFailed(isFailed);
        }
    }
    // What did not last is not noticed.
    m_detection.Cancel();
    m_detection = Simulator::Schedule(m_detectionDelay, &EthernetChannel::Detect, this);
}

void
EthernetChannel::Detect()
{
    for (const auto& device : m_devices)
    {
        if (device)
        {
            device->NotifyLinkState(!m_isFailed);
        }
    }
}

std::size_t
EthernetChannel::GetNDevices() const
{
    return m_devices[0] ? (m_devices[1] ? 2 : 1) : 0;
}

void
WriteRemoteFrame(uint32_t epoch, const EthernetFrame& frame, std::vector<uint8_t>& bytes)
{
    RemoteFrameHeader header{};
    header.fields = frame.fields;
    header.transit = frame.transit;
    header.epoch = epoch;
    header.packetSize = frame.packet->GetSerializedSize();
    header.hasTransit = frame.hasTransit;
    header.isWritten = frame.isWritten;
    bytes.resize(sizeof(header) + header.packetSize);
    std::memcpy(bytes.data(), &header, sizeof(header));
    if (frame.packet->Serialize(bytes.data() + sizeof(header), header.packetSize) == 0)
    {
        throw std::runtime_error("ns-3 could not write a packet for another process");
    }
}

RemoteFrame
ReadRemoteFrame(const uint8_t* bytes, std::size_t size)
{
    RegisterSocketTags();
    RemoteFrameHeader header;
    if (size < sizeof(header))
    {
        throw std::runtime_error("what another process has sent is no frame");
    }
    std::memcpy(&header, bytes, sizeof(header));
    if (size != sizeof(header) + header.packetSize)
    {
        throw std::runtime_error("what another process has sent is no whole frame");
    }
    RemoteFrame remote;
    remote.epoch = header.epoch;
    remote.frame.fields = header.fields;
    remote.frame.transit = header.transit;
    remote.frame.hasTransit = header.hasTransit;
    remote.frame.isWritten = header.isWritten;
    remote.frame.packet = Create<Packet>(bytes + sizeof(header), header.packetSize, true);
    return remote;
}

} // namespace ns3::aidc

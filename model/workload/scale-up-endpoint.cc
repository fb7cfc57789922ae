// SPDX-License-Identifier: GPL-2.0-only

#include "scale-up-endpoint.h"

#include "../core/multiply-divide.h"
#include "../core/require-argument.h"

#include "ns3/boolean.h"
#include "ns3/callback.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcScaleUpEndpoint");

NS_OBJECT_ENSURE_REGISTERED(ScaleUpEndpoint);

namespace
{

constexpr uint32_t COPIES = 1U << 31; //!< of a flow to a peer: what the switch copies

int64_t
GetNow()
{
    return Simulator::Now().GetPicoSeconds();
}

/// @return the time until a time in ps, rounded up to the resolution; 0 if it is over
Time
GetTimeUntil(int64_t time)
{
    const int64_t left = std::max<int64_t>(time - GetNow(), 0);
    const Time rounded = PicoSeconds(static_cast<uint64_t>(left));
    return rounded.GetPicoSeconds() < left ? rounded + TimeStep(1) : rounded;
}

} // namespace

TypeId
ScaleUpEndpoint::GetTypeId()
{
    using C = ScaleUpEndpoint;
    constexpr uint32_t FLAGS = TypeId::ATTR_GET | TypeId::ATTR_CONSTRUCT;
    static TypeId tid =
        TypeId("ns3::aidc::ScaleUpEndpoint")
            .SetParent<MessageEndpoint>()
            .SetGroupName("Aidc")
            .AddConstructor<C>()
            .AddAttribute("Rate",
                          "The rate of the GPU's link to the scale-up switch, in each direction, "
                          "above 0",
                          FLAGS,
                          DataRateValue(DataRate("2880Gbps")),
                          MakeDataRateAccessor(&C::m_rate),
                          MakeRateChecker(1, UINT64_MAX))
            .AddAttribute("Latency",
                          "The time from this GPU to another one over the scale-up switch, and of "
                          "acknowledgments, at least 1 ns",
                          FLAGS,
                          TimeValue(NanoSeconds(50)),
                          MakeTimeAccessor(&C::m_latency),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute(
                "SegmentSize",
                "The most bytes that leave before another peer's turn",
                FLAGS,
                UintegerValue(65536),
                MakeUintegerAccessor(&C::m_segmentSize),
                MakeUintegerChecker<uint32_t>(1, static_cast<uint32_t>(ScaleUpEgress::MAX_SEGMENT)))
            .AddAttribute("Pxn",
                          "Whether messages for GPUs of other servers on another rail go to the "
                          "GPU of the own server on that rail, whose adapter sends them",
                          FLAGS,
                          BooleanValue(false),
                          MakeBooleanAccessor(&C::m_isPxn),
                          MakeBooleanChecker());
    return tid;
}

ScaleUpEndpoint::ScaleUpEndpoint() = default;

ScaleUpEndpoint::~ScaleUpEndpoint()
{
    Disconnect();
}

void
ScaleUpEndpoint::NotifyConstructionCompleted()
{
    MessageEndpoint::NotifyConstructionCompleted();
    m_port = MakePort(m_rate.GetBitRate(), m_latency);
}

void
ScaleUpEndpoint::DoDispose()
{
    Disconnect();
    m_receiver = Receiver();
    m_arrivals.clear();
    MessageEndpoint::DoDispose();
}

void
ScaleUpEndpoint::Disconnect()
{
    for (ScaleUpEndpoint* other : std::exchange(m_neighbors, {}))
    {
        auto& neighbors = other->m_neighbors;
        neighbors.erase(std::remove(neighbors.begin(), neighbors.end(), this), neighbors.end());
        for (auto way = other->m_ways.begin(); way != other->m_ways.end();)
        {
            way = way->second.next == this ? other->m_ways.erase(way) : std::next(way);
        }
    }
    for (auto& [peer, way] : m_ways)
    {
        if (way.relay)
        {
            way.relay->SetFailureSink(FailureSink());
        }
    }
    m_ways.clear();
    if (m_fabric)
    {
        m_fabric->SetReceiver(Receiver());
        m_fabric->SetFailureSink(FailureSink());
        m_fabric = nullptr;
    }
}

void
ScaleUpEndpoint::SetFabric(Ptr<MessageEndpoint> fabric)
{
    m_fabric = fabric;
    m_fabric->SetReceiver(m_receiver);
    m_fabric->SetFailureSink(FailureSink(
        [this](uint32_t peer, const std::string& cause) { NotifyFailure(peer, cause); }));
}

void
ScaleUpEndpoint::Connect(ScaleUpEndpoint& a, ScaleUpEndpoint& b, const ScaleUpLink* link)
{
    AIDC_REFUSED_IF(a.m_rank == b.m_rank,
                    "ScaleUpEndpoint: expected two ranks, found rank " << a.m_rank << " twice");
    if (link)
    {
        const Time latency = NanoSeconds(static_cast<uint64_t>(link->latency));
        a.m_ports[b.m_rank] = a.MakePort(link->rate, latency);
        b.m_ports[a.m_rank] = b.MakePort(link->rate, latency);
    }
    a.m_ways[b.m_rank].next = &b;
    b.m_ways[a.m_rank].next = &a;
    a.m_ways[b.m_rank].port = a.GetPort(b.m_rank);
    b.m_ways[a.m_rank].port = b.GetPort(a.m_rank);
    a.m_neighbors.push_back(&b);
    b.m_neighbors.push_back(&a);
}

void
ScaleUpEndpoint::AddRelay(uint32_t peer, ScaleUpEndpoint& relay, Ptr<RoceMessageEndpoint> sender)
{
    AIDC_REFUSED_IF(std::find(m_neighbors.begin(), m_neighbors.end(), &relay) == m_neighbors.end(),
                    "ScaleUpEndpoint: rank " << relay.m_rank << " is not connected to rank "
                                             << m_rank << ", for which it is to relay messages");
    Way& way = m_ways[peer];
    way.next = &relay;
    way.port = GetPort(relay.m_rank);
    way.relay = sender;
    // In events of the relay's node
    sender->SetFailureSink(FailureSink([this](uint32_t to, const std::string& cause) {
        Simulator::ScheduleWithContext(
            m_node,
            m_latency,
            [self = Ptr<ScaleUpEndpoint>(this), to, cause] { self->NotifyFailure(to, cause); });
    }));
}

void
ScaleUpEndpoint::SetReceiver(Receiver receiver)
{
    m_receiver = receiver;
    if (m_fabric)
    {
        m_fabric->SetReceiver(receiver);
    }
}

void
ScaleUpEndpoint::Send(uint32_t peer, uint64_t nBytes, uint32_t tag, Callback<void> done)
{
    NS_LOG_FUNCTION(this << m_rank << peer << nBytes << tag);
    const auto way = m_ways.find(peer);
    if (way == m_ways.end())
    {
        AIDC_REFUSED_UNLESS(m_fabric,
                            "ScaleUpEndpoint: rank " << m_rank << " has no way to rank " << peer);
        ++m_statistics.fabricMessages;
        m_statistics.fabricBytes += nBytes;
        m_fabric->Send(peer, nBytes, tag, done);
        return;
    }
    Leave(way->second,
          std::make_shared<const Message>(
              Message{this, peer, nBytes, nBytes, nBytes, tag, done, way->second.relay}));
}

void
ScaleUpEndpoint::SendBySwitch(uint32_t peer,
                              uint64_t nBytes,
                              uint64_t egress,
                              uint64_t ingress,
                              uint32_t tag,
                              Callback<void> done)
{
    NS_LOG_FUNCTION(this << m_rank << peer << nBytes << egress << ingress << tag);
    const auto way = m_ways.find(peer);
    if (way == m_ways.end() || way->second.relay || way->second.port != m_port)
    {
        Send(peer, nBytes, tag, done); // no switch of both
        return;
    }
    Leave(way->second,
          std::make_shared<const Message>(
              Message{this, peer, nBytes, egress, ingress, tag, done, nullptr}));
}

void
ScaleUpEndpoint::Leave(Way& way, const MessagePtr& message)
{
    ++m_statistics.sentMessages;
    m_statistics.sentBytes += message->egress;
    const bool isCopied = message->egress < message->ingress;
    (isCopied ? way.copies : way.leaving).Push(message);
    const PortPtr port = way.port;
    port->egress.Add(message->peer | (isCopied ? COPIES : 0), message->egress, GetNow());
    if (!port->isWaiting)
    {
        ServeEgress(port);
    }
}

void
ScaleUpEndpoint::ServeEgress(PortPtr port)
{
    const int64_t now = GetNow();
    const int64_t latency = port->latency.GetPicoSeconds();
    while (port->egress.GetNextStart() <= now)
    {
        const auto segment = port->egress.Take();
        const auto found = m_ways.find(segment.flow & ~COPIES);
        if (found == m_ways.end())
        {
            continue; // the neighbor has been destroyed
        }
        Way& way = found->second;
        auto& leaving = (segment.flow & COPIES) != 0 ? way.copies : way.leaving;
        const MessagePtr message = leaving[0];
        const uint64_t nBytes =
            message->ingress == message->egress
                ? segment.nBytes
                : MultiplyDivideUp(segment.nBytes, message->ingress, message->egress);
        const Arrival arrival{segment.start + latency,
                              segment.end + latency,
                              nBytes,
                              segment.isLast,
                              message};
        if (segment.isLast)
        {
            leaving.Pop();
        }
        Simulator::ScheduleWithContext(
            way.next->m_node,
            port->latency,
            [next = Ptr<ScaleUpEndpoint>(way.next), arrival] { next->TakeSegment(arrival); });
    }
    port->isWaiting = !port->egress.IsEmpty();
    if (port->isWaiting)
    {
        Simulator::Schedule(GetTimeUntil(port->egress.GetNextStart()),
                            &ScaleUpEndpoint::ServeEgress,
                            this,
                            port);
    }
}

void
ScaleUpEndpoint::TakeSegment(const Arrival& arrival)
{
    m_arrivals.push_back(arrival);
    if (m_arrivals.size() == 1)
    {
        // After all others that arrive now, which were scheduled before: senders take their turns
        // by rank, in whatever order a simulator runs them
        Simulator::ScheduleNow(&ScaleUpEndpoint::ServeIngress, this);
    }
}

void
ScaleUpEndpoint::ServeIngress()
{
    std::stable_sort(m_arrivals.begin(), m_arrivals.end(), [](const Arrival& a, const Arrival& b) {
        return std::tie(a.first, a.message->from->m_rank) <
               std::tie(b.first, b.message->from->m_rank);
    });
    for (const auto& arrival : m_arrivals)
    {
        m_statistics.receivedBytes += arrival.nBytes;
        ScaleUpIngress& ingress = GetPort(arrival.message->from->m_rank)->ingress;
        const int64_t end = ingress.Take(arrival.first, arrival.last, arrival.nBytes);
        if (arrival.isLast || arrival.message->relay)
        {
            Simulator::Schedule(GetTimeUntil(end), &ScaleUpEndpoint::EndSegment, this, arrival);
        }
    }
    m_arrivals.clear();
}

void
ScaleUpEndpoint::EndSegment(const Arrival& arrival)
{
    const auto& message = arrival.message;
    const auto acknowledge = [message, latency = message->from->GetPort(m_rank)->latency] {
        if (!message->done.IsNull())
        {
            Simulator::ScheduleWithContext(message->from->m_node, latency, [message] {
                message->done();
            });
        }
    };
    if (message->relay)
    {
        m_statistics.relayedBytes += arrival.nBytes;
        message->relay->SendPart(message->peer,
                                 arrival.nBytes,
                                 message->tag,
                                 arrival.isLast,
                                 arrival.isLast ? Callback<void>(acknowledge) : Callback<void>());
        return;
    }
    if (!m_receiver.IsNull())
    {
        m_receiver(message->from->m_rank, message->nBytes, message->tag);
    }
    acknowledge();
}

} // namespace ns3::aidc

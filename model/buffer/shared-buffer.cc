// SPDX-License-Identifier: GPL-2.0-only

#include "shared-buffer.h"

#include "../attribute-accessors.h"
#include "../core/require-argument.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/object-vector.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

#include <algorithm>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcSharedBuffer");

NS_OBJECT_ENSURE_REGISTERED(SharedBufferQueue);
NS_OBJECT_ENSURE_REGISTERED(SharedBuffer);

namespace
{

/// What indices of devices stay below, against tables of a senseless size.
constexpr uint32_t MAX_PORTS = 65535;

constexpr uint32_t MAX_PARTITIONS = 64; //!< parts of a memory
constexpr uint32_t MAX_CELL = 65536;    //!< bytes of a cell

/// A factor of the dynamic threshold of a port, or 0 for none
auto
MakePortAlphaChecker()
{
    return MakeDoubleChecker<double>(0, 65536);
}

/// No static bound.
constexpr uint64_t NO_CAP = std::numeric_limits<uint64_t>::max();

/// @throws std::invalid_argument if a queue of a pool may not have a factor
void
CheckAlpha(const BufferPool& pool, double alpha)
{
    if (!pool.IsAlpha(alpha))
    {
        throw std::invalid_argument("Alpha: expected a power of two "
                                    "(ns3::aidc::SharedBuffer::PowerOfTwoAlphas), found " +
                                    std::to_string(alpha));
    }
}

/// Get the attribute Cap. @return the static bound in bytes, 0 for none
QueueSize
GetCap(const BufferLimits& limits)
{
    return ToQueueSize(limits.cap == NO_CAP ? 0 : limits.cap);
}

} // namespace

// A queue

TypeId
SharedBufferQueue::GetTypeId()
{
    using C = SharedBufferQueue;
    using Limits = BufferLimits;
    static TypeId tid =
        TypeId("ns3::aidc::SharedBufferQueue")
            .SetParent<Object>()
            .SetGroupName("Aidc")
            .AddConstructor<SharedBufferQueue>()
            .AddAttribute(
                "Alpha",
                "Factor of the dynamic threshold: the queue may occupy this many times "
                "the free shared memory.",
                DoubleValue(1.0),
                MakeSettingsAccessor<DoubleValue>(&C::m_limits, &Limits::alpha, &C::ChangeLimits),
                MakeDoubleChecker<double>(1.0 / 65536, 65536))
            .AddAttribute("Reserved",
                          "Bytes set aside for this queue alone.",
                          QueueSizeValue(QueueSize("0B")),
                          MakeSettingsAccessor<QueueSizeValue>(&C::m_limits,
                                                               &Limits::reserved,
                                                               &C::ChangeLimits),
                          MakeByteSizeChecker())
            .AddAttribute("Cap",
                          "Static upper bound of the queue in bytes, headroom apart; 0 is none.",
                          QueueSizeValue(QueueSize("0B")),
                          MakeFunctionAccessor<C, QueueSizeValue>(
                              [](const C& queue) { return GetCap(queue.m_limits); },
                              [](C& queue, const QueueSizeValue& value) {
                                  const uint64_t bytes = GetBytes(value.Get());
                                  BufferLimits limits = queue.m_limits;
                                  limits.cap = bytes == 0 ? NO_CAP : bytes;
                                  queue.ChangeLimits(limits);
                              }),
                          MakeByteSizeChecker())
            .AddAttribute("Headroom",
                          "Bytes set aside for the packets that still arrive after a lossless "
                          "queue has been paused.",
                          QueueSizeValue(QueueSize("0B")),
                          MakeSettingsAccessor<QueueSizeValue>(&C::m_limits,
                                                               &Limits::headroom,
                                                               &C::ChangeLimits),
                          MakeByteSizeChecker())
            .AddTraceSource("Occupancy",
                            "Bytes held by the queue.",
                            MakeTraceSourceAccessor(&C::m_occupancyTrace),
                            "ns3::aidc::SharedBuffer::BytesTracedCallback")
            .AddTraceSource("Threshold",
                            "Buf_Thrd after an arrival at the queue or a departure from it. "
                            "Changes by other queues in between are told then.",
                            MakeTraceSourceAccessor(&C::m_thresholdTrace),
                            "ns3::aidc::SharedBuffer::BytesTracedCallback");
    return tid;
}

void
SharedBufferQueue::Join(SharedBuffer& buffer, BufferPool& pool, BufferPool::GroupId group)
{
    AIDC_REFUSED_IF(m_buffer, "The queue belongs to a shared buffer already");
    CheckAlpha(pool, m_limits.alpha);
    m_id = pool.AddQueue();
    pool.SetGroup(m_id, group);
    if (!pool.SetLimits(m_id, m_limits))
    {
        throw std::invalid_argument("A queue cannot have " + std::to_string(m_limits.reserved) +
                                    " bytes reserved and " + std::to_string(m_limits.headroom) +
                                    " bytes of headroom: the shared buffer of " +
                                    std::to_string(pool.GetSize()) + " bytes does not have them (" +
                                    PrintSetAttributes(*this) + ")");
    }
    m_buffer = &buffer;
    m_pool = &pool;
    // The trace tells changes from here on.
    m_lastThreshold = GetThreshold();
}

uint64_t
SharedBufferQueue::GetPolledThreshold() const
{
    if (!m_leastFree)
    {
        return m_polledThreshold;
    }
    // Buf_Thrd falls with the free memory, so this value cannot exceed the current threshold. The
    // present free memory counts, too: limits of other queues change without a packet.
    const uint64_t free = std::min(*m_leastFree, m_pool->GetFree());
    return std::min(m_polledThreshold, m_pool->GetThreshold(m_id, free));
}

void
SharedBufferQueue::SetChargedElsewhere(bool elsewhere, uint32_t priority)
{
    m_priority = priority;
    BufferLimits limits = m_limits;
    limits.chargedElsewhere = elsewhere;
    ChangeLimits(limits);
}

Admission
SharedBufferQueue::Admit(uint32_t size)
{
    const uint32_t bytes = m_pool->GetCharge(size);
    const Admission admission = m_pool->Admit(m_id, bytes);
    if (!GetDropReason(admission))
    {
        NotifyChange(GetOccupancy() - bytes);
    }
    return admission;
}

void
SharedBufferQueue::Release(uint32_t size)
{
    const uint32_t bytes = m_pool->GetCharge(size);
    m_pool->Release(m_id, bytes);
    NotifyChange(GetOccupancy() + bytes);
}

void
SharedBufferQueue::Follow(uint64_t bytes)
{
    const uint64_t occupancy = GetOccupancy();
    if (bytes > occupancy)
    {
        // Into the headroom where Check has said so.
        const uint64_t more = bytes - occupancy;
        if (GetDropReason(m_pool->Admit(m_id, more)))
        {
            m_pool->Force(m_id, more);
        }
    }
    else if (bytes < occupancy)
    {
        m_pool->Release(m_id, occupancy - bytes);
    }
    NotifyChange(occupancy);
}

void
SharedBufferQueue::NotifyChange(uint64_t before)
{
    if (!m_occupancyTrace.IsEmpty() && GetOccupancy() != before)
    {
        m_occupancyTrace(before, GetOccupancy());
    }
    if (!m_thresholdTrace.IsEmpty())
    {
        const uint64_t threshold = GetThreshold();
        if (threshold != m_lastThreshold)
        {
            m_thresholdTrace(m_lastThreshold, threshold);
            m_lastThreshold = threshold;
        }
    }
    if (!m_limits.chargedElsewhere)
    {
        m_buffer->NotifyUse();
    }
}

void
SharedBufferQueue::ChangeLimits(const BufferLimits& limits)
{
    if (m_pool)
    {
        CheckAlpha(*m_pool, limits.alpha);
        if (!m_pool->SetLimits(m_id, limits))
        {
            throw std::invalid_argument("Reserved and Headroom: the shared buffer does not have " +
                                        std::to_string(limits.reserved) + " and " +
                                        std::to_string(limits.headroom) + " bytes for the queue");
        }
    }
    m_limits = limits;
    if (m_buffer)
    {
        NS_LOG_INFO("Reconfigured at " << Simulator::Now().As(Time::S) << ": alpha " << limits.alpha
                                       << ", reserved " << limits.reserved << " B, cap "
                                       << GetCap(limits) << ", headroom " << limits.headroom
                                       << " B");
        m_buffer->NotifyLimits();
        NotifyLimits();
    }
}

// The buffer
TypeId
SharedBuffer::GetTypeId()
{
    using C = SharedBuffer;
    const auto divide = [](C& buffer, auto member, auto value) {
        buffer.ChangeDivision(member, value);
    };
    static TypeId tid =
        TypeId("ns3::aidc::SharedBuffer")
            .SetParent<Object>()
            .SetGroupName("Aidc")
            .AddConstructor<SharedBuffer>()
            .AddAttribute("Size",
                          "All memory, in bytes.",
                          QueueSizeValue(QueueSize("12MB")),
                          MakeFunctionAccessor<C, QueueSizeValue>(
                              [](const C& buffer) {
                                  return ToQueueSize(buffer.m_sharedSize > 0 ? buffer.GetSize()
                                                                             : buffer.m_size);
                              },
                              [](C& buffer, const QueueSizeValue& value) {
                                  buffer.SetSize(GetBytes(value.Get()));
                              }),
                          MakeByteSizeChecker(1))
            .AddAttribute("CellSize",
                          "Bytes of a cell: a packet takes the cells of its frame, with Ethernet "
                          "header and frame check sequence, in all that counts memory. 0: it takes "
                          "its bytes at the network layer. Set before queues join.",
                          UintegerValue(0),
                          MakeMemberAccessor<UintegerValue>(&C::m_cellSize, divide),
                          MakeUintegerChecker<uint32_t>(0, MAX_CELL))
            .AddAttribute("Partitions",
                          "Equal parts of the memory; a port draws on one of them. Set before "
                          "queues join.",
                          UintegerValue(1),
                          MakeMemberAccessor<UintegerValue>(&C::m_partitions, divide),
                          MakeUintegerChecker<uint32_t>(1, MAX_PARTITIONS))
            .AddAttribute("PortsPerPartition",
                          "Ports in a row that belong to the same part of the memory, by the index "
                          "of their devices; 0 has every port in the part of its index modulo "
                          "Partitions.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&SharedBuffer::m_portsPerPartition),
                          MakeUintegerChecker<uint32_t>(0, MAX_PORTS))
            .AddAttribute("SharedSize",
                          "Memory that is shared in each part, in bytes. What is set aside comes "
                          "on top of it, and Size has no meaning. 0 shares what of Size is not set "
                          "aside. Set before queues join.",
                          QueueSizeValue(QueueSize("0B")),
                          MakeMemberAccessor<QueueSizeValue>(&C::m_sharedSize, divide),
                          MakeByteSizeChecker())
            .AddAttribute("HeadroomPool",
                          "Bytes of each part that the headroom of all may have in use together; 0 "
                          "sets each one's headroom aside. Set before queues join.",
                          QueueSizeValue(QueueSize("0B")),
                          MakeMemberAccessor<QueueSizeValue>(&C::m_headroomPool, divide),
                          MakeByteSizeChecker())
            .AddAttribute("LossySize",
                          "The most of the shared memory of each part that the egress queues of "
                          "lossy classes may have together, in bytes; their Alpha is then on what "
                          "is left of it. 0 is all. Set before queues join.",
                          QueueSizeValue(QueueSize("0B")),
                          MakeMemberAccessor<QueueSizeValue>(&C::m_lossySize, divide),
                          MakeByteSizeChecker())
            .AddAttribute("PowerOfTwoAlphas",
                          "Whether factors of dynamic thresholds have to be powers of two, as in "
                          "most chips. Set before queues join.",
                          BooleanValue(false),
                          MakeMemberAccessor<BooleanValue>(&C::m_isPowersOfTwo, divide),
                          MakeBooleanChecker())
            .AddAttribute(
                "PortAlpha",
                "Factor of a dynamic threshold of an egress port's queues together: Alpha "
                "of a queue is then on what this leaves. 0 is no such level. Set before "
                "queues join.",
                DoubleValue(0),
                MakeDoubleAccessor(&SharedBuffer::m_portAlpha),
                MakePortAlphaChecker())
            .AddAttribute("IngressPortAlpha",
                          "The same for the accounts of an ingress port, and their XoffAlpha.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&SharedBuffer::m_ingressPortAlpha),
                          MakePortAlphaChecker())
            .AddAttribute("PollInterval",
                          "Interval at which the thresholds that marking engines see are sampled; "
                          "0 lets them see the current ones.",
                          TimeValue(Seconds(0)),
                          MakeMemberAccessor<TimeValue>(
                              &C::m_pollInterval,
                              [](C& buffer, auto, Time interval) {
                                  buffer.SetPolling(interval, buffer.m_decreaseAtOnce);
                                  buffer.m_pollEvent.Cancel();
                                  buffer.Poll();
                              }),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute(
                "DecreaseAtOnce",
                "Whether marking engines see a threshold that decreases between two polls "
                "at once, and only an increase at the next poll (section 6.1 of the draft "
                "on dynamic ECN thresholds: err on the low side).",
                BooleanValue(false),
                MakeMemberAccessor<BooleanValue>(&C::m_decreaseAtOnce,
                                                 [](C& buffer, auto, bool atOnce) {
                                                     buffer.SetPolling(buffer.m_pollInterval,
                                                                       atOnce);
                                                 }),
                MakeBooleanChecker())
            .AddAttribute("QueueList",
                          "The queues that draw on this buffer.",
                          ObjectVectorValue(),
                          MakeObjectVectorAccessor(&SharedBuffer::m_queues),
                          MakeObjectVectorChecker<SharedBufferQueue>())
            .AddAttribute("IngressList",
                          "The accounts of the bytes that lossless classes hold, in the order of "
                          "addition.",
                          ObjectVectorValue(),
                          MakeObjectVectorAccessor(&SharedBuffer::m_ingresses),
                          MakeObjectVectorChecker<IngressBuffer>())
            .AddTraceSource("Used",
                            "Bytes held by all queues.",
                            MakeTraceSourceAccessor(&SharedBuffer::m_usedTrace),
                            "ns3::aidc::SharedBuffer::BytesTracedCallback");
    return tid;
}

void
SharedBuffer::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_pollEvent.Cancel();
    m_queues.clear();
    for (const auto& ingress : m_ingresses)
    {
        ingress->SetPauseCallback(IngressBuffer::PauseCallback());
    }
    Object::DoDispose();
}

uint32_t
SharedBuffer::GetPartition(uint32_t port) const
{
    const uint32_t n = static_cast<uint32_t>(m_others.size()) + 1;
    if (port == NO_PORT || n == 1)
    {
        return 0;
    }
    return (m_portsPerPartition > 0 ? port / m_portsPerPartition : port) % n;
}

BufferPool::GroupId
SharedBuffer::FindGroup(BufferPool& pool,
                        std::map<uint32_t, BufferPool::GroupId>& ports,
                        uint32_t port,
                        double alpha,
                        BufferPool::GroupId parent)
{
    if (alpha == 0 || port == NO_PORT)
    {
        return parent;
    }
    const auto [place, isNew] = ports.try_emplace(port, 0);
    if (isNew)
    {
        place->second = pool.AddPort(alpha, parent);
    }
    return place->second;
}

void
SharedBuffer::AddQueue(Ptr<SharedBufferQueue> queue, uint32_t port)
{
    NS_LOG_FUNCTION(this << queue << port);
    const uint32_t index = GetPartition(port);
    auto& part = GetPart(index);
    if (m_lossySize > 0 && part.lossy == BufferPool::NO_GROUP)
    {
        part.lossy = part.pool.AddBound(m_lossySize);
    }
    queue->Join(*this,
                part.pool,
                FindGroup(part.pool, part.egressPorts, port, m_portAlpha, part.lossy));
    // ns-3 opens the queue discs of a node's ports in no defined order.
    const auto place = std::upper_bound(m_ports.begin(), m_ports.end(), port) - m_ports.begin();
    m_queues.insert(m_queues.begin() + place, queue);
    m_ports.insert(m_ports.begin() + place, port);
    SetPolling(place);
    queue->Poll();
    NotifyLimits();
}

void
SharedBuffer::OpenIngress(Ptr<IngressBuffer> ingress, uint32_t port)
{
    auto& part = GetPart(GetPartition(port));
    if (!ingress->Open(part.ingresses,
                       FindGroup(part.pool,
                                 part.ingressPorts,
                                 port,
                                 m_ingressPortAlpha,
                                 BufferPool::NO_GROUP)))
    {
        std::ostringstream text;
        text << "An ingress port cannot have " << ToQueueSize(ingress->GetLimits().reserved)
             << " reserved and " << ToQueueSize(ingress->GetLimits().headroom)
             << " of headroom: the shared buffer of " << GetSize() << " bytes does not have them ("
             << PrintSetAttributes(*ingress) << ")";
        throw std::invalid_argument(text.str());
    }
    m_ingresses.push_back(ingress);
    NotifyLimits();
}

void
SharedBuffer::AddIngress(uint32_t port, uint32_t priority, Ptr<IngressBuffer> ingress)
{
    NS_LOG_FUNCTION(this << port << priority << ingress);
    AIDC_REFUSED_IF(priority >= PRIORITIES,
                    "There is no priority " << priority << ", expected 0 to " << PRIORITIES - 1);
    AIDC_REFUSED_IF(port >= MAX_PORTS,
                    "There is no port " << port << ", expected less than " << MAX_PORTS);
    if (port >= m_ingressOf.size())
    {
        m_ingressOf.resize(port + 1);
    }
    AIDC_REFUSED_IF(m_ingressOf[port][priority],
                    "Port " << port << " has an ingress account for priority " << priority
                            << " already");
    OpenIngress(ingress, port);
    m_ingressOf[port][priority] = PeekPointer(ingress);
}

Ptr<IngressBuffer>
SharedBuffer::GetIngress(uint32_t port, uint32_t priority)
{
    AIDC_REFUSED_IF(priority >= PRIORITIES,
                    "There is no priority " << priority << ", expected 0 to " << PRIORITIES - 1);
    return Ptr<IngressBuffer>(FindIngress(port, priority));
}

std::vector<IngressLimits>
SharedBuffer::GetIngressLimits(uint32_t priority) const
{
    std::vector<IngressLimits> limits;
    for (const auto& port : m_ingressOf)
    {
        const auto ingress = port[priority];
        if (ingress && ingress->GetLimits().headroom > 0)
        {
            limits.push_back(ingress->GetLimits());
        }
    }
    return limits;
}

IngressBuffer*
SharedBuffer::GetOtherIngress()
{
    if (!m_otherIngress)
    {
        const auto ingress = CreateObject<IngressBuffer>();
        OpenIngress(ingress, NO_PORT);
        m_otherIngress = PeekPointer(ingress);
    }
    return m_otherIngress;
}

void
SharedBuffer::Divide()
{
    while (m_others.size() + 1 < m_partitions)
    {
        m_others.push_back(std::make_unique<Partition>());
    }
    m_others.resize(m_partitions - 1);
    for (uint32_t i = 0; i < m_partitions; ++i)
    {
        auto& pool = GetPart(i).pool;
        pool.SetCellSize(m_cellSize);
        pool.SetPowersOfTwo(m_isPowersOfTwo);
        // What does not divide evenly belongs to the first parts.
        const uint64_t size = m_size / m_partitions + (i < m_size % m_partitions ? 1 : 0);
        if ((m_sharedSize == 0 && !pool.SetSize(size)) || !pool.SetShared(m_sharedSize) ||
            !pool.SetHeadroomPool(m_headroomPool))
        {
            throw std::invalid_argument("HeadroomPool: a part of the shared buffer does not have " +
                                        std::to_string(m_headroomPool) + " of its " +
                                        std::to_string(size) + " bytes");
        }
    }
}

template <typename T>
void
SharedBuffer::ChangeDivision(T SharedBuffer::* member, T value)
{
    if (value == this->*member)
    {
        return;
    }
    if (!m_queues.empty() || !m_ingresses.empty())
    {
        throw std::invalid_argument("a shared buffer is divided before queues join it");
    }
    const T before = std::exchange(this->*member, value);
    try
    {
        Divide();
    }
    catch (const std::invalid_argument&)
    {
        this->*member = before;
        Divide();
        throw;
    }
}

void
SharedBuffer::SetSize(uint64_t bytes)
{
    const uint64_t before = std::exchange(m_size, bytes);
    try
    {
        if (bytes == 0)
        {
            throw std::invalid_argument("no memory");
        }
        Divide();
    }
    catch (const std::invalid_argument&)
    {
        m_size = before;
        Divide();
        throw std::invalid_argument("Size: a shared buffer cannot have " + std::to_string(bytes) +
                                    " bytes; expected more than 0, and at least what is set aside");
    }
    NotifyLimits();
    for (const auto& queue : m_queues)
    {
        queue->NotifyLimits();
    }
}

void
SharedBuffer::SetPolling(Time interval, bool atOnce)
{
    NS_LOG_FUNCTION(this << interval << atOnce);
    m_pollInterval = interval;
    m_decreaseAtOnce = atOnce;
    for (std::size_t i = 0; i < m_queues.size(); ++i)
    {
        SetPolling(i);
    }
}

void
SharedBuffer::NotifyPolledUse()
{
    for (uint32_t i = 0; i <= m_others.size(); ++i)
    {
        auto& part = GetPart(i);
        part.leastFree = std::min(part.leastFree, part.pool.GetFree());
    }
    SchedulePoll();
}

void
SharedBuffer::NotifyLimits()
{
    if (!IsPolled())
    {
        return;
    }
    if (GetTimeSincePoll() == 0)
    {
        Poll();
        return;
    }
    NotifyPolledUse();
}

int64_t
SharedBuffer::GetTimeSincePoll() const
{
    return Simulator::Now().GetTimeStep() % m_pollInterval.GetTimeStep();
}

void
SharedBuffer::SchedulePoll()
{
    if (m_pollEvent.IsExpired())
    {
        // At the next multiple of the interval. Without an arrival, a departure or new limits,
        // thresholds do not change, so the timer rests until then, and a simulation without an end
        // still ends.
        m_pollEvent = Simulator::Schedule(m_pollInterval - TimeStep(GetTimeSincePoll()),
                                          &SharedBuffer::Poll,
                                          this);
    }
}

void
SharedBuffer::SetPolling(std::size_t index)
{
    m_queues[index]->SetPolling(IsPolled(),
                                m_decreaseAtOnce ? &GetPart(GetPartition(m_ports[index])).leastFree
                                                 : nullptr);
}

void
SharedBuffer::Poll()
{
    for (uint32_t i = 0; i <= m_others.size(); ++i)
    {
        auto& part = GetPart(i);
        part.leastFree = part.pool.GetFree();
    }
    for (const auto& queue : m_queues)
    {
        queue->Poll();
    }
}

} // namespace ns3::aidc

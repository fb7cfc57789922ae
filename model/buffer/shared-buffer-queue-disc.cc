/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shared-buffer-queue-disc.h"

#include "queue-size-bytes.h"
#include "ring-queue.h"
#include "switch-port-info.h"

#include "ns3/abort.h"
#include "ns3/attribute-report.h"
#include "ns3/device-link-properties.h"
#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"

#include <stdexcept>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcSharedBufferQueueDisc");

NS_OBJECT_ENSURE_REGISTERED(SharedBufferQueueDisc);

namespace
{

/**
 * @brief Say where a queue disc is.
 * @param device its device, may be null
 * @return node and device, in words
 */
std::string
DescribePlace(const Ptr<NetDevice>& device)
{
    return device ? "node " + std::to_string(device->GetNode()->GetId()) + ", device " +
                        std::to_string(device->GetIfIndex())
                  : "without a device";
}

} // namespace

TypeId
SharedBufferQueueDisc::GetTypeId()
{
    using C = SharedBufferQueueDisc;
    static TypeId tid =
        TypeId("ns3::aidc::SharedBufferQueueDisc")
            .SetParent<QueueDisc>()
            .SetGroupName("Aidc")
            .AddAttribute("BufferSize",
                          "Size in bytes of the buffer that the queue disc makes for itself when "
                          "its node has no SharedBuffer.",
                          QueueSizeValue(QueueSize("12MB")),
                          MakeQueueSizeAccessor(&SharedBufferQueueDisc::m_bufferSize),
                          MakeByteSizeChecker(1))
            .AddAttribute("BufferQueue",
                          "The queue's share of the buffer, with its limits as attributes.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&SharedBufferQueueDisc::GetBufferQueue),
                          MakePointerChecker<SharedBufferQueue>())
            .AddAttribute("LinkRate",
                          "Rate of the link, to derive thresholds and idle time from; 0 is the "
                          "device's.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&C::Set<&C::m_linkRate, DataRate>,
                                               &C::Get<&C::m_linkRate, DataRate>),
                          MakeDataRateChecker())
            .AddTraceSource("Reconfiguration",
                            "An attribute has been changed while running.",
                            MakeTraceSourceAccessor(&C::m_reconfigurationTrace),
                            "ns3::aidc::SharedBufferQueueDisc::ReconfigurationTracedCallback");
    return tid;
}

SharedBufferQueueDisc::SharedBufferQueueDisc()
    : QueueDisc(QueueDiscSizePolicy::SINGLE_INTERNAL_QUEUE, QueueSizeUnit::BYTES),
      m_queueOwner(CreateObject<SharedBufferQueue>())
{
    NS_LOG_FUNCTION(this);
    m_queue = PeekPointer(m_queueOwner);
}

SharedBufferQueueDisc::~SharedBufferQueueDisc()
{
    NS_LOG_FUNCTION(this);
}

PortBufferUse
SharedBufferQueueDisc::GetBufferUse() const
{
    return m_queue->GetUse();
}

void
SharedBufferQueueDisc::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_queueOwner->SetLimitsCallback(Callback<void>());
    m_device = nullptr;
    QueueDisc::DoDispose();
}

void
SharedBufferQueueDisc::SetSharedBuffer(Ptr<SharedBuffer> buffer)
{
    m_buffer = buffer;
}

Ptr<SharedBuffer>
SharedBufferQueueDisc::GetSharedBuffer() const
{
    return m_buffer;
}

Ptr<SharedBufferQueue>
SharedBufferQueueDisc::GetBufferQueue() const
{
    return m_queueOwner;
}

void
SharedBufferQueueDisc::SetDevice(Ptr<NetDevice> device)
{
    m_device = device;
}

Ptr<NetDevice>
SharedBufferQueueDisc::GetDevice() const
{
    return m_device;
}

DataRate
SharedBufferQueueDisc::GetEffectiveRate() const
{
    return m_linkRate.GetBitRate() > 0 ? m_linkRate : GetLinkRate(m_device);
}

uint32_t
SharedBufferQueueDisc::GetDeviceMtu() const
{
    return m_device ? m_device->GetMtu() : 1500;
}

int64_t
SharedBufferQueueDisc::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_stream = stream;
    if (m_uniform)
    {
        m_uniform->SetStream(stream);
    }
    return 1;
}

void
SharedBufferQueueDisc::MakeUniform()
{
    m_uniform = CreateObjectWithAttributes<UniformRandomVariable>("Stream", IntegerValue(m_stream));
}

std::string
SharedBufferQueueDisc::FindConfigError() const
{
    return "";
}

std::string
SharedBufferQueueDisc::Describe() const
{
    return GetInstanceTypeId().GetName();
}

void
SharedBufferQueueDisc::Derive()
{
}

void
SharedBufferQueueDisc::NotifyLimits()
{
}

void
SharedBufferQueueDisc::DoRelease(const Ptr<QueueDiscItem>&)
{
}

void
SharedBufferQueueDisc::ThrowConfigError() const
{
    if (const auto error = FindConfigError(); !error.empty())
    {
        throw std::invalid_argument(error);
    }
}

std::string
SharedBufferQueueDisc::DescribeAll() const
{
    return Describe() + "; " + PrintAttributes(*this, SharedBufferQueueDisc::GetTypeId());
}

void
SharedBufferQueueDisc::Reconfigure(const std::string& before)
{
    Derive();
    const std::string after = DescribeAll();
    NS_LOG_INFO(GetInstanceTypeId().GetName()
                << " reconfigured at " << Simulator::Now().As(Time::S) << ": " << after);
    m_reconfigurationTrace(before, after);
}

bool
SharedBufferQueueDisc::CountOnDeparture()
{
    if (m_ring)
    {
        m_totals.Attach(*this);
    }
    return m_ring;
}

bool
SharedBufferQueueDisc::IsEmpty() const
{
    return m_ring ? m_ring->IsEmpty() : m_packets->IsEmpty();
}

bool
SharedBufferQueueDisc::Admit(Ptr<QueueDiscItem>& item)
{
    const Admission admission = m_queue->Admit(item->GetSize());
    if (admission != Admission::ADMITTED && admission != Admission::HEADROOM)
    {
        DropBeforeEnqueue(item, SharedBufferQueue::GetDropReason(admission));
        return false;
    }
    if (const char* reason = DoAdmit(item))
    {
        m_queue->Release(item->GetSize());
        DropBeforeEnqueue(item, reason);
        return false;
    }
    return true;
}

void
SharedBufferQueueDisc::Depart(const Ptr<QueueDiscItem>& item)
{
    m_queue->Release(item->GetSize());
    DoRelease(item);
}

bool
SharedBufferQueueDisc::Push(Ptr<QueueDiscItem> item)
{
    if (!Admit(item))
    {
        m_totals.CountRefusal(item->GetSize());
        return false;
    }
    m_ring->Push(item);
    return true;
}

Ptr<QueueDiscItem>
SharedBufferQueueDisc::Pop()
{
    auto item = m_ring->Pop();
    if (item)
    {
        m_totals.CountDeparture(item->GetSize());
        Depart(item);
    }
    return item;
}

bool
SharedBufferQueueDisc::DoEnqueue(Ptr<QueueDiscItem> item)
{
    return Admit(item) && m_packets->Enqueue(item);
}

Ptr<QueueDiscItem>
SharedBufferQueueDisc::DoDequeue()
{
    auto item = m_packets->Dequeue();
    if (item)
    {
        Depart(item);
    }
    return item;
}

Ptr<const QueueDiscItem>
SharedBufferQueueDisc::DoPeek()
{
    return m_packets->Peek();
}

bool
SharedBufferQueueDisc::CheckConfig()
{
    NS_LOG_FUNCTION(this);
    if (GetNQueueDiscClasses() > 0 || GetNPacketFilters() > 0)
    {
        NS_LOG_ERROR(GetInstanceTypeId().GetName() << " takes no classes and no packet filters");
        return false;
    }
    if (GetNInternalQueues() == 0)
    {
        // What may be queued is up to the shared buffer alone.
        AddInternalQueue(CreateObject<RingQueue>());
    }
    if (GetNInternalQueues() != 1)
    {
        NS_LOG_ERROR(GetInstanceTypeId().GetName() << " needs one internal queue");
        return false;
    }
    m_packets = PeekPointer(GetInternalQueue(0));
    m_ring = dynamic_cast<RingQueue*>(m_packets);
    if (!m_device)
    {
        m_device = FindNetDevice(this);
    }
    // Not by the return value alone, which QueueDisc asserts without saying what is wrong, and not
    // at all in optimized builds.
    const auto error = FindConfigError();
    const auto name = GetInstanceTypeId().GetName();
    NS_ABORT_MSG_UNLESS(error.empty(),
                        name.substr(name.rfind(':') + 1)
                            << ": " << error << " (" << DescribePlace(m_device) << "; "
                            << PrintSetAttributes(*this) << ")");
    return true;
}

void
SharedBufferQueueDisc::InitializeParams()
{
    NS_LOG_FUNCTION(this);
    if (!m_buffer)
    {
        m_buffer = FindOrMakeSharedBuffer(m_device, m_bufferSize);
    }
    m_buffer->AddQueue(m_queueOwner);
    m_queueOwner->SetLimitsCallback(MakeCallback(&SharedBufferQueueDisc::NotifyLimits, this));
}

} // namespace ns3::aidc

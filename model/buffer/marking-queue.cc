/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "marking-queue.h"

#include "../attribute-report.h"
#include "../core/require-argument.h"
#include "../device-link-properties.h"

#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <stdexcept>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcMarkingQueue");

NS_OBJECT_ENSURE_REGISTERED(MarkingQueue);

namespace
{

/// Name the node and the device of a queue. @param device its port, may be null
std::string
DescribePlace(const Ptr<NetDevice>& device)
{
    return device ? "node " + std::to_string(device->GetNode()->GetId()) + ", device " +
                        std::to_string(device->GetIfIndex())
                  : "without a device";
}

} // namespace

TypeId
MarkingQueue::GetTypeId()
{
    using C = MarkingQueue;
    static TypeId tid =
        TypeId("ns3::aidc::MarkingQueue")
            .SetParent<SharedBufferQueue>()
            .SetGroupName("Aidc")
            .AddAttribute("LinkRate",
                          "Rate of the link, to derive thresholds and idle time from; 0 is the "
                          "device's.",
                          DataRateValue(DataRate(0)),
                          MakeQueueAccessor<DataRateValue>(&C::m_linkRate),
                          MakeDataRateChecker())
            .AddTraceSource("Mark",
                            "A packet has been marked with CE, and why.",
                            MakeTraceSourceAccessor(&C::m_markTrace),
                            "ns3::aidc::MarkingQueue::PacketTracedCallback")
            .AddTraceSource("Drop",
                            "A packet has been refused as it arrived, and why.",
                            MakeTraceSourceAccessor(&C::m_dropTrace),
                            "ns3::aidc::MarkingQueue::PacketTracedCallback")
            .AddTraceSource("Reconfiguration",
                            "An attribute has been changed while running.",
                            MakeTraceSourceAccessor(&C::m_reconfigurationTrace),
                            "ns3::aidc::MarkingQueue::ReconfigurationTracedCallback");
    return tid;
}

void
MarkingQueue::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_device = nullptr;
    SharedBufferQueue::DoDispose();
}

void
MarkingQueue::Open(BufferedQueueDisc& queueDisc, Ptr<NetDevice> device)
{
    NS_LOG_FUNCTION(this << &queueDisc << device);
    m_device = device;
    m_queueDisc = &queueDisc;
    const auto error = FindConfigError();
    const auto name = GetInstanceTypeId().GetName();
    AIDC_REFUSED_UNLESS(error.empty(),
                        name.substr(name.rfind(':') + 1)
                            << ": " << error << " (" << DescribePlace(m_device) << "; "
                            << PrintSetAttributes(*this) << ")");
    queueDisc.GetSharedBuffer()->AddQueue(this,
                                          device ? device->GetIfIndex() : SharedBuffer::NO_PORT);
    DoOpen();
    Initialize();
}

const char*
MarkingQueue::AdmitPacket(Ptr<QueueDiscItem>& item, uint32_t bytes)
{
    const char* reason = GetDropReason(Admit(bytes));
    if (!reason)
    {
        reason = DoAdmit(item);
        if (!reason)
        {
            ++m_nPackets;
            return nullptr;
        }
        Release(bytes);
    }
    NS_LOG_LOGIC("Drop " << item << ": " << reason);
    ++m_queueStatistics.droppedPackets;
    m_dropTrace(item, reason);
    return reason;
}

void
MarkingQueue::ReleasePacket(const Ptr<QueueDiscItem>& item, uint32_t bytes)
{
    --m_nPackets;
    Release(bytes);
    DoRelease(item);
}

DataRate
MarkingQueue::GetEffectiveRate() const
{
    return m_linkRate.GetBitRate() > 0 ? m_linkRate : GetLinkRate(m_device);
}

uint32_t
MarkingQueue::GetDeviceMtu() const
{
    return m_device ? m_device->GetMtu() : 1500;
}

int64_t
MarkingQueue::AssignStreams(int64_t stream)
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
MarkingQueue::MakeUniform()
{
    m_uniform = CreateObjectWithAttributes<UniformRandomVariable>("Stream", IntegerValue(m_stream));
}

bool
MarkingQueue::Mark(const Ptr<QueueDiscItem>& item, const char* reason)
{
    if (!m_queueDisc->Mark(item, reason))
    {
        return false;
    }
    NS_LOG_LOGIC("Mark " << item << ": " << reason);
    ++m_queueStatistics.markedPackets;
    m_markTrace(item, reason);
    return true;
}

std::string
MarkingQueue::Describe() const
{
    return GetInstanceTypeId().GetName();
}

void
MarkingQueue::DoOpen()
{
}

void
MarkingQueue::Derive()
{
}

void
MarkingQueue::DoRelease(const Ptr<QueueDiscItem>&)
{
}

void
MarkingQueue::ThrowConfigError() const
{
    if (const auto error = FindConfigError(); !error.empty())
    {
        throw std::invalid_argument(error);
    }
}

std::string
MarkingQueue::DescribeAll() const
{
    return Describe() + "; " + PrintAttributes(*this, MarkingQueue::GetTypeId());
}

void
MarkingQueue::Reconfigure(const std::string& before)
{
    Derive();
    const std::string after = DescribeAll();
    NS_LOG_INFO(GetInstanceTypeId().GetName()
                << " reconfigured at " << Simulator::Now().As(Time::S) << ": " << after);
    m_reconfigurationTrace(before, after);
}

} // namespace ns3::aidc

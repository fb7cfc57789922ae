// SPDX-License-Identifier: GPL-2.0-only

#include "ingress-buffer.h"

#include "../attribute-accessors.h"
#include "../core/require-argument.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/value-checker.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcIngressBuffer");

NS_OBJECT_ENSURE_REGISTERED(IngressBuffer);

TypeId
IngressBuffer::GetTypeId()
{
    using C = IngressBuffer;
    using Limits = IngressLimits;
    static TypeId tid =
        TypeId("ns3::aidc::IngressBuffer")
            .SetParent<Object>()
            .SetGroupName("Aidc")
            .AddConstructor<IngressBuffer>()
            .AddAttribute("XoffAlpha",
                          "Factor of the threshold XOFF: the peer is told to stop once this many "
                          "times the free shared memory came from it.",
                          DoubleValue(1.0),
                          MakeSettingsAccessor<DoubleValue>(&C::m_limits,
                                                            &Limits::xoffAlpha,
                                                            &C::ChangeLimits),
                          MakeDoubleChecker<double>(1.0 / 65536, 65536))
            .AddAttribute("XonOffset",
                          "Bytes below XOFF at which the peer may go on.",
                          QueueSizeValue(QueueSize("18kB")),
                          MakeSettingsAccessor<QueueSizeValue>(&C::m_limits,
                                                               &Limits::xonOffset,
                                                               &C::ChangeLimits),
                          MakeByteSizeChecker())
            .AddAttribute(
                "Xon",
                "Bytes at which the peer may go on wherever XOFF is, as long as it is "
                "above.",
                QueueSizeValue(QueueSize("0B")),
                MakeSettingsAccessor<QueueSizeValue>(&C::m_limits, &Limits::xon, &C::ChangeLimits),
                MakeByteSizeChecker())
            .AddAttribute(
                "Headroom",
                "Bytes set aside for the packets that arrive after the peer has been told to stop.",
                QueueSizeValue(QueueSize("0B")),
                MakeSettingsAccessor<QueueSizeValue>(&C::m_limits,
                                                     &Limits::headroom,
                                                     &C::ChangeLimits),
                MakeByteSizeChecker())
            .AddAttribute("Reserved",
                          "Bytes set aside below XOFF.",
                          QueueSizeValue(QueueSize("0B")),
                          MakeSettingsAccessor<QueueSizeValue>(&C::m_limits,
                                                               &Limits::reserved,
                                                               &C::ChangeLimits),
                          MakeByteSizeChecker())
            .AddTraceSource("Occupancy",
                            "Bytes that came in and are still in the switch.",
                            MakeTraceSourceAccessor(&C::m_occupancyTrace),
                            "ns3::aidc::SharedBuffer::BytesTracedCallback")
            .AddTraceSource("Xoff",
                            "The peer has been told to stop, or to go on.",
                            MakeTraceSourceAccessor(&C::m_xoffTrace),
                            "ns3::aidc::IngressBuffer::XoffTracedCallback");
    return tid;
}

Admission
IngressBuffer::Admit(uint32_t size)
{
    const uint32_t bytes = m_pool->GetCharge(size);
    const IngressOutcome outcome = m_pool->Admit(m_account, bytes);
    if (!GetDropReason(outcome.admission))
    {
        m_headroomPeak = std::max(m_headroomPeak, m_pool->GetHeadroomUsed(m_account));
        if (!m_occupancyTrace.IsEmpty())
        {
            m_occupancyTrace(GetOccupancy() - bytes, GetOccupancy());
        }
    }
    else
    {
        ++m_refused;
    }
    if (outcome.signal == PauseSignal::XOFF)
    {
        Signal(true);
    }
    return outcome.admission;
}

void
IngressBuffer::Release(uint32_t size)
{
    const uint32_t bytes = m_pool->GetCharge(size);
    const PauseSignal signal = m_pool->Release(m_account, bytes);
    if (!m_occupancyTrace.IsEmpty())
    {
        m_occupancyTrace(GetOccupancy() + bytes, GetOccupancy());
    }
    if (signal == PauseSignal::XON)
    {
        Signal(false);
    }
}

void
IngressBuffer::Signal(bool xoff)
{
    m_xoffTrace(xoff);
    if (!m_pause.IsNull())
    {
        m_pause(xoff);
    }
}

bool
IngressBuffer::Open(IngressPool& pool, BufferPool::GroupId group)
{
    AIDC_REFUSED_IF(m_pool, "The ingress account belongs to a shared buffer already");
    AIDC_REFUSED_UNLESS(pool.IsAlpha(m_limits.xoffAlpha),
                        "XoffAlpha: expected a power of two "
                        "(ns3::aidc::SharedBuffer::PowerOfTwoAlphas), found "
                            << m_limits.xoffAlpha);
    m_account = pool.AddAccount(group);
    m_pool = &pool;
    return pool.SetLimits(m_account, m_limits);
}

void
IngressBuffer::ChangeLimits(const IngressLimits& limits)
{
    if (m_pool && !m_pool->IsAlpha(limits.xoffAlpha))
    {
        throw std::invalid_argument("XoffAlpha: expected a power of two "
                                    "(ns3::aidc::SharedBuffer::PowerOfTwoAlphas), found " +
                                    std::to_string(limits.xoffAlpha));
    }
    if (m_pool && !m_pool->SetLimits(m_account, limits))
    {
        throw std::invalid_argument("Reserved and Headroom: the shared buffer does not have " +
                                    std::to_string(limits.reserved) + " and " +
                                    std::to_string(limits.headroom) + " bytes for the port");
    }
    m_limits = limits;
}

} // namespace ns3::aidc

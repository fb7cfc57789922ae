/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "slow-receiver.h"

#include "ethernet-net-device.h"
#include "priority-flow-control.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/protocol-numbers.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcSlowReceiver");

NS_OBJECT_ENSURE_REGISTERED(SlowReceiver);

namespace
{

/// The highest rate in bit/s.
constexpr uint64_t MAX_RATE = 100000000000000;

/// Tell whether a frame is MAC control, which has no tags. @param frame the frame
/// @return whether it is
bool
IsMacControl(const Packet& frame)
{
    std::array<uint8_t, 14> header{};
    frame.CopyData(header.data(), static_cast<uint32_t>(header.size()));
    return (header[12] << 8 | header[13]) == ETHERTYPE_MAC_CONTROL;
}

} // namespace

TypeId
SlowReceiver::GetTypeId()
{
    using C = SlowReceiver;
    static TypeId tid =
        TypeId("ns3::aidc::SlowReceiver")
            .SetParent<Object>()
            .SetGroupName("Aidc")
            .AddConstructor<SlowReceiver>()
            .AddAttribute("Rate",
                          "The rate at which the host takes what has arrived, from 0 to 100 Tb/s; "
                          "0 is a host that has stopped. It may change while the simulation runs.",
                          DataRateValue(DataRate("50Gbps")),
                          MakeDataRateAccessor(&C::SetRate, &C::GetRate),
                          MakeRateChecker(0, MAX_RATE))
            .AddAttribute("Xoff",
                          "Bytes in the receive buffer from which on the peer is to stop.",
                          UintegerValue(100000),
                          MakeUintegerAccessor(&C::m_xoffBytes),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("Xon",
                          "Bytes in the receive buffer at which the peer may go on.",
                          UintegerValue(50000),
                          MakeUintegerAccessor(&C::m_xonBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Priority",
                          "The priority that is stopped.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&C::m_priority),
                          MakeUintegerChecker<uint32_t>(0, PFC_PRIORITIES - 1))
            .AddTraceSource("Xoff",
                            "The peer has been told to stop, or to go on.",
                            MakeTraceSourceAccessor(&C::m_xoffTrace),
                            "ns3::aidc::SlowReceiver::XoffTracedCallback");
    return tid;
}

void
SlowReceiver::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_xon.Cancel();
    m_control = nullptr;
    Object::DoDispose();
}

void
SlowReceiver::Install(Ptr<EthernetNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    NS_ABORT_MSG_IF(m_control, "SlowReceiver serves one port");
    m_control = PeekPointer(device->GetObject<PriorityFlowControl>());
    NS_ABORT_MSG_UNLESS(m_control, "SlowReceiver: the port has no PriorityFlowControl");
    device->TraceConnectWithoutContext("MacRx", MakeCallback(&SlowReceiver::Receive, this));
    device->AggregateObject(this);
}

uint64_t
SlowReceiver::GetOccupancy() const
{
    return static_cast<uint64_t>(std::ceil(ComputeLevel()));
}

double
SlowReceiver::ComputeLevel() const
{
    const double bytesPerSecond = static_cast<double>(m_rate.GetBitRate()) / 8;
    const double taken = (Simulator::Now() - m_since).GetSeconds() * bytesPerSecond;
    return std::max(m_level - taken, 0.0);
}

void
SlowReceiver::SetRate(DataRate rate)
{
    NS_LOG_FUNCTION(this << rate);
    if (m_control)
    {
        m_level = ComputeLevel();
        m_since = Simulator::Now();
    }
    m_rate = rate;
    ScheduleXon();
}

void
SlowReceiver::Receive(Ptr<const Packet> frame)
{
    if (IsMacControl(*frame))
    {
        return; // it ends in the port
    }
    m_level = ComputeLevel() + frame->GetSize();
    m_since = Simulator::Now();
    if (!m_isXoff && m_level >= static_cast<double>(m_xoffBytes))
    {
        SetXoff(true);
    }
    ScheduleXon();
}

void
SlowReceiver::ScheduleXon()
{
    m_xon.Cancel();
    if (!m_isXoff || m_rate.GetBitRate() == 0)
    {
        return;
    }
    const double excess = std::max(m_level - static_cast<double>(m_xonBytes), 0.0);
    const double steps = excess * 8 / static_cast<double>(m_rate.GetBitRate()) *
                         static_cast<double>(Seconds(1).GetTimeStep());
    m_xon = Simulator::Schedule(TimeStep(static_cast<uint64_t>(std::ceil(std::min(steps, 1e18)))),
                                &SlowReceiver::SetXoff,
                                this,
                                false);
}

void
SlowReceiver::SetXoff(bool isXoff)
{
    NS_LOG_FUNCTION(this << isXoff);
    m_isXoff = isXoff;
    m_xoffTrace(isXoff);
    m_control->SetXoff(m_priority, isXoff);
}

} // namespace ns3::aidc

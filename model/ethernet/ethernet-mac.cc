/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-mac.h"

#include "ns3/log.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcEthernetMac");

EthernetMac::EthernetMac(const EthernetPortSettings& settings)
    : m_settings(settings)
{
}

void
EthernetMac::Attach(EthernetPort& port, const Ptr<EthernetChannel>& channel)
{
    NS_LOG_FUNCTION(this << channel);
    m_channel = channel;
    m_link = PeekPointer(channel);
    m_end = static_cast<uint32_t>(channel->GetNDevices());
    channel->Attach(&port);
}

void
EthernetMac::Detach()
{
    m_link = nullptr;
    m_channel = nullptr;
}

void
EthernetMac::SetAddress(const MacBytes& address)
{
    m_address = address;
    if (m_channel)
    {
        m_channel->ExchangeAddresses();
    }
}

void
EthernetMac::SetRemoteAddress(const Address& address)
{
    m_remoteAddress = address;
    m_remote = ToMacBytes(address);
}

bool
EthernetMac::SetDataRate(DataRate rate)
{
    NS_LOG_FUNCTION(this << rate);
    if (rate.GetBitRate() < 1 || rate.GetBitRate() > MAX_RATE)
    {
        NS_LOG_ERROR("Expected a DataRate from 1bps to 100Tbps, found " << rate);
        return false;
    }
    m_dataRate = rate;
    m_clock.SetRate(rate.GetBitRate(), static_cast<uint64_t>(Seconds(1).GetTimeStep()));
    return true;
}

bool
EthernetMac::SetMtu(uint16_t mtu)
{
    NS_LOG_FUNCTION(this << mtu);
    if (mtu < MIN_MTU)
    {
        return false;
    }
    m_mtu = mtu;
    return true;
}

Time
EthernetMac::GetTimeUntilIdle() const
{
    return TimeStep(std::max<int64_t>(m_clock.GetEnd() - GetTimeStepNow(), 0));
}

void
EthernetMac::Occupy(uint32_t octets)
{
    m_clock.Occupy(std::max(GetTimeStepNow(), m_clock.GetEnd()),
                   8 * static_cast<uint64_t>(octets + FCS_SIZE + m_settings.overhead));
}

void
EthernetMac::Send(EthernetFrame& frame)
{
    m_record.NotifyBegin(frame);
    const uint32_t octets = frame.GetSize() + FCS_SIZE;
    const int64_t now = GetTimeStepNow();
    m_clock.Occupy(now, 8 * static_cast<uint64_t>(octets + m_settings.overhead));
    // The gap occupies the wire, but the frame is whole before it.
    const int64_t last =
        m_clock.GetEndWithout(uint64_t{8} * std::min(m_settings.overhead, EthernetFrame::GAP_SIZE));
    const Time duration = TimeStep(static_cast<uint64_t>(last - now));
    NS_LOG_LOGIC("Send " << octets << " octets in " << duration.As(Time::NS));
    m_record.CountSent(frame, octets, duration);
    m_link->Carry(frame, m_end, m_linkEpoch, duration);
}

} // namespace ns3::aidc

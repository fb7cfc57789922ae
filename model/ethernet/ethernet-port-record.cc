/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-port-record.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcEthernetPortRecord");

void
EthernetPortRecord::NotifyLinkState(bool isUp)
{
    NS_LOG_INFO("The link is " << (isUp ? "up" : "down"));
    if (m_traces)
    {
        m_traces->linkState(isUp);
    }
}

void
EthernetPortRecord::DropOutgoing(EthernetFrame& frame, Counter counter, const char* reason)
{
    NS_LOG_LOGIC("Drop a packet of " << frame.GetPayloadSize() << " bytes to be sent: " << reason);
    Count(counter);
    if (m_traces && !m_traces->macTxDrop.IsEmpty())
    {
        m_traces->macTxDrop(frame.WritePayload());
    }
}

void
EthernetPortRecord::DropReceived(EthernetFrame& frame, Counter counter, const char* reason)
{
    NS_LOG_LOGIC("Drop a frame that has arrived: " << reason);
    Count(counter);
    if (m_traces && !m_traces->phyRxDrop.IsEmpty())
    {
        m_traces->phyRxDrop(frame.Write());
    }
}

void
EthernetPortRecord::TraceBegin(const Ptr<const Packet>& whole)
{
    m_traces->sniffer(whole);
    m_traces->promiscSniffer(whole);
    m_traces->phyTxBegin(whole);
}

void
EthernetPortRecord::ScheduleEnd(EthernetFrame& frame, Time duration)
{
    Simulator::Schedule(duration,
                        [this, sent = frame.Write()->Copy()] { m_traces->phyTxEnd(sent); });
}

Ptr<const Packet>
EthernetPortRecord::TraceArrival(EthernetFrame& frame)
{
    const Ptr<const Packet> whole = frame.Write();
    m_traces->sniffer(whole);
    m_traces->promiscSniffer(whole);
    m_traces->phyRxEnd(whole);
    return whole;
}

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#include "ethernet-mac.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcEthernetMac");

void
EthernetMac::Attach(EthernetPort& port, const Ptr<EthernetChannel>& toChannel)
{
    NS_LOG_FUNCTION(this << toChannel);
    channel = toChannel;
    link = PeekPointer(channel);
    end = static_cast<uint32_t>(channel->GetNDevices());
    channel->Attach(&port);
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
    dataRate = rate;
    clock.SetRate(rate.GetBitRate(), static_cast<uint64_t>(Seconds(1).GetTimeStep()));
    return true;
}

Time
EthernetMac::GetTimeUntilIdle() const
{
    return TimeStep(std::max<int64_t>(clock.GetEnd() - GetTimeStepNow(), 0));
}

void
EthernetMac::Occupy(uint32_t octets)
{
    clock.Occupy(std::max(GetTimeStepNow(), clock.GetEnd()),
                 8 * static_cast<uint64_t>(octets + FCS_SIZE + overhead));
}

void
EthernetMac::Send(EthernetFrame& frame)
{
    if (traces)
    {
        traces->frameBegin(frame.packet, frame.GetSize());
        if (!traces->sniffer.IsEmpty() || !traces->promiscSniffer.IsEmpty() ||
            !traces->phyTxBegin.IsEmpty())
        {
            const Ptr<const Packet> whole = frame.Write();
            traces->sniffer(whole);
            traces->promiscSniffer(whole);
            traces->phyTxBegin(whole);
        }
    }
    const uint32_t octets = frame.GetSize() + FCS_SIZE;
    const int64_t now = GetTimeStepNow();
    clock.Occupy(now, 8 * static_cast<uint64_t>(octets + overhead));
    // The gap occupies the wire, but the frame is whole before it.
    const int64_t last =
        clock.GetEndWithout(uint64_t{8} * std::min(overhead, EthernetFrame::GAP_SIZE));
    const Time duration = TimeStep(static_cast<uint64_t>(last - now));
    NS_LOG_LOGIC("Send " << octets << " octets in " << duration.As(Time::NS));
    statistics.outOctets += octets;
    ++statistics.outFrames;
    if (traces && !traces->phyTxEnd.IsEmpty())
    {
        Simulator::Schedule(duration,
                            [this, sent = frame.Write()->Copy()] { traces->phyTxEnd(sent); });
    }
    link->Carry(frame, end, linkEpoch, duration);
}

void
EthernetMac::DropOutgoing(EthernetFrame& frame, Counter counter, const char* reason)
{
    NS_LOG_LOGIC("Drop a packet of " << frame.GetPayloadSize() << " bytes to be sent: " << reason);
    ++(statistics.*counter);
    if (traces && !traces->macTxDrop.IsEmpty())
    {
        traces->macTxDrop(frame.WritePayload());
    }
}

void
EthernetMac::DropReceived(EthernetFrame& frame, Counter counter, const char* reason)
{
    NS_LOG_LOGIC("Drop a frame that has arrived: " << reason);
    ++(statistics.*counter);
    if (traces && !traces->phyRxDrop.IsEmpty())
    {
        traces->phyRxDrop(frame.Write());
    }
}

void
EthernetMac::TraceArrival(EthernetFrame& frame, Ptr<const Packet>& whole)
{
    traces->frameEnd(frame.packet, frame.GetSize());
    if (!traces->sniffer.IsEmpty() || !traces->promiscSniffer.IsEmpty() ||
        !traces->phyRxEnd.IsEmpty() || !traces->macRx.IsEmpty() || !traces->macPromiscRx.IsEmpty())
    {
        whole = frame.Write();
        traces->sniffer(whole);
        traces->promiscSniffer(whole);
        traces->phyRxEnd(whole);
    }
}

} // namespace ns3::aidc

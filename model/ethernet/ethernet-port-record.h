/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ETHERNET_PORT_RECORD_H
#define AIDC_ETHERNET_PORT_RECORD_H

#include "ethernet-frame.h"
#include "ethernet-port-statistics.h"
#include "mac-bytes.h"

#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>

namespace ns3::aidc
{

/// The trace sources of an EthernetNetDevice, each with the name of its member.
struct EthernetPortTraces
{
    /// A trace source of packets.
    using PacketTrace = TracedCallback<Ptr<const Packet>>;

    /// @return whether a trace source of sent frames is connected
    bool AreFramesSent() const
    {
        return !sniffer.IsEmpty() || !promiscSniffer.IsEmpty() || !phyTxBegin.IsEmpty();
    }

    /// @return whether a trace source of arriving frames is connected
    bool AreFramesReceived() const
    {
        return !sniffer.IsEmpty() || !promiscSniffer.IsEmpty() || !phyRxEnd.IsEmpty() ||
               !macRx.IsEmpty() || !macPromiscRx.IsEmpty();
    }

    PacketTrace macTx;          //!< MacTx
    PacketTrace macTxDrop;      //!< MacTxDrop
    PacketTrace macPromiscRx;   //!< MacPromiscRx
    PacketTrace macRx;          //!< MacRx
    PacketTrace phyTxBegin;     //!< PhyTxBegin
    PacketTrace phyTxEnd;       //!< PhyTxEnd
    PacketTrace phyRxEnd;       //!< PhyRxEnd
    PacketTrace phyRxDrop;      //!< PhyRxDrop
    PacketTrace sniffer;        //!< Sniffer
    PacketTrace promiscSniffer; //!< PromiscSniffer

    /// A trace source of frames whose headers need not be written.
    using FrameTrace = TracedCallback<Ptr<const Packet>, uint32_t>;

    FrameTrace frameBegin;          //!< FrameBegin
    FrameTrace frameEnd;            //!< FrameEnd
    TracedCallback<bool> linkState; //!< LinkState
};

/// Counts a port's frames by what becomes of them, and calls the port's trace sources.
class EthernetPortRecord
{
  public:
    /// One of the counters.
    using Counter = uint64_t EthernetPortStatistics::*;

    /// @return the counters
    const EthernetPortStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    /// @return the trace sources, null if none was ever connected
    std::unique_ptr<EthernetPortTraces>& GetTraces()
    {
        return m_traces;
    }

    /// @return whether a trace source was ever connected
    bool IsWatched() const
    {
        return m_traces != nullptr;
    }

    /// Count an event. @param counter its counter
    void Count(Counter counter)
    {
        ++(m_statistics.*counter);
    }

    /// Count a packet that the port was asked to send, sent or not. @param destination its
    /// destination address
    void CountOut(const MacBytes& destination)
    {
        ++(!IsGroup(destination)          ? m_statistics.outUnicastFrames
           : destination == MAC_BROADCAST ? m_statistics.outBroadcastFrames
                                          : m_statistics.outMulticastFrames);
    }

    /// Count a good frame of the port's VLAN. @param destination its destination address
    /// @param isForOther whether a unicast frame is for another station, and no handler takes it
    void CountIn(const MacBytes& destination, bool isForOther)
    {
        ++(!IsGroup(destination)
               ? (isForOther ? m_statistics.inOtherHosts : m_statistics.inUnicastFrames)
           : destination == MAC_BROADCAST ? m_statistics.inBroadcastFrames
                                          : m_statistics.inMulticastFrames);
    }

    /// Count the octets of a good frame. @param octets with the check sequence
    void CountInOctets(uint32_t octets)
    {
        m_statistics.inOctets += octets;
    }

    /// Trace a packet that was accepted for sending. @param frame the packet
    void NotifyAccepted(EthernetFrame& frame)
    {
        if (m_traces && !m_traces->macTx.IsEmpty())
        {
            m_traces->macTx(frame.WritePayload());
        }
    }

    /// Trace a frame whose transmission begins. @param frame the frame
    void NotifyBegin(EthernetFrame& frame)
    {
        if (!m_traces)
        {
            return;
        }
        m_traces->frameBegin(frame.packet, frame.GetSize());
        if (m_traces->AreFramesSent())
        {
            TraceBegin(frame.Write());
        }
    }

    /// Count a frame whose transmission has begun, and trace its end when that comes. octets: its
    /// octets with the check sequence; duration: the time until its last bit has left.
    void CountSent(EthernetFrame& frame, uint32_t octets, Time duration)
    {
        m_statistics.outOctets += octets;
        ++m_statistics.outFrames;
        if (m_traces && !m_traces->phyTxEnd.IsEmpty())
        {
            ScheduleEnd(frame, duration);
        }
    }

    /// Trace a frame that has arrived intact. whole: the whole frame, unchanged if no trace source
    /// needs it.
    void NotifyArrived(EthernetFrame& frame, Ptr<const Packet>& whole)
    {
        if (!m_traces)
        {
            return;
        }
        m_traces->frameEnd(frame.packet, frame.GetSize());
        if (m_traces->AreFramesReceived())
        {
            whole = TraceArrival(frame);
        }
    }

    /// Trace a frame for this node. @param whole the whole frame, null if nothing traces it
    void NotifyReceived(const Ptr<const Packet>& whole)
    {
        if (whole)
        {
            m_traces->macRx(whole);
        }
    }

    /// Trace a frame for any node. @param whole the whole frame, null if nothing traces it
    void NotifyOverheard(const Ptr<const Packet>& whole)
    {
        if (whole)
        {
            m_traces->macPromiscRx(whole);
        }
    }

    /// Trace a change of the link's state. @param isUp whether the link is up
    void NotifyLinkState(bool isUp);

    /// Count and trace a packet that is dropped before transmission. counter: the counter of this
    /// kind of drop; reason: the reason in words.
    void DropOutgoing(EthernetFrame& frame, Counter counter, const char* reason);

    /// Count and trace an arrived frame that is dropped. counter: the counter of this kind of drop;
    /// reason: the reason in words.
    void DropReceived(EthernetFrame& frame, Counter counter, const char* reason);

  private:
    /// Trace a frame that is sent. @param whole the whole frame
    void TraceBegin(const Ptr<const Packet>& whole);

    /// Trace the end of a transmission when it comes.
    void ScheduleEnd(EthernetFrame& frame, Time duration);

    /// Trace a frame that has arrived. @return the whole frame
    Ptr<const Packet> TraceArrival(EthernetFrame& frame);

    std::unique_ptr<EthernetPortTraces> m_traces; //!< the trace sources, null if none is connected
    EthernetPortStatistics m_statistics;          //!< the counters
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_PORT_RECORD_H

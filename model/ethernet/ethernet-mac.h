// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ETHERNET_MAC_H
#define AIDC_ETHERNET_MAC_H

#include "../core/ethernet/wire-clock.h"
#include "../simulator/event-clock.h"
#include "ethernet-channel.h"
#include "ethernet-frame.h"
#include "ethernet-port-hooks.h"

#include "ns3/address.h"
#include "ns3/data-rate.h"
#include "ns3/error-model.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/queue-size.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>

namespace ns3::aidc
{

/// The counters of an Ethernet port, named after the counters of RFC 2863 (ifTable, ifXTable) and
/// RFC 3635 (their meaning for Ethernet).
///
/// A frame's octets run from the destination address to the frame check sequence, both included.
/// MAC control frames count in the octets (RFC 3635, section 3.2), in outControlFrames, and in
/// outFrames, which these RFCs do not have; in no other counter. Any other frame that has arrived
/// counts once in the counters whose names begin with "in", in addition to inOctets;
/// inUnknownProtocols counts some of the delivered frames again.
struct EthernetPortStatistics
{
    // What a transit packet touches comes first.
    uint64_t inOctets{0};         //!< ifHCInOctets: octets of all frames without errors
    uint64_t inUnicastFrames{0};  //!< ifHCInUcastPkts: unicast frames, delivered
    uint64_t outOctets{0};        //!< ifHCOutOctets: octets of frames whose sending has begun
    uint64_t outFrames{0};        //!< frames whose sending has begun, MAC control among them
    uint64_t outUnicastFrames{0}; //!< ifHCOutUcastPkts: unicast frames, sent or not

    uint64_t inMulticastFrames{0};  //!< ifHCInMulticastPkts: multicast frames, delivered
    uint64_t inBroadcastFrames{0};  //!< ifHCInBroadcastPkts: broadcast frames, delivered
    uint64_t inErrors{0};           //!< ifInErrors: corrupted, too long, shorter than an Ethernet
                                    //!< frame, or with a malformed header
    uint64_t inDiscards{0};         //!< ifInDiscards: for another VLAN, or refused by a tag's rules
    uint64_t inOtherHosts{0};       //!< unicast frames to another station, not handled
    uint64_t inUnknownProtocols{0}; //!< ifInUnknownProtos: delivered frames without a receiver in
                                    //!< the node
    uint64_t inLost{0};             //!< frames that were on the link when it failed, or sent since
    uint64_t outControlFrames{0};   //!< dot3HCOutPauseFrames: MAC control whose sending has begun
    uint64_t outMulticastFrames{0}; //!< ifHCOutMulticastPkts: multicast frames, sent or not
    uint64_t outBroadcastFrames{0}; //!< ifHCOutBroadcastPkts: broadcast frames, sent or not
    uint64_t outDiscards{0};        //!< ifOutDiscards: refused while the link is down or the
                                    //!< device's own queue is full
    uint64_t outErrors{0};          //!< ifOutErrors: longer than the MTU, or a protocol number
                                    //!< that is no EtherType
    uint64_t outLost{0};            //!< of outDiscards: refused while the link is down

    /// Get what the frames whose sending has begun occupy on the wire.
    /// @param overhead octets of a frame in addition to its own (EthernetNetDevice::GetOverhead())
    /// @return octets
    uint64_t GetWireOctets(uint64_t overhead) const
    {
        return outOctets + outFrames * overhead;
    }
};

/// The trace sources of an EthernetNetDevice, each with the name of its member.
struct EthernetPortTraces
{
    /// A trace source of packets.
    using PacketTrace = TracedCallback<Ptr<const Packet>>;

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

/// A port's end of its link: what the receiver and the transmitter of an EthernetNetDevice
/// share. It puts one frame at a time on the wire, and counts and traces frames by what
/// becomes of them.
struct EthernetMac
{
    /// Bytes of the frame check sequence.
    static constexpr uint32_t FCS_SIZE = 4;
    /// The highest rate in bit/s.
    static constexpr uint64_t MAX_RATE = 100000000000000;
    /// The least MTU, which IPv4 asks of a link (RFC 791, section 3.2).
    static constexpr uint16_t MIN_MTU = 68;

    /// One of the counters.
    using Counter = uint64_t EthernetPortStatistics::*;

    /// Become an end of a link.
    void Attach(EthernetPort& port, const Ptr<EthernetChannel>& toChannel);

    /// Set the rate. @return false if it is not from 1 bit/s to MAX_RATE
    bool SetDataRate(DataRate rate);

    /// @return whether the link has lost a frame that would arrive now, and was sent in this epoch:
    ///         whether it has failed since then, or was not restored yet
    bool IsLost(uint32_t epoch) const
    {
        return epoch != linkEpoch || isFailed;
    }

    /// @return whether the wire is occupied
    bool IsBusy() const
    {
        return GetTimeStepNow() < clock.GetEnd();
    }

    /// @return the time until the wire is free
    Time GetTimeUntilIdle() const;

    /// Occupy the wire without sending a frame. @param octets as for a frame of this size, without
    /// check sequence and overhead
    void Occupy(uint32_t octets);

    /// Send a frame while the wire is free. @param [in,out] frame the frame, which belongs to the
    /// other end afterwards
    void Send(EthernetFrame& frame);

    /// Count a packet that the port was asked to send, sent or not. @param toAddress its
    /// destination address
    void CountOut(const MacBytes& toAddress)
    {
        ++(!IsGroup(toAddress)          ? statistics.outUnicastFrames
           : toAddress == MAC_BROADCAST ? statistics.outBroadcastFrames
                                        : statistics.outMulticastFrames);
    }

    /// Count a good frame of the port's VLAN. @param toAddress its destination address
    /// @param isForOther whether a unicast frame is for another station, and no handler takes it
    void CountIn(const MacBytes& toAddress, bool isForOther)
    {
        ++(!IsGroup(toAddress) ? (isForOther ? statistics.inOtherHosts : statistics.inUnicastFrames)
           : toAddress == MAC_BROADCAST ? statistics.inBroadcastFrames
                                        : statistics.inMulticastFrames);
    }

    /// Trace a frame that has arrived intact. whole: the whole frame, unchanged if no trace source
    /// needs it.
    void NotifyArrived(EthernetFrame& frame, Ptr<const Packet>& whole)
    {
        if (traces)
        {
            TraceArrival(frame, whole);
        }
    }

    /// Trace a frame for this node. @param whole the whole frame, null if nothing traces it
    void NotifyReceived(const Ptr<const Packet>& whole)
    {
        if (whole)
        {
            traces->macRx(whole);
        }
    }

    /// Count and trace a packet that is dropped before transmission. counter: the counter of this
    /// kind of drop; reason: the reason in words.
    void DropOutgoing(EthernetFrame& frame, Counter counter, const char* reason);

    /// Count and trace an arrived frame that is dropped. counter: the counter of this kind of drop;
    /// reason: the reason in words.
    void DropReceived(EthernetFrame& frame, Counter counter, const char* reason);

    // What a transit packet touches comes first.
    WireClock clock;                        //!< when the wire is free
    EthernetChannel* link{nullptr};         //!< the link, which channel owns; null if there is none
    uint32_t end{0};                        //!< which end of the link this is
    uint32_t linkEpoch{0};                  //!< changes of the link's state
    uint32_t overhead{20};                  //!< attribute Overhead
    uint16_t mtu{1500};                     //!< bytes of payload
    bool isFailed{false};                   //!< whether the link has failed
    bool isUp{false};                       //!< whether the link is known to be up
    bool needsArp{false};                   //!< attribute NeedsArp
    bool isContextKept{false};              //!< whether packets keep contexts in ns-3's stack
    MacBytes address{};                     //!< the port's own address
    MacBytes remote{};                      //!< the other end's address
    KnownTags knownTags;                    //!< the kinds of tags after VLAN tags
    Ptr<EthernetTagProcessor> tagProcessor; //!< processes the last tag, null for none
    Ptr<EthernetFrameHandler> frameHandler; //!< gets frames first, null for none
    Ptr<EthernetFrameSource> frameSource;   //!< makes frames in addition to the queue disc; or null
    Ptr<EthernetMacControl> macControl;     //!< sends and receives MAC control, null for none
    Ptr<ErrorModel> receiveErrorModel;      //!< attribute ReceiveErrorModel
    std::unique_ptr<EthernetPortTraces> traces; //!< the trace sources, null if none is connected
    EthernetPortStatistics statistics;          //!< the counters

    Address remoteAddress;        //!< remote as an ns3::Address, null if there is no other end yet
    DataRate dataRate;            //!< the rate
    Ptr<EthernetChannel> channel; //!< the link
    QueueSize queueSize;          //!< attribute TxQueueSize

  private:
    /// Trace a frame that has arrived while trace sources are connected.
    void TraceArrival(EthernetFrame& frame, Ptr<const Packet>& whole);
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_MAC_H

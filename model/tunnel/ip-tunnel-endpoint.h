// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_IP_TUNNEL_ENDPOINT_H
#define AIDC_IP_TUNNEL_ENDPOINT_H

#include "../core/fragmentation-needed.h"
#include "../core/tunnel/ip-tunnel-headers.h"
#include "../core/tunnel/tunnel-ecn.h"

#include "ns3/ethernet-frame.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/switch-datapath.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::aidc
{

class SwitchDatapath;

/// The counters of an IpTunnelNetDevice. Octets count inner packets.
struct IpTunnelStatistics
{
    uint64_t sentPackets{0};     //!< packets that were encapsulated, fragments one by one
    uint64_t sentOctets{0};      //!< their octets
    uint64_t receivedPackets{0}; //!< packets that were decapsulated and not dropped
    uint64_t receivedOctets{0};  //!< their octets

    // At the entry
    uint64_t heldPackets{0};       //!< packets that the traffic controller has held
    uint64_t fragmentedPackets{0}; //!< packets that were too long, without DF
    uint64_t ect1Remarked{0};      //!< packets with ECT(1) that enter as ECT(0)

    // At the exit
    uint64_t lightMarks{0};      //!< packets that arrived with a light mark
    uint64_t severeMarks{0};     //!< packets with an outer CE and an inner ECT(0) or ECT(1)
    uint64_t possibleAlarms{0};  //!< alarms (!) of RFC 6040
    uint64_t dangerousAlarms{0}; //!< alarms (!!!) of RFC 6040, dropped packets included

    // Paths
    uint64_t keepalivesSent{0};     //!< keepalives
    uint64_t keepalivesReturned{0}; //!< keepalives that have returned
    uint64_t pathsFailed{0};        //!< times that a path has gone down
    uint64_t pathsRestored{0};      //!< times that a path has come up again
    uint64_t mtusLowered{0};        //!< times that a router has told a smaller MTU

    // Packets that were dropped at the entry
    uint64_t refusedEct1{0}; //!< with ECT(1), which the domain does not let in
    uint64_t tooLong{0};     //!< with DF, for the path's MTU; the source gets an ICMP message
    uint64_t noPath{0};      //!< while no path was up
    uint64_t recursive{0};   //!< whose outer header leads into a tunnel of this node again
    uint64_t unsupported{0}; //!< not IPv4, or with options

    // Packets that were dropped at the exit
    uint64_t ecnDrops{0}; //!< not ECN-capable and marked with CE
    std::array<uint64_t, static_cast<std::size_t>(InnerHeaderResult::N_RESULTS)>
        malformed{}; //!< by reason; InnerHeaderResult::OK stays 0
};

/// The counters of an IpTunnelEndpoint: packets that belong to none of its tunnels.
struct IpTunnelEndpointStatistics
{
    uint64_t unknownPeers{0}; //!< dropped: from no known peer
    uint64_t tooDeep{0};      //!< dropped: tunnels in tunnels that all end here
    uint64_t mixedEcn{0};     //!< dropped: reassembled from fragments with CE and with Not-ECT
    /// Messages "fragmentation needed" that lower no MTU of a tunnel: forged or superfluous ones.
    uint64_t ignoredTooLong{0};
};

/// The exit of a tunnel: its interface to the endpoint of its node.
class IpTunnelExit : public TransitTunnel
{
  public:
    /// Decapsulate a packet.
    /// @param [in,out] frame the packet, its outer header parsed. The inner header is parsed
    ///        afterwards, unless it has options; without packet if it was dropped
    virtual void Open(EthernetFrame& frame) = 0;

    /// Handle a keepalive that has returned. @param packet the bytes after its IPv4 header
    virtual void NotifyKeepalive(const Packet& packet) = 0;

    /// Handle a router's message that a packet from this end's address is too long.
    /// @param message the message
    /// @return whether it is about a packet of this tunnel and lowers the MTU of a path
    virtual bool NotifyTooLong(const FragmentationNeeded& message) = 0;
};

/// The tunnels of a node: finds the tunnel of an arriving packet, drops packets of
/// unknown peers, and sends encapsulated packets.
///
/// ns-3's stack reassembles outer packets that routers have fragmented, and the result has the
/// header of the fragment that came last. So the codepoints of all fragments are noted, and the
/// packet gets the codepoint of RFC 3168, section 5.3 (FragmentEcn).
///
/// Packets leave the node by its SwitchDatapath if there is one and it can send them, otherwise by
/// ns-3's stack. Results are the same. The first tunnel of a node makes this object and aggregates
/// it to the node.
class IpTunnelEndpoint : public TransitTunnelEnd
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    IpTunnelEndpoint();
    ~IpTunnelEndpoint() override;

    /// Get the endpoint of a node, or make it.
    /// @param node the node, which has its protocol stack
    /// @return the endpoint
    static Ptr<IpTunnelEndpoint> GetOrMake(Ptr<Node> node);

    /// Add a tunnel.
    /// @param local this end's address
    /// @param remote the other end's address, 0.0.0.0 for any
    /// @param protocol the protocol number of outer headers (TunnelShim)
    /// @param exit the tunnel
    /// @return false if there is one with these addresses already, and with the same protocol if
    ///         remote is 0.0.0.0
    bool Add(Ipv4Address local, Ipv4Address remote, uint8_t protocol, IpTunnelExit& exit);

    /// Tell whether there is a tunnel.
    /// @param local this end's address
    /// @param remote the other end's address, 0.0.0.0 for one of any peer
    /// @param protocol the protocol number of outer headers
    /// @return whether there is
    bool Has(Ipv4Address local, Ipv4Address remote, uint8_t protocol) const
    {
        return Find(GetEnds(local.Get(), remote.Get()), protocol) != nullptr;
    }

    /// Remove a tunnel. @param exit the tunnel
    void Remove(const IpTunnelExit& exit);

    /// @return the identification for an outer header of a packet that may be fragmented
    uint16_t GetNextIdentification()
    {
        return ++m_identification;
    }

    /// The result of sending a packet.
    enum class Result : uint8_t
    {
        SENT,     //!< it was sent
        NO_ROUTE, //!< there is no route to the outermost destination
        RECURSIVE //!< the route leads into a tunnel of this node
    };

    /// Send an encapsulated packet.
    /// @param [in,out] frame the packet; afterwards without packet if it was sent, otherwise
    ///        without its outermost header
    /// @param context its context
    /// @return the result
    Result Send(EthernetFrame& frame, const FrameContext& context);

    /// Have a packet keep its context on its way through ns-3's stack.
    /// @param packet the packet
    /// @param context its context
    void KeepContext(const Ptr<Packet>& packet, const FrameContext& context) const;

    /// @return the statistics
    const IpTunnelEndpointStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    // From TransitTunnelEnd
    bool Leave(EthernetFrame& frame,
               const TransitHeader& outer,
               uint32_t depth,
               TransitTunnel*& tunnel) override;

    /// The most outer headers removed from a packet in one node: the most of a path, plus one.
    static constexpr uint32_t MAX_DEPTH = 5;
    /// The protocol of keepalives: for experiments (RFC 3692, section 2.1).
    static constexpr uint8_t KEEPALIVE_PROTOCOL = 253;

    /// TracedCallback signature for a packet that is dropped.
    /// @param [in] source the source of the outer header
    /// @param [in] destination the destination of the outer header
    typedef void (*DropTracedCallback)(Ipv4Address source, Ipv4Address destination);

  protected:
    void NotifyNewAggregate() override;
    void DoDispose() override;

  private:
    /// A tunnel.
    struct Tunnel
    {
        uint64_t ends;      //!< this end's address and the other's
        uint8_t protocol;   //!< the protocol number of outer headers
        IpTunnelExit* exit; //!< its exit
    };

    /// @return the addresses of both ends as a number, by which tunnels are ordered
    static uint64_t GetEnds(uint32_t local, uint32_t remote)
    {
        return uint64_t{local} << 32 | remote;
    }

    /// @return the exit of a tunnel, or null; protocol: the protocol of outer headers, 0 for any
    IpTunnelExit* Find(uint64_t ends, uint8_t protocol) const;

    /// Send an encapsulated packet by ns-3's stack. frame: the packet, as in Send().
    Result SendByStack(EthernetFrame& frame, const FrameContext& context);

    /// Handle a packet of a tunnel from ns-3's stack.
    void Receive(Ptr<Packet> packet, const Ipv4Header& header);

    void ReceiveKeepalive(Ptr<Packet> packet, const Ipv4Header& header);

    /// Look for messages that packets of tunnels are too long.
    void SeeDelivery(const Ipv4Header& header, Ptr<const Packet> packet, uint32_t interface);

    /// Look for fragments of packets of tunnels, before the stack reassembles them.
    void SeeArrival(Ptr<const Packet> packet, Ptr<Ipv4> ipv4, uint32_t interface);

    /// Look for packets whose missing fragments the stack has given up waiting for.
    void SeeDrop(const Ipv4Header& header,
                 Ptr<const Packet> packet,
                 Ipv4L3Protocol::DropReason reason,
                 Ptr<Ipv4> ipv4,
                 uint32_t interface);

    /// Count and trace a packet that is dropped. count: its counter.
    void Drop(uint64_t& count, const Ipv4Bytes& outer);

    Ptr<Node> m_node;                         //!< the node
    Ptr<Ipv4> m_ipv4;                         //!< its stack
    Ptr<SwitchDatapath> m_datapath;           //!< the way past the stack, null if there is none
    TransitHeaderReader m_header;             //!< makes headers for the stack
    std::vector<Tunnel> m_tunnels;            //!< ascending by their ends
    IpTunnelEndpointStatistics m_statistics;  //!< the statistics
    uint16_t m_identification{0};             //!< of the last outer header without DF
    uint32_t m_depth{0};                      //!< outer headers that the stack is removing
    FragmentEcnTable m_fragments;             //!< packets that the stack is reassembling
    bool m_isFragment{false};                 //!< whether the packet in the stack is a fragment
    std::optional<FragmentEcn> m_reassembled; //!< of the packet in the stack, if it had fragments
    TracedCallback<Ipv4Address, Ipv4Address> m_dropTrace; //!< trace of drops
};

} // namespace ns3::aidc

#endif // AIDC_IP_TUNNEL_ENDPOINT_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_IP_TUNNEL_ENDPOINT_H
#define AIDC_IP_TUNNEL_ENDPOINT_H

#include "../ethernet/ethernet-frame.h"
#include "../ethernet/ethernet-queue-item.h"
#include "../ethernet/frame-context.h"
#include "../switching/transit-tunnel.h"
#include "ip-tunnel-statistics.h"

#include "ns3/ipv4-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::aidc
{

class SwitchDatapath;

/// @ingroup aidc
/// The exit of a tunnel, as the endpoint of its node sees it.
class IpTunnelExit : public TransitTunnel
{
  public:
    /// Take the outer header off a packet.
    /// @param [in,out] frame the packet, its outer header a value. The inner header is one
    ///        afterwards, unless it has options; without packet if it was dropped
    virtual void Open(EthernetFrame& frame) = 0;

    /// Take a keepalive that has come back. @param packet what follows its IPv4 header
    virtual void NotifyKeepalive(const Packet& packet) = 0;
};

/**
 * @ingroup aidc
 * @brief The IP-in-IP tunnels of a node: finds the one that an arriving packet is of, drops packets
 *        of unknown peers, and sends encapsulated packets.
 *
 * Packets leave the node by its SwitchDatapath, if it has one that takes them, and by ns-3's stack
 * otherwise. Results are the same. The first tunnel of a node makes this object and aggregates it
 * to the node.
 */
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
    /// @param exit the tunnel
    /// @return false if there is one with these addresses already
    bool Add(Ipv4Address local, Ipv4Address remote, IpTunnelExit& exit);

    /// Tell whether there is a tunnel.
    /// @param local this end's address
    /// @param remote the other end's address, 0.0.0.0 for one of any peer
    /// @return whether there is
    bool Has(Ipv4Address local, Ipv4Address remote) const
    {
        return Find(local.Get(), remote.Get()) != nullptr;
    }

    /// Remove a tunnel. @param exit the tunnel
    void Remove(const IpTunnelExit& exit);

    /// @return the identification of an outer header, which may be fragmented on its way
    uint16_t GetNextIdentification()
    {
        return ++m_identification;
    }

    /// What came of sending a packet.
    enum class Result : uint8_t
    {
        SENT,     //!< it is under way
        NO_ROUTE, //!< there is no route to the outermost destination
        RECURSIVE //!< that route leads into a tunnel of this node
    };

    /// Send an encapsulated packet.
    /// @param [in,out] frame the packet; if it was sent, without packet afterwards, and otherwise
    ///        without its outermost header
    /// @param context what is known of it
    /// @return what came of it
    Result Send(EthernetFrame& frame, const FrameContext& context);

    /// Have a packet keep its context on its way through ns-3's stack.
    /// @param packet the packet
    /// @param context its context
    void KeepContext(const Ptr<Packet>& packet, const FrameContext& context) const;

    /// @return what has been counted
    const IpTunnelEndpointStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    // From TransitTunnelEnd
    bool Leave(EthernetFrame& frame,
               const TransitHeader& outer,
               uint32_t depth,
               TransitTunnel*& tunnel) override;

    /// The most outer headers that are taken off a packet in a node, the paths' most and one.
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
        std::pair<uint32_t, uint32_t> ends; //!< this end's address and the other's
        IpTunnelExit* exit;                 //!< its exit
    };

    /// Find a tunnel.
    /// @param local this end's address
    /// @param remote the other end's address
    /// @return its exit, null if there is none
    IpTunnelExit* Find(uint32_t local, uint32_t remote) const;

    /// Send an encapsulated packet by ns-3's stack.
    /// @param [in,out] frame the packet, as in Send()
    /// @param context what is known of it
    /// @return what came of it
    Result SendByStack(EthernetFrame& frame, const FrameContext& context);

    /// Take a packet of a tunnel from ns-3's stack.
    /// @param packet the inner packet
    /// @param header the outer header
    void Receive(Ptr<Packet> packet, const Ipv4Header& header);

    /// Take a keepalive that has come back.
    /// @param packet what follows its header
    /// @param header its header
    void ReceiveKeepalive(Ptr<Packet> packet, const Ipv4Header& header);

    Ptr<Node> m_node;                        //!< the node
    Ptr<Ipv4> m_ipv4;                        //!< its stack
    Ptr<SwitchDatapath> m_datapath;          //!< the way past the stack, null if there is none
    TransitHeaderReader m_header;            //!< makes headers for the stack
    std::vector<Tunnel> m_tunnels;           //!< ascending by their ends
    IpTunnelEndpointStatistics m_statistics; //!< the statistics
    uint16_t m_identification{0};            //!< of the last outer header without DF
    uint32_t m_depth{0};                     //!< outer headers that the stack is taking off
    TracedCallback<Ipv4Address, Ipv4Address> m_dropTrace; //!< trace of drops
};

} // namespace ns3::aidc

#endif // AIDC_IP_TUNNEL_ENDPOINT_H

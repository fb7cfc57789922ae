/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TRANSIT_TUNNEL_H
#define AIDC_TRANSIT_TUNNEL_H

#include "../core/ipv4-bytes.h"
#include "../ethernet/ethernet-frame.h"
#include "../ethernet/frame-context.h"

#include "ns3/net-device.h"
#include "ns3/object.h"
#include "ns3/protocol-numbers.h"

#include <cstdint>

/// @file
/// The tunnels of a switch as its datapath uses them.

namespace ns3::aidc
{

/// A tunnel that begins or ends in a switch, or both: a device besides the ports.
class TransitTunnel
{
  public:
    virtual ~TransitTunnel() = default;

    /// Take a packet that the routing sends into the tunnel. frame: the packet, its IPv4 header
    /// parsed and its TTL decremented; without packet afterwards.
    virtual void Enter(EthernetFrame& frame, const FrameContext& context) = 0;

    /// @return the device by which packets leave the tunnel
    virtual const NetDevice& GetDevice() const = 0;

    /// Give a packet that has left the tunnel to ns-3's stack. frame: the packet; without packet
    /// afterwards.
    virtual void GiveToStack(EthernetFrame& frame, const FrameContext& context) = 0;
};

/// Tell whether a packet for a switch itself may be one of a tunnel that ends there.
/// @return whether it is IP in IP, GRE or VXLAN
inline bool
MayBeTunneled(const TransitHeader& header)
{
    const uint8_t protocol = header.bytes[Ipv4Offset::PROTOCOL];
    return protocol == PROTOCOL_IP_IN_IP || protocol == PROTOCOL_GRE ||
           (protocol == PROTOCOL_UDP && header.flow.destinationPort == VXLAN_PORT);
}

/// The tunnels that end in a switch, aggregated to its node.
class TransitTunnelEnd : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    ~TransitTunnelEnd() override;

    /**
     * @brief Remove the outer header of a packet of a tunnel that ends here.
     * @param [in,out] frame the packet. The inner header is parsed afterwards, unless it has
     *        options; without packet if it was dropped
     * @param outer the outer header, which may or may not be that of the frame; MayBeTunneled()
     * @param depth the number of outer headers that have been removed here before
     * @param [out] tunnel the tunnel that the packet has left, null if it was dropped
     * @return false if the packet is of no known tunnel, or a fragment: ns-3's stack handles it
     *        then
     */
    virtual bool Leave(EthernetFrame& frame,
                       const TransitHeader& outer,
                       uint32_t depth,
                       TransitTunnel*& tunnel) = 0;
};

} // namespace ns3::aidc

#endif // AIDC_TRANSIT_TUNNEL_H

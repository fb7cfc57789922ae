/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TRANSIT_TUNNEL_H
#define AIDC_TRANSIT_TUNNEL_H

#include "../ethernet/ethernet-frame.h"
#include "../ethernet/frame-context.h"

#include "ns3/net-device.h"
#include "ns3/object.h"

#include <cstdint>

/**
 * @file
 * @ingroup aidc
 * @brief What the way through a switch knows of tunnels.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A tunnel that begins, ends or both in a switch: a device beside its ports.
 */
class TransitTunnel
{
  public:
    virtual ~TransitTunnel() = default;

    /**
     * @brief Take a packet that the routing sends into the tunnel.
     * @param [in,out] frame the packet, its IPv4 header a value with its TTL decremented; without
     *        packet afterwards
     * @param context what is known of the packet
     */
    virtual void Enter(EthernetFrame& frame, const FrameContext& context) = 0;

    /// @return the device by which packets come out of the tunnel
    virtual const NetDevice& GetDevice() const = 0;

    /**
     * @brief Have a packet that has come out of the tunnel go on by ns-3's stack.
     * @param [in,out] frame the packet; without packet afterwards
     * @param context what is known of the packet
     */
    virtual void GiveToStack(EthernetFrame& frame, const FrameContext& context) = 0;
};

/**
 * @ingroup aidc
 * @brief The tunnels that end in a switch, aggregated to its node.
 */
class TransitTunnelEnd : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Take the outer header off a packet of a tunnel that ends here.
     * @param [in,out] frame the packet. The inner header is a value afterwards, unless it has
     *        options; without packet if it was dropped
     * @param outer the outer header, be it a value of the frame or not
     * @param depth the number of outer headers that have been taken off here before
     * @param [out] tunnel the tunnel that the packet has come out of, null if it was dropped
     * @return false if it is of no known tunnel, or a fragment: it is left to ns-3's stack then
     */
    virtual bool Leave(EthernetFrame& frame,
                       const TransitHeader& outer,
                       uint32_t depth,
                       TransitTunnel*& tunnel) = 0;
};

} // namespace ns3::aidc

#endif // AIDC_TRANSIT_TUNNEL_H

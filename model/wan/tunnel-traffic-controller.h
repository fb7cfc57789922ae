/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TUNNEL_TRAFFIC_CONTROLLER_H
#define AIDC_TUNNEL_TRAFFIC_CONTROLLER_H

#include "../ethernet/ethernet-frame.h"
#include "../ethernet/frame-context.h"

#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <limits>

namespace ns3::aidc
{

class IpTunnelNetDevice;

/**
 * @ingroup aidc
 * @brief A packet that is about to enter a tunnel.
 *
 * Its time to live has been decremented, and its ECN field is what the domain's edge lets in.
 */
struct TunnelPacket
{
    TransitHeader header; //!< the inner IPv4 header, and the inner flow
    Ptr<Packet> payload;  //!< what follows it; not shared, so it may be kept
    FrameContext context; //!< where and when it came in

    /// Tell whether a control loop waits for the packet: it is of network control (class selectors
    /// 6 and 7, RFC 4594, section 3.1), or an acknowledgment or a congestion notification of
    /// RoCEv2, which have the five-tuple of the data that goes the same way.
    /// @return whether one does
    bool IsControl() const;
};

/**
 * @ingroup aidc
 * @brief Decides for each packet that enters a tunnel which path it takes, and whether it has to
 *        wait.
 *
 * Without one, packets take the tunnel's default path at once.
 */
class TunnelTrafficController : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// What Choose() returns of a packet that the controller has kept.
    static constexpr uint32_t HOLD = std::numeric_limits<uint32_t>::max();
    /// What Choose() returns of a packet that is not steered.
    static constexpr uint32_t DEFAULT_PATH = std::numeric_limits<uint32_t>::max() - 1;

    /**
     * @brief Choose the path of a packet.
     *
     * Called for each packet, fragments included as what they are parts of. A packet that is to
     * wait is moved out of @p packet, and given to IpTunnelNetDevice::Resume() later.
     *
     * @param tunnel the tunnel
     * @param [in,out] packet the packet; not to be looked at again if it was kept
     * @return the index of the path; DEFAULT_PATH; or HOLD. A packet for a path that is down takes
     *         the default path.
     */
    virtual uint32_t Choose(IpTunnelNetDevice& tunnel, TunnelPacket& packet) = 0;

    /**
     * @brief Note that a path has gone up or down, or that the default path is another one.
     *
     * Packets must not be resumed in the call.
     *
     * @param tunnel the tunnel
     */
    virtual void NotifyPaths(IpTunnelNetDevice& tunnel) = 0;
};

} // namespace ns3::aidc

#endif // AIDC_TUNNEL_TRAFFIC_CONTROLLER_H

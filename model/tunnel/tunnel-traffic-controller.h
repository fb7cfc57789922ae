// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TUNNEL_TRAFFIC_CONTROLLER_H
#define AIDC_TUNNEL_TRAFFIC_CONTROLLER_H

#include "ns3/ethernet-frame.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <limits>

namespace ns3::aidc
{

class IpTunnelNetDevice;

/// A packet that is about to enter a tunnel.
///
/// Its time to live has been decremented, and the policy of the domain's edge has been applied to
/// its ECN field.
struct TunnelPacket
{
    TransitHeader header; //!< the inner IPv4 header, and the inner flow
    Ptr<Packet> payload;  //!< the bytes after it; not shared, so it may be kept
    FrameContext context; //!< place and time of its arrival

    /// Tell whether a control loop waits for the packet: packets of network control (class
    /// selectors 6 and 7, RFC 4594, section 3.1), and acknowledgments and congestion notifications
    /// of RoCEv2, which have the same five-tuple as data in the same direction.
    /// @return whether one waits
    bool IsControl() const;
};

/// Decides on the path of each packet that enters a tunnel, and whether it has to wait.
///
/// Without one, packets take the tunnel's default path at once.
class TunnelTrafficController : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// The result of Choose() for a packet that the controller has held.
    static constexpr uint32_t HOLD = std::numeric_limits<uint32_t>::max();
    /// The result of Choose() for a packet that is not steered.
    static constexpr uint32_t DEFAULT_PATH = std::numeric_limits<uint32_t>::max() - 1;

    /// Choose the path of a packet.
    ///
    /// Called for each packet before it is fragmented. A packet that has to wait is moved out of
    /// @p packet, and given to IpTunnelNetDevice::Resume() later.
    /// @param tunnel the tunnel
    /// @param [in,out] packet the packet; not valid any more if it was held
    /// @return the index of the path; DEFAULT_PATH; or HOLD. A packet for a path that is down takes
    ///         the default path.
    virtual uint32_t Choose(IpTunnelNetDevice& tunnel, TunnelPacket& packet) = 0;

    /// Choose the path of a packet that was held, and is resumed by DEFAULT_PATH.
    /// @param tunnel the tunnel
    /// @param packet the packet
    /// @return the index of the path, or DEFAULT_PATH, as by default
    virtual uint32_t ChooseDefault(IpTunnelNetDevice& tunnel, const TunnelPacket& packet);

    /// Note that a path has gone up or down, or that the default path has changed.
    ///
    /// Packets must not be resumed in this call.
    /// @param tunnel the tunnel
    virtual void NotifyPaths(IpTunnelNetDevice& tunnel) = 0;
};

} // namespace ns3::aidc

#endif // AIDC_TUNNEL_TRAFFIC_CONTROLLER_H

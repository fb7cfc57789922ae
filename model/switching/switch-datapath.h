// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_SWITCH_DATAPATH_H
#define AIDC_SWITCH_DATAPATH_H

#include "../core/cache-line.h"
#include "../core/ipv4-bytes.h"
#include "../simulator/event-clock.h"

#include "ns3/address.h"
#include "ns3/ethernet-frame.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/ethernet-port-hooks.h"
#include "ns3/ipv4-header.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/protocol-numbers.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
class Ipv4Interface;
class Ipv4L3Protocol;
} // namespace ns3

namespace ns3::aidc
{

class MultipathRouting;

/// A tunnel that begins or ends in a switch, or both: a device in addition to the ports.
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

    /// Remove the outer header of a packet of a tunnel that ends here.
    /// @param [in,out] frame the packet. The inner header is parsed afterwards, unless it has
    ///        options; without packet if it was dropped
    /// @param outer the outer header, which may or may not be the frame's; MayBeTunneled()
    /// @param depth the number of outer headers that have been removed here before
    /// @param [out] tunnel the tunnel that the packet has left, null if it was dropped
    /// @return false if the packet is of no known tunnel, or a fragment: ns-3's stack handles it
    ///        then
    virtual bool Leave(EthernetFrame& frame,
                       const TransitHeader& outer,
                       uint32_t depth,
                       TransitTunnel*& tunnel) = 0;
};

/// The path of packets through a switch.
///
/// A switch has one protocol handler for all of its ports. It replaces ns-3's two handlers a port
/// and two more in the traffic control layer, all of which ns-3 tries for each packet.
///
/// In mode Fast, a packet that a switch only forwards goes from one EthernetNetDevice to another
/// without ns-3's stack: as in the stack, the node's MultipathRouting finds its route, its TTL is
/// decremented, and it is enqueued in the root queue disc of the egress port. All other packets go
/// to the stack: packets for this node, packets that are not IPv4, that have options, whose TTL
/// expires, that exceed the egress MTU, whose destination is a group or a broadcast address, that
/// have no route, or that leave by another kind of device. Results are the same as in mode Stack.
/// Packets on the fast path call all trace sources of ns-3 except the ones of Ipv4L3Protocol;
/// UnicastForward stands in for these.
///
/// A packet whose route leads into a TransitTunnel is given to the tunnel. A packet that leaves a
/// tunnel (TransitTunnelEnd) is forwarded as if it had arrived by the tunnel's device, on the fast
/// path, too.
///
/// With OrderedArrivals, packets that arrive at different ports at the same nanosecond are served
/// in the order of the ports. Otherwise they are served in the order in which their events were
/// scheduled, which differs in a parallel simulation. With OrderedArrivals, a switch has a latency
/// of one time step (1 ns by default): all packets that arrive in a step are served after it, when
/// all other events of that step at the switch are over, whatever their order. In time windows, a
/// packet is served without an event of its own if no other event of the switch is in between.
class alignas(CACHE_LINE) SwitchDatapath : public EthernetFrameHandler
{
  public:
    /// The ways through a switch.
    enum Mode
    {
        FAST, //!< from port to port where possible
        STACK //!< through ns-3's stack
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// Take over the packets of a switch, which has its protocol stack and all of its ports.
    void Install(Ptr<Node> node);

    /// @return the number of packets that have not gone through the stack
    uint64_t GetNForwarded() const
    {
        return m_nForwarded;
    }

    /// Take over the packets of a tunnel, whose device and IPv4 interface were added to the node
    /// after Install().
    void AddTunnel();

    /// Send a packet of this node without ns-3's stack, if the stack has nothing else to do.
    /// @param [in,out] frame the packet, its IPv4 header parsed; without packet if it was sent,
    ///        unchanged otherwise
    /// @param context the context of the packet
    /// @return whether it was sent
    bool Send(EthernetFrame& frame, const FrameContext& context);

    // From EthernetFrameHandler
    bool Handle(EthernetNetDevice& device,
                EthernetFrame& frame,
                const FrameContext& context) override;

    /// TracedCallback signature for a packet that is forwarded.
    /// @param [in] header its IPv4 header as it leaves
    /// @param [in] packet what follows the header
    /// @param [in] interface the interface by which it leaves
    typedef void (*ForwardTracedCallback)(const Ipv4Header& header,
                                          Ptr<const Packet> packet,
                                          uint32_t interface);

  protected:
    void DoDispose() override;

  private:
    /// A packet for ns-3's stack, with the arguments of a protocol handler.
    struct StackPacket
    {
        Ptr<NetDevice> device;      //!< the port
        Ptr<const Packet> packet;   //!< the packet
        uint16_t protocol;          //!< the EtherType
        Address from;               //!< the sender
        Address to;                 //!< the receiver
        NetDevice::PacketType type; //!< the kind of receiver
    };

    /// A packet that has arrived and waits for its turn.
    struct Arrival
    {
        uint32_t port;                      //!< the index of the device
        EthernetNetDevice* device;          //!< the port of a frame
        EthernetFrame frame;                //!< the frame, if it may be forwarded
        FrameContext context;               //!< the context of the frame
        std::unique_ptr<StackPacket> other; //!< the packet, if there is no frame
    };

    /// A port by which packets leave.
    struct Port
    {
        EthernetNetDevice* device{nullptr}; //!< the port, null if it is not Ethernet
        TransitTunnel* tunnel{nullptr};     //!< the tunnel, null if it is none
        bool isKnown{false};                //!< whether these are known
        bool needsPriority{false};          //!< whether its queue discs may look at priority tags
    };

    /// Take a packet; the node's protocol handler.
    void Receive(Ptr<NetDevice> device,
                 Ptr<const Packet> packet,
                 uint16_t protocol,
                 const Address& from,
                 const Address& to,
                 NetDevice::PacketType type);

    /// Have packets wait until the end of the time step.
    std::vector<Arrival>& Defer(Time now);

    /// Give a packet to ns-3's stack.
    void GiveToStack(const StackPacket& packet);

    /// Serve the packets of the last time step.
    void Flush();

    /// Forward a packet, or give it to ns-3's stack.
    void Serve(EthernetNetDevice& device, EthernetFrame& frame, const FrameContext& context);

    /// Forward a packet, if the stack has nothing else to do. frame: its frame; without packet if
    /// it was forwarded, unchanged otherwise. @return whether it was forwarded
    bool Forward(const NetDevice& device,
                 EthernetFrame& frame,
                 const FrameContext& context,
                 uint32_t depth = 0);

    /// Decapsulate a packet of a tunnel that ends here, and forward it. frame: the packet; without
    /// packet if it was taken, unchanged otherwise. @return whether it was taken
    bool LeaveTunnel(EthernetFrame& frame,
                     const TransitHeader& outer,
                     const FrameContext& context,
                     uint32_t depth);

    /// Put a packet into the queue of a port. frame: the packet, its header parsed; without packet
    /// afterwards; forwarding: the port's interface, if the packet is forwarded; -1 for a packet of
    /// this node.
    void Enqueue(EthernetFrame& frame,
                 const FrameContext& context,
                 const Port& port,
                 int32_t forwarding);

    /// Get the interface of an ingress port. @return the interface, null if there is none
    const Ipv4Interface* GetIngress(const NetDevice& device)
    {
        const uint32_t index = device.GetIfIndex();
        return index < m_ingress.size() && m_ingress[index] ? m_ingress[index]
                                                            : FindIngress(device);
    }

    /// Find the interface of an ingress port, and remember it. @return the interface, null if there
    /// is none
    const Ipv4Interface* FindIngress(const NetDevice& device);

    /// Get an egress port.
    const Port& GetPort(uint32_t interface)
    {
        return interface < m_ports.size() && m_ports[interface].isKnown ? m_ports[interface]
                                                                        : FindPort(interface);
    }

    /// Find an egress port, and remember it.
    const Port& FindPort(uint32_t interface);

    Mode m_mode{FAST};                           //!< attribute Mode
    bool m_isOrdered{false};                     //!< attribute OrderedArrivals
    bool m_hasChecksums{false};                  //!< whether the nodes compute checksums
    uint32_t m_node{0};                          //!< the node's id
    Ptr<Ipv4L3Protocol> m_ipv4;                  //!< the stack
    Ptr<MultipathRouting> m_routing;             //!< the routing, null if the stack has another one
    TransitTunnelEnd* m_tunnelEnd{nullptr};      //!< tunnels that end here; null before the first
    std::vector<const Ipv4Interface*> m_ingress; //!< the ingress ports, by index of the device
    std::vector<Port> m_ports;                   //!< the egress ports, by interface
    TransitHeaderReader m_header;                //!< makes headers for queue discs
    uint64_t m_nForwarded{0};                    //!< the packets that were forwarded
    TracedCallback<const Ipv4Header&, Ptr<const Packet>, uint32_t> m_forwardTrace; //!< the trace
    RecurringEvent<&SwitchDatapath::Flush> m_flush{this}; //!< calls Flush()
    Time m_time{TimeStep(0)};                             //!< when the newest packets have arrived
    std::vector<Arrival> m_arrivals;                      //!< the packets of that time
    std::vector<Arrival> m_former; //!< packets of the time step before m_time
};

} // namespace ns3::aidc

#endif // AIDC_SWITCH_DATAPATH_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SWITCH_INGRESS_H
#define AIDC_SWITCH_INGRESS_H

#include "ns3/address.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Takes the packets of all ports of a switch, those of an instant in the order of the ports.
 *
 * Packets that arrive at different ports at the same nanosecond would be served in the order in
 * which the simulator has got to know of them, and in a parallel simulation that is another one. So
 * a switch has a latency of one time step (1 ns by default), after which all that has arrived in
 * the step is handed to IPv4, by ascending port. Until then everything else that happens in that
 * step at the switch is over, too, in whatever order.
 */
class SwitchIngress : public SimpleRefCount<SwitchIngress>
{
  public:
    /**
     * @brief Constructor
     * @param ipv4 gets the packets
     */
    explicit SwitchIngress(Ptr<Ipv4L3Protocol> ipv4);

    /**
     * @brief Take a packet; a protocol handler of the node.
     * @param device the port
     * @param packet the packet
     * @param protocol the EtherType
     * @param from the sender
     * @param to the receiver
     * @param type to whom it is
     */
    void Receive(Ptr<NetDevice> device,
                 Ptr<const Packet> packet,
                 uint16_t protocol,
                 const Address& from,
                 const Address& to,
                 NetDevice::PacketType type);

  private:
    /// A packet that has arrived.
    struct Arrival
    {
        Ptr<NetDevice> device;      //!< the port
        Ptr<const Packet> packet;   //!< the packet
        uint16_t protocol;          //!< the EtherType
        Address from;               //!< the sender
        Address to;                 //!< the receiver
        NetDevice::PacketType type; //!< to whom it is
    };

    /// Hand over the packets of the last time step.
    void Flush();

    Ptr<Ipv4L3Protocol> m_ipv4;      //!< gets the packets
    Time m_time;                     //!< when the newest packets have arrived
    std::vector<Arrival> m_arrivals; //!< the packets of that time
    std::vector<Arrival> m_former;   //!< the packets of the time step before, if that is m_time's
};

} // namespace ns3::aidc

#endif // AIDC_SWITCH_INGRESS_H

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FRAGMENTATION_NEEDED_SENDER_H
#define AIDC_FRAGMENTATION_NEEDED_SENDER_H

#include "../core/fragmentation-needed.h"
#include "../core/ipv4-bytes.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv4.h"
#include "ns3/packet.h"

#include <cstdint>
#include <optional>

namespace ns3::aidc
{

/// Tell the source of a packet with DF that it is too long (RFC 1191, section 4).
///
/// Unlike the message of ns-3's ICMP, this one has precedence 6 (RFC 1812, section 4.3.2.5), and is
/// not sent about error messages and later fragments (RFC 1122, section 3.2.2).
/// @param ipv4 the stack of the router
/// @param header the packet's header, as it is to be quoted
/// @param payload what follows the header
/// @param mtu the MTU of the next link in bytes
void SendFragmentationNeeded(Ipv4& ipv4,
                             const Ipv4Bytes& header,
                             const Packet& payload,
                             uint32_t mtu);

/// Read such a message, which is called "fragmentation needed".
/// @param header the header of an IPv4 packet
/// @param payload what follows it
/// @return the message, none if the packet is another one or is malformed
std::optional<FragmentationNeeded> ReadFragmentationNeeded(const Ipv4Header& header,
                                                           const Packet& payload);

/// Refuse a packet that a router would have to fragment, if it has DF, and tell its source.
///
/// ns-3's IPv4 fragments packets with DF, too. The user is warned of a link that refuses packets of
/// RoCEv2.
/// @param ipv4 the stack of the router
/// @param header the packet's header, as it has arrived
/// @param payload what follows the header
/// @param interface where the packet is to leave
/// @return whether it is refused
bool RefuseTooLong(Ipv4& ipv4, const Ipv4Header& header, const Packet& payload, uint32_t interface);

} // namespace ns3::aidc

#endif // AIDC_FRAGMENTATION_NEEDED_SENDER_H

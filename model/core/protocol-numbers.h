// SPDX-License-Identifier: GPL-2.0-only
/// @file
/// EtherTypes and protocol numbers, as IEEE and IANA assign them, and sizes of headers.

#ifndef AIDC_PROTOCOL_NUMBERS_H
#define AIDC_PROTOCOL_NUMBERS_H

#include <cstdint>

namespace ns3::aidc
{

constexpr uint16_t ETHERTYPE_IPV4 = 0x0800;        //!< EtherType of IPv4
constexpr uint16_t ETHERTYPE_ARP = 0x0806;         //!< EtherType of ARP
constexpr uint16_t ETHERTYPE_IPV6 = 0x86dd;        //!< EtherType of IPv6
constexpr uint16_t ETHERTYPE_MAC_CONTROL = 0x8808; //!< EtherType of MAC control (IEEE 802.3)
constexpr uint16_t TPID_C_VLAN = 0x8100;           //!< TPID of a customer VLAN tag (IEEE 802.1Q)
constexpr uint16_t TPID_S_VLAN = 0x88a8;           //!< TPID of a service VLAN tag (IEEE 802.1Q)

constexpr uint8_t PROTOCOL_IP_IN_IP = 4; //!< protocol number of IPv4 in IP (RFC 2003)
constexpr uint8_t PROTOCOL_ICMP = 1;     //!< protocol number of ICMP
constexpr uint8_t PROTOCOL_TCP = 6;      //!< protocol number of TCP
constexpr uint8_t PROTOCOL_UDP = 17;     //!< protocol number of UDP
constexpr uint8_t PROTOCOL_GRE = 47;     //!< protocol number of GRE (RFC 2784)

constexpr uint16_t VXLAN_PORT = 4789; //!< UDP port of VXLAN (RFC 7348, section 5)

constexpr uint32_t UDP_HEADER_SIZE = 8; //!< bytes of the header of UDP

} // namespace ns3::aidc

#endif // AIDC_PROTOCOL_NUMBERS_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TUNNEL_SHIM_H
#define AIDC_TUNNEL_SHIM_H

#include "../fragmentation-needed.h"
#include "../gre-header.h"

#include "ns3/protocol-numbers.h"

#include <cstddef>
#include <cstdint>
#include <string>

/// @file
/// What is between the outer and the inner IPv4 header of a tunnel: nothing, GRE, or VXLAN.

namespace ns3::aidc
{

/// The first of the source ports that RFC 7348, section 5, recommends: dynamic ports (RFC 6335).
constexpr uint16_t VXLAN_FIRST_SOURCE_PORT = 49152;

/// Bytes of VXLAN's headers: UDP, VXLAN and an Ethernet header without tags.
constexpr std::size_t VXLAN_SHIM_SIZE = 30;
/// The most bytes of a shim.
constexpr std::size_t MAX_TUNNEL_SHIM = VXLAN_SHIM_SIZE;

/// What is between the outer and the inner header of a tunnel.
struct TunnelShim
{
    /// The encapsulations. They are values of an attribute, so the enumeration is unscoped.
    enum Encapsulation : uint8_t
    {
        IP_IN_IP, //!< nothing (RFC 2003)
        GRE,      //!< a header of GRE (RFC 2784), with a key (RFC 2890) if there is one
        VXLAN     //!< UDP, VXLAN and Ethernet (RFC 7348)
    };

    Encapsulation encapsulation{IP_IN_IP}; //!< the encapsulation
    uint32_t greKey{0};                    //!< the key of GRE, 0 for none
    uint32_t vni{0};                       //!< the network of VXLAN, 24 bits

    /// @return its bytes
    std::size_t GetSize() const
    {
        const std::size_t gre = GreHeader::SIZE + (greKey != 0 ? GreHeader::FIELD_SIZE : 0);
        return encapsulation == IP_IN_IP ? 0 : encapsulation == GRE ? gre : VXLAN_SHIM_SIZE;
    }

    /// @return the protocol number in the outer IPv4 header
    uint8_t GetProtocol() const
    {
        return encapsulation == IP_IN_IP ? PROTOCOL_IP_IN_IP
               : encapsulation == GRE    ? PROTOCOL_GRE
                                         : PROTOCOL_UDP;
    }
};

/// Find what is wrong with the settings of a shim. @return the text, empty if nothing is wrong
std::string FindTunnelShimError(const TunnelShim& shim);

/// The result of checking a shim and an inner header from the wire.
enum class InnerHeaderResult : uint8_t
{
    OK,                //!< a valid header
    TRUNCATED,         //!< the header, or the packet by its length, is not complete
    NOT_IPV4,          //!< its version is not 4, or the shim has another payload
    BAD_HEADER_LENGTH, //!< its header length is below 5 words
    BAD_LENGTH,        //!< its total length is below its header length
    BAD_CHECKSUM,      //!< its checksum is wrong
    BAD_SHIM,          //!< the version or the flags of the shim are not those of the tunnel
    OTHER_NETWORK,     //!< the shim has another key or VNI
    N_RESULTS          //!< how many there are
};

/**
 * @brief Get the UDP source port of a VXLAN packet, by which routers tell flows apart (RFC 7348,
 *        section 5).
 * @param hash the hash of the inner flow
 * @return a port of the range 49152 to 65535
 */
constexpr uint16_t
GetVxlanSourcePort(uint32_t hash)
{
    return static_cast<uint16_t>(VXLAN_FIRST_SOURCE_PORT + (hash >> 18));
}

/**
 * @brief Write the shim of a packet.
 *
 * VXLAN's UDP checksum is 0 (RFC 7348, section 5). Its inner MAC addresses are 02:00 and the IPv4
 * address of the end, locally administered ones: no protocol tells the ends others. They have no
 * effect.
 *
 * @param shim the shim
 * @param source the outer source address, host byte order
 * @param destination the outer destination address, host byte order
 * @param sourcePort the UDP source port of VXLAN
 * @param innerSize the bytes of the inner packet
 * @param [out] bytes where to write shim.GetSize() bytes
 */
void EncodeTunnelShim(const TunnelShim& shim,
                      uint32_t source,
                      uint32_t destination,
                      uint16_t sourcePort,
                      std::size_t innerSize,
                      uint8_t* bytes);

/**
 * @brief Read the shim of a packet at the exit of its tunnel.
 *
 * Of GRE, a checksum and a sequence number are refused, as the tunnel does not verify them. Bits
 * that a receiver has to ignore (RFC 2784, section 2.2; RFC 7348, section 5) are ignored. The UDP
 * checksum is not verified, which RFC 7348, section 5, leaves to the receiver.
 *
 * @param shim the tunnel's own shim
 * @param bytes what follows the outer IPv4 header; may be null if size is 0
 * @param size the bytes that may be read there
 * @param packetSize all bytes of the packet there
 * @return OK, or what is wrong
 */
InnerHeaderResult CheckTunnelShim(const TunnelShim& shim,
                                  const uint8_t* bytes,
                                  std::size_t size,
                                  std::size_t packetSize);

/**
 * @brief Tell whether a packet that a router quotes can be one of a tunnel.
 * @param message the router's message
 * @param shim what the tunnel has after this header
 * @param longest the longest packet that the tunnel sends with this header
 * @return whether it has DF, as the router would fragment others, and identification 0, as all
 * outer headers with DF have; the protocol, a length and the 8 bytes after the header that the
 *         tunnel writes
 */
bool IsQuoteOfTunnel(const FragmentationNeeded& message, const TunnelShim& shim, uint32_t longest);

/**
 * @brief Find the IPv4 packet after the headers of VXLAN, as a router does that is not its exit.
 * @param bytes what follows the outer IPv4 header, whose protocol is UDP; may be null if size is 0
 * @param size the bytes that may be read there
 * @return the bytes of UDP, VXLAN and Ethernet; 0 if it is not VXLAN of an IPv4 packet
 */
std::size_t GetVxlanShimSize(const uint8_t* bytes, std::size_t size);

} // namespace ns3::aidc

#endif // AIDC_TUNNEL_SHIM_H

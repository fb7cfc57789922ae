// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_IP_TUNNEL_HEADERS_H
#define AIDC_IP_TUNNEL_HEADERS_H

#include "../fragmentation-needed.h"
#include "../gre-header.h"
#include "../ipv4-bytes.h"
#include "tunnel-ecn.h"

#include "ns3/flow-key.h"
#include "ns3/protocol-numbers.h"

#include <cstddef>
#include <cstdint>
#include <string>

/// @file
/// The IPv4 headers of tunnels (RFC 2003), as a tunnel's ends read and write them.

namespace ns3::aidc
{

/// The first of the source ports that RFC 7348, section 5, recommends: dynamic ports (RFC 6335).
constexpr uint16_t VXLAN_FIRST_SOURCE_PORT = 49152;

/// Bytes of VXLAN's headers: UDP, VXLAN and an Ethernet header without tags.
constexpr std::size_t VXLAN_SHIM_SIZE = 30;
/// The most bytes of a shim.
constexpr std::size_t MAX_TUNNEL_SHIM = VXLAN_SHIM_SIZE;

/// The shim of a tunnel, between the outer and the inner header.
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
    BAD_SHIM,          //!< the version or the flags of the shim are not the tunnel's
    OTHER_NETWORK,     //!< the shim has another key or VNI
    N_RESULTS          //!< how many there are
};

/// Get the UDP source port of a VXLAN packet, by which routers tell flows apart (RFC 7348,
/// section 5).
/// @param hash the hash of the inner flow
/// @return a port of the range 49152 to 65535
constexpr uint16_t
GetVxlanSourcePort(uint32_t hash)
{
    return static_cast<uint16_t>(VXLAN_FIRST_SOURCE_PORT + (hash >> 18));
}

/// Write the shim of a packet.
///
/// VXLAN's UDP checksum is 0 (RFC 7348, section 5). Its inner MAC addresses are 02:00 and the IPv4
/// address of the end, locally administered ones: no protocol tells the ends other addresses. They
/// have no effect.
/// @param shim the shim
/// @param source the outer source address, host byte order
/// @param destination the outer destination address, host byte order
/// @param sourcePort the UDP source port of VXLAN
/// @param innerSize the bytes of the inner packet
/// @param [out] bytes where to write shim.GetSize() bytes
void EncodeTunnelShim(const TunnelShim& shim,
                      uint32_t source,
                      uint32_t destination,
                      uint16_t sourcePort,
                      std::size_t innerSize,
                      uint8_t* bytes);

/// Read the shim of a packet at the exit of its tunnel.
///
/// GRE with a checksum or a sequence number is refused, as the tunnel does not verify them. Bits
/// that a receiver has to ignore (RFC 2784, section 2.2; RFC 7348, section 5) are ignored. The UDP
/// checksum is not verified, which RFC 7348, section 5, leaves to the receiver.
/// @param shim the tunnel's own shim
/// @param bytes what follows the outer IPv4 header; may be null if size is 0
/// @param size the bytes that may be read there
/// @param packetSize all bytes of the packet there
/// @return OK, or what is wrong
InnerHeaderResult CheckTunnelShim(const TunnelShim& shim,
                                  const uint8_t* bytes,
                                  std::size_t size,
                                  std::size_t packetSize);

/// Tell whether a packet that a router quotes can be one of a tunnel.
/// @param message the router's message
/// @param shim what the tunnel has after this header
/// @param longest the longest packet that the tunnel sends with this header
/// @return whether it has DF, as the router would fragment other packets; identification 0, as all
///         outer headers with DF have; and the protocol, a length and the 8 bytes after the header
///         that the tunnel writes
bool IsQuoteOfTunnel(const FragmentationNeeded& message, const TunnelShim& shim, uint32_t longest);

/// Find the IPv4 packet after the headers of VXLAN, as a router that is not its exit does.
/// @param bytes what follows the outer IPv4 header, whose protocol is UDP; may be null if size is 0
/// @param size the bytes that may be read there
/// @return the bytes of UDP, VXLAN and Ethernet; 0 if it is not VXLAN of an IPv4 packet
std::size_t GetVxlanShimSize(const uint8_t* bytes, std::size_t size);

/// How the ends of a tunnel treat headers.
struct IpTunnelRules
{
    /// How inner and outer fields depend on each other (RFC 3443 for the TTL, RFC 2983 for the
    /// DSCP).
    enum FieldModel : uint8_t
    {
        UNIFORM, //!< the tunnel is part of the path: both headers have the same field
        PIPE     //!< the tunnel is one hop: each header has its own field
    };

    TunnelEcn::Ingress ingress{TunnelEcn::NORMAL}; //!< ECN at the entry
    TunnelEcn::Egress egress{TunnelEcn::RFC_6040}; //!< ECN at the exit
    FieldModel ttlModel{PIPE};                     //!< the TTL
    FieldModel dscpModel{UNIFORM};                 //!< the DSCP
    uint8_t ttl{64};                               //!< the outer TTL, if it is not the inner one
    uint8_t dscp{0};                               //!< the outer DSCP, if it is not the inner one
    bool hasChecksums{false}; //!< whether headers have checksums; the field is 0 otherwise
    TunnelShim shim;          //!< between the innermost outer header and the inner one
};

/// Write an outer header.
///
/// Its DF is the inner one's (RFC 2003, section 3.1). Its identification is 0 with DF (RFC 6864).
/// @param inner the inner header
/// @param source its source, host byte order
/// @param destination its destination, host byte order
/// @param identification its identification without DF
/// @param rules how the tunnel treats headers
/// @param shimSize the bytes between it and the inner header
/// @param protocol what follows it
/// @return the header
Ipv4Bytes MakeOuterHeader(const Ipv4Bytes& inner,
                          uint32_t source,
                          uint32_t destination,
                          uint16_t identification,
                          const IpTunnelRules& rules,
                          std::size_t shimSize = 0,
                          uint8_t protocol = PROTOCOL_IP_IN_IP);

/// The bytes of a keepalive: its header, followed by the index of its path.
constexpr uint32_t IP_TUNNEL_KEEPALIVE_SIZE = IPV4_HEADER_SIZE + sizeof(uint32_t);

/// The most bytes of an IPv4 header.
constexpr std::size_t IPV4_MAX_HEADER = 60;

/// Check an inner header.
/// @param bytes the inner packet's first bytes; may be null if size is 0
/// @param size the number of readable bytes: all of the packet, or at least IPV4_MAX_HEADER
/// @param packetSize the bytes of the inner packet, with any bytes after it
/// @param hasChecksum whether it has a checksum
/// @return OK, or what is wrong
InnerHeaderResult CheckInnerHeader(const uint8_t* bytes,
                                   std::size_t size,
                                   std::size_t packetSize,
                                   bool hasChecksum);

/// Treat an inner header as the exit of a tunnel does.
/// @param [in,out] inner a header that is OK; its ECN field, DSCP, TTL and checksum are changed
/// @param outerTos the outer header's type of service
/// @param outerTtl the outer header's TTL, as it has arrived
/// @param rules how the tunnel treats headers
/// @return RFC 6040's rule; the header is unchanged if the packet is to be dropped
const TunnelEcnCell& OpenInnerHeader(uint8_t* inner,
                                     uint8_t outerTos,
                                     uint8_t outerTtl,
                                     const IpTunnelRules& rules);

/// The most outer headers that a packet may have.
constexpr uint32_t MAX_TUNNEL_HEADERS = 8;

/// The most bytes after an outermost header that FindTunneledFlow reads: the longest headers, the
/// shim of a tunnel, and the ports.
constexpr std::size_t TUNNELED_FLOW_MAX_BYTES = 60 * MAX_TUNNEL_HEADERS + MAX_TUNNEL_SHIM + 4;

/// The result of a search for the flow in a tunnel packet.
enum class TunneledFlowResult : uint8_t
{
    OK,           //!< found
    NOT_TUNNELED, //!< the packet is neither IP in IP, nor GRE or VXLAN with IPv4
    MALFORMED,    //!< an inner header is incomplete, not IPv4, or in another fragment
    TOO_DEEP,     //!< there are more headers than MAX_TUNNEL_HEADERS
};

/// Find the flow of a tunnel packet's innermost header.
///
/// A packet may have several outer headers: the tunnel's, and one for each waypoint of its path.
/// The innermost header is the one that the ingress PE has encapsulated. Its key is from
/// DecodeFlowKey, as at the PE. The function checks the version and IHL of inner headers, and that
/// these headers are complete, but neither total lengths nor checksums.
///
/// A header of IP in IP is always an outer one. A header of GRE or VXLAN is one if it has the
/// source of the outermost header, as a PE is the source of all outer headers. Otherwise it is a
/// tunnel of somebody else, which the PE has taken for a flow.
/// @param source source address of the outermost header, host byte order
/// @param protocol IP protocol number of the outermost header
/// @param fragment flags and fragment offset of the outermost header, its bytes 6 and 7
/// @param payload the bytes after the outermost header; may be null if size is 0
/// @param size the number of readable bytes
/// @param [out] flow the key of the innermost header, unchanged unless the result is OK
/// @param [in,out] egress the destination of the outermost header; if the result is OK, afterwards
///        the destination of the innermost outer header, where the tunnel ends
/// @param [out] offset if not null and the result is OK, where the innermost header is in the bytes
/// @return OK, or why there is none
TunneledFlowResult FindTunneledFlow(uint32_t source,
                                    uint8_t protocol,
                                    uint16_t fragment,
                                    const uint8_t* payload,
                                    std::size_t size,
                                    FlowKey& flow,
                                    uint32_t& egress,
                                    std::size_t* offset = nullptr);

} // namespace ns3::aidc

#endif // AIDC_IP_TUNNEL_HEADERS_H

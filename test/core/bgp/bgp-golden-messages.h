// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_GOLDEN_MESSAGES_H
#define AIDC_BGP_GOLDEN_MESSAGES_H

// BGP messages that other programs have made.

namespace aidctest::bgp
{

// In hexadecimal digits, whole messages. Captured between real daemons:
/// UPDATE of ExaBGP, AS 65002, to FRR: 203.0.113.0/24 with a path bandwidth of 12.5 GB/s
constexpr const char* UPDATE_EXABGP =
    "ffffffffffffffffffffffffffffffff003a020000001f4001010040020602010000fdea4003040a000102"
    "c0100801060a0000024a4018cb0071";
/// OPEN of ExaBGP: AS 65002, hold time 9, IPv4 unicast, four-octet AS, extended messages
constexpr const char* OPEN_EXABGP =
    "ffffffffffffffffffffffffffffffff00310104fdea00090a0000021402060104000100010206"
    "41040000fdea02020600";
constexpr const char* END_OF_RIB = "ffffffffffffffffffffffffffffffff00170200000000";
constexpr const char* KEEPALIVE = "ffffffffffffffffffffffffffffffff001304";

// Made with scapy 2.8, and the UPDATEs read as meant by ExaBGP 4.2.21:
/// UPDATE of four-octet ASs with all attributes of external peers
constexpr const char* UPDATE_FULL =
    "ffffffffffffffffffffffffffffffff008702000519c00002000064400101024002180202fa56ea01"
    "0000fde901030000fc000000fc01000111704003040a00010280040400000064400600c00708fa56ea09"
    "0a000009e00804ffffff01c010100002fde90000000701060a0000024a40c0200c0000000100000002"
    "00000003100a01180a0203";
/// UPDATE of two-octet ASs with AS4_PATH and AS4_AGGREGATOR
constexpr const char* UPDATE_TWO_OCTETS =
    "ffffffffffffffffffffffffffffffff00520200000037400101004002080203fde95ba0fc00"
    "4003040a000102c007065ba00a000009c0110a0202fa56ea010000fc00c01208fa56ea010a00000918cb0071";
/// UPDATE with MP_REACH_NLRI, of two-octet ASs
constexpr const char* UPDATE_MP_REACH =
    "ffffffffffffffffffffffffffffffff0031020000001a800e0c000101040a00010200100a09"
    "400101004002040201fde9";
/// NOTIFICATION: administrative shutdown, with a text
constexpr const char* NOTIFICATION_SHUTDOWN =
    "ffffffffffffffffffffffffffffffff001a0306020474657374";
/// ROUTE-REFRESH of IPv4 unicast
constexpr const char* ROUTE_REFRESH = "ffffffffffffffffffffffffffffffff00170500010001";
/// OPEN: AS 4200000001, hold time 9, IPv4 unicast, route refresh, graceful restart, and a name
constexpr const char* OPEN_FULL =
    "ffffffffffffffffffffffffffffffff004401045ba000090a00000227020601040001000102064104"
    "fa56ea010202020002084006807800010180020749056c65616631";

} // namespace aidctest::bgp

#endif // AIDC_BGP_GOLDEN_MESSAGES_H

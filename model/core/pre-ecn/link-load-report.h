/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_LINK_LOAD_REPORT_H
#define AIDC_LINK_LOAD_REPORT_H

#include "domain-message.h"

#include <cstddef>
#include <cstdint>

/**
 * @file
 * @ingroup aidc
 * Reports of the load of a link, from the router that sends into it to an ingress PE whose tunnels
 * have paths over it. Routers flood the same by routing protocols, as Unidirectional Utilized
 * Bandwidth (RFC 7471, section 4.7; RFC 8570, section 4.7). This format is aidc's own, with the
 * authentication of all messages (DomainMessage): the payload of a UDP datagram, in network byte
 * order.
 *
 *      +0   kind of message, 0x4c
 *      +1   version, 2
 *      +2   authentication: 0 none, 1 keyed BLAKE2b of 16 octets
 *      +3   0
 *      +4   port of the device
 *      +6   0, 2 octets
 *      +8   IPv4 address of the device
 *      +12  IPv4 address of the ingress PE, which the report is for
 *      +16  sequence number of the device
 *      +24  end of the measurement in nanoseconds
 *      +32  its length in nanoseconds
 *      +40  capacity of the link in bit/s
 *      +48  octets that have arrived for the link meanwhile, as on the wire
 *      +56  0, 4 octets
 *      +60  number of the key, 0 without authentication
 *      +61  0, 3 octets
 *      +64  hash of octets 0 to 63, 16 octets; zeros without authentication
 *
 * Decoding checks the length, kind and version, that reserved octets are 0, and that capacity and
 * length of the measurement are above 0. So a decoded report is encoded to the same bytes again.
 */

namespace ns3::aidc
{

/// UDP port that reports are sent to: the one after that of notifications.
constexpr uint16_t LINK_LOAD_PORT = 50514;

/// @ingroup aidc
/// A router's report of the load of a link. Its time is the end of the measurement.
struct LinkLoadReport : DomainMessage
{
    uint16_t port{0};     //!< port of the device
    uint64_t length{1};   //!< length of the measurement in ns, > 0
    uint64_t capacity{1}; //!< capacity of the link in bit/s, > 0
    uint64_t octets{0};   //!< octets that have arrived for the link meanwhile, as on the wire

    /// @return what has arrived, in bit/s; above the capacity while the queue grows
    double GetLoad() const
    {
        return static_cast<double>(octets) * 8e9 / static_cast<double>(length);
    }
};

/// @ingroup aidc
/// The result of decoding a report.
enum class LinkLoadReportResult : uint8_t
{
    OK,           //!< decoded
    WRONG_LENGTH, //!< shorter or longer than a report
    UNKNOWN,      //!< of another kind or version, or with a kind of hash that is not known
    MALFORMED,    //!< a reserved octet that is not 0, or a value out of range
};

/// @ingroup aidc
/// Write a report, with zeros instead of the hash.
/// @param report the report
/// @return its bytes
DomainMessageBytes EncodeLinkLoadReport(const LinkLoadReport& report);

/// @ingroup aidc
/// Read a report. The hash is not verified.
/// @param bytes the payload of a datagram; may be null if length is 0
/// @param length its length
/// @param [out] report the report, unchanged unless the result is OK
/// @return OK, or the first thing that is wrong, in the order of the results
LinkLoadReportResult DecodeLinkLoadReport(const uint8_t* bytes,
                                          std::size_t length,
                                          LinkLoadReport& report);

} // namespace ns3::aidc

#endif // AIDC_LINK_LOAD_REPORT_H

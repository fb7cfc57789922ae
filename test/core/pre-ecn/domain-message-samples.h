// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_DOMAIN_MESSAGE_SAMPLES_H
#define AIDC_DOMAIN_MESSAGE_SAMPLES_H

#include "domain-message-comparison.h"
#include "test/core/core-test.h"
#include "test/core/hex-bytes.h"

#include "ns3/domain-message.h"

// Messages and their octets, which Python's struct and hashlib have written from the table of
// doc/pre-ecn.rst.

namespace aidctest
{

/// 10.10.0.1, port 0x1234, queue 3, of UDP from 10.0.1.2:49152 to 10.1.2.3:4791, after 1 ms; the
/// tunnel is from 172.31.0.1 to 172.31.0.2.
const CongestionNotification LIGHT{
    {MessageAuthentication::NONE, 0, 0x1234, 0x0a0a0001, 0xac1f0001, 1, 1000000},
    {0x0a000102, 0x0a010203, 49152, 4791, 17},
    CongestionSeverity::LIGHT,
    3,
    0xac1f0002,
    false,
    NOTIFICATION_RATE_NONE,
    0};

/// LIGHT, without authentication.
const std::vector<uint8_t> LIGHT_BYTES =
    ParseHex("04010000123400000a0a0001ac1f0001000000000000000100000000000f4240010003110a000102"
             "0a010203c00012b7ac1f000200000000000000000000000000000000000000000000000000000000");

/// The key of SEVERE_SIGNED_BYTES.
const std::string SEVERE_KEY = "000102030405060708090a0b0c0d0e0f";

/// 192.0.2.1, the last port and queue, of TCP from 198.51.100.1:65535 to 203.0.113.5:0; the tunnel
/// is from 192.0.2.9 to 192.0.2.17, and the queue is falling.
const CongestionNotification SEVERE{{MessageAuthentication::BLAKE2B,
                                     0,
                                     65535,
                                     0xc0000201,
                                     0xc0000209,
                                     0x0102030405060708,
                                     0x1112131415161718},
                                    {0xc6336401, 0xcb007105, 65535, 0, 6},
                                    CongestionSeverity::SEVERE,
                                    7,
                                    0xc0000211,
                                    true,
                                    0x2122232425262728,
                                    0x31323334};

/// SEVERE, with the hash of hashlib.blake2b(bytes, digest_size=16, key=bytes(range(16))).
const std::vector<uint8_t> SEVERE_SIGNED_BYTES =
    ParseHex("04010100ffff0000c0000201c00002090102030405060708111213141516171802010706c6336401"
             "cb007105ffff0000c00002113132333421222324252627282836280b695f89b6f99bb0450e32c23c");

/// LIGHT, signed with the key of number 5, the 64 octets 0x80 to 0xbf.
const std::vector<uint8_t> LIGHT_SIGNED_BYTES =
    ParseHex("04010105123400000a0a0001ac1f0001000000000000000100000000000f4240010003110a000102"
             "0a010203c00012b7ac1f000200000000000000000000000062d6d61ef9f3bbf014ef3ebde2c45caa");

/// Port 0x1234 of 10.10.0.1, for 172.31.0.1: 25 MB in the 0.5 ms until 2 ms, at 400 Gbit/s.
const LinkLoadReport REPORT{
    {MessageAuthentication::NONE, 0, 0x1234, 0x0a0a0001, 0xac1f0001, 7, 2'000'000},
    500'000,
    400'000'000'000,
    25'000'000};

/// REPORT, without authentication.
const std::vector<uint8_t> REPORT_BYTES =
    ParseHex("04020000123400000a0a0001ac1f0001000000000000000700000000001e8480000000000007a120"
             "0000005d21dba00000000000017d7840000000000000000000000000000000000000000000000000");

/// REPORT, signed with SEVERE_KEY as the key of number 7.
const std::vector<uint8_t> REPORT_SIGNED_BYTES =
    ParseHex("04020107123400000a0a0001ac1f0001000000000000000700000000001e8480000000000007a120"
             "0000005d21dba00000000000017d784000000000000000002b4f18946029bb3a59aaa08450ef31bc");

/// Draw the header of a message.
inline void
DrawHeader(DomainMessage& message)
{
    message.authentication =
        DrawElement({MessageAuthentication::NONE, MessageAuthentication::BLAKE2B});
    if (message.authentication == MessageAuthentication::BLAKE2B)
    {
        message.keyId = DrawAny<uint8_t>();
    }
    message.port = DrawAny<uint16_t>();
    message.device = DrawAny<uint32_t>();
    message.ingress = DrawAny<uint32_t>();
    message.sequence = DrawAny<uint64_t>();
    message.time = DrawInRange<uint64_t>(1, uint64_t{1} << 63);
}

inline CongestionNotification
DrawNotification()
{
    CongestionNotification n;
    DrawHeader(n);
    n.flow = {DrawAny<uint32_t>(),
              DrawAny<uint32_t>(),
              DrawAny<uint16_t>(),
              DrawAny<uint16_t>(),
              DrawAny<uint8_t>()};
    n.severity = DrawElement({CongestionSeverity::LIGHT, CongestionSeverity::SEVERE});
    n.queue = DrawAny<uint8_t>();
    n.egress = DrawAny<uint32_t>();
    n.isFalling = DrawAny<bool>();
    n.rate = DrawAny<uint64_t>();
    n.validity = DrawAny<uint32_t>();
    if (n.rate != NOTIFICATION_RATE_NONE && DrawAny<bool>())
    {
        n.severity = CongestionSeverity::NONE;
    }
    return n;
}

inline LinkLoadReport
DrawReport()
{
    LinkLoadReport report;
    DrawHeader(report);
    report.length = DrawInRange<uint64_t>(1, report.time + 1);
    report.capacity = DrawInRange<uint64_t>(1, uint64_t{1} << 62);
    report.octets = DrawAny<uint64_t>();
    return report;
}

/// Draw a message with any of the records.
inline AnyDomainMessage
DrawMessage()
{
    return DrawAny<bool>() ? AnyDomainMessage(DrawNotification()) : DrawReport();
}

} // namespace aidctest

#endif // AIDC_DOMAIN_MESSAGE_SAMPLES_H

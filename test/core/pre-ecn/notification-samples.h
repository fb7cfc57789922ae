/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_NOTIFICATION_SAMPLES_H
#define AIDC_NOTIFICATION_SAMPLES_H

#include "notification-comparison.h"

#include "ns3/congestion-notification.h"

#include <cstdint>
#include <rapidcheck.h>
#include <string>
#include <vector>

namespace aidctest
{

using namespace ns3::aidc;

/// Octets from hexadecimal digits.
inline std::vector<uint8_t>
FromHex(const std::string& digits)
{
    std::vector<uint8_t> bytes;
    for (std::size_t i = 0; i < digits.size(); i += 2)
    {
        bytes.push_back(static_cast<uint8_t>(std::stoul(digits.substr(i, 2), nullptr, 16)));
    }
    return bytes;
}

/// 10.10.0.1, port 0x1234, queue 3, of UDP from 10.0.1.2:49152 to 10.1.2.3:4791, after 1 ms; the
/// tunnel is from 172.31.0.1 to 172.31.0.2.
const CongestionNotification LIGHT{
    {MessageAuthentication::NONE, 0, 0x0a0a0001, 0xac1f0001, 1, 1000000},
    {0x0a000102, 0x0a010203, 49152, 4791, 17},
    CongestionSeverity::LIGHT,
    0x1234,
    3,
    0xac1f0002,
    false,
    NOTIFICATION_RATE_UNTOLD,
    0};

/// LIGHT, without authentication.
const std::vector<uint8_t> LIGHT_BYTES =
    FromHex("03010003123411000a0a00010a0001020a010203c00012b7000000000000000100000000000f4240"
            "ac1f0001ac1f00020000000000000000000000000000000000000000000000000000000000000000");

/// The key of SEVERE_SIGNED_BYTES.
const std::string SEVERE_KEY = "000102030405060708090a0b0c0d0e0f";

/// 192.0.2.1, the last port and queue, of TCP from 198.51.100.1:65535 to 203.0.113.5:0; the tunnel
/// is from 192.0.2.9 to 192.0.2.17, and the queue is falling.
const CongestionNotification SEVERE{{MessageAuthentication::BLAKE2B,
                                     0,
                                     0xc0000201,
                                     0xc0000209,
                                     0x0102030405060708,
                                     0x1112131415161718},
                                    {0xc6336401, 0xcb007105, 65535, 0, 6},
                                    CongestionSeverity::SEVERE,
                                    65535,
                                    7,
                                    0xc0000211,
                                    true,
                                    0x2122232425262728,
                                    0x31323334};

/// SEVERE, with the hash of hashlib.blake2b(bytes, digest_size=16, key=bytes(range(16))).
const std::vector<uint8_t> SEVERE_SIGNED_BYTES =
    FromHex("03020107ffff0601c0000201c6336401cb007105ffff000001020304050607081112131415161718"
            "c0000209c0000211212223242526272831323334000000009a2b086af1471303b5627483aa6e920a");

/// LIGHT, signed with the key of number 5, the 64 octets 0x80 to 0xbf.
const std::vector<uint8_t> LIGHT_SIGNED_BYTES =
    FromHex("03010103123411000a0a00010a0001020a010203c00012b7000000000000000100000000000f4240"
            "ac1f0001ac1f000200000000000000000000000005000000f1e50de922bb5a301327da44e568fac2");

inline CongestionNotification
DrawNotification()
{
    CongestionNotification n;
    n.flow = {*rc::gen::arbitrary<uint32_t>(),
              *rc::gen::arbitrary<uint32_t>(),
              *rc::gen::arbitrary<uint16_t>(),
              *rc::gen::arbitrary<uint16_t>(),
              *rc::gen::arbitrary<uint8_t>()};
    n.severity = *rc::gen::element(CongestionSeverity::LIGHT, CongestionSeverity::SEVERE);
    n.authentication =
        *rc::gen::element(MessageAuthentication::NONE, MessageAuthentication::BLAKE2B);
    n.device = *rc::gen::arbitrary<uint32_t>();
    n.port = *rc::gen::arbitrary<uint16_t>();
    n.queue = *rc::gen::arbitrary<uint8_t>();
    n.sequence = *rc::gen::arbitrary<uint64_t>();
    n.time = *rc::gen::arbitrary<uint64_t>();
    n.ingress = *rc::gen::arbitrary<uint32_t>();
    n.egress = *rc::gen::arbitrary<uint32_t>();
    n.isFalling = *rc::gen::arbitrary<bool>();
    n.rate = *rc::gen::arbitrary<uint64_t>();
    n.validity = *rc::gen::arbitrary<uint32_t>();
    if (n.authentication == MessageAuthentication::BLAKE2B)
    {
        n.keyId = *rc::gen::arbitrary<uint8_t>();
    }
    if (n.rate != NOTIFICATION_RATE_UNTOLD && *rc::gen::arbitrary<bool>())
    {
        n.severity = CongestionSeverity::NONE;
    }
    return n;
}

} // namespace aidctest

#endif // AIDC_NOTIFICATION_SAMPLES_H

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ROCE_TELEMETRY_FRAMES_H
#define AIDC_ROCE_TELEMETRY_FRAMES_H

#include "roce-frames.h"

// RoCEv2 packets with in-band telemetry, from the IPv4 header to the invariant CRC.
//
// Written by hand, their CRC computed by Python's zlib over all but the telemetry.
// test/python/test_int_dissector.py reads the texts of this file, too.

namespace aidctest
{

// Two hops: 100 Gbit/s, 0x123456 ns, 0xabcde times 128 bytes, 0x1f0f1 times 80 bytes; 400 Gbit/s,
// 1 ns, 256 bytes, 240 bytes. The path is 0xabc.
// SEND only, 4 bytes
constexpr const char* TELEMETRY_DATA =
    "456a005a00004000401126270a0000010a000002 c00012b700460000 0440ffff00000011c0123456 "
    "42468ad579bdf0f1 8000002000040003 0000000000000000 0000000000000000 0000000000000000 2abc "
    "00000000 75b7d7bb";
// ACK of MSN 1 with a PSN of 0x123457
constexpr const char* TELEMETRY_ACK =
    "456a005e00004000401126230a0000020a000001 c00012b7004a0000 1140ffff0000001240123456 "
    "42468ad579bdf0f1 8000002000040003 0000000000000000 0000000000000000 0000000000000000 2abc "
    "1f000001 13123457 2807deaf";

} // namespace aidctest

#endif // AIDC_ROCE_TELEMETRY_FRAMES_H

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ROCE_FRAMES_H
#define AIDC_ROCE_FRAMES_H

#include "model/core/transport/roce-bytes.h"
#include "test/core/hex-bytes.h"

#include "ns3/roce-packet.h"

// RoCEv2 packets from the IPv4 header to the invariant CRC, as other programs make them.
//
// test/python/test_roce.py reads the texts of this file, too, and has tshark read the packets.

namespace aidctest
{

// In hexadecimal digits; xx..yy means all bytes from one to the other. F: made with scapy, their
// CRC computed in two more ways.
// SEND only, no payload
constexpr const char* F1 = "456a002c00004000401126550a0000010a000002 c00012b700180000 "
                           "0400ffff0000001180000000 b16a1a09";
// SEND only, 1 byte
constexpr const char* F2 = "456a003000004000401126510a0000010a000002 c00012b7001c0000 "
                           "0430ffff0000001180000001 ab000000 ff0bcbeb";
// SEND only, 4 bytes
constexpr const char* F3 = "456a003000004000401126510a0000010a000002 c00012b7001c0000 "
                           "0400ffff0000001180ffffff 00010203 e5620d96";
// SEND only, 64 bytes
constexpr const char* F4 = "456a006c12344000401113e10a0000010a000002 c12312b700580000 "
                           "0440ffff00abcdef00123456 00..3f de845ab5";
// WRITE first, 256 bytes
constexpr const char* F5 = "456a013c00004000401125450a0000010a000002 c00012b701280000 "
                           "0600ffff0000001100000010 0000000100002000deadbeef00000200 "
                           "00..ff 1222a288";
// ACK of MSN 1
constexpr const char* F6 = "456a003000004000401126510a0000020a000001 c00012b7001c0000 "
                           "1100ffff0000001200000010 1f000001 ef7ad6f9";
// NAK of a sequence error
constexpr const char* F7 = "456a003000004000401126510a0000020a000001 c00012b7001c0000 "
                           "1100ffff0000001200000005 60000007 e277e98b";
// Congestion notification
constexpr const char* F8 = "45c2003c00004000401125ed0a0000020a000001 c00012b700280000 "
                           "8100ffff4000001200000000 00000000000000000000000000000000 b8e7f1e4";
// Captured from a ConnectX-4 Lx (tests of scapy): congestion notification; UC SEND only, 18 bytes
constexpr const char* HW1 = "45c2003c718c4000401191610a0011010a001201 000012b700280000 "
                            "8100ffff4000011800000000 00000000000000000000000000000000 82fd002a";
constexpr const char* HW2 = "45010040047840004011b4d5c0a80007c0a80007 c00012b7002caca2 "
                            "2460ffff000000d300cf1710 4630818be28935d90e9a95505401be885e500000 "
                            "78f353f3";

// Acknowledgments with the extensions of this module, written by hand, their CRC computed by
// Python's zlib: a PSN of 0x123456; a reflection of seven bytes; both.
constexpr const char* SELECTIVE = "456a0034000040004011264d0a0000020a000001 c00012b700200000 "
                                  "1140ffff0000001200000005 60000007 13123456 949dc730";
constexpr const char* REFLECTION = "456a003800004000401126490a0000020a000001 c00012b700240000 "
                                   "1140ffff0000001200000005 60000007 27c0010203040506 01a5cdf1";
constexpr const char* BOTH = "456a003800004000401126490a0000020a000001 c00012b700240000 "
                             "1140ffff0000001200000005 60000007 13123456 23800102 80083d70";

/// Get the headers of F1 to F5, from 10.0.0.1 to 10.0.0.2.
inline RoceDatagram
ForwardDatagram()
{
    RoceDatagram datagram;
    datagram.source = 0x0a000001;
    datagram.destination = 0x0a000002;
    datagram.sourcePort = 0xc000;
    datagram.dscp = 26;
    datagram.ecn = 2;
    return datagram;
}

/// Get the headers of F6 and F7, from 10.0.0.2 to 10.0.0.1.
inline RoceDatagram
BackwardDatagram()
{
    RoceDatagram datagram = ForwardDatagram();
    datagram.source = 0x0a000002;
    datagram.destination = 0x0a000001;
    return datagram;
}

/// Get what F1 to F5 have in common. Returns a packet to queue pair 17.
inline RocePacket
ForwardPacket(RoceOpcode opcode, uint32_t psn, uint32_t payloadSize)
{
    RocePacket packet;
    packet.opcode = opcode;
    packet.isMigrated = false;
    packet.destinationQp = 0x11;
    packet.psn = psn;
    packet.payloadSize = payloadSize;
    return packet;
}

/// Get an acknowledgment. Returns a packet to queue pair 18.
inline RocePacket
BackwardPacket(uint32_t psn, uint8_t syndrome, uint32_t msn)
{
    RocePacket packet = ForwardPacket(RoceOpcode::ACKNOWLEDGE, psn, 0);
    packet.destinationQp = 0x12;
    packet.syndrome = syndrome;
    packet.msn = msn;
    return packet;
}

/// A packet as bytes and as what they mean.
struct GoldenFrame
{
    const char* name;      //!< of the constant
    Bytes bytes;           //!< the packet
    RoceDatagram datagram; //!< what its IPv4 and UDP headers say
    RocePacket packet;     //!< what its other headers say
};

/// Get all packets that this module can make. Returns F1 to F8, HW1 and the extensions.
inline std::vector<GoldenFrame>
GoldenFrames()
{
    const RoceDatagram forward = ForwardDatagram();
    const RoceDatagram backward = BackwardDatagram();

    RocePacket f1 = ForwardPacket(RoceOpcode::SEND_ONLY, 0, 0);
    RocePacket f2 = ForwardPacket(RoceOpcode::SEND_ONLY, 1, 1);
    RocePacket f3 = ForwardPacket(RoceOpcode::SEND_ONLY, 0xffffff, 4);
    f1.isAckRequested = f2.isAckRequested = f3.isAckRequested = true;

    RoceDatagram to4 = forward;
    to4.identification = 0x1234;
    to4.sourcePort = 0xc123;
    RocePacket f4 = ForwardPacket(RoceOpcode::SEND_ONLY, 0x123456, 64);
    f4.isMigrated = true;
    f4.destinationQp = 0xabcdef;

    RocePacket f5 = ForwardPacket(RoceOpcode::WRITE_FIRST, 16, 256);
    f5.virtualAddress = 0x100002000;
    f5.remoteKey = 0xdeadbeef;
    f5.dmaLength = 512;

    RoceDatagram to8 = backward;
    to8.dscp = 48;
    RocePacket f8 = ForwardPacket(RoceOpcode::CNP, 0, 0);
    f8.destinationQp = 0x12;
    f8.becn = true;

    RoceDatagram toHw1 = to8;
    toHw1.source = 0x0a001101;
    toHw1.destination = 0x0a001201;
    toHw1.sourcePort = 0;
    toHw1.identification = 0x718c;
    RocePacket hw1 = f8;
    hw1.destinationQp = 0x118;

    RocePacket selective = BackwardPacket(5, 0x60, 7);
    selective.isMigrated = true;
    RocePacket reflection = selective;
    selective.hasSelective = true;
    selective.selectivePsn = 0x123456;
    reflection.reflectionSize = 7;
    reflection.reflection = {0xc0, 1, 2, 3, 4, 5, 6};
    RocePacket both = selective;
    both.reflectionSize = 3;
    both.reflection = {0x80, 1, 2};

    return {{"F1", ParseHex(F1), forward, f1},
            {"F2", ParseHex(F2), forward, f2},
            {"F3", ParseHex(F3), forward, f3},
            {"F4", ParseHex(F4), to4, f4},
            {"F5", ParseHex(F5), forward, f5},
            {"F6", ParseHex(F6), backward, BackwardPacket(16, 0x1f, 1)},
            {"F7", ParseHex(F7), backward, BackwardPacket(5, 0x60, 7)},
            {"F8", ParseHex(F8), to8, f8},
            {"HW1", ParseHex(HW1), toHw1, hw1},
            {"SELECTIVE", ParseHex(SELECTIVE), backward, selective},
            {"REFLECTION", ParseHex(REFLECTION), backward, reflection},
            {"BOTH", ParseHex(BOTH), backward, both}};
}

inline bool
IsSamePacket(const RocePacket& a, const RocePacket& b)
{
    return a.opcode == b.opcode && a.isSolicited == b.isSolicited && a.isMigrated == b.isMigrated &&
           a.fecn == b.fecn && a.becn == b.becn && a.isAckRequested == b.isAckRequested &&
           a.pKey == b.pKey && a.destinationQp == b.destinationQp && a.psn == b.psn &&
           a.virtualAddress == b.virtualAddress && a.remoteKey == b.remoteKey &&
           a.dmaLength == b.dmaLength && a.syndrome == b.syndrome && a.msn == b.msn &&
           a.immediate == b.immediate && a.selectivePsn == b.selectivePsn &&
           a.hasSelective == b.hasSelective && a.reflectionSize == b.reflectionSize &&
           a.reflection == b.reflection && a.payloadSize == b.payloadSize;
}

} // namespace aidctest

#endif // AIDC_ROCE_FRAMES_H

// SPDX-License-Identifier: GPL-2.0-only

// Any bytes as a RoCEv2 packet from its IPv4 header on: what is understood has the size that UDP
// says, and all of it survives being written and read again.

#include "fuzz-require.h"
#include "model/core/transport/invariant-crc.h"
#include "model/core/transport/roce-bytes.h"

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    if (size < ROCE_DATAGRAM_HEADER_SIZE)
    {
        return 0;
    }
    if (size >= INVARIANT_CRC_MIN_HEADERS)
    {
        Require(ComputeInvariantCrc(data, size, 7) ==
                    ~AdvanceCrc32OverZeros(~ComputeInvariantCrc(data, size, 0), 7),
                "zeros behind the bytes");
    }
    // The size is UDP's, so that it may be more or less than there is to read.
    const auto udpSize = static_cast<uint32_t>(data[24] << 8 | data[25]);
    const uint32_t behindUdp = udpSize < 8 ? 0 : udpSize - 8;
    const uint8_t* const bytes = data + ROCE_DATAGRAM_HEADER_SIZE;
    const std::size_t nBytes = size - ROCE_DATAGRAM_HEADER_SIZE;
    RocePacket packet;
    packet.msn = 0x55;
    const RoceResult result = DecodeRoce(bytes, nBytes, behindUdp, packet);
    Require(result < RoceResult::N_RESULTS, "the result is one of them");
    if (result != RoceResult::OK)
    {
        Require(packet.msn == 0x55, "nothing is told of a packet that is refused");
        return 0;
    }
    Require(GetRoceSize(packet) == behindUdp, "the size is UDP's");
    Require(GetRoceHeaderSize(packet) <= nBytes, "all headers are there");
    std::vector<uint8_t> headers(GetRoceHeaderSize(packet)); // for sanitizers
    Require(EncodeRoce(packet, headers.data()) == headers.size(), "headers have their size");
    // Of what is there, only reserved bits may be lost.
    if (packet.opcode != RoceOpcode::CNP)
    {
        Require(std::equal(headers.begin() + ROCE_BTH_SIZE, headers.end(), bytes + ROCE_BTH_SIZE),
                "the extended headers are written as they were");
    }
    RocePacket again;
    Require(DecodeRoce(headers.data(), headers.size(), behindUdp, again) == RoceResult::OK,
            "what is written can be read");
    std::vector<uint8_t> twice(headers.size());
    EncodeRoce(again, twice.data());
    Require(twice == headers, "and is the same");
    return 0;
}

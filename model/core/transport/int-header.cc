// SPDX-License-Identifier: GPL-2.0-only

#include "int-header.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>

namespace ns3::aidc
{

namespace
{

using boost::endian::load_big_u16;
using boost::endian::load_big_u64;
using boost::endian::store_big_u16;
using boost::endian::store_big_u64;

// Bits of a hop
constexpr uint32_t RATE_BITS = 3;   //!< code of the rate
constexpr uint32_t TIME_BITS = 24;  //!< time
constexpr uint32_t BYTES_BITS = 20; //!< bytes sent
constexpr uint32_t QUEUE_BITS = 17; //!< bytes queued

constexpr uint64_t BYTES_UNIT = 128; //!< of bytes sent

constexpr std::size_t HOP_SIZE = 8;                   //!< bytes of a hop
constexpr std::size_t TAIL = HOP_SIZE * INT_MAX_HOPS; //!< offset of what follows the hops
constexpr uint32_t PATH_BITS = 12;                    //!< of the path's number
constexpr uint16_t PATH_MASK = (1 << PATH_BITS) - 1;  //!< those bits

static_assert(RATE_BITS + TIME_BITS + BYTES_BITS + QUEUE_BITS == 8 * HOP_SIZE);
static_assert(INT_TIME_WRAP == int64_t{1} << TIME_BITS);
static_assert(INT_BYTES_WRAP == BYTES_UNIT << BYTES_BITS);

/// @return so many of its lowest bits
constexpr uint64_t
Mask(uint64_t value, uint32_t nBits)
{
    return value & ((uint64_t{1} << nBits) - 1);
}

void
EncodeHop(const IntHop& hop, uint8_t* bytes)
{
    uint64_t word = Mask(hop.rateCode, RATE_BITS);
    word = word << TIME_BITS | Mask(hop.time, TIME_BITS);
    word = word << BYTES_BITS | Mask(hop.bytes, BYTES_BITS);
    word = word << QUEUE_BITS | Mask(hop.queue, QUEUE_BITS);
    store_big_u64(bytes, word);
}

IntHop
DecodeHop(const uint8_t* bytes)
{
    uint64_t word = load_big_u64(bytes);
    IntHop hop;
    hop.queue = static_cast<uint32_t>(Mask(word, QUEUE_BITS));
    word >>= QUEUE_BITS;
    hop.bytes = static_cast<uint32_t>(Mask(word, BYTES_BITS));
    word >>= BYTES_BITS;
    hop.time = static_cast<uint32_t>(Mask(word, TIME_BITS));
    hop.rateCode = static_cast<uint8_t>(word >> TIME_BITS);
    return hop;
}

} // namespace

std::optional<uint8_t>
FindIntRateCode(uint64_t rate)
{
    for (uint8_t code = 0; GetIntRate(code) > 0; ++code)
    {
        if (GetIntRate(code) == rate)
        {
            return code;
        }
    }
    return std::nullopt;
}

IntHop
MakeIntHop(uint8_t rateCode, int64_t now, uint64_t sent, uint64_t queued)
{
    constexpr uint64_t LONGEST = (uint64_t{1} << QUEUE_BITS) - 1;
    IntHop hop;
    hop.rateCode = rateCode;
    hop.time = static_cast<uint32_t>(Mask(static_cast<uint64_t>(now), TIME_BITS));
    hop.bytes = static_cast<uint32_t>(Mask(sent / BYTES_UNIT, BYTES_BITS));
    hop.queue = static_cast<uint32_t>(std::min(queued / INT_QUEUE_UNIT, LONGEST));
    return hop;
}

int64_t
GetIntTimeBetween(const IntHop& later, const IntHop& earlier)
{
    return static_cast<int64_t>(Mask(uint64_t{later.time} - earlier.time, TIME_BITS));
}

uint64_t
GetIntBytesBetween(const IntHop& later, const IntHop& earlier)
{
    return Mask(uint64_t{later.bytes} - earlier.bytes, BYTES_BITS) * BYTES_UNIT;
}

IntBytes
EncodeIntHeader(const IntHeader& header)
{
    IntBytes bytes{};
    for (std::size_t i = 0; i < INT_MAX_HOPS; ++i)
    {
        EncodeHop(header.hops[i], &bytes[HOP_SIZE * i]);
    }
    store_big_u16(&bytes[TAIL],
                  static_cast<uint16_t>(header.nHops << PATH_BITS | (header.pathId & PATH_MASK)));
    return bytes;
}

IntHeader
DecodeIntHeader(const IntBytes& bytes)
{
    IntHeader header;
    for (std::size_t i = 0; i < INT_MAX_HOPS; ++i)
    {
        header.hops[i] = DecodeHop(&bytes[HOP_SIZE * i]);
    }
    const uint16_t tail = load_big_u16(&bytes[TAIL]);
    header.nHops = static_cast<uint8_t>(tail >> PATH_BITS);
    header.pathId = tail & PATH_MASK;
    return header;
}

bool
AddIntHop(IntBytes& bytes, const IntHop& hop, uint32_t switchId)
{
    const uint16_t tail = load_big_u16(&bytes[TAIL]);
    const auto nHops = static_cast<std::size_t>(tail >> PATH_BITS);
    const bool hasRoom = nHops < INT_MAX_HOPS;
    if (hasRoom)
    {
        EncodeHop(hop, &bytes[HOP_SIZE * nHops]);
    }
    const std::size_t counted = std::min<std::size_t>(nHops + 1, INT_MAX_COUNT);
    store_big_u16(&bytes[TAIL],
                  static_cast<uint16_t>(counted << PATH_BITS | ((tail ^ switchId) & PATH_MASK)));
    return hasRoom;
}

} // namespace ns3::aidc

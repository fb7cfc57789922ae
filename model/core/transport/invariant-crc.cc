// SPDX-License-Identifier: GPL-2.0-only

#include "invariant-crc.h"

#include "../ipv4-bytes.h"

#include <array>
#include <boost/endian/conversion.hpp>

namespace ns3::aidc
{

namespace
{

using boost::endian::load_little_u32;

constexpr uint32_t POLYNOMIAL = 0xedb88320; //!< of IEEE 802.3, section 3.2.9, reflected

/// The register after the 8 bytes of ones that come first.
constexpr uint32_t SEED = 0xdebb20e3;

constexpr std::size_t UDP_CHECKSUM = 20 + 6;        //!< offset of the checksum of UDP
constexpr std::size_t CONGESTION_BYTE = 20 + 8 + 4; //!< offset of FECN and BECN

/// Words of the headers that every packet has.
constexpr std::size_t N_WORDS = INVARIANT_CRC_MIN_HEADERS / 4;

/// @return for each word, its first byte the least significant, ones where it counts as ones
constexpr std::array<uint32_t, N_WORDS>
MakeMasks()
{
    std::array<uint32_t, N_WORDS> masks{};
    for (const std::size_t offset : {Ipv4Offset::TOS,
                                     Ipv4Offset::TTL,
                                     Ipv4Offset::CHECKSUM,
                                     Ipv4Offset::CHECKSUM + 1,
                                     UDP_CHECKSUM,
                                     UDP_CHECKSUM + 1,
                                     CONGESTION_BYTE})
    {
        masks[offset / 4] |= uint32_t{0xff} << (8 * (offset % 4));
    }
    return masks;
}

/// What of the headers counts as ones.
constexpr std::array<uint32_t, N_WORDS> MASKS = MakeMasks();

/// Bytes that the register is advanced over in one step; a packet's first headers are a multiple.
constexpr std::size_t SLICE = 8;

/// What a byte adds to the register, if so many others follow it in a slice.
using SliceTables = std::array<std::array<uint32_t, 256>, SLICE>;

/// @return the tables for bytes
constexpr SliceTables
MakeSliceTables()
{
    SliceTables tables{};
    for (uint32_t byte = 0; byte < 256; ++byte)
    {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit)
        {
            crc = (crc >> 1) ^ (crc % 2 == 1 ? POLYNOMIAL : 0);
        }
        tables[0][byte] = crc;
    }
    for (std::size_t k = 1; k < SLICE; ++k)
    {
        for (std::size_t byte = 0; byte < 256; ++byte)
        {
            const uint32_t before = tables[k - 1][byte];
            tables[k][byte] = (before >> 8) ^ tables[0][before & 0xff];
        }
    }
    return tables;
}

/// What bytes add to the register.
constexpr SliceTables SLICES = MakeSliceTables();

/// low: the first four bytes, the first one least significant. @return the register after them
inline uint32_t
AdvanceOverSlice(uint32_t crc, uint32_t low, uint32_t high)
{
    low ^= crc;
    return SLICES[7][low & 0xff] ^ SLICES[6][(low >> 8) & 0xff] ^ SLICES[5][(low >> 16) & 0xff] ^
           SLICES[4][low >> 24] ^ SLICES[3][high & 0xff] ^ SLICES[2][(high >> 8) & 0xff] ^
           SLICES[1][(high >> 16) & 0xff] ^ SLICES[0][high >> 24];
}

/// What zeros make of the register, which is linear: of each of its eight nibbles.
using NibbleTables = std::array<std::array<uint32_t, 16>, 8>;

/// Apply a linear function to the register. @return the register then
constexpr uint32_t
Apply(const NibbleTables& tables, uint32_t crc)
{
    uint32_t result = 0;
    for (std::size_t i = 0; i < tables.size(); ++i)
    {
        result ^= tables[i][(crc >> (4 * i)) & 0xf];
    }
    return result;
}

/// What zeros make of the register, by the hexadecimal digits of their number, the last one first.
using ZeroTables = std::array<std::array<NibbleTables, 15>, 8>;

constexpr ZeroTables
MakeZeroTables()
{
    ZeroTables digits{};
    for (std::size_t k = 0; k < digits.size(); ++k)
    {
        // One of a digit is 15 and one of the digit after it.
        const NibbleTables& one = k == 0 ? digits[0][0] : digits[k - 1][0];
        for (std::size_t n = 0; n < digits[k].size(); ++n)
        {
            const NibbleTables& before = n > 0 ? digits[k][n - 1] : digits[k > 0 ? k - 1 : 0][14];
            const NibbleTables& step = n > 0 ? digits[k][0] : one;
            for (std::size_t i = 0; i < 8; ++i)
            {
                for (uint32_t nibble = 0; nibble < 16; ++nibble)
                {
                    const uint32_t crc = nibble << (4 * i);
                    digits[k][n][i][nibble] = k == 0 && n == 0 ? (crc >> 8) ^ SLICES[0][crc & 0xff]
                                                               : Apply(step, before[i][nibble]);
                }
            }
        }
    }
    return digits;
}

/// What zeros make of the register.
constexpr ZeroTables ZEROS = MakeZeroTables();

} // namespace

uint32_t
AdvanceCrc32(uint32_t crc, const uint8_t* bytes, std::size_t nBytes)
{
    for (; nBytes >= SLICE; nBytes -= SLICE, bytes += SLICE)
    {
        crc = AdvanceOverSlice(crc, load_little_u32(bytes), load_little_u32(bytes + 4));
    }
    if (nBytes >= 4)
    {
        // Headers end at a multiple of four.
        const uint32_t word = crc ^ load_little_u32(bytes);
        crc = SLICES[3][word & 0xff] ^ SLICES[2][(word >> 8) & 0xff] ^
              SLICES[1][(word >> 16) & 0xff] ^ SLICES[0][word >> 24];
        nBytes -= 4;
        bytes += 4;
    }
    for (; nBytes > 0; --nBytes, ++bytes)
    {
        crc = (crc >> 8) ^ SLICES[0][(crc ^ *bytes) & 0xff];
    }
    return crc;
}

uint32_t
AdvanceCrc32OverZeros(uint32_t crc, uint32_t nBytes)
{
    for (std::size_t k = 0; nBytes > 0; ++k, nBytes >>= 4)
    {
        if (const uint32_t digit = nBytes & 0xf; digit > 0)
        {
            crc = Apply(ZEROS[k][digit - 1], crc);
        }
    }
    return crc;
}

uint32_t
ComputeInvariantCrc(const uint8_t* bytes, std::size_t nBytes, uint32_t nZeros, std::size_t nLeftOut)
{
    uint32_t crc = SEED;
    for (std::size_t i = 0; i < N_WORDS; i += 2, bytes += SLICE)
    {
        crc = AdvanceOverSlice(crc,
                               load_little_u32(bytes) | MASKS[i],
                               load_little_u32(bytes + 4) | MASKS[i + 1]);
    }
    crc = AdvanceCrc32(crc, bytes + nLeftOut, nBytes - INVARIANT_CRC_MIN_HEADERS - nLeftOut);
    return ~AdvanceCrc32OverZeros(crc, nZeros);
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ipv4-bytes.h"

#include <boost/endian/conversion.hpp>

namespace ns3::aidc
{

uint16_t
SumInternetWords(const uint8_t* bytes, std::size_t size, uint64_t sum)
{
    for (std::size_t i = 0; i + 1 < size; i += 2)
    {
        sum += boost::endian::load_big_u16(bytes + i);
    }
    if (size % 2 == 1)
    {
        sum += uint32_t{bytes[size - 1]} << 8;
    }
    while (sum >> 16 != 0)
    {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return static_cast<uint16_t>(sum);
}

uint16_t
SumIpv4Words(const Ipv4Bytes& bytes)
{
    return SumInternetWords(bytes.data(), bytes.size());
}

void
SetIpv4Checksum(Ipv4Bytes& bytes)
{
    uint8_t* checksum = &bytes[Ipv4Offset::CHECKSUM];
    boost::endian::store_big_u16(checksum, 0);
    boost::endian::store_big_u16(checksum, static_cast<uint16_t>(~SumIpv4Words(bytes)));
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gre-header.h"

#include "protocol-numbers.h"

#include <boost/endian/conversion.hpp>

namespace ns3::aidc
{

std::size_t
GetGreHeaderSize(const uint8_t* bytes, std::size_t size)
{
    if (size < GreHeader::SIZE)
    {
        return 0;
    }
    const uint16_t flags = boost::endian::load_big_u16(bytes);
    const uint16_t type = boost::endian::load_big_u16(bytes + GreHeader::PROTOCOL_TYPE);
    if ((flags & GreHeader::MUST_BE_ZERO) != 0 || type != ETHERTYPE_IPV4)
    {
        return 0;
    }
    const auto getSize = [flags](uint16_t flag) {
        return (flags & flag) != 0 ? GreHeader::FIELD_SIZE : 0;
    };
    const std::size_t headerSize = GreHeader::SIZE + getSize(GreHeader::CHECKSUM_PRESENT) +
                                   getSize(GreHeader::KEY_PRESENT) +
                                   getSize(GreHeader::SEQUENCE_PRESENT);
    return headerSize <= size ? headerSize : 0;
}

} // namespace ns3::aidc

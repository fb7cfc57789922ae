/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-attribute-encoder.h"

#include "bgp-attribute-table.h"

#include <cstddef>
#include <cstdint>

namespace ns3::aidc
{

namespace
{

/// The flags of attributes that are passed on without being known
constexpr uint8_t UNKNOWN_FLAGS =
    BgpAttributeFlag::OPTIONAL | BgpAttributeFlag::TRANSITIVE | BgpAttributeFlag::PARTIAL;

/// Begin an attribute, whose value is appended from now on. @return where it begins
std::size_t
BeginAttribute(BgpBytes& bytes, uint8_t flags, uint8_t type)
{
    bytes.insert(bytes.end(), {flags, type, 0});
    return bytes.size() - 3;
}

/// End an attribute: its length is known now. bytes: what ends with its value.
void
EndAttribute(BgpBytes& bytes, std::size_t begin)
{
    const std::size_t length = bytes.size() - begin - 3;
    bytes[begin + 2] = static_cast<uint8_t>(length);
    if (length > 0xff)
    {
        bytes[begin] |= BgpAttributeFlag::EXTENDED_LENGTH;
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(begin) + 2,
                     static_cast<uint8_t>(length >> 8));
    }
}

} // namespace

void
EncodeBgpPathAttributes(BgpBytes& bytes,
                        const BgpPathAttributes& attributes,
                        const BgpSessionTerms& terms)
{
    auto unknown = attributes.unknown.begin();
    const auto appendUnknownBelow = [&](uint32_t type) {
        for (; unknown != attributes.unknown.end() && unknown->type < type; ++unknown)
        {
            const std::size_t begin = BeginAttribute(bytes, UNKNOWN_FLAGS, unknown->type);
            AppendBgpBytes(bytes, unknown->value);
            EndAttribute(bytes, begin);
        }
    };
    for (const BgpAttribute& attribute : GetBgpAttributes())
    {
        if (!attribute.encode || !attribute.IsFor(terms))
        {
            continue;
        }
        const auto type = static_cast<uint8_t>(attribute.type);
        appendUnknownBelow(type);
        const bool isPartial = (attributes.partial >> type & 1) != 0;
        const std::size_t begin =
            BeginAttribute(bytes,
                           attribute.flags | (isPartial ? BgpAttributeFlag::PARTIAL : 0),
                           type);
        if (attribute.encode(bytes, attributes, terms))
        {
            EndAttribute(bytes, begin);
        }
        else
        {
            bytes.resize(begin);
        }
    }
    appendUnknownBelow(256);
}

} // namespace ns3::aidc

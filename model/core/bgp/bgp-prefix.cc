// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-prefix.h"

#include <algorithm>
#include <iterator>

namespace ns3::aidc
{

std::ostream&
operator<<(std::ostream& os, const BgpPrefix& prefix)
{
    for (int shift = 24; shift >= 0; shift -= 8)
    {
        os << (prefix.network >> shift & 0xff) << (shift > 0 ? "." : "/");
    }
    return os << +prefix.length;
}

BgpPrefix
MakeBgpPrefix(uint32_t address, uint8_t length)
{
    return {length == 0 ? 0 : address & ~uint32_t{0} << (32 - length), length};
}

bool
IsBgpMartian(const BgpPrefix& prefix)
{
    static constexpr BgpPrefix MARTIANS[] = {{0x00000000, 8},
                                             {0x7f000000, 8},
                                             {0xe0000000, 4},
                                             {0xf0000000, 4}};
    return std::any_of(std::begin(MARTIANS), std::end(MARTIANS), [&prefix](const BgpPrefix& one) {
        return prefix.length >= one.length &&
               (prefix.network ^ one.network) >> (32 - one.length) == 0;
    });
}

void
EncodeBgpPrefix(BgpBytes& bytes, const BgpPrefix& prefix)
{
    bytes.push_back(prefix.length);
    for (uint32_t bit = 0; bit < prefix.length; bit += 8)
    {
        bytes.push_back(static_cast<uint8_t>(prefix.network >> (24 - bit)));
    }
}

bool
DecodeBgpPrefixes(BgpReader bytes, std::vector<BgpPrefix>& prefixes)
{
    while (bytes.GetSize() > 0)
    {
        const auto length = bytes.Read<uint8_t>();
        const std::size_t nBytes = (length + 7U) / 8U;
        if (length > 32 || nBytes > bytes.GetSize())
        {
            return false;
        }
        uint32_t address = 0;
        for (std::size_t i = 0; i < nBytes; ++i)
        {
            address |= static_cast<uint32_t>(bytes.Read<uint8_t>()) << (24 - 8 * i);
        }
        prefixes.push_back(MakeBgpPrefix(address, length));
    }
    return true;
}

} // namespace ns3::aidc

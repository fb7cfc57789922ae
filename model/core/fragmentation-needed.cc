// SPDX-License-Identifier: GPL-2.0-only

#include "fragmentation-needed.h"

#include "protocol-numbers.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <iterator>

namespace ns3::aidc
{

namespace
{

using boost::endian::load_big_u16;
using boost::endian::load_big_u32;
using boost::endian::store_big_u16;

constexpr uint8_t DESTINATION_UNREACHABLE = 3; //!< the type
constexpr uint8_t FRAGMENTATION_NEEDED = 4;    //!< the code
constexpr std::size_t CHECKSUM = 2;            //!< where the checksum is
constexpr std::size_t NEXT_HOP_MTU = 6;        //!< where the MTU is
constexpr std::size_t QUOTED = 8;              //!< where the packet's header is

/// MTUs that links have (RFC 1191, table 7-1).
constexpr uint32_t PLATEAUS[] = {65535, 32000, 17914, 8166, 4352, 2002, 1492, 1006, 508, 296, 68};

} // namespace

std::array<uint8_t, FragmentationNeeded::SIZE>
EncodeFragmentationNeeded(const FragmentationNeeded& message)
{
    std::array<uint8_t, FragmentationNeeded::SIZE> bytes{};
    bytes[0] = DESTINATION_UNREACHABLE;
    bytes[1] = FRAGMENTATION_NEEDED;
    store_big_u16(&bytes[NEXT_HOP_MTU], message.mtu);
    const auto behind = std::copy(message.quoted.begin(), message.quoted.end(), &bytes[QUOTED]);
    std::copy(message.behind.begin(), message.behind.end(), behind);
    store_big_u16(&bytes[CHECKSUM],
                  static_cast<uint16_t>(~SumInternetWords(bytes.data(), bytes.size())));
    return bytes;
}

std::optional<FragmentationNeeded>
DecodeFragmentationNeeded(const uint8_t* bytes, std::size_t size, bool hasChecksum)
{
    if (size < FragmentationNeeded::SIZE || bytes[0] != DESTINATION_UNREACHABLE ||
        bytes[1] != FRAGMENTATION_NEEDED || bytes[QUOTED] != IPV4_PLAIN_VERSION)
    {
        return std::nullopt;
    }
    // Routers may quote more than 8 bytes (RFC 1812, section 4.3.2.3), an odd number, too.
    if (hasChecksum && SumInternetWords(bytes, size) != 0xffff)
    {
        return std::nullopt;
    }
    FragmentationNeeded message;
    message.mtu = load_big_u16(bytes + NEXT_HOP_MTU);
    std::copy_n(bytes + QUOTED, message.quoted.size(), message.quoted.begin());
    std::copy_n(bytes + QUOTED + message.quoted.size(),
                message.behind.size(),
                message.behind.begin());
    return message;
}

uint32_t
GetPathMtu(const FragmentationNeeded& message)
{
    const uint32_t length = GetIpv4Length(message.quoted);
    uint32_t mtu = message.mtu;
    if (mtu == 0)
    {
        const auto* plateau =
            std::find_if(std::begin(PLATEAUS), std::end(PLATEAUS), [length](uint32_t candidate) {
                return candidate < length;
            });
        mtu = plateau != std::end(PLATEAUS) ? *plateau : length;
    }
    mtu = std::max(mtu, MIN_IPV4_MTU);
    return mtu < length ? mtu : 0;
}

bool
MayCauseIcmpError(const Ipv4Bytes& header, uint8_t behind)
{
    constexpr uint16_t OFFSET = 0x1fff;
    if ((load_big_u16(&header[Ipv4Offset::FRAGMENT]) & OFFSET) != 0)
    {
        return false;
    }
    // Unreachable, source quench, redirect, time exceeded, parameter problem (RFC 792)
    const uint8_t errors[] = {3, 4, 5, 11, 12};
    if (header[Ipv4Offset::PROTOCOL] == PROTOCOL_ICMP &&
        std::find(std::begin(errors), std::end(errors), behind) != std::end(errors))
    {
        return false;
    }
    const uint8_t network = header[Ipv4Offset::SOURCE];
    constexpr uint8_t LOOPBACK = 127;
    constexpr uint8_t MULTICAST = 224; // and what is above: reserved and broadcast
    return network != 0 && network != LOOPBACK && network < MULTICAST;
}

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_LINK_ADDRESS_H
#define AIDC_LINK_ADDRESS_H

#include "ns3/ipv4-address.h"
#include "ns3/mac48-address.h"

#include <cstdint>

namespace ns3::aidc
{

/// The networks of MakeLinkAddress(): the links of fabrics.
constexpr uint8_t FABRIC_LINKS = 0;
/// The links between routers of a WAN.
constexpr uint8_t ROUTER_LINKS = 1;
/// The links of the first data center to a WAN; the other data centers have the next numbers.
constexpr uint8_t BORDER_LINKS = 2;

/// Make the address of a device by its place in a plan, so that each process (MpiProcesses)
/// gives it the same.
/// @param network the network of the plan's links, as above
/// @param number the number of the device: twice its link's number, and 1 more for the second end
/// @return a locally administered address
inline Mac48Address
MakeLinkAddress(uint8_t network, uint32_t number)
{
    uint8_t bytes[6] = {0x02, network};
    for (uint32_t i = 2; i < 6; ++i)
    {
        bytes[i] = static_cast<uint8_t>(number >> 8 * (5 - i));
    }
    Mac48Address address;
    address.CopyFrom(bytes);
    return address;
}

/// @param length the length of a prefix, from 0 to 32
/// @return its mask
inline Ipv4Mask
MakeMask(uint8_t length)
{
    return Ipv4Mask(length == 0 ? 0 : 0xffffffffU << (32 - length));
}

} // namespace ns3::aidc

#endif // AIDC_LINK_ADDRESS_H

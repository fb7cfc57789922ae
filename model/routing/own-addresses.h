/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_OWN_ADDRESSES_H
#define AIDC_OWN_ADDRESSES_H

#include "ns3/ipv4-address.h"
#include "ns3/ipv4.h"

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// The addresses of a node: which packets may be for it, and where its own come from.
class OwnAddresses
{
  public:
    /// Find all addresses of a node. @param ipv4 the protocol stack
    void Update(const Ipv4& ipv4);

    /// Tell whether a packet may be for the node. @param destination where it goes, in host byte
    /// order @return true if it is one of the node's addresses or a broadcast
    bool MayBe(uint32_t destination) const
    {
        return destination == BROADCAST ||
               (m_hashes.test(Hash(destination)) &&
                std::binary_search(m_addresses.begin(), m_addresses.end(), destination));
    }

    /// Get the source address of a packet that the node sends. ipv4: the protocol stack; interface:
    /// the outgoing interface. @return the address
    Ipv4Address GetSource(Ipv4& ipv4, uint32_t interface, Ipv4Address destination) const
    {
        return ipv4.GetNAddresses(interface) == 0
                   ? m_routerId
                   : ipv4.SourceAddressSelection(interface, destination);
    }

  private:
    static constexpr uint32_t BROADCAST = 0xffffffff; //!< 255.255.255.255

    /// Hash an address. @return a number from 0 to 255
    static constexpr std::size_t Hash(uint32_t address)
    {
        return (address * 0x9e3779b1U) >> 24; // 2^32 over the golden ratio
    }

    std::bitset<256> m_hashes;         //!< hashes of the addresses, to rule most others out
    std::vector<uint32_t> m_addresses; //!< ascending, with those of broadcasts
    /// Source at ports without an address
    Ipv4Address m_routerId{Ipv4Address::GetAny()};
};

} // namespace ns3::aidc

#endif // AIDC_OWN_ADDRESSES_H

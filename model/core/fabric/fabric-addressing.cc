/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-addressing.h"

#include <stdexcept>
#include <string>

namespace ns3::aidc
{

namespace
{

constexpr uint32_t HOST_BITS = 8;         //!< bits of a host, where everything fits
constexpr uint32_t MAX_LEAF_LENGTH = 24;  //!< what leaves a host that many bits
constexpr uint32_t MAX_SPINE_LENGTH = 30; //!< what leaves two addresses to be used

/// Get the number of bits that can number some things. @param n how many things, at least 1
/// @return the smallest number of bits b with 2^b >= n
uint32_t
BitsFor(uint64_t n)
{
    uint32_t bits = 0;
    while ((uint64_t{1} << bits) < n)
    {
        ++bits;
    }
    return bits;
}

/// Check a network. maxLength: how long it may be. @throws std::invalid_argument if it is longer,
/// or has bits after its length
void
CheckNetwork(const FabricPrefix& prefix, uint32_t maxLength)
{
    if (prefix.length == 0 || prefix.length > maxLength ||
        (prefix.network & (0xffffffffU >> prefix.length)) != 0)
    {
        throw std::invalid_argument("expected a network of 1 to " + std::to_string(maxLength) +
                                    " bits and zeros behind them, found " +
                                    std::to_string(prefix.network) + "/" +
                                    std::to_string(prefix.length));
    }
}

} // namespace

FabricAddressing::FabricAddressing(const Sizes& sizes)
    : m_networks(sizes.networks)
{
    CheckNetwork(m_networks.leaves, MAX_LEAF_LENGTH);
    CheckNetwork(m_networks.spines, MAX_SPINE_LENGTH);
    const uint32_t freeBits = 32U - m_networks.leaves.length;
    m_podBits = sizes.isLeafAPod ? freeBits - HOST_BITS : (freeBits - HOST_BITS) / 2;
    m_leafBits = sizes.isLeafAPod ? 0 : m_podBits;
    const uint32_t podBits = BitsFor(sizes.nPods);
    const uint32_t leafBits = BitsFor(sizes.nLeaves);
    // All-zeros, the leaf and all-ones are not hosts'.
    const uint32_t hostBits = BitsFor(uint64_t{sizes.nHosts} + 3);
    if (podBits > m_podBits || leafBits > m_leafBits || hostBits > HOST_BITS)
    {
        m_podBits = podBits;
        m_leafBits = leafBits;
    }
    if (m_podBits + m_leafBits + hostBits > freeBits)
    {
        throw std::invalid_argument("expected a fabric that " + std::to_string(freeBits) +
                                    " bits of address can number, found " +
                                    std::to_string(sizes.nPods) + " pods of up to " +
                                    std::to_string(sizes.nLeaves) + " leaves with up to " +
                                    std::to_string(sizes.nHosts) + " hosts");
    }
    // All-zeros and all-ones are nobody's.
    const uint32_t maxSpines = (0xffffffffU >> m_networks.spines.length) - 1;
    if (sizes.nSpines > maxSpines)
    {
        throw std::invalid_argument("expected at most " + std::to_string(maxSpines) +
                                    " spines and super-spines, found " +
                                    std::to_string(sizes.nSpines));
    }
}

FabricPrefix
FabricAddressing::GetPodPrefix(uint32_t pod) const
{
    const uint32_t length = m_networks.leaves.length + m_podBits;
    return {m_networks.leaves.network | (pod << (32 - length)), static_cast<uint8_t>(length)};
}

FabricPrefix
FabricAddressing::GetLeafPrefix(uint32_t pod, uint32_t leaf) const
{
    const uint32_t length = m_networks.leaves.length + m_podBits + m_leafBits;
    return {GetPodPrefix(pod).network | (leaf << (32 - length)), static_cast<uint8_t>(length)};
}

} // namespace ns3::aidc

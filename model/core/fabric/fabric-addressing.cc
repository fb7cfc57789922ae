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

constexpr uint32_t LEAF_NETWORK = 0x0a000000;   //!< 10.0.0.0/8, of leaves and hosts
constexpr uint32_t LEAF_NETWORK_LENGTH = 8;     //!< its length
constexpr uint32_t SPINE_NETWORK = 0xac100000;  //!< 172.16.0.0/12, of spines and super-spines
constexpr uint32_t MAX_SPINES = (1U << 20) - 2; //!< its addresses, all-zeros and all-ones apart

/**
 * @brief Get the number of bits that can number some things.
 * @param n how many things, at least 1
 * @return the smallest number of bits b with 2^b >= n
 */
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

} // namespace

FabricAddressing::FabricAddressing(const Sizes& sizes)
    : m_podBits(sizes.isLeafAPod ? 16 : 8),
      m_leafBits(sizes.isLeafAPod ? 0 : 8)
{
    const uint32_t podBits = BitsFor(sizes.nPods);
    const uint32_t leafBits = BitsFor(sizes.nLeaves);
    // All-zeros, the leaf and all-ones are not hosts'.
    const uint32_t hostBits = BitsFor(uint64_t{sizes.nHosts} + 3);
    if (podBits > m_podBits || leafBits > m_leafBits || hostBits > 8)
    {
        m_podBits = podBits;
        m_leafBits = leafBits;
    }
    if (LEAF_NETWORK_LENGTH + m_podBits + m_leafBits + hostBits > 32)
    {
        throw std::invalid_argument("expected a fabric that 24 bits of address can number, found " +
                                    std::to_string(sizes.nPods) + " pods of up to " +
                                    std::to_string(sizes.nLeaves) + " leaves with up to " +
                                    std::to_string(sizes.nHosts) + " hosts");
    }
    if (sizes.nSpines > MAX_SPINES)
    {
        throw std::invalid_argument("expected at most " + std::to_string(MAX_SPINES) +
                                    " spines and super-spines, found " +
                                    std::to_string(sizes.nSpines));
    }
}

FabricPrefix
FabricAddressing::GetPodPrefix(uint32_t pod) const
{
    const uint32_t length = LEAF_NETWORK_LENGTH + m_podBits;
    return {LEAF_NETWORK | (pod << (32 - length)), static_cast<uint8_t>(length)};
}

FabricPrefix
FabricAddressing::GetLeafPrefix(uint32_t pod, uint32_t leaf) const
{
    const uint32_t length = LEAF_NETWORK_LENGTH + m_podBits + m_leafBits;
    return {GetPodPrefix(pod).network | (leaf << (32 - length)), static_cast<uint8_t>(length)};
}

uint32_t
FabricAddressing::GetSpineAddress(uint32_t number)
{
    return SPINE_NETWORK + 1 + number;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-link-addresses.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3::aidc
{

namespace
{

/// Write a prefix. @return such as 100.64.0.0/10
std::string
Print(const FabricPrefix& prefix)
{
    std::string text;
    for (const uint32_t shift : {24, 16, 8, 0})
    {
        text += std::to_string(prefix.network >> shift & 0xff) + (shift > 0 ? "." : "/");
    }
    return text + std::to_string(prefix.length);
}

/// Tell whether two prefixes share addresses.
bool
Overlap(const FabricPrefix& a, const FabricPrefix& b)
{
    const uint32_t length = std::min(a.length, b.length);
    return length == 0 || (a.network ^ b.network) >> (32 - length) == 0;
}

} // namespace

FabricLinkAddresses::FabricLinkAddresses(const FabricPlan& fabric,
                                         const FabricPrefix& network,
                                         bool hasHosts)
    : m_fabric(fabric),
      m_first(fabric.GetLinks().size())
{
    if (network.length == 0 || network.length > 31 ||
        (network.network & (0xffffffffU >> network.length)) != 0)
    {
        throw std::invalid_argument(
            "expected a network of 1 to 31 bits for links, and zeros behind them, found " +
            Print(network));
    }
    for (const FabricPrefix& other : {fabric.GetNetworks().leaves, fabric.GetNetworks().spines})
    {
        if (Overlap(network, other))
        {
            throw std::invalid_argument("expected a network for links apart from " + Print(other) +
                                        ", found " + Print(network));
        }
    }
    const auto has = [&fabric, hasHosts](NodeIndex node) {
        return fabric.IsSwitch(node) || (hasHosts && fabric.HasSeveralLinks(node));
    };
    for (LinkIndex link; link < fabric.GetLinks().GetEnd(); ++link)
    {
        if (has(fabric.GetLinks()[link].a) && has(fabric.GetLinks()[link].b))
        {
            m_first[link] = network.network + 2 * static_cast<uint32_t>(m_links.size());
            m_links.push_back(link);
        }
    }
    const uint64_t capacity = uint64_t{1} << (31U - network.length);
    if (m_links.size() > capacity)
    {
        throw std::invalid_argument("expected a network for " + std::to_string(m_links.size()) +
                                    " links, found " + Print(network) + " for " +
                                    std::to_string(capacity));
    }
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FABRIC_LINK_ADDRESSES_H
#define AIDC_FABRIC_LINK_ADDRESSES_H

#include "fabric-plan.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Addresses of the ends of links between switches, for protocols that need them: a prefix of
 *        31 bits for each link (RFC 3021), one after the other. Links of hosts with several links
 *        may have some, too.
 *
 * The lower address is that of the node FabricLink::a.
 */
class FabricLinkAddresses
{
  public:
    /// The default network: the shared address space (RFC 6598), for 2,097,152 links.
    static constexpr FabricPrefix DEFAULT_NETWORK{0x64400000, 10};

    /// Constructor.
    /// @param fabric a finished fabric, which must live as long as this object
    /// @param network the network of the addresses
    /// @param hasHosts whether links of hosts with several links have addresses
    /// @throws std::invalid_argument if the network is no prefix, has not enough addresses, or
    ///        shares some with the networks of the fabric
    explicit FabricLinkAddresses(const FabricPlan& fabric,
                                 const FabricPrefix& network = DEFAULT_NETWORK,
                                 bool hasHosts = false);

    /// No constructor from a fabric that will not live as long.
    explicit FabricLinkAddresses(FabricPlan&&,
                                 const FabricPrefix& = DEFAULT_NETWORK,
                                 bool = false) = delete;

    /// @return the links that have addresses, ascending
    const std::vector<LinkIndex>& GetLinks() const
    {
        return m_links;
    }

    /// @param link the link, which has addresses
    /// @param node the node at this end
    /// @return the address, in host byte order
    uint32_t GetAddress(LinkIndex link, NodeIndex node) const
    {
        return m_first[link] + (m_fabric.GetLinks()[link].a == node ? 0 : 1);
    }

  private:
    const FabricPlan& m_fabric;                 //!< the plan
    std::vector<LinkIndex> m_links;             //!< the links that have addresses
    IndexedVector<LinkIndex, uint32_t> m_first; //!< the lower address of each of them
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_LINK_ADDRESSES_H

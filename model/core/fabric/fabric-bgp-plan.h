// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FABRIC_BGP_PLAN_H
#define AIDC_FABRIC_BGP_PLAN_H

#include "fabric-plan.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// The first of the AS numbers of four octets for private use (RFC 6996, section 5).
inline constexpr uint32_t FIRST_PRIVATE_AS = 4200000000;
/// The last of these AS numbers.
inline constexpr uint32_t LAST_PRIVATE_AS = 4294967294;
/// The AS of all hosts that speak BGP, which announce no routes: the last one of two octets for
/// private use.
inline constexpr uint32_t FABRIC_HOST_AS = 65534;

/// The AS numbers of the switches of a FabricPlan (RFC 7938, section 5.2.1).
///
/// All super-spines share an AS, the spines of a pod share one, and each leaf has its own. Without
/// super-spines, all spines share one. So a route passes at most one super-spine, and at most one
/// spine of each pod: BGP's loop detection rejects paths that go down and up again.
///
/// Numbers ascend from the first one: the top tier's number, then the numbers of the pods' spines,
/// then the numbers of the leaves in the order of FabricPlan::GetLeaves().
class FabricAsPlan
{
  public:
    /// Constructor.
    /// @param fabric a finished fabric
    /// @param first the first AS number, from FIRST_PRIVATE_AS on; fabrics that are to be connected
    ///        have ranges of their own
    /// @throws std::invalid_argument if numbers would not be of four octets and for private use, or
    ///        if a link connects two switches of one AS, as in no Clos network
    explicit FabricAsPlan(const FabricPlan& fabric, uint32_t first = FIRST_PRIVATE_AS);

    /// @param node the switch or host
    /// @return its AS; FABRIC_HOST_AS of a host
    uint32_t GetAs(NodeIndex node) const
    {
        return m_numbers[node];
    }

  private:
    IndexedVector<NodeIndex, uint32_t> m_numbers; //!< by node
};

/// Addresses of the ends of links between switches, for protocols that need them: a prefix of
/// 31 bits for each link (RFC 3021), one after the other. Links of hosts with several links may
/// have addresses, too.
///
/// The node FabricLink::a has the lower address.
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
    IndexedVector<LinkIndex, uint32_t> m_first; //!< the lower address of each link
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_BGP_PLAN_H

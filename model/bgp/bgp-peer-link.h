/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_PEER_LINK_H
#define AIDC_BGP_PEER_LINK_H

#include "ns3/ipv4-address.h"
#include "ns3/ipv4.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief The link to a peer of BGP: the interface on whose network the peer is, and whether it is
 *        up.
 *
 * A peer that is several hops away has no link. Its link counts as up, and no address is on it.
 */
class BgpPeerLink
{
  public:
    /// Constructor for no link.
    BgpPeerLink() = default;

    /// Constructor, which looks for the interface. ipv4: the node's IPv4; peer: the peer's address.
    BgpPeerLink(Ptr<Ipv4> ipv4, Ipv4Address peer);

    /// @return the index of the interface, -1 if there is no link
    int32_t GetInterface() const
    {
        return m_interface;
    }

    /// @return the node's address on the link, Ipv4Address::GetAny() if there is no link
    Ipv4Address GetLocalAddress() const
    {
        return m_localAddress;
    }

    /// Tell whether an address is on the link. @return whether it is on a network of the interface
    bool HasAddress(Ipv4Address address) const;

    /// @return whether the interface and its device were up at the last Update()
    bool IsUp() const
    {
        return m_isUp;
    }

    /// Check whether the interface and its device are up. @return whether this has changed
    bool Update();

  private:
    Ptr<Ipv4> m_ipv4;           //!< the node's IPv4, null if there is no link
    int32_t m_interface{-1};    //!< the index of the interface
    Ipv4Address m_localAddress; //!< the node's address on the link
    bool m_isUp{true};          //!< interface and device are up
};

} // namespace ns3::aidc

#endif // AIDC_BGP_PEER_LINK_H

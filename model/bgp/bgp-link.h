// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_LINK_H
#define AIDC_BGP_LINK_H

#include "ns3/ipv4-address.h"
#include "ns3/ipv4.h"
#include "ns3/multipath-routing.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <functional>

namespace ns3::aidc
{

/// The link to a peer of BGP: the interface on whose network the peer is, and whether it is up.
///
/// A peer that is several hops away has no link. Its link counts as up, and no address is on it.
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

/// Watches the interfaces and links of a node, and calls back when one of them may have gone
/// up or down.
///
/// The call is a separate event of the node, once for all changes of one time, because the object
/// that reports a change may not have finished it.
class BgpLinkWatcher : public SimpleRefCount<BgpLinkWatcher>
{
  public:
    /// Constructor of a watcher that is not active.
    BgpLinkWatcher(uint32_t node, std::function<void()> check);

    /// Start to watch. ipv4: the node's IPv4; routing: reports changes of interfaces, null if the
    /// node has no MultipathRouting.
    void Watch(Ptr<Ipv4> ipv4, Ptr<MultipathRouting> routing);

    /// Set whether changes count. @param isActive whether they count; while they do not, a call
    /// that is due is not made @return whether they counted before
    bool SetActive(bool isActive);

  private:
    /// Note that an interface or a link may have changed.
    void Notify();

    uint32_t m_node;               //!< the number of the node
    std::function<void()> m_check; //!< is called
    bool m_isActive{false};        //!< changes count
    bool m_isDue{false};           //!< the call is scheduled
};

} // namespace ns3::aidc

#endif // AIDC_BGP_LINK_H

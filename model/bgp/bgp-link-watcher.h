/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_LINK_WATCHER_H
#define AIDC_BGP_LINK_WATCHER_H

#include "ns3/ipv4.h"
#include "ns3/multipath-routing.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <functional>

namespace ns3::aidc
{

/**
 * @brief Watches the interfaces and links of a node, and calls back when one of them may have gone
 *        up or down.
 *
 * The call is a separate event of the node, once for all changes of one time, because the object
 * that reports a change may not have finished it.
 */
class BgpLinkWatcher : public SimpleRefCount<BgpLinkWatcher>
{
  public:
    /// Constructor of a watcher that is not active.
    BgpLinkWatcher(uint32_t node, std::function<void()> check);

    /// Start to watch. ipv4: the node's IPv4; routing: reports changes of interfaces, null if the
    /// node has no MultipathRouting.
    void Watch(Ptr<Ipv4> ipv4, Ptr<MultipathRouting> routing);

    /// Set whether changes count. @param isActive whether they do; a call that is due is not made
    /// while they do not @return whether they did before
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

#endif // AIDC_BGP_LINK_WATCHER_H

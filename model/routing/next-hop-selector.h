/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_NEXT_HOP_SELECTOR_H
#define AIDC_NEXT_HOP_SELECTOR_H

#include "next-hop-group.h"

#include "ns3/flow-key.h"
#include "ns3/ipv4.h"
#include "ns3/object.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Chooses among the next hops of a MultipathRouting.
 *
 * A selector serves one MultipathRouting. It is asked for groups of several members, even while
 * only one of them can be used, so that its memory of a flow follows.
 */
class NextHopSelector : public Object
{
  public:
    /// @return the type ID
    static TypeId GetTypeId();

    /// Choose a next hop for a packet.
    /// @param group the next hops, of which at least one is usable
    /// @param key the flow of the packet
    /// @return the index of a usable member
    virtual uint32_t Select(NextHopGroup& group, const FlowKey& key) = 0;

    /// Note that a group is new, or that a member's weight or state has changed.
    /// @param group the group
    virtual void NotifyGroup(NextHopGroup& group);

    /// Note which protocol stack the routing serves.
    /// @param ipv4 the stack; its node gives the hash its seed
    virtual void SetIpv4(Ptr<Ipv4> ipv4);

    /// Note that an interface has gone up or down, after the groups were told.
    /// @param interface the index of the interface
    /// @param isUp whether it is up
    virtual void NotifyInterface(uint32_t interface, bool isUp);

    /// Assign fixed random variable streams.
    /// @param stream the first stream to use
    /// @return the number of streams used
    virtual int64_t AssignStreams(int64_t stream);

    /**
     * @brief Hash a flow with the seed of this switch.
     *
     * If all switches had the same seed, a switch would choose as the one before it did, so that a
     * tier would use only a fraction of its links (polarization).
     *
     * @param key the flow
     * @return the hash
     */
    uint32_t Hash(const FlowKey& key) const;

  private:
    uint32_t m_seed{0};       //!< the seed as set, 0 to derive it
    uint32_t m_switchSeed{0}; //!< the seed in use
};

} // namespace ns3::aidc

#endif // AIDC_NEXT_HOP_SELECTOR_H

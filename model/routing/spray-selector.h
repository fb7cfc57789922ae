/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SPRAY_SELECTOR_H
#define AIDC_SPRAY_SELECTOR_H

#include "next-hop-selector.h"

#include "ns3/random-variable-stream.h"

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Packet spraying: each packet goes its own way, at random or in turn (Dixit et al., "On the
 *        Impact of Packet Spraying in Data Center Networks", INFOCOM 2013).
 *
 * The load is even, or proportional to the weights of the next hops if attribute Weighted is set.
 * Packets of a flow are reordered.
 *
 * ROUND_ROBIN with weights is smooth weighted round robin: each packet takes the next hop that is
 * furthest behind its share of the packets so far. With integral weights, shares are exact after as
 * many packets as the sum of the weights. Changes of weights do not restart it.
 */
class SpraySelector : public NextHopSelector
{
  public:
    /// How a packet's next hop is chosen.
    enum Mode
    {
        RANDOM,     //!< at random
        ROUND_ROBIN //!< one after the other, in each group
    };

    /// @return the type ID
    static TypeId GetTypeId();

    SpraySelector();

    uint32_t Select(NextHopGroup& group, const FlowKey& key) override;
    void NotifyGroup(NextHopGroup& group) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    /// Choose a next hop by weights. @return the index of a usable member
    uint32_t SelectByWeight(NextHopGroup& group) const;

    Mode m_mode;                           //!< attribute Mode
    bool m_isWeighted;                     //!< attribute Weighted
    Ptr<UniformRandomVariable> m_variable; //!< chooses among next hops
};

} // namespace ns3::aidc

#endif // AIDC_SPRAY_SELECTOR_H

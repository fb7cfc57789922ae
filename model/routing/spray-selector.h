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
 * The load is even; packets of a flow are reordered.
 */
class SpraySelector : public NextHopSelector
{
  public:
    /// How a packet's next hop is chosen.
    enum Mode
    {
        RANDOM,     //!< uniformly at random
        ROUND_ROBIN //!< one after the other, in each group
    };

    /**
     * @brief Get the type ID.
     * @return the type ID
     */
    static TypeId GetTypeId();

    SpraySelector();

    uint32_t Select(NextHopGroup& group, const FlowKey& key) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    Mode m_mode;                           //!< attribute Mode
    Ptr<UniformRandomVariable> m_variable; //!< chooses among next hops
};

} // namespace ns3::aidc

#endif // AIDC_SPRAY_SELECTOR_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FLOWLET_SELECTOR_H
#define AIDC_FLOWLET_SELECTOR_H

#include "next-hop-selector.h"

#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Flowlet switching: after a pause of a flow, its next packets take a next hop that is
 *        chosen at random (Vanini et al., "Let It Flow", NSDI 2017).
 *
 * Each group has a table of flowlets by the hash of the five-tuple; flows with the same place in
 * it share an entry.
 */
class FlowletSelector : public NextHopSelector
{
  public:
    /// @return the type ID
    static TypeId GetTypeId();

    FlowletSelector();

    uint32_t Select(NextHopGroup& group, const FlowKey& key) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    Time m_gap;                            //!< attribute Gap
    uint32_t m_tableSize;                  //!< attribute TableSize
    Ptr<UniformRandomVariable> m_variable; //!< chooses among next hops
};

} // namespace ns3::aidc

#endif // AIDC_FLOWLET_SELECTOR_H

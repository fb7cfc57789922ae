/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_HASH_SELECTOR_H
#define AIDC_HASH_SELECTOR_H

#include "next-hop-selector.h"

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Equal-cost multipath by a hash of the five-tuple (RFC 2991, RFC 2992): a flow keeps its
 *        next hop as long as the usable next hops stay the same.
 *
 * All usable members get equal shares, whatever their weights. When a member comes or goes, flows
 * of the others move too; WeightedSelector avoids that.
 */
class HashSelector : public NextHopSelector
{
  public:
    /// @return the type ID
    static TypeId GetTypeId();

    HashSelector();
    ~HashSelector() override;

    uint32_t Select(NextHopGroup& group, const FlowKey& key) override;
};

} // namespace ns3::aidc

#endif // AIDC_HASH_SELECTOR_H

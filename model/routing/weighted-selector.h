/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_WEIGHTED_SELECTOR_H
#define AIDC_WEIGHTED_SELECTOR_H

#include "next-hop-selector.h"

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Weighted equal-cost multipath with resilient hashing.
 *
 * Each group has a table of buckets. A member owns a share of them by its weight, and the hash of
 * the five-tuple chooses a bucket. When a weight changes, or a member comes or goes, as few buckets
 * as possible change their member, and so as few flows.
 */
class WeightedSelector : public NextHopSelector
{
  public:
    /// @return the type ID
    static TypeId GetTypeId();

    uint32_t Select(NextHopGroup& group, const FlowKey& key) override;
    void NotifyGroup(NextHopGroup& group) override;

  private:
    uint32_t m_nBuckets; //!< attribute Buckets
};

} // namespace ns3::aidc

#endif // AIDC_WEIGHTED_SELECTOR_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_RESILIENT_BUCKETS_H
#define AIDC_RESILIENT_BUCKETS_H

#include "ns3/flow-key.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::aidc
{

/**
 * @brief Chooses one of several members by a hash, in proportion to their weights; few flows move
 *        when the weights change.
 *
 * The hashes fall into buckets of equal size, and each bucket belongs to a member. New weights give
 * each member a quota of buckets. Only members with more buckets than their quota lose some, only
 * those with fewer get some: no other assignment of the same quotas moves fewer buckets. This is
 * the resilient hashing of switches; Maglev's table (Eisenbud et al., "Maglev: A Fast and Reliable
 * Software Network Load Balancer", NSDI 2016, section 3.4) serves the same end for balancers that
 * share no history.
 *
 * The quotas are those of ApportionEntries(): all buckets by the largest remainder, and at least
 * one for each member with a weight.
 *
 * Which buckets belong to a member depends on all weights so far, how many of them on the last ones
 * only. A choice costs the same for any number of members and buckets.
 */
class ResilientBuckets
{
  public:
    /// What Get answers when no member has any weight.
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();
    /// The largest number of buckets.
    static constexpr uint32_t MAX_BUCKETS = 65536;

    /// Constructor; no member has any bucket.
    /// @param nBuckets the number of buckets, from 1 to 65536; many more than members keep the
    ///        shares exact
    /// @throws std::invalid_argument if it is out of range
    explicit ResilientBuckets(uint32_t nBuckets);

    /// Divide the buckets between the members anew.
    /// @param weights the weight of member 0, 1, 2...: finite, at least 0; a member of weight 0, or
    ///        beyond the end, gets nothing; without any weight there is no member to choose
    /// @throws std::invalid_argument if a weight is negative or not finite; nothing has changed
    ///        then
    void SetWeights(const std::vector<double>& weights);

    /// Choose a member. @param hash the flow's hash; its upper bits decide @return the member, or
    /// NONE
    uint32_t Get(uint32_t hash) const
    {
        return m_members[PickMember(hash, static_cast<uint32_t>(m_members.size()))];
    }

    /// @return the number of buckets
    uint32_t GetNBuckets() const;

  private:
    std::vector<uint32_t> m_members; //!< the member of each bucket, or NONE
};

} // namespace ns3::aidc

#endif // AIDC_RESILIENT_BUCKETS_H

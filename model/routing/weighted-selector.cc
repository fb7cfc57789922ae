/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "weighted-selector.h"

#include "../core/require-argument.h"
#include "../core/routing/resilient-buckets.h"

#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <vector>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcWeightedSelector");

NS_OBJECT_ENSURE_REGISTERED(WeightedSelector);

namespace
{

/// @ingroup aidc
/// @brief The buckets of a group.
class WeightedState : public NextHopGroupState
{
  public:
    /// Constructor. @param nBuckets the number of buckets
    explicit WeightedState(uint32_t nBuckets)
        : buckets(nBuckets)
    {
    }

    ResilientBuckets buckets; //!< the buckets
};

} // namespace

TypeId
WeightedSelector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::WeightedSelector")
            .SetParent<NextHopSelector>()
            .SetGroupName("Aidc")
            .AddConstructor<WeightedSelector>()
            .AddAttribute("Buckets",
                          "The number of buckets of a group, at least as many as it has members; a "
                          "share is exact to one of them",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&WeightedSelector::m_nBuckets),
                          MakeUintegerChecker<uint32_t>(1, 65536));
    return tid;
}

void
WeightedSelector::NotifyGroup(NextHopGroup& group)
{
    NS_LOG_FUNCTION(this << group.members.size());
    AIDC_REFUSED_IF(group.members.size() > m_nBuckets,
                    "WeightedSelector: expected at most "
                        << m_nBuckets << " next hops (attribute Buckets), found "
                        << group.members.size());
    if (group.members.size() < 2)
    {
        return; // never asked
    }
    if (!group.state)
    {
        group.state = std::make_unique<WeightedState>(m_nBuckets);
    }
    std::vector<double> weights;
    for (const auto& member : group.members)
    {
        weights.push_back(member.IsUsable() ? member.nextHop.weight : 0);
    }
    static_cast<WeightedState&>(*group.state).buckets.SetWeights(weights);
}

uint32_t
WeightedSelector::Select(NextHopGroup& group, const FlowKey& key)
{
    return static_cast<const WeightedState&>(*group.state).buckets.Get(Hash(key));
}

} // namespace ns3::aidc

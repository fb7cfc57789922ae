/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-path-attributes.h"

#include "ns3/mix-bits.h"

#include <tuple>

namespace ns3::aidc
{

/// Well-known attributes are transitive.
static constexpr uint8_t WELL_KNOWN = BgpAttributeFlag::TRANSITIVE;
/// Optional ones that are not.
static constexpr uint8_t NON_TRANSITIVE = BgpAttributeFlag::OPTIONAL;
/// Optional ones that are.
static constexpr uint8_t TRANSITIVE = BgpAttributeFlag::OPTIONAL | BgpAttributeFlag::TRANSITIVE;

/// All attributes that are known.
static constexpr BgpAttributeInfo ATTRIBUTES[] = {
    {BgpAttributeType::ORIGIN, "ORIGIN", WELL_KNOWN},
    {BgpAttributeType::AS_PATH, "AS_PATH", WELL_KNOWN},
    {BgpAttributeType::NEXT_HOP, "NEXT_HOP", WELL_KNOWN},
    {BgpAttributeType::MULTI_EXIT_DISC, "MULTI_EXIT_DISC", NON_TRANSITIVE},
    {BgpAttributeType::LOCAL_PREF, "LOCAL_PREF", WELL_KNOWN},
    {BgpAttributeType::ATOMIC_AGGREGATE, "ATOMIC_AGGREGATE", WELL_KNOWN},
    {BgpAttributeType::AGGREGATOR, "AGGREGATOR", TRANSITIVE},
    {BgpAttributeType::COMMUNITIES, "COMMUNITIES", TRANSITIVE},
    {BgpAttributeType::ORIGINATOR_ID, "ORIGINATOR_ID", NON_TRANSITIVE},
    {BgpAttributeType::CLUSTER_LIST, "CLUSTER_LIST", NON_TRANSITIVE},
    {BgpAttributeType::MP_REACH_NLRI, "MP_REACH_NLRI", NON_TRANSITIVE},
    {BgpAttributeType::MP_UNREACH_NLRI, "MP_UNREACH_NLRI", NON_TRANSITIVE},
    {BgpAttributeType::EXTENDED_COMMUNITIES, "EXTENDED COMMUNITIES", TRANSITIVE},
    {BgpAttributeType::AS4_PATH, "AS4_PATH", TRANSITIVE},
    {BgpAttributeType::AS4_AGGREGATOR, "AS4_AGGREGATOR", TRANSITIVE},
    {BgpAttributeType::LARGE_COMMUNITIES, "LARGE_COMMUNITY", TRANSITIVE},
};

/// What is said of all others.
static constexpr BgpAttributeInfo UNKNOWN{BgpAttributeType::ANY, "unknown", 0};

const BgpAttributeInfo&
GetBgpAttributeInfo(uint8_t type)
{
    for (const BgpAttributeInfo& info : ATTRIBUTES)
    {
        if (static_cast<uint8_t>(info.type) == type)
        {
            return info;
        }
    }
    return UNKNOWN;
}

bool
operator==(const BgpAggregator& a, const BgpAggregator& b)
{
    return a.as == b.as && a.address == b.address;
}

bool
operator==(const BgpUnknownAttribute& a, const BgpUnknownAttribute& b)
{
    return a.type == b.type && a.value == b.value;
}

/**
 * @brief Get all members of a set of attributes.
 * @param a the attributes
 * @return references to them
 */
static auto
Tie(const BgpPathAttributes& a)
{
    return std::tie(a.origin,
                    a.asPath,
                    a.nextHop,
                    a.multiExitDisc,
                    a.localPref,
                    a.isAtomicAggregate,
                    a.aggregator,
                    a.communities,
                    a.originatorId,
                    a.clusterList,
                    a.extendedCommunities,
                    a.largeCommunities,
                    a.unknown,
                    a.partial);
}

bool
operator==(const BgpPathAttributes& a, const BgpPathAttributes& b)
{
    return Tie(a) == Tie(b);
}

namespace
{

/// Takes numbers one after the other.
class Hash
{
  public:
    /**
     * @brief Take a number.
     * @param number the number
     */
    void Add(uint64_t number)
    {
        m_value = MixBits(m_value ^ number);
    }

    /**
     * @brief Take a number that may be missing.
     * @param number the number
     */
    void Add(const std::optional<uint32_t>& number)
    {
        Add(number ? uint64_t{*number} : ~uint64_t{0});
    }

    /**
     * @brief Take numbers, and how many they are.
     * @tparam T their type
     * @param numbers the numbers
     */
    template <typename T>
    void Add(const std::vector<T>& numbers)
    {
        Add(uint64_t{numbers.size()});
        for (const T& number : numbers)
        {
            Add(uint64_t{number});
        }
    }

    /**
     * @brief Get the hash of all that was taken.
     * @return the hash
     */
    uint64_t Get() const
    {
        return m_value;
    }

  private:
    uint64_t m_value{0}; //!< the hash so far
};

} // namespace

uint64_t
HashBgpPathAttributes(const BgpPathAttributes& attributes)
{
    Hash hash;
    hash.Add(static_cast<uint64_t>(attributes.origin) | uint64_t{attributes.isAtomicAggregate}
                                                            << 8);
    for (const BgpAsSegment& segment : attributes.asPath.segments)
    {
        hash.Add(static_cast<uint64_t>(segment.type));
        hash.Add(segment.numbers);
    }
    hash.Add(uint64_t{attributes.nextHop});
    hash.Add(attributes.multiExitDisc);
    hash.Add(attributes.localPref);
    if (attributes.aggregator)
    {
        hash.Add(uint64_t{attributes.aggregator->as} << 32 | attributes.aggregator->address);
    }
    hash.Add(attributes.communities);
    hash.Add(attributes.originatorId);
    hash.Add(attributes.clusterList);
    hash.Add(uint64_t{attributes.extendedCommunities.size()});
    for (const BgpExtendedCommunity& community : attributes.extendedCommunities)
    {
        hash.Add(community.value);
    }
    for (const BgpLargeCommunity& community : attributes.largeCommunities)
    {
        hash.Add(uint64_t{community.global});
        hash.Add(uint64_t{community.local1} << 32 | community.local2);
    }
    for (const BgpUnknownAttribute& attribute : attributes.unknown)
    {
        hash.Add(uint64_t{attribute.type});
        hash.Add(attribute.value);
    }
    hash.Add(attributes.partial);
    return hash.Get();
}

} // namespace ns3::aidc

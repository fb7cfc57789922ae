// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_NEXT_HOP_WEIGHTS_H
#define AIDC_NEXT_HOP_WEIGHTS_H

#include "ns3/flow-key.h"

#include <cstdint>
#include <limits>
#include <vector>

/// @file
/// Weights of next hops as hardware has them: numbers of entries of a table.
///
/// A switch has no weights. A group of next hops is a table of a few dozen to a few hundred
/// entries, a next hop has as many entries as its weight says, and a hash chooses an entry. All
/// functions take weights that are finite and not negative; a next hop of weight 0 has no entry.

namespace ns3::aidc
{

/// The limits of a switch for groups of next hops.
struct NextHopTableSettings
{
    /// How a routing daemon rounds weights before it hands them to the hardware.
    enum WeightScale
    {
        EXACT,   //!< not at all
        PERCENT, //!< as FRR 8.4: percent of the sum, rounded down, at least 1
        BYTE     //!< as later releases of FRR: the greatest is 255, rounded down, at least 1
    };

    WeightScale scale{EXACT};      //!< how weights are rounded before
    uint32_t maxEntries{0};        //!< the most entries of a group, 0: weights are not reduced
    double maxOversubscription{1}; //!< it ends the search for a better table, from 1
    uint32_t maxGroups{0};         //!< the most groups, 0: any number

    /// Tell whether weights stay as they are. @return whether they do
    bool KeepsWeights() const
    {
        return scale == EXACT && maxEntries == 0;
    }
};

/// Round weights as a routing daemon does.
/// @param weights the weights
/// @param scale how it rounds
/// @return the rounded ones
/// @throws std::invalid_argument if a weight is negative or not finite
std::vector<double> ScaleWeights(const std::vector<double>& weights,
                                 NextHopTableSettings::WeightScale scale);

/// Reduce weights to a table of few entries (Zhou et al., "WCMP: Weighted Cost Multipathing
/// for Improved Fairness in Data Centers", EuroSys 2014, section 4).
///
/// The oversubscription of a next hop is the share of entries that it has, over the share that its
/// weight gives it. The oversubscription of a table is the largest one of its next hops: the factor
/// by which some path gets too much. From one entry for each next hop, the table grows by one entry
/// at a time, for the next hop whose own oversubscription is then the smallest, or the first of
/// several. It ends with a table that is as good as asked for. If there is none up to the largest
/// size, the best table is taken, and the smallest of several. This is the paper's Algorithm 1.
///
/// For a limit of the size, the paper scales weights down before it fills up (Algorithm 2), which
/// is faster for large tables. Growing from the beginning is never worse: it is D'Hondt's method,
/// which has the smallest oversubscription for each size. So this is the best table of at most as
/// many entries, and weights that have a common divisor are divided by it, if the result fits.
/// @param weights the weights
/// @param maxEntries the most entries, at least as many as there are weights above 0
/// @param maxOversubscription what is good enough, at least 1
/// @return the number of entries of each next hop, at least 1 for each weight above 0
/// @throws std::invalid_argument if a parameter is out of range
std::vector<uint32_t> ReduceWeights(const std::vector<double>& weights,
                                    uint32_t maxEntries,
                                    double maxOversubscription = 1);

/// Divide all entries of a table by weights: by the largest remainder (Hamilton's method).
///
/// A next hop whose share is less than one entry gets one. The others share the rest: they differ
/// from exact proportion by less than one entry. Where remainders are equal, to a millionth of an
/// entry, the lower next hop comes first. If there are fewer entries than weights above 0, all
/// share by the largest remainder.
/// @param weights the weights
/// @param nEntries the number of entries
/// @return the number of entries of each next hop; all 0 if all weights are
/// @throws std::invalid_argument if a weight is negative or not finite
std::vector<uint32_t> ApportionEntries(const std::vector<double>& weights, uint32_t nEntries);

/// Get the oversubscription of a table: see ReduceWeights().
/// @param weights the weights
/// @param entries the number of entries of each next hop, not all 0
/// @return the largest one of its next hops, at least 1; infinite if a next hop of weight 0 has
///         entries
double GetOversubscription(const std::vector<double>& weights,
                           const std::vector<uint32_t>& entries);

/// Get by how much shares of a table differ from shares by weight.
/// @param weights the weights
/// @param entries the number of entries of each next hop, not all 0
/// @return the largest difference of a next hop of weight above 0, in either direction, over its
///         share by weight
double GetShareError(const std::vector<double>& weights, const std::vector<uint32_t>& entries);

/// Get weights as a switch has them: rounded, and then reduced.
/// @param weights the weights
/// @param settings the limits of the switch
/// @return the weights in use
/// @throws std::invalid_argument if they do not fit, see ReduceWeights()
std::vector<double> QuantizeWeights(const std::vector<double>& weights,
                                    const NextHopTableSettings& settings);

/// Chooses one of several members by a hash, in proportion to their weights; few flows move
/// when the weights change.
///
/// The hashes fall into buckets of equal size, and each bucket belongs to a member. New weights
/// give each member a quota of buckets. Only members with more buckets than their quota lose some,
/// only members with fewer get some: no other assignment of the same quotas moves fewer buckets.
/// This is the resilient hashing of switches; Maglev's table (Eisenbud et al., "Maglev: A Fast and
/// Reliable Software Network Load Balancer", NSDI 2016, section 3.4) serves the same end for
/// balancers that share no history.
///
/// The quotas come from ApportionEntries(): all buckets by the largest remainder, and at least one
/// for each member with a weight.
///
/// Which buckets belong to a member depends on all weights so far, but how many only on the last
/// weights. A choice costs the same for any number of members and buckets.
class ResilientBuckets
{
  public:
    /// Returned by Get() when no member has any weight.
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
        return m_members[PickMember(hash, GetNBuckets())];
    }

    /// @return the number of buckets
    uint32_t GetNBuckets() const
    {
        return static_cast<uint32_t>(m_members.size());
    }

  private:
    std::vector<uint32_t> m_members; //!< the member of each bucket, or NONE
};

} // namespace ns3::aidc

#endif // AIDC_NEXT_HOP_WEIGHTS_H

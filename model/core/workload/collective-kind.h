/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_COLLECTIVE_KIND_H
#define AIDC_COLLECTIVE_KIND_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// What a collective operation does with the members' data.
enum class CollectiveKind : uint8_t
{
    ALL_REDUCE,     //!< each member gets the sum of all members' buffers
    ALL_GATHER,     //!< each member gets all members' blocks
    REDUCE_SCATTER, //!< each member gets a block of the sum of all members' buffers
    ALL_TO_ALL,     //!< each member gets a block of each member
    BROADCAST       //!< each member gets the root's buffer
};

/// In which steps a collective operation is done.
enum class CollectiveAlgorithm : uint8_t
{
    RING,               //!< each member sends to the next one only
    HALVING_DOUBLING,   //!< pairs of members, at distances that halve and then double
    RECURSIVE_DOUBLING, //!< pairs of members that exchange all they have
    PAIRWISE,           //!< each member sends to each other one, a different one in each step
    BINOMIAL_TREE,      //!< in each step, all members that have the data send it
    CHAIN,              //!< the data goes from member to member
    DOUBLE_TREE,        //!< half of the data goes up and down each of two binary trees
    HIERARCHICAL,       //!< in each server, then along the rails, then in each server
    DIRECT,             //!< each member sends to all others at once
    /// The scale-up switch of each server adds up what its members have, and copies the result to
    /// them; between servers, as DOUBLE_TREE. NCCL's NVLS and NVLSTree.
    NVLS
};

/// @return the name of the kind, such as "all-reduce"
const char* GetCollectiveName(CollectiveKind kind);

/// @return the name of the algorithm, such as "halving-doubling"
const char* GetCollectiveName(CollectiveAlgorithm algorithm);

/// @return whether there is one
bool ParseCollectiveKind(const std::string& name, CollectiveKind& kind);

/// @return whether there is one
bool ParseCollectiveAlgorithm(const std::string& name, CollectiveAlgorithm& algorithm);

/// @return the algorithms that can do it, the default one first
const std::vector<CollectiveAlgorithm>& GetCollectiveAlgorithms(CollectiveKind kind);

/**
 * @brief The bandwidth of a collective, as NCCL's tests define it (PERFORMANCE.md of nccl-tests).
 *
 * The bus bandwidth does not depend on the number of members: if all members send at the rate of
 * their links, it is this rate, for any collective and any number of members.
 */
struct CollectiveBandwidth
{
    double algorithm{0}; //!< size over time, in bytes a second
    double bus{0};       //!< the same, times GetBusFactor()
};

/// Get the factor between bus and algorithm bandwidth.
/// @param kind the collective
/// @param nMembers the number of members n, at least 1
/// @return 2 (n - 1) / n for all-reduce; (n - 1) / n for all-gather, reduce-scatter and all-to-all;
///         1 for a broadcast
double GetBusFactor(CollectiveKind kind, uint32_t nMembers);

/// @param kind the collective
/// @param nMembers the number of members, at least 1
/// @param bytes the size, as in CollectiveSchedule; with unequal sizes of an all-to-all, the most
/// that
///        a member sends or gets, those bytes for itself included (CollectiveSizes::GetBytes())
/// @param seconds the time that it took, above 0
/// @return the bandwidth
CollectiveBandwidth GetCollectiveBandwidth(CollectiveKind kind,
                                           uint32_t nMembers,
                                           uint64_t bytes,
                                           double seconds);

} // namespace ns3::aidc

#endif // AIDC_COLLECTIVE_KIND_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-kind.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ns3::aidc
{

namespace
{

/// The names of the kinds.
constexpr std::array<const char*, 5> KINDS = {"all-reduce",
                                              "all-gather",
                                              "reduce-scatter",
                                              "all-to-all",
                                              "broadcast"};
/// The names of the algorithms.
constexpr std::array<const char*, 10> ALGORITHMS = {"ring",
                                                    "halving-doubling",
                                                    "recursive-doubling",
                                                    "pairwise",
                                                    "binomial-tree",
                                                    "chain",
                                                    "double-tree",
                                                    "hierarchical",
                                                    "direct",
                                                    "nvls"};

/// @return whether it was found
template <typename E, std::size_t N>
bool
FindName(const std::array<const char*, N>& names, const std::string& name, E& value)
{
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
    {
        return false;
    }
    value = static_cast<E>(found - names.begin());
    return true;
}

} // namespace

const char*
GetCollectiveName(CollectiveKind kind)
{
    return KINDS.at(static_cast<std::size_t>(kind));
}

const char*
GetCollectiveName(CollectiveAlgorithm algorithm)
{
    return ALGORITHMS.at(static_cast<std::size_t>(algorithm));
}

bool
ParseCollectiveKind(const std::string& name, CollectiveKind& kind)
{
    return FindName(KINDS, name, kind);
}

bool
ParseCollectiveAlgorithm(const std::string& name, CollectiveAlgorithm& algorithm)
{
    return FindName(ALGORITHMS, name, algorithm);
}

const std::vector<CollectiveAlgorithm>&
GetCollectiveAlgorithms(CollectiveKind kind)
{
    using A = CollectiveAlgorithm;
    static const std::array<std::vector<A>, KINDS.size()> BY_KIND{{{A::RING,
                                                                    A::HALVING_DOUBLING,
                                                                    A::RECURSIVE_DOUBLING,
                                                                    A::DOUBLE_TREE,
                                                                    A::HIERARCHICAL,
                                                                    A::NVLS},
                                                                   {A::RING, A::HALVING_DOUBLING},
                                                                   {A::RING, A::HALVING_DOUBLING},
                                                                   {A::DIRECT, A::PAIRWISE},
                                                                   {A::BINOMIAL_TREE, A::CHAIN}}};
    return BY_KIND.at(static_cast<std::size_t>(kind));
}

double
GetBusFactor(CollectiveKind kind, uint32_t nMembers)
{
    const double share = (nMembers - 1.0) / nMembers;
    switch (kind)
    {
    case CollectiveKind::ALL_REDUCE:
        return 2 * share;
    case CollectiveKind::ALL_GATHER:
    case CollectiveKind::REDUCE_SCATTER:
    case CollectiveKind::ALL_TO_ALL:
        return share;
    case CollectiveKind::BROADCAST:
        break;
    }
    return 1;
}

CollectiveBandwidth
GetCollectiveBandwidth(CollectiveKind kind, uint32_t nMembers, uint64_t bytes, double seconds)
{
    const double algorithm = static_cast<double>(bytes) / seconds;
    return {algorithm, algorithm * GetBusFactor(kind, nMembers)};
}

} // namespace ns3::aidc

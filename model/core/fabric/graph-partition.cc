/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-partition.h"

#ifdef AIDC_HAS_SCOTCH
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
// After the headers whose names it uses
#include <scotch.h>
#endif

namespace ns3::aidc
{

WeightedGraph::WeightedGraph(uint32_t n)
    : weights(n),
      edges(n)
{
}

void
WeightedGraph::AddEdge(uint32_t a, uint32_t b, double weight)
{
    edges[a][b] += weight;
    edges[b][a] += weight;
}

#ifdef AIDC_HAS_SCOTCH

namespace
{

/// How far a part may be from its equal share, as a share of it.
constexpr double IMBALANCE = 0.02;

/// @param weights numbers, at least 0
/// @return whole numbers in about the same proportions, whose sum Scotch can count
std::vector<SCOTCH_Num>
MakeWhole(const std::vector<double>& weights)
{
    // Numbers from 1 to 1000 have the proportions of any links' rates, but not if there are many.
    constexpr double LARGEST = 1000;
    constexpr double LARGEST_SUM = std::numeric_limits<int32_t>::max() / 4.0;
    const double largest = weights.empty() ? 0 : *std::max_element(weights.begin(), weights.end());
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    const double scale =
        largest > 0 ? std::min(LARGEST / largest, LARGEST_SUM / std::max(sum, 1.0)) : 0;
    std::vector<SCOTCH_Num> whole;
    for (const double weight : weights)
    {
        whole.push_back(
            std::max<SCOTCH_Num>(1, static_cast<SCOTCH_Num>(std::lround(weight * scale))));
    }
    return whole;
}

/// The arrays of a graph, as Scotch has them.
struct ScotchArrays
{
    explicit ScotchArrays(const WeightedGraph& graph)
        : vertexWeights(MakeWhole(graph.weights))
    {
        std::vector<double> weights;
        for (const auto& edges : graph.edges)
        {
            first.push_back(static_cast<SCOTCH_Num>(others.size()));
            for (const auto& [other, weight] : edges)
            {
                others.push_back(static_cast<SCOTCH_Num>(other));
                weights.push_back(weight);
            }
        }
        first.push_back(static_cast<SCOTCH_Num>(others.size()));
        edgeWeights = MakeWhole(weights);
    }

    std::vector<SCOTCH_Num> first;         //!< by vertex, its first edge; at the end their number
    std::vector<SCOTCH_Num> others;        //!< by edge, the vertex that it leads to
    std::vector<SCOTCH_Num> vertexWeights; //!< by vertex
    std::vector<SCOTCH_Num> edgeWeights;   //!< by edge
};

} // namespace

bool
CanPartitionGraphs()
{
    return true;
}

std::vector<uint32_t>
PartitionGraph(const WeightedGraph& graph, uint32_t nParts)
{
    const ScotchArrays arrays(graph);
    const auto n = static_cast<SCOTCH_Num>(graph.weights.size());
    std::vector<SCOTCH_Num> parts(graph.weights.size());

    // One thread and a fixed seed: the same parts each time.
    SCOTCH_Context context;
    SCOTCH_Graph whole;
    SCOTCH_Graph bound;
    SCOTCH_Strat strategy;
    SCOTCH_contextInit(&context);
    SCOTCH_graphInit(&whole);
    SCOTCH_graphInit(&bound);
    SCOTCH_stratInit(&strategy);
    const bool isDone =
        SCOTCH_contextOptionSetNum(&context, SCOTCH_OPTIONNUMDETERMINISTIC, 1) == 0 &&
        SCOTCH_contextThreadSpawn(&context, 1, nullptr) == 0 &&
        SCOTCH_contextRandomClone(&context) == 0 &&
        SCOTCH_graphBuild(&whole,
                          0,
                          n,
                          arrays.first.data(),
                          arrays.first.data() + 1,
                          arrays.vertexWeights.data(),
                          nullptr,
                          static_cast<SCOTCH_Num>(arrays.others.size()),
                          arrays.others.data(),
                          arrays.edgeWeights.data()) == 0 &&
        SCOTCH_stratGraphMapBuild(&strategy,
                                  SCOTCH_STRATQUALITY | SCOTCH_STRATBALANCE,
                                  static_cast<SCOTCH_Num>(nParts),
                                  IMBALANCE) == 0;
    bool isParted = false;
    if (isDone)
    {
        SCOTCH_contextRandomSeed(&context, 1);
        SCOTCH_contextRandomReset(&context);
        isParted =
            SCOTCH_contextBindGraph(&context, &whole, &bound) == 0 &&
            SCOTCH_graphPart(&bound, static_cast<SCOTCH_Num>(nParts), &strategy, parts.data()) == 0;
    }
    SCOTCH_stratExit(&strategy);
    SCOTCH_graphExit(&bound);
    SCOTCH_graphExit(&whole);
    SCOTCH_contextExit(&context);
    return isParted ? std::vector<uint32_t>(parts.begin(), parts.end()) : std::vector<uint32_t>();
}

#else

bool
CanPartitionGraphs()
{
    return false;
}

std::vector<uint32_t>
PartitionGraph(const WeightedGraph&, uint32_t)
{
    return {};
}

#endif

} // namespace ns3::aidc

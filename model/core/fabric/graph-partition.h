/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_GRAPH_PARTITION_H
#define AIDC_GRAPH_PARTITION_H

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::aidc
{

/// A graph with weights, which is to be divided into parts.
struct WeightedGraph
{
    /// Constructor of a graph without edges. @param n the number of vertices
    explicit WeightedGraph(uint32_t n);

    /// Add to the weight of the edge between two vertices, which need not be there yet. a: one
    /// vertex; b: another vertex; weight: what is added.
    void AddEdge(uint32_t a, uint32_t b, double weight);

    std::vector<double> weights;                   //!< by vertex, at least 0
    std::vector<std::map<uint32_t, double>> edges; //!< by vertex, the weights by the other vertex
};

/// @return whether PartitionGraph() divides graphs: aidc was built with Scotch
bool CanPartitionGraphs();

/// @brief Divide a graph into parts of about the same weight, so that the edges between parts have
///        little weight, by the library Scotch.
/// @param graph the graph
/// @param nParts the number of parts, at least 1
/// @return the part of each vertex, from 0, the same each time; parts may be without vertices.
///         Nothing if CanPartitionGraphs() is false, or Scotch fails
std::vector<uint32_t> PartitionGraph(const WeightedGraph& graph, uint32_t nParts);

} // namespace ns3::aidc

#endif // AIDC_GRAPH_PARTITION_H

// SPDX-License-Identifier: GPL-2.0-only

#include "fabric-distances.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string>

namespace ns3::aidc
{

FabricDistances::FabricDistances(const FabricPlan& fabric)
    : m_fabric(fabric),
      m_nColumns(static_cast<uint32_t>(fabric.GetAttachments().size())),
      m_rows(fabric.GetNNodes()),
      m_isUp(fabric.GetLinks().size(), 1),
      m_distances(fabric.GetSwitches().size() * m_nColumns, UNREACHABLE)
{
    const auto& switches = fabric.GetSwitches();
    for (uint32_t row = 0; row < switches.size(); ++row)
    {
        m_rows[switches[row]] = row;
    }
    for (const NodeIndex node : switches)
    {
        m_edgeBegin.push_back(static_cast<uint32_t>(m_edges.size()));
        const auto& ports = fabric.GetPorts(node);
        for (PortIndex port; port < ports.GetEnd(); ++port)
        {
            if (fabric.IsSwitch(ports[port].peer))
            {
                m_edges.push_back({m_rows[ports[port].peer], ports[port].link, port});
            }
        }
    }
    m_edgeBegin.push_back(static_cast<uint32_t>(m_edges.size()));

    std::vector<uint32_t> all(m_nColumns);
    std::iota(all.begin(), all.end(), 0);
    Update(all);
    for (uint32_t row = 0; row < switches.size(); ++row)
    {
        for (uint32_t column = 0; column < m_nColumns; ++column)
        {
            const auto& leaves = fabric.GetAttachments()[column].leaves;
            const auto isNear = [&](NodeIndex leaf) {
                return fabric.GetPlane(leaf) == fabric.GetPlane(switches[row]);
            };
            if (GetRow(row)[column] == UNREACHABLE &&
                std::any_of(leaves.begin(), leaves.end(), isNear))
            {
                throw std::invalid_argument(
                    "node " + std::to_string(switches[row].value) +
                    ": expected paths of at most 254 links to all leaves, found a longer one");
            }
        }
    }
}

std::vector<uint8_t>
FabricDistances::GetColumn(uint32_t column) const
{
    std::vector<uint8_t> distances;
    for (uint32_t row = 0; row < m_fabric.GetSwitches().size(); ++row)
    {
        distances.push_back(GetRow(row)[column]);
    }
    return distances;
}

std::vector<FabricDistances::Edge>
FabricDistances::GetEdgesOfHost(NodeIndex host) const
{
    std::vector<Edge> edges;
    const auto& ports = m_fabric.GetPorts(host);
    for (PortIndex port; port < ports.GetEnd(); ++port)
    {
        edges.push_back({m_rows[ports[port].peer], ports[port].link, port});
    }
    return edges;
}

const std::vector<uint8_t>&
FabricDistances::Search(const std::vector<NodeIndex>& leaves)
{
    ++m_nSearches;
    m_found.assign(m_fabric.GetSwitches().size(), UNREACHABLE);
    m_queue.clear();
    for (const NodeIndex leaf : leaves)
    {
        m_queue.push_back(m_rows[leaf]);
        m_found[m_rows[leaf]] = 0;
    }
    for (std::size_t i = 0; i < m_queue.size(); ++i)
    {
        const uint32_t row = m_queue[i];
        const auto distance = static_cast<uint8_t>(m_found[row] + 1);
        if (distance == UNREACHABLE)
        {
            break; // the others are as far or farther
        }
        for (const Edge& edge : GetEdges(row))
        {
            if (m_found[edge.peer] == UNREACHABLE && m_isUp[edge.link])
            {
                m_found[edge.peer] = distance;
                m_queue.push_back(edge.peer);
            }
        }
    }
    return m_found;
}

bool
FabricDistances::HasLivePeerAt(uint32_t row, uint32_t column, uint8_t distance) const
{
    const Edges edges = GetEdges(row);
    return std::any_of(edges.begin(), edges.end(), [&](const Edge& edge) {
        return m_isUp[edge.link] && GetRow(edge.peer)[column] == distance;
    });
}

std::vector<bool>
FabricDistances::Update(const std::vector<uint32_t>& columns)
{
    const auto nRows = static_cast<uint32_t>(m_fabric.GetSwitches().size());
    std::vector<bool> isChanged(nRows);
    for (const uint32_t column : columns)
    {
        Search(m_fabric.GetAttachments()[column].leaves);
        for (uint32_t row = 0; row < nRows; ++row)
        {
            uint8_t& distance = m_distances[std::size_t{row} * m_nColumns + column];
            if (distance != m_found[row])
            {
                distance = m_found[row];
                isChanged[row] = true;
            }
        }
    }
    return isChanged;
}

std::vector<bool>
FabricDistances::Fail(LinkIndex link)
{
    m_isUp[link] = 0;
    std::vector<uint32_t> columns;
    const auto [rowA, rowB] = GetRowsOf(link);
    for (uint32_t column = 0; column < m_nColumns; ++column)
    {
        const uint8_t a = GetRow(rowA)[column];
        const uint8_t b = GetRow(rowB)[column];
        // Distances grow if the farther end has no other port to a switch that is as close.
        if (a != b && !HasLivePeerAt(a > b ? rowA : rowB, column, std::min(a, b)))
        {
            columns.push_back(column);
        }
    }
    return Update(columns);
}

std::vector<bool>
FabricDistances::Restore(LinkIndex link)
{
    m_isUp[link] = 1;
    std::vector<uint32_t> columns;
    const auto [rowA, rowB] = GetRowsOf(link);
    for (uint32_t column = 0; column < m_nColumns; ++column)
    {
        // Distances shrink if one end gets closer over the other one.
        if (std::abs(GetRow(rowA)[column] - GetRow(rowB)[column]) > 1)
        {
            columns.push_back(column);
        }
    }
    return Update(columns);
}

std::pair<uint32_t, uint32_t>
FabricDistances::GetRowsOf(LinkIndex link) const
{
    const NodeIndex a = m_fabric.GetLinks()[link].a;
    const NodeIndex b = m_fabric.GetLinks()[link].b;
    return {m_rows[m_fabric.IsHost(a) ? b : a], m_rows[m_fabric.IsHost(b) ? a : b]};
}

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#include "fabric-places.h"

#include <algorithm>

namespace ns3::aidc
{

FabricPlaces::FabricPlaces(const FabricPlan& fabric,
                           std::vector<NodeIndex> hosts,
                           std::vector<uint32_t> servers)
    : m_fabric(fabric),
      m_distances(fabric),
      m_hosts(std::move(hosts)),
      m_servers(std::move(servers))
{
}

bool
FabricPlaces::UsesFabric(uint32_t from, uint32_t to) const
{
    return m_servers.empty() || m_servers[from] == NO_SERVER || m_servers[from] != m_servers[to];
}

void
FabricPlaces::AddPlaces(uint32_t from, uint32_t to, std::set<uint32_t>& places)
{
    if (!UsesFabric(from, to))
    {
        // Egress and ingress ports are numbered behind the nodes of the fabric
        places.insert(m_fabric.GetNNodes() + 2 * from);
        places.insert(m_fabric.GetNNodes() + 2 * to + 1);
        return;
    }
    places.insert(m_hosts[from].value);
    places.insert(m_hosts[to].value);
    const auto& switches = GetSwitches(m_hosts[from], m_hosts[to]);
    places.insert(switches.begin(), switches.end());
}

std::vector<uint64_t>
FabricPlaces::GetShape(const std::vector<std::pair<uint32_t, uint32_t>>& ways) const
{
    std::vector<uint64_t> shape;
    std::map<uint32_t, uint64_t> numbers;
    bool isAlike = true; // whether others may be
    const auto add = [&](NodeIndex node, LinkIndex link) {
        const auto& known = m_fabric.GetLinks()[link];
        const uint64_t number = numbers.emplace(node.value, numbers.size()).first->second;
        const auto delay = static_cast<uint64_t>(known.delay);
        shape.insert(shape.end(), {number, m_fabric.GetPorts(node).size(), known.rate, delay});
        isAlike = isAlike && known.errorRate == 0;
    };
    for (const auto& [from, to] : ways)
    {
        const uint32_t column = m_fabric.GetAttachment(m_hosts[to]);
        for (const auto& port : m_fabric.GetPorts(m_hosts[to]))
        {
            add(m_hosts[to], port.link);
        }
        for (auto edge : m_distances.GetEdgesOfHost(m_hosts[from]))
        {
            add(m_hosts[from], edge.link);
            add(m_fabric.GetSwitches()[edge.peer], edge.link);
            while (const uint8_t distance = m_distances.GetRow(edge.peer)[column])
            {
                const auto edges = m_distances.GetEdges(edge.peer);
                const auto isCloser = [&](const auto& other) {
                    return m_distances.GetRow(other.peer)[column] < distance;
                };
                if (std::count_if(edges.begin(), edges.end(), isCloser) != 1)
                {
                    return {};
                }
                edge = *std::find_if(edges.begin(), edges.end(), isCloser);
                add(m_fabric.GetSwitches()[edge.peer], edge.link);
            }
        }
        isAlike = isAlike && UsesFabric(from, to);
    }
    return isAlike ? shape : std::vector<uint64_t>();
}

double
FabricPlaces::GetRate(uint32_t rank) const
{
    double sum = 0;
    for (const auto& port : m_fabric.GetPorts(m_hosts[rank]))
    {
        sum += static_cast<double>(m_fabric.GetLinks()[port.link].rate);
    }
    return sum;
}

const std::vector<uint32_t>&
FabricPlaces::GetSwitches(NodeIndex from, NodeIndex to)
{
    const uint32_t column = m_fabric.GetAttachment(to);
    const auto [found, isNew] = m_switches.try_emplace({m_fabric.GetAttachment(from), column});
    if (isNew)
    {
        std::set<uint32_t> rows;
        std::vector<uint32_t> next;
        for (const auto& edge : m_distances.GetEdgesOfHost(from))
        {
            if (m_distances.GetRow(edge.peer)[column] != FabricDistances::UNREACHABLE &&
                rows.insert(edge.peer).second)
            {
                next.push_back(edge.peer);
            }
        }
        while (!next.empty())
        {
            const uint32_t row = next.back();
            next.pop_back();
            const uint8_t distance = m_distances.GetRow(row)[column];
            for (const auto& edge : m_distances.GetEdges(row))
            {
                if (m_distances.GetRow(edge.peer)[column] < distance &&
                    rows.insert(edge.peer).second)
                {
                    next.push_back(edge.peer);
                }
            }
        }
        for (const uint32_t row : rows)
        {
            found->second.push_back(m_fabric.GetSwitches()[row].value);
        }
    }
    return found->second;
}

} // namespace ns3::aidc

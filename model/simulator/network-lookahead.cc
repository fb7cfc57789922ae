// SPDX-License-Identifier: GPL-2.0-only

#include "network-lookahead.h"

#include "../core/require-argument.h"
#include "mpi-processes.h"
#include "process-gather.h"

#include "ns3/bridge-channel.h"
#include "ns3/channel-list.h"
#include "ns3/channel.h"
#include "ns3/csma-channel.h"
#include "ns3/log.h"
#include "ns3/net-device.h"
#include "ns3/node-list.h"

#include <algorithm>
#include <cstddef>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcNetworkLookahead");

NS_OBJECT_ENSURE_REGISTERED(NodeGroup);

TypeId
NodeGroup::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::NodeGroup")
                            .SetParent<Object>()
                            .SetGroupName("Aidc")
                            .AddConstructor<NodeGroup>();
    return tid;
}

void
NodeGroup::Join(Ptr<Node> a, Ptr<Node> b)
{
    AIDC_REFUSED_IF(a->GetSystemId() != b->GetSystemId(),
                    "NodeGroup: expected nodes of one process, found node "
                        << a->GetId() << " of process " << a->GetSystemId() << " and node "
                        << b->GetId() << " of process " << b->GetSystemId());
    const uint32_t first = FindFirst(a->GetId());
    const uint32_t other = FindFirst(b->GetId());
    NS_LOG_LOGIC("nodes " << a->GetId() << " and " << b->GetId() << " are of one group");
    SetNext(first, std::min(first, other));
    SetNext(other, std::min(first, other));
}

std::vector<uint32_t>
NodeGroup::FindAll()
{
    std::vector<uint32_t> groups;
    bool hasSome = false;
    for (uint32_t node = 0; node < NodeList::GetNNodes(); ++node)
    {
        groups.push_back(FindFirst(node));
        hasSome |= groups.back() != node;
    }
    return hasSome ? groups : std::vector<uint32_t>();
}

uint32_t
NodeGroup::FindFirst(uint32_t node)
{
    const auto group = NodeList::GetNode(node)->GetObject<NodeGroup>();
    return !group || group->m_next == node ? node : FindFirst(group->m_next);
}

void
NodeGroup::SetNext(uint32_t node, uint32_t other)
{
    const auto known = NodeList::GetNode(node);
    auto group = known->GetObject<NodeGroup>();
    if (!group)
    {
        group = CreateObject<NodeGroup>();
        known->AggregateObject(group);
    }
    group->m_next = other;
}

namespace
{

/// @return the first nodes of a channel's first two groups (no groups: of each node), if so many
std::vector<uint32_t>
GetEnds(const Channel& channel, const std::vector<uint32_t>& groups)
{
    std::vector<uint32_t> ends;
    for (std::size_t i = 0; ends.size() < 2 && i < channel.GetNDevices(); ++i)
    {
        const auto device = channel.GetDevice(i);
        const auto node = device ? device->GetNode() : nullptr;
        if (!node)
        {
            continue;
        }
        const uint32_t id = groups.empty() ? node->GetId() : groups[node->GetId()];
        if (ends.empty() || ends.front() != id)
        {
            ends.push_back(id);
        }
    }
    return ends;
}

/// @return the delay of a channel between nodes; 0 if they touch each other at once through it
Time
GetDelay(Ptr<Channel> channel)
{
    TimeValue delay;
    if (channel->GetNDevices() != 2 || DynamicCast<CsmaChannel>(channel) ||
        !channel->GetAttributeFailSafe("Delay", delay))
    {
        return TimeStep(0);
    }
    return delay.Get();
}

/// A link between two nodes, by their ids.
struct LinkedNodes
{
    uint32_t a; //!< a node
    uint32_t b; //!< another one
};

/// The links of each node.
using Neighbors = std::vector<std::vector<uint32_t>>;

/// Agree with other processes on what they have found.
void
AgreeOnDelay(NetworkLookahead& found)
{
    std::string reason;
    for (const auto& text : MpiProcesses::Get().Gather(found.reason))
    {
        reason = reason.empty() ? text : reason;
    }
    found.reason = reason;
    const auto steps = static_cast<uint64_t>(found.delay.GetTimeStep());
    const auto least = MpiProcesses::Get().GetLeast({steps > 0 ? steps : UINT64_MAX})[0];
    found.delay = TimeStep(least == UINT64_MAX || !reason.empty() ? 0 : least);
}

/// Divide the nodes so that no link has both ends on one side. @return whether that is possible
bool
FindSides(const Neighbors& neighbors, std::vector<uint8_t>& sides)
{
    constexpr uint8_t UNKNOWN = 2;
    sides.assign(neighbors.size(), UNKNOWN);
    std::vector<uint32_t> found;
    for (uint32_t first = 0; first < neighbors.size(); ++first)
    {
        if (sides[first] == UNKNOWN)
        {
            sides[first] = 0;
            found.push_back(first);
        }
        while (!found.empty())
        {
            const uint32_t node = found.back();
            found.pop_back();
            for (const uint32_t other : neighbors[node])
            {
                if (sides[other] == sides[node])
                {
                    return false;
                }
                if (sides[other] == UNKNOWN)
                {
                    sides[other] = 1 - sides[node];
                    found.push_back(other);
                }
            }
        }
    }
    return true;
}

} // namespace

NetworkLookahead
NetworkLookahead::Find()
{
    NetworkLookahead found;
    found.groups = NodeGroup::FindAll();
    std::vector<LinkedNodes> links;
    for (uint32_t i = 0; found.reason.empty() && i < ChannelList::GetNChannels(); ++i)
    {
        const auto channel = ChannelList::GetChannel(i);
        const auto ends = GetEnds(*channel, found.groups);
        if (DynamicCast<BridgeChannel>(channel) || ends.size() < 2)
        {
            continue;
        }
        const Time delay = GetDelay(channel);
        if (!delay.IsStrictlyPositive())
        {
            found.reason = "channel " + std::to_string(i) + " (" +
                           channel->GetInstanceTypeId().GetName() +
                           ") has no delay between its nodes";
        }
        links.push_back({ends[0], ends[1]});
        if (found.delay.IsZero() || delay < found.delay)
        {
            found.delay = delay;
        }
    }
    AgreeOnDelay(found);
    if (!found.reason.empty())
    {
        return found;
    }
    Neighbors neighbors(NodeList::GetNNodes());
    for (const auto& link : GatherItems(links))
    {
        neighbors[link.a].push_back(link.b);
        neighbors[link.b].push_back(link.a);
    }
    found.hasSides = FindSides(neighbors, found.sides);
    for (std::size_t i = 0; found.hasSides && i < found.groups.size(); ++i)
    {
        found.sides[i] = found.sides[found.groups[i]];
    }
    return found;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-lookahead.h"

#include "ns3/bridge-channel.h"
#include "ns3/channel-list.h"
#include "ns3/channel.h"
#include "ns3/csma-channel.h"
#include "ns3/net-device.h"
#include "ns3/node.h"

#include <cstddef>
#include <cstdint>

namespace ns3::aidc
{

namespace
{

/**
 * @brief Tell whether a channel leads from a node to another one.
 * @param channel the channel
 * @return whether its devices are of several nodes
 */
bool
IsBetweenNodes(const Channel& channel)
{
    Ptr<Node> first;
    for (std::size_t i = 0; i < channel.GetNDevices(); ++i)
    {
        const auto device = channel.GetDevice(i);
        const auto node = device ? device->GetNode() : nullptr;
        if (!node)
        {
            continue;
        }
        if (first && node != first)
        {
            return true;
        }
        first = node;
    }
    return false;
}

/**
 * @brief Get the delay of a channel between nodes.
 * @param channel the channel
 * @return the delay; 0 if nodes touch each other at once through it
 */
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

} // namespace

NetworkLookahead
NetworkLookahead::Find()
{
    NetworkLookahead found{TimeStep(0), ""};
    for (uint32_t i = 0; i < ChannelList::GetNChannels(); ++i)
    {
        const auto channel = ChannelList::GetChannel(i);
        if (DynamicCast<BridgeChannel>(channel) || !IsBetweenNodes(*channel))
        {
            continue;
        }
        const Time delay = GetDelay(channel);
        if (!delay.IsStrictlyPositive())
        {
            return {TimeStep(0),
                    "channel " + std::to_string(i) + " (" + channel->GetInstanceTypeId().GetName() +
                        ") has no delay between its nodes"};
        }
        if (found.delay.IsZero() || delay < found.delay)
        {
            found.delay = delay;
        }
    }
    return found;
}

} // namespace ns3::aidc

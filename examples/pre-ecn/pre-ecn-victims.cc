/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pre-ecn-victims.h"

#include "pre-ecn-settings.h"

#include "ns3/node.h"
#include "ns3/roce-flow-helper.h"
#include "ns3/roce-helper.h"
#include "ns3/roce-nic.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstddef>

namespace ns3::aidc
{

namespace
{

/// How many hosts send.
constexpr std::size_t N_VICTIMS = 4;
/// The messages of each of them, at least.
constexpr int64_t N_MESSAGES = 8;
/// The size of each message.
constexpr uint64_t VICTIM_BYTES = 5'000'000;
/// From the beginning of a message to that of the next one.
const Time VICTIM_INTERVAL = MilliSeconds(2);
/// The DSCP of messages with a class of their own, whose upper three bits are the class.
constexpr uint64_t OWN_DSCP = PreEcnSettings::OWN_PRIORITY * 8 + 2;

/// Set the DSCP of queue pairs that are connected from now on, and get the one before. Their host
/// has no adapter here if it is another rank's.
uint64_t
SetDscp(const Ptr<Node>& host, uint64_t dscp)
{
    UintegerValue before(dscp);
    if (const auto nic = host->GetObject<RoceNic>())
    {
        nic->GetAttribute("Dscp", before);
        nic->SetAttribute("Dscp", UintegerValue(dscp));
    }
    return before.Get();
}

} // namespace

PreEcnVictims::PreEcnVictims()
    : m_records(Create<FlowRecords>())
{
}

void
PreEcnVictims::Install(const FabricHelper& aidc,
                       Time start,
                       Time duration,
                       uint32_t priority,
                       Time pause)
{
    const int64_t nMessages =
        std::max(N_MESSAGES, duration.GetNanoSeconds() / VICTIM_INTERVAL.GetNanoSeconds());
    const auto& hosts = aidc.GetFabric().GetHosts();
    for (std::size_t i = 0; i < N_VICTIMS; ++i)
    {
        FlowSpec spec;
        spec.source = hosts[(i + 1) * hosts.size() / N_VICTIMS - 1];
        spec.destination = hosts[((i + 1) % N_VICTIMS + 1) * hosts.size() / N_VICTIMS - 1];
        spec.bytes = VICTIM_BYTES;
        const auto sender = aidc.GetNode(spec.source);
        const auto receiver = aidc.GetNode(spec.destination);
        const bool isOwn = priority == PreEcnSettings::OWN_PRIORITY;
        uint64_t before = OWN_DSCP;
        for (const auto& host : {sender, receiver})
        {
            before = isOwn ? SetDscp(host, OWN_DSCP) : before;
        }
        RocePath path = RoceFlowHelper::GetPath(aidc.GetPath(spec.source, spec.destination),
                                                PreEcnSettings::PATH_MTU,
                                                aidc.GetFrameOverhead());
        path.pause = pause;
        const auto qps = RoceHelper::Connect(sender, receiver, path);
        if (isOwn)
        {
            SetDscp(sender, before);
            SetDscp(receiver, before);
        }
        RoceFlowHelper::Record(sender, qps.first, receiver, qps.second, m_records);
        for (int64_t k = 0; k < nMessages; ++k)
        {
            spec.start = start + k * VICTIM_INTERVAL;
            RoceFlowHelper::Post(m_records, spec, Time(), sender, qps.first);
        }
    }
}

Time
PreEcnVictims::GetLongestTime() const
{
    Time longest;
    for (const auto& record : m_records->Get())
    {
        longest = std::max(longest, record.fct);
    }
    return longest;
}

} // namespace ns3::aidc

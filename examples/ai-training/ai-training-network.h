/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_AI_TRAINING_NETWORK_H
#define AIDC_AI_TRAINING_NETWORK_H

#include "ns3/boolean.h"
#include "ns3/csig-helper.h"
#include "ns3/experiment-outcome.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-plan.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/node-container.h"
#include "ns3/pause-monitor.h"
#include "ns3/priority-flow-control-helper.h"
#include "ns3/process-gather.h"
#include "ns3/roce-helper.h"
#include "ns3/string.h"
#include "ns3/user-default.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * The network of the experiment ai-training, and what is counted there.
 */

namespace ns3::aidc
{

/// The lossless class, where RoceNic's DSCP goes.
constexpr uint32_t TRAINING_PRIORITY = 3;

namespace
{

constexpr uint16_t MTU = 4200; //!< room for a path MTU of 4096

bool
Has(const std::string& scheme, const std::string& mechanism)
{
    return scheme == mechanism || scheme == "all";
}

/// What a queue pair of a rank has waited for.
struct PairWaits
{
    uint32_t rank;       //!< the rank
    RoceWaitTimes times; //!< the times
};

/// @return what the queue pairs of all ranks have waited for
RoceWaitTimes
GetWaits(const NodeContainer& ranks)
{
    std::vector<PairWaits> pairs;
    for (uint32_t rank = 0; rank < ranks.GetN(); ++rank)
    {
        if (!RoceHelper::IsLocal(ranks.Get(rank)))
        {
            continue;
        }
        const auto nic = RoceHelper::GetNic(ranks.Get(rank));
        for (uint32_t i = 0; i < nic->GetNQueuePairs(); ++i)
        {
            pairs.push_back({rank, nic->GetWaitTimes(RoceNic::FIRST_QP + i)});
        }
    }
    pairs = GatherItems(pairs);
    // Whichever process has simulated them, the last digits of a sum are the same.
    std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) {
        return a.rank < b.rank;
    });
    RoceWaitTimes sum;
    for (const auto& pair : pairs)
    {
        sum.pause += pair.times.pause;
        sum.rate += pair.times.rate;
        sum.window += pair.times.window;
        sum.retransmission += pair.times.retransmission;
    }
    return sum;
}

} // namespace

/// Build the network of a scheme, with its switches, and hosts with adapters for RoCEv2.
/// @param network the network
/// @param fabric its plan
/// @param scheme the scheme
/// @param options those of the switches
inline void
BuildTrainingNetwork(FabricHelper& network,
                     const FabricPlan& fabric,
                     const std::string& scheme,
                     const ExperimentSwitchOptions& options)
{
    network.SetMtu(GetUserDefaultOr("ns3::aidc::EthernetNetDevice::Mtu", MTU));
    if (Has(scheme, "flow-set"))
    {
        MultipathRoutingHelper routing("ns3::aidc::FlowSetEcmpRouting");
        routing.SetSelector("ns3::aidc::FlowSetSelector");
        network.SetSwitchRouting(routing);
    }
    network.Build(fabric);
    auto switches = Has(scheme, "coupled-ecn") ? options.MakeCoupled() : options.MakeStatic();
    switches.SetNClasses(8);
    if (!Has(scheme, "coupled-ecn"))
    {
        // From 400 kB to 1.6 MB, as DCQCN is configured at 100 Gb/s.
        switches.SetQueueDiscAttribute(SharedBufferSwitchHelper::ALL_CLASSES,
                                       "Mode",
                                       StringValue("StaticRed"));
    }
    const auto queueDiscs = switches.Install(network.GetSwitches());
    PriorityFlowControlHelper pfc;
    pfc.SetPriorities({TRAINING_PRIORITY});
    pfc.InstallSwitches(network.GetSwitches());
    pfc.InstallHosts(network.GetHosts());
    network.AssignAddresses();
    int64_t stream = 100;
    stream += network.AssignStreams(stream);
    SharedBufferSwitchHelper::AssignStreams(queueDiscs, stream);

    RoceHelper roce;
    if (Has(scheme, "swift-csig"))
    {
        roce.SetCongestionControl("ns3::aidc::SwiftControl",
                                  "GoverningDelay",
                                  StringValue("HopDelay"),
                                  "JumpStart",
                                  StringValue("true"));
    }
    else
    {
        roce.SetCongestionControl("ns3::aidc::DcqcnControl");
    }
    roce.Install(network.GetHosts());
    if (Has(scheme, "swift-csig"))
    {
        CsigHelper csig;
        if (!HasUserDefault("ns3::aidc::CsigPort::Trusted"))
        {
            csig.SetPortAttribute("Trusted", BooleanValue(true));
        }
        csig.SetNicAttribute("Signals", StringValue("max(PD),min(ABW)"));
        csig.Install(network);
    }
}

/// Add what adapters and ports have counted.
/// @param network the network
/// @param ranks the hosts of the ranks
/// @param pauses what has watched the ports' pauses
/// @param [in,out] outcome where the metrics go
inline void
AddTrainingCounts(const FabricHelper& network,
                  const NodeContainer& ranks,
                  const PauseMonitor& pauses,
                  ExperimentOutcome& outcome)
{
    RoceNicStatistics sum;
    const auto hosts = network.GetHosts();
    for (uint32_t i = 0; i < hosts.GetN(); ++i)
    {
        const auto& counted = RoceHelper::GetNic(hosts.Get(i))->GetStatistics();
        sum.sentCnps += counted.sentCnps;
        sum.retransmittedPackets += counted.retransmittedPackets;
    }
    const RoceWaitTimes waits = GetWaits(ranks);
    outcome.Add(GetPacketMetrics(network.GetPacketCounts()));
    const auto retransmitted = static_cast<double>(SumOverProcesses(sum.retransmittedPackets));
    outcome.Add("retransmitted_packets", retransmitted, "packet");
    outcome.Add("cnps", static_cast<double>(SumOverProcesses(sum.sentCnps)), "packet");
    outcome.Add("pauses", static_cast<double>(pauses.GetPauses()), "1");
    outcome.Add("paused_time", pauses.GetPausedTime().GetSeconds(), "s");
    // What the queue pairs of a rank have waited for, on average over the ranks.
    const double perRank = 1e-9 / ranks.GetN();
    outcome.Add("wait_pause", waits.pause * perRank, "s");
    outcome.Add("wait_rate", waits.rate * perRank, "s");
    outcome.Add("wait_window", waits.window * perRank, "s");
    outcome.Add("wait_retransmission", waits.retransmission * perRank, "s");
}

} // namespace ns3::aidc

#endif // AIDC_AI_TRAINING_NETWORK_H

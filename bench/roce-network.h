// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ROCE_NETWORK_H
#define AIDC_ROCE_NETWORK_H

#include "ns3/fabric-helper.h"
#include "ns3/fabric-plan.h"
#include "ns3/priority-flow-control-helper.h"
#include "ns3/queue-size.h"
#include "ns3/roce-helper.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/string.h"

/**
 * @file
 * @ingroup aidc
 * @brief The network of the benchmarks of RoCEv2.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Make a network with RoCEv2, DCQCN, priority flow control and 32 MB in each switch.
 *
 * Switches mark from 400 kB to 1.6 MB, as public simulators with DCQCN are configured at 100 Gb/s.
 * @param plan the plan of the network
 * @param [out] network the network
 */
inline void
BuildRoceNetwork(const FabricPlan& plan, FabricHelper& network)
{
    network.SetMtu(4200);
    network.Build(plan);
    SharedBufferSwitchHelper switches;
    switches.SetBufferAttribute("Size", QueueSizeValue(QueueSize("32MB")));
    switches.SetQueueDiscAttribute(SharedBufferSwitchHelper::ALL_CLASSES,
                                   "Mode",
                                   StringValue("StaticRed"));
    const auto queueDiscs = switches.Install(network.GetSwitches());
    PriorityFlowControlHelper pfc;
    pfc.InstallSwitches(network.GetSwitches());
    pfc.InstallHosts(network.GetHosts());
    network.AssignAddresses();
    SharedBufferSwitchHelper::AssignStreams(queueDiscs, 1 + network.AssignStreams(1));
    RoceHelper roce;
    roce.SetCongestionControl("ns3::aidc::DcqcnControl");
    roce.Install(network.GetHosts());
}

} // namespace ns3::aidc

#endif // AIDC_ROCE_NETWORK_H

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_IDEAL_EXECUTION_H
#define AIDC_IDEAL_EXECUTION_H

#include "workload-plan.h"

namespace ns3::aidc
{

/// Compute how long programs take without any contention in the network.
///
/// Each rank sends its messages one after another at the rate of its link. A message arrives as a
/// whole a latency after its last byte, and is acknowledged another latency later. The computation
/// takes memory for the operations of all ranks, and time for each message.
/// @param plan the programs, which have been checked
/// @param rate the rate of a link, above 0, in bit/s
/// @param latency the latency in seconds
/// @return when the last operation ends, in seconds
double GetIdealSeconds(const WorkloadPlan& plan, double rate, double latency);

} // namespace ns3::aidc

#endif // AIDC_IDEAL_EXECUTION_H

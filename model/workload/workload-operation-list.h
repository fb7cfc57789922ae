/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_WORKLOAD_OPERATION_LIST_H
#define AIDC_WORKLOAD_OPERATION_LIST_H

#include "json-object-reader.h"

#include "ns3/workload-plan.h"

#include <string>
#include <vector>

namespace ns3::aidc
{

/// Read how a collective is done: its algorithm, chunks, channels, and the members of a server.
/// @param reader the object that has them
/// @param algorithm the algorithm if the object has none
/// @return these four; all else is as it is in the beginning
CollectiveScheduleSettings ReadCollectiveWay(JsonObjectReader& reader,
                                             CollectiveAlgorithm algorithm);

/// Read a list of operations, and add them to a plan.
/// @param items the list
/// @param name the name for errors
/// @param plan the plan
/// @throws AidcInputError if it is not a list of operations
/// @throws std::runtime_error that names file and line, if a collective is impossible
void AddWorkloadOperations(const std::vector<JsonValue>& items,
                           const std::string& name,
                           WorkloadPlan& plan);

} // namespace ns3::aidc

#endif // AIDC_WORKLOAD_OPERATION_LIST_H

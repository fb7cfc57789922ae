/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TOPOLOGY_HEADER_H
#define AIDC_TOPOLOGY_HEADER_H

#include "workload-file-reader.h"

#include "ns3/fabric-plan.h"

#include <cstdint>
#include <set>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief What the first two lines of a topology file announce (see TopologyFile).
struct TopologyHeader
{
    uint32_t line{0};                //!< the first line
    uint32_t nNodes{0};              //!< the number of nodes, with NVSwitches
    uint64_t nNvSwitches{0};         //!< the number of NVSwitches
    uint64_t nSwitches{0};           //!< the number of switches
    uint64_t nLinks{0};              //!< the number of links
    uint32_t gpusPerServer{0};       //!< the GPUs of a server; 0 if there are no servers
    std::vector<NodeIndex> switches; //!< the ids of the switches, in the order of the file
    std::set<NodeIndex> nvSwitches;  //!< the ids of the NVSwitches
    std::set<NodeIndex> allSwitches; //!< the ids of both

    /// Read the two lines. @param reader the reader, before the first line @return what they
    /// announce @throws AidcInputError if they are not those of a topology
    static TopologyHeader Read(WorkloadFileReader& reader);
};

} // namespace ns3::aidc

#endif // AIDC_TOPOLOGY_HEADER_H

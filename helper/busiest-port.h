/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BUSIEST_PORT_H
#define AIDC_BUSIEST_PORT_H

#include "fabric-network.h"

#include <string>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The port of a network that has sent most, relative to the rate of its link.
 */
struct BusiestPort
{
    std::string name; //!< its name in the plan, such as "leaf-3:spine-1"; empty if there is none
    double load{0};   //!< the share of the simulated time in which it has sent, with all overhead
};

/// @ingroup aidc
/// @brief Find the port that has sent most so far; of several, the first one in the plan.
///
/// Of several processes (MpiProcesses), each one asks at the same point.
/// @param network the network
/// @return the port; none before anything is simulated, or without Ethernet ports
BusiestPort FindBusiestPort(const FabricNetwork& network);

} // namespace ns3::aidc

#endif // AIDC_BUSIEST_PORT_H

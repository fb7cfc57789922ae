/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FARE_CLOS_SCENARIO_H
#define AIDC_FARE_CLOS_SCENARIO_H

#include "fare-clos-settings.h"

#include "ns3/clos-throughput.h"
#include "ns3/fabric-plan.h"

#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * The scenarios of FareClosExperiment.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief A pair of hosts, the first of which sends to the second.
struct FareClosPair
{
    NodeIndex source;      //!< who sends
    NodeIndex destination; //!< who receives
};

/// @ingroup aidc
/// @brief A scenario of FareClosExperiment: the network, what is down, who sends to whom, and what
///        can be carried at most.
struct FareClosScenario
{
    FabricPlan fabric;                     //!< the network, as BGP knows it
    FabricPlan left;                       //!< the same with what its links have left
    std::vector<LinkIndex> failed;         //!< the links that are down from the beginning
    std::vector<LinkIndex> background;     //!< the links that have background traffic
    std::vector<LinkIndex> slowed;         //!< the links that are slow without BGP's knowledge
    std::optional<LinkIndex> lost;         //!< the link that fails and comes back
    std::vector<FareClosPair> permutation; //!< each host sends to that of the next leaf or pod

    /// Get the links that are down while the scenario is measured. @return the links
    std::vector<LinkIndex> GetDown() const;

    /// Get the most that the permutation can have, on the wire.
    /// @param isIntact whether it is without the link that fails
    /// @return bit/s
    double GetPermutationBound(bool isIntact = false) const;

    /// Get the most that all-to-all can have, on the wire. @return bit/s
    double GetAllToAllBound() const;
};

/// @ingroup aidc
/// @brief Make a scenario; takes the random variable stream 1.
/// @param name its name
/// @param settings what the user has set
/// @return the scenario
FareClosScenario MakeFareClosScenario(const std::string& name, const FareClosSettings& settings);

} // namespace ns3::aidc

#endif // AIDC_FARE_CLOS_SCENARIO_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FARE_CLOS_NETWORK_H
#define AIDC_FARE_CLOS_NETWORK_H

#include "fare-clos-scenario.h"
#include "fare-clos-settings.h"

#include "ns3/bgp-fabric-helper.h"
#include "ns3/experiment-options.h"
#include "ns3/experiment-transport.h"
#include "ns3/fabric-helper.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief The network of FareClosExperiment: switches that speak BGP, and hosts with RoCEv2.
class FareClosNetwork
{
  public:
    /// Constructor; builds the network.
    /// @param settings what the user has set
    /// @param options the options of all experiments
    /// @param scenario the scenario, which outlives this
    /// @param scheme the scheme
    FareClosNetwork(const FareClosSettings& settings,
                    const ExperimentOptions& options,
                    const FareClosScenario& scenario,
                    const std::string& scheme);

    FareClosNetwork(const FareClosNetwork&) = delete;
    FareClosNetwork& operator=(const FareClosNetwork&) = delete;

    /// Have the scenario's link fail.
    /// @param failure when
    /// @param restoration when it comes back
    void ScheduleFailure(Time failure, Time restoration);

    /// @return the network
    const FabricHelper& GetFabric() const;

    /// Get the speakers of the switches. @return the speakers
    const BgpFabricHelper& GetBgp() const;

    /// Get the metrics of transport and queues. @return the metrics
    std::vector<ResultMetric> GetMetrics() const;

  private:
    /// Have speakers tell what is available of links, with times that fit a run of milliseconds.
    void UseAvailableBandwidth();

    /// Have a link go on at a rate, in bit/s, that its speakers do not know.
    void SlowDown(LinkIndex link, uint64_t rate);

    const FareClosScenario& m_scenario; //!< the scenario
    ExperimentTransport m_transport;    //!< RoCEv2
    FabricHelper m_network;             //!< the network
    BgpFabricHelper m_bgp;              //!< its speakers
};

} // namespace ns3::aidc

#endif // AIDC_FARE_CLOS_NETWORK_H

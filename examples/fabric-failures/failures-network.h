/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FAILURES_NETWORK_H
#define AIDC_FAILURES_NETWORK_H

#include "ns3/bgp-fabric-helper.h"
#include "ns3/experiment-options.h"
#include "ns3/experiment-results.h"
#include "ns3/fabric-helper.h"
#include "ns3/link-failure-error-model.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * ns3::aidc::FailuresSettings and FailuresNetwork declarations.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief What a user may set of FabricFailuresExperiment.
struct FailuresSettings
{
    uint32_t leaves{8};                 //!< leaves
    uint32_t spines{4};                 //!< spines
    uint32_t hosts{2};                  //!< hosts of a leaf
    Time interval{MicroSeconds(1)};     //!< between packets of a host
    Time detection{MicroSeconds(50)};   //!< until a port knows of its link
    Time hold{Seconds(9)};              //!< hold time of BGP
    Time bfdInterval{MilliSeconds(50)}; //!< between packets of BFD
    uint32_t bfdMultiplier{3};          //!< intervals without a packet until a link has failed
    Time restart{Seconds(2)};           //!< until a restarting speaker is back
    Time drain{Seconds(1)};             //!< between graceful shutdown and shutdown
    Time down{Seconds(20)};             //!< until what has failed is back
};

/**
 * @ingroup aidc
 * @brief The fabric of a scheme, and what happens to it in a scenario.
 */
class FailuresNetwork
{
  public:
    /**
     * @brief Constructor.
     * @param settings what the user has set
     * @param options the options of all experiments
     * @param scenario the name of the scenario
     * @param scheme the name of the scheme
     */
    FailuresNetwork(const FailuresSettings& settings,
                    const ExperimentOptions& options,
                    const std::string& scenario,
                    const std::string& scheme);

    FailuresNetwork(const FailuresNetwork&) = delete;
    FailuresNetwork& operator=(const FailuresNetwork&) = delete;

    /// Schedule the failure of the scenario. @param failure when it happens
    void Schedule(Time failure);

    /// @return the fabric
    const FabricHelper& GetFabric() const
    {
        return m_network;
    }

    /// Get when something happens: what is scheduled, and changes of routes that have happened.
    /// Of several processes (MpiProcesses), each one calls it after the simulation, as all
    /// functions below.
    /// @return the times, ascending; of several within the probe's lead, the first one
    std::vector<Time> GetMoments() const;

    /// @param from a time
    /// @param to another one
    /// @return when routes have changed last between them; not a number of seconds if never
    double GetLastChange(Time from, Time to) const;

    /// @return messages and bytes of BGP without KEEPALIVEs, and packets of BFD, from the failure
    /// on
    std::vector<ResultMetric> GetMetrics() const;

  private:
    /// Have something happen.
    void At(Time time, const std::function<void()>& act);

    /// Let the ports that receive what is silently lost lose it, once m_directions fail.
    void FailInSilence();

    /// Stop or start all sessions of the first spine. @param isStopped whether they stop
    void SetStopped(bool isStopped);

    /// Get messages and bytes of BGP without KEEPALIVEs, and packets of BFD, so far.
    std::vector<ResultMetric> Count() const;

    FailuresSettings m_settings;                          //!< what the user has set
    std::string m_scenario;                               //!< the scenario
    bool m_drains;                                        //!< whether spines are drained
    FabricHelper m_network;                               //!< the fabric
    BgpFabricHelper m_bgp;                                //!< its speakers
    NodeIndex m_leaf;                                     //!< the first leaf
    NodeIndex m_spine;                                    //!< the first spine
    std::vector<LinkIndex> m_links;                       //!< of the spine, to the leaf first
    std::vector<Ptr<LinkFailureErrorModel>> m_directions; //!< that silently fail
    std::vector<Time> m_steps;                            //!< what is scheduled
    std::vector<int64_t> m_changes;                       //!< of routes, in time steps
    std::vector<ResultMetric> m_before;                   //!< metrics at the failure
};

} // namespace ns3::aidc

#endif // AIDC_FAILURES_NETWORK_H

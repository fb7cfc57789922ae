/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PRE_ECN_SETTINGS_H
#define AIDC_PRE_ECN_SETTINGS_H

#include "ns3/data-rate.h"
#include "ns3/experiment-base.h"
#include "ns3/experiment-parameters.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3::aidc
{

/// @ingroup aidc
/// A scenario of PreEcnExperiment, such as 10ms, 10ms-long, 10ms-both or
/// 10ms-long-both-maintenance.
struct PreEcnScenario
{
    Time delay;                 //!< one-way, of the primary path between PEs
    bool isLong{false};         //!< long flows in place of all-reduces and bursts
    bool isBothWays{false};     //!< whether both data centers of a pair send at a time
    bool hasMaintenance{false}; //!< whether a link is drained, taken down and restored
    bool hasFailure{false};     //!< whether it goes down without notice

    /// @return whether a link is down for some time
    bool HasOutage() const
    {
        return hasMaintenance || hasFailure;
    }

    /// Read a scenario.
    /// @param name its name
    /// @return the scenario
    /// @throws std::runtime_error with what was expected, if the name is none
    static PreEcnScenario Parse(const std::string& name);
};

/// @ingroup aidc
/// When a link of PreEcnExperiment is out of service.
struct PreEcnOutage
{
    Time drain;       //!< when routes begin to avoid it, in a maintenance
    Time failure;     //!< when it goes down
    Time restoration; //!< when it is up again
};

/// @ingroup aidc
/// What a user may set of PreEcnExperiment, and what follows from it.
struct PreEcnSettings
{
    PreEcnSettings()
    {
        switches.buffer = 32'000'000;
    }

    /// The speed of hosts, in bit/s
    static constexpr uint64_t HOST_RATE = 100'000'000'000;
    /// The speed of links between switches, and of those to and of the PEs, in bit/s
    static constexpr uint64_t FABRIC_RATE = 400'000'000'000;
    /// The class of RoCEv2, where RoceNic's DSCP goes
    static constexpr uint32_t PRIORITY = 3;
    /// A lossless class of their own for messages within data centers, that of the DSCP 34
    static constexpr uint32_t OWN_PRIORITY = 4;
    /// The payload of a full packet
    static constexpr uint32_t PATH_MTU = 4096;

    /// How long it takes to notice that a link is down or up, as in the suite aidc-pe-failure
    static constexpr int64_t DETECTION_MS = 1;
    /// How long it takes until all routers have other routes then, as there
    static constexpr int64_t CONVERGENCE_MS = 1;

    uint32_t sites{2};                        //!< data centers
    uint32_t k{4};                            //!< ports of a switch of the fat-trees
    uint32_t edges{2};                        //!< PEs of each data center
    DataRate coreRate{"400Gbps"};             //!< links between core routers
    Time edgeDelay{MicroSeconds(100)};        //!< links between PEs and core routers
    ExperimentSwitchOptions switches;         //!< the data centers' switches
    uint32_t buffer{64'000'000};              //!< a router's memory
    uint32_t t1{2'000'000};                   //!< T1, and the single threshold
    uint32_t t2{16'000'000};                  //!< T2
    uint32_t maximum{48'000'000};             //!< where all packets are marked
    Time interval{MicroSeconds(100)};         //!< between a flow's notifications
    std::string steering{"share"};            //!< how PEs steer: by share, or flow by flow
    Time reportInterval{MicroSeconds(500)};   //!< between reports of the load of links
    double lightStep{0.05};                   //!< step down of a flow's rate for light congestion
    double severeStep{0.25};                  //!< step down for severe congestion
    bool limitsTunnels{false};                //!< whether a PE sends no more than a core link takes
    double backLoss{0};                       //!< part of packets lost on the way back to PEs
    uint32_t pairs{4};                        //!< pairs of ranks, one in each data center
    uint32_t layers{4};                       //!< all-reduces of each pair
    uint32_t layerBytes{32'000'000};          //!< bytes of each of them
    uint32_t chunks{4};                       //!< chunks of each of them
    uint32_t senders{4};                      //!< senders of a burst
    uint32_t burstBytes{32'000'000};          //!< bytes of each of them
    uint32_t bursts{2};                       //!< bursts
    uint32_t longRoundTrips{10};              //!< how long long flows take, if nothing is lost
    uint32_t victimClass{PRIORITY};           //!< the class of messages within data centers
    std::string recovery{"selective-repeat"}; //!< how RoCEv2 retransmits

    /// Let a user set them. @param[in,out] parameters what the user may set @param plan what is run
    void AddTo(ExperimentParameters& parameters, const ExperimentPlan& plan);

    /// Get how long flows take that fill the primary path, if nothing is lost.
    /// @param scenario a scenario with long flows
    /// @return the time, without the delay of the path
    Time GetLongTime(const PreEcnScenario& scenario) const;

    /// Get when the link is out of service: drained after a quarter of GetLongTime(), taken down
    /// when routes have converged and what waited for it has arrived, and restored another quarter
    /// later.
    /// @return the times; without notice, all but the drain hold
    PreEcnOutage GetOutage(const PreEcnScenario& scenario) const;

    /// Check them.
    /// @param scenario the scenario that they are for
    /// @throws std::runtime_error with what was expected, if one is not as it should be
    void Check(const PreEcnScenario& scenario) const;
};

} // namespace ns3::aidc

#endif // AIDC_PRE_ECN_SETTINGS_H

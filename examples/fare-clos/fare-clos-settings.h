/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FARE_CLOS_SETTINGS_H
#define AIDC_FARE_CLOS_SETTINGS_H

#include "ns3/data-rate.h"
#include "ns3/experiment-parameters.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/experiment-transport.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief What a user may set of FareClosExperiment.
struct FareClosSettings
{
    uint32_t leaves{8};               //!< leaves of three stages
    uint32_t pods{8};                 //!< pods of five stages, of 4 leaves each
    uint32_t hosts{4};                //!< hosts of a leaf
    DataRate rate{25'000'000'000};    //!< hosts' links and those of switches
    Time delay{MicroSeconds(1)};      //!< one-way delay of each link
    double degraded{0.125};           //!< share of links failed or slow
    double slow{0.5};                 //!< share of its rate that a slow link has
    double background{0.5};           //!< share of a link's rate that background traffic has
    uint32_t queuePairs{4};           //!< queue pairs of a pair of hosts
    uint32_t message{32768};          //!< bytes of a message
    uint32_t exchange{2000000};       //!< bytes of a host in all-to-all
    Time settle{MicroSeconds(1000)};  //!< from a change until it is measured
    Time window{MicroSeconds(500)};   //!< how long is measured
    Time detection{MicroSeconds(50)}; //!< until a port knows of its link
    ExperimentSwitchOptions switches; //!< the switches' buffers
    uint32_t kmin{100000};            //!< queue from which on some packets are marked
    uint32_t kmax{400000};            //!< queue from which on all are
    double pmax{0.2};                 //!< share of packets marked just below kmax
    ExperimentTransportOptions transport{MakeRoce()}; //!< what carries the messages
    uint32_t reorderWindow{32};                       //!< attribute ReorderWindow of RoceNic

    /// Let a user set the options.
    /// @param[in,out] parameters what the user may set
    /// @param plan what is run
    void AddTo(ExperimentParameters& parameters, const ExperimentPlan& plan);

    /// Check what single options cannot tell.
    /// @throws std::runtime_error with what was expected
    void Check() const;

  private:
    /// Let a user set the options of the network and of what is degraded there.
    void AddNetworkTo(ExperimentParameters& parameters, const ExperimentPlan& plan);

    /// Get the transport's defaults here. @return DCQCN with selective repeat
    static ExperimentTransportOptions MakeRoce();
};

} // namespace ns3::aidc

#endif // AIDC_FARE_CLOS_SETTINGS_H

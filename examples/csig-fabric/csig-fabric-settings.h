/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_FABRIC_SETTINGS_H
#define AIDC_CSIG_FABRIC_SETTINGS_H

#include "ns3/data-rate.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/experiment-transport.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup aidc
 * ns3::aidc::CsigFabricSettings declaration.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// What a user may set of CsigFabricExperiment.
struct CsigFabricSettings
{
    /// The speed of all links that are not slower, in bit/s
    static constexpr uint64_t SPEED = 100'000'000'000;

    std::string flowSizes{"flow-sizes/web-search-dctcp.txt"}; //!< file
    ExperimentSwitchOptions switches;                         //!< the switches
    ExperimentTransportOptions transport;                     //!< what carries the flows
    Time window{MicroSeconds(100)};                           //!< of the truth and of estimators
    Time period{MicroSeconds(200)};                           //!< of new weights
    Time duration{MilliSeconds(2)};                           //!< while flows arrive
    DataRate rate{"40Gbps"};                                  //!< of flows at a constant rate
    uint32_t size{20000000};                                  //!< of these flows, in bytes
    DataRate threshold{"10Gbps"};                             //!< less is congestion
    double others{0.5};                                       //!< spines and cores without CSIG
    Time softwareInterval{MilliSeconds(1)};                   //!< of agents in software
    bool isSmall{false};                                      //!< whether it is to take seconds
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_FABRIC_SETTINGS_H

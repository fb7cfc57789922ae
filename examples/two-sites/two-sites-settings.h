/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TWO_SITES_SETTINGS_H
#define AIDC_TWO_SITES_SETTINGS_H

#include "ns3/data-rate.h"
#include "ns3/experiment-base.h"
#include "ns3/experiment-parameters.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup aidc
 * What TwoSitesExperiment is made from.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// The number of data centers.
inline constexpr uint32_t WAN_SITES = 2;

namespace
{

/// Schemes that have all mechanisms but one.
const std::string ALL_BUT = "all-but-";

} // namespace

/// @ingroup aidc
/// @brief The mechanisms that a scheme of TwoSitesExperiment has.
struct TwoSitesMechanisms
{
    /// @param scheme baseline, a mechanism, fare-pre-ecn, all, or all-but- with a mechanism
    explicit TwoSitesMechanisms(const std::string& scheme)
    {
        const auto has = [&scheme](const std::string& name) {
            return scheme == name || scheme == "all" ||
                   (scheme.rfind(ALL_BUT, 0) == 0 && scheme != ALL_BUT + name) ||
                   (scheme == "fare-pre-ecn" && (name == "fare" || name == "pre-ecn"));
        };
        coupledEcn = has("coupled-ecn");
        flowSet = has("flow-set");
        fare = has("fare");
        preEcn = has("pre-ecn");
        csig = has("csig");
    }

    bool coupledEcn; //!< the ECN threshold of switches is coupled to their buffers
    bool flowSet;    //!< switches move flow sets away from congested ports
    bool fare;       //!< switches weigh paths by the bandwidths that BGP carries
    bool preEcn;     //!< core routers mark in two steps, and the provider edge reacts
    bool csig;       //!< hosts get CSIG's signals, and Swift uses them in place of DCQCN
};

/// @ingroup aidc
/// @brief What a user may set of TwoSitesExperiment, and what follows from it.
struct TwoSitesSettings
{
    TwoSitesSettings()
    {
        switches.buffer = 2'000'000;
    }

    /// The speed of hosts and of the links between switches, in bit/s
    static constexpr uint64_t HOST_RATE = 100'000'000'000;
    /// The class of RoCEv2, where RoceNic's DSCP goes
    static constexpr uint32_t PRIORITY = 3;
    /// The payload of a full packet
    static constexpr uint32_t PATH_MTU = 4096;
    /// Provider edge routers (PEs) of each data center
    static constexpr uint32_t EDGES = 2;

    std::string size{"default"};             //!< small, default or large
    uint32_t k{4};                           //!< ports of a switch of the fat-trees
    ExperimentSwitchOptions switches;        //!< the switches of the data centers
    double degraded{0.25};                   //!< what is left of the rate of the degraded link
    Time wanDelay{MilliSeconds(1)};          //!< one-way, of the primary path between PEs
    DataRate coreRate{"200Gbps"};            //!< links between core routers
    uint32_t layers{4};                      //!< layers of the model
    uint32_t layerBytes{8'000'000};          //!< bytes of a layer's gradients
    Time compute{MicroSeconds(100)};         //!< computation of a layer, in each direction
    uint32_t storageBytes{500'000};          //!< bytes of each sender of an incast
    uint32_t storageSenders{6};              //!< senders of an incast
    Time storageInterval{MicroSeconds(200)}; //!< mean time between incasts of a data center
    Time duration{MilliSeconds(8)};          //!< how long incasts begin
    uint32_t elephantBytes{20'000'000};      //!< bytes of an elephant
    uint32_t burstBytes{24'000'000};         //!< bytes of each sender of a burst
    uint32_t bursts{2};                      //!< bursts over the WAN

    /// Get the ranks of a data center: every second host. @return their number
    uint32_t GetNRanks() const
    {
        return k * k * k / 8;
    }

    /// The links between PEs and core routers. @return their one-way delay
    Time GetEdgeDelay() const
    {
        return wanDelay / 10;
    }

    /// The links between PEs and core routers, twice as fast as those between core routers.
    /// @return their rate in bit/s
    uint64_t GetEdgeRate() const
    {
        return 2 * coreRate.GetBitRate();
    }

    /// Let a user set them. @param[in,out] parameters what the user may set
    void AddTo(ExperimentParameters& parameters, const ExperimentPlan&)
    {
        parameters.AddText(
            "size",
            "small (seconds), default (minutes) or large: the defaults of other options",
            size);
        parameters.AddCount("k", "ports of a switch of the fat-trees, even, from 4 to 16", k)
            .InLarge("8");
        switches.AddMemoryTo(parameters, "size of a switch's shared buffer, such as 2MB", 10000);
        parameters.AddNumber(
            "degraded",
            "what is left of the rate of the link between the first leaf and its first spine",
            degraded,
            [](double value) { return value >= 0.01 && value <= 1; },
            "from 0.01 to 1");
        parameters.AddTime("wan-delay", "one-way delay between provider edge routers", wanDelay);
        parameters
            .AddRate("core-rate",
                     "rate of the links between core routers; those of the PEs have twice as much",
                     coreRate)
            .InLarge("1600Gbps");
        parameters.AddCount("layers", "layers of the model", layers).InSmall("1").InLarge("8");
        parameters.AddBytes("layer-bytes", "bytes of a layer's gradients", layerBytes)
            .InSmall("4MB");
        parameters.AddTime("compute", "computation of a layer, in each direction", compute, true);
        parameters.AddBytes("storage-bytes", "bytes of each sender of an incast", storageBytes);
        parameters.AddCount("storage-senders", "senders of an incast", storageSenders);
        parameters.AddTime("storage-interval",
                           "mean time between incasts of a data center",
                           storageInterval);
        parameters.AddTime("duration", "how long incasts begin", duration).InSmall("1ms");
        parameters.AddBytes("elephant-bytes", "bytes of an elephant", elephantBytes).InSmall("4MB");
        parameters
            .AddBytes("burst-bytes", "bytes of each sender of a burst over the WAN", burstBytes)
            .UseIf([this] { return bursts > 0; }, "--bursts above 0");
        parameters
            .AddCount("bursts", "bursts over the WAN, from either data center in turn", bursts)
            .InSmall("1");
    }

    /// Check them.
    /// @throws std::runtime_error with what was expected, if one is not as it should be
    void Check() const
    {
        CheckOption(k >= 4 && k % 2 == 0 && k <= 16,
                    "--k as an even number from 4 to 16, found " + std::to_string(k));
        const uint32_t nOthers = k * k * k / 8;
        CheckOption(storageSenders > 0 && storageSenders <= nOthers,
                    "--storage-senders from 1 to " + std::to_string(nOthers) +
                        ", half of the hosts of a data center, found " +
                        std::to_string(storageSenders));
        CheckOption(layers > 0, "--layers above 0");
    }
};

} // namespace ns3::aidc

#endif // AIDC_TWO_SITES_SETTINGS_H

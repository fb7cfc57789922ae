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

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// Make the condition of an option that is for some scenarios. @return whether one of them is run
std::function<bool()>
UseIn(const ExperimentPlan& plan, const std::vector<std::string>& scenarios)
{
    return [&plan, scenarios] { return plan.HasScenario(scenarios); };
}

} // namespace

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
    void AddTo(ExperimentParameters& parameters, const ExperimentPlan& plan)
    {
        AddNetworkTo(parameters, plan);
        parameters.AddCount("queue-pairs",
                            "queue pairs per pair of hosts, from 1 to 256",
                            queuePairs);
        parameters.AddBytes("message", "bytes per message of the permutation", message);
        parameters
            .AddBytes(
                "exchange",
                "bytes that each host sends in all-to-all, split equally among all other hosts",
                exchange)
            .InSmall("1MB");
        parameters.AddTime("settle", "time from a change until throughput is measured", settle)
            .InSmall("750us");
        parameters.AddTime("window", "time over which throughput is measured", window);
        const std::vector<std::string> lost{"one-link-lost-3",
                                            "one-link-lost-5",
                                            "member-lost-3",
                                            "member-lost-5"};
        parameters
            .AddTime("detection", "time until a switch notices that a link is down", detection)
            .Sets({"ns3::aidc::EthernetChannel::DetectionDelay"})
            .UseIf(UseIn(plan, lost), "--scenarios=one-link-lost-N or member-lost-N");
        switches.AddBufferTo(parameters);
        parameters.AddBytes("kmin", "queue above which some packets are marked", kmin)
            .Sets({"ns3::aidc::CoupledEcnQueueDisc::Kmin"});
        parameters.AddBytes("kmax", "queue above which all packets are marked", kmax)
            .Sets({"ns3::aidc::CoupledEcnQueueDisc::Kmax"});
        parameters
            .AddNumber(
                "pmax",
                "share of packets that are marked just below --kmax",
                pmax,
                [](double value) { return value >= 0 && value <= 1; },
                "from 0 to 1")
            .Sets({"ns3::aidc::CoupledEcnQueueDisc::Pmax"});
        transport.AddTo(parameters);
        parameters
            .AddCount("reorder-window",
                      "packets that may overtake a packet before RoCEv2 retransmits it",
                      reorderWindow)
            .Sets({"ns3::aidc::RoceNic::ReorderWindow"})
            .UseIf([this] { return transport.recovery == "selective-repeat"; },
                   "--recovery=selective-repeat");
    }

    /// Check what single options cannot tell.
    /// @throws std::runtime_error with what was expected
    void Check() const
    {
        CheckOption(leaves >= 2 && leaves <= 64,
                    "--leaves from 2 to 64, found " + std::to_string(leaves));
        CheckOption(pods >= 2 && pods <= 16, "--pods from 2 to 16, found " + std::to_string(pods));
        CheckOption(hosts >= 1 && hosts <= 16,
                    "--hosts from 1 to 16, found " + std::to_string(hosts));
        CheckOption(queuePairs >= 1 && queuePairs <= 256,
                    "--queue-pairs from 1 to 256, found " + std::to_string(queuePairs));
        const uint32_t nOthers = hosts * std::max(leaves, pods * 4) - 1;
        CheckOption(exchange >= nOthers,
                    "--exchange of at least " + std::to_string(nOthers) +
                        "B, a byte for each other host");
        CheckOption(kmin <= kmax, "--kmin up to --kmax");
        CheckOption(reorderWindow <= 4096,
                    "--reorder-window up to 4096, found " + std::to_string(reorderWindow));
    }

  private:
    /// Let a user set the options of the network and of what is degraded there.
    void AddNetworkTo(ExperimentParameters& parameters, const ExperimentPlan& plan)
    {
        const std::vector<std::string> three{"intact-3",
                                             "one-link-lost-3",
                                             "member-lost-3",
                                             "degraded-3",
                                             "loaded"};
        const std::vector<std::string> five{"intact-5",
                                            "one-link-lost-5",
                                            "member-lost-5",
                                            "degraded-5",
                                            "degraded-core-5"};
        parameters.AddCount("leaves", "leaves of three stages, from 2 to 64", leaves)
            .InSmall("4")
            .UseIf(UseIn(plan, three), "scenarios of three stages");
        parameters
            .AddCount("pods",
                      "pods of five stages, from 2 to 16, of 4 leaves and 4 spines each",
                      pods)
            .InSmall("2")
            .UseIf(UseIn(plan, five), "scenarios of five stages");
        parameters.AddCount("hosts", "hosts per leaf, from 1 to 16", hosts);
        parameters.AddRate(
            "rate",
            "rate of hosts' links; switch links follow, so that the fabric is non-blocking",
            rate);
        parameters.AddTime("delay", "one-way delay of each link", delay);
        parameters
            .AddNumber(
                "degraded",
                "share of switch links that degraded scenarios and loaded degrade: half of them "
                "are "
                "down, or have background traffic in loaded, half are slow",
                degraded,
                [](double value) { return value >= 0 && value <= 0.5; },
                "from 0 to 0.5")
            .UseIf(UseIn(plan, {"degraded-3", "degraded-5", "loaded"}),
                   "--scenarios=degraded-3, degraded-5 or loaded");
        parameters
            .AddNumber(
                "slow",
                "rate of a slow link in degraded scenarios and loaded, as a share of its full rate",
                slow,
                [](double value) { return value >= 0.01 && value <= 1; },
                "from 0.01 to 1")
            .UseIf(UseIn(plan, {"degraded-3", "degraded-5", "degraded-core-5", "loaded"}),
                   "--scenarios=degraded-3, degraded-5, degraded-core-5 or loaded");
        parameters
            .AddNumber(
                "background",
                "background traffic of a link that has it, in both directions, as a share of its "
                "rate",
                background,
                [](double value) { return value >= 0.01 && value <= 0.9; },
                "from 0.01 to 0.9")
            .UseIf(UseIn(plan, {"loaded"}), "--scenarios=loaded");
    }

    /// Get the transport's defaults here. @return DCQCN with selective repeat
    static ExperimentTransportOptions MakeRoce()
    {
        ExperimentTransportOptions options;
        options.transports = {"dcqcn", "swift", "hpcc", "timely", "none"};
        options.transport = "dcqcn";
        options.recovery = "selective-repeat";
        return options;
    }
};

} // namespace ns3::aidc

#endif // AIDC_FARE_CLOS_SETTINGS_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fare-clos-settings.h"

#include <algorithm>
#include <string>

namespace ns3::aidc
{

void
FareClosSettings::AddTo(ExperimentParameters& parameters)
{
    parameters.AddCount("leaves", "leaves of three stages", leaves);
    parameters.AddCount("pods", "pods of five stages, of 4 leaves and 4 spines each", pods);
    parameters.AddCount("hosts", "hosts of a leaf", hosts);
    parameters.AddRate("rate",
                       "rate of hosts' links; those of switches follow, so that nothing blocks",
                       rate);
    parameters.AddTime("delay", "one-way delay of each link", delay);
    parameters.AddNumber(
        "degraded",
        "share of the switches' links of scenarios degraded, half of which are down, and half at "
        "half their rate",
        degraded,
        [](double value) { return value >= 0 && value <= 0.5; },
        "from 0 to 0.5");
    parameters.AddCount("queue-pairs", "queue pairs of a pair of hosts", queuePairs);
    parameters.AddBytes("message", "bytes of a message of the permutation", message);
    parameters.AddBytes(
        "exchange",
        "bytes that each host sends in all-to-all, in equal parts to all other hosts",
        exchange);
    parameters.AddTime("settle", "time from a change until throughput is measured", settle);
    parameters.AddTime("window", "time over which throughput is measured", window);
    parameters.AddTime("detection", "time until a switch notices that a link is down", detection);
    switches.AddBufferTo(parameters);
    parameters.AddBytes("kmin", "queue from which on some packets are marked", kmin);
    parameters.AddBytes("kmax", "queue from which on all packets are marked", kmax);
    parameters.AddNumber(
        "pmax",
        "share of packets that are marked just below --kmax",
        pmax,
        [](double value) { return value >= 0 && value <= 1; },
        "from 0 to 1");
    transport.AddTo(parameters);
    parameters.AddCount("reorder-window",
                        "packets that may overtake a packet before RoCEv2 sends it again",
                        reorderWindow);
}

void
FareClosSettings::MakeSmall()
{
    leaves = 4;
    pods = 2;
    settle = 3 * settle / 4;
    exchange /= 2;
}

void
FareClosSettings::Check() const
{
    CheckOption(leaves >= 2 && leaves <= 64,
                "--leaves from 2 to 64, found " + std::to_string(leaves));
    CheckOption(pods >= 2 && pods <= 16, "--pods from 2 to 16, found " + std::to_string(pods));
    CheckOption(hosts >= 1 && hosts <= 16, "--hosts from 1 to 16, found " + std::to_string(hosts));
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

ExperimentTransportOptions
FareClosSettings::MakeRoce()
{
    ExperimentTransportOptions options;
    options.hasTcp = false;
    options.transport = "dcqcn";
    options.recovery = "selective-repeat";
    return options;
}

} // namespace ns3::aidc

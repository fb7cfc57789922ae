/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "two-sites-settings.h"

namespace ns3::aidc
{

namespace
{

/// Schemes that have all mechanisms but one.
const std::string ALL_BUT = "all-but-";

} // namespace

TwoSitesMechanisms::TwoSitesMechanisms(const std::string& scheme)
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

void
TwoSitesSettings::AddTo(ExperimentParameters& parameters, const ExperimentPlan&)
{
    parameters.AddText("size",
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
    parameters.AddBytes("layer-bytes", "bytes of a layer's gradients", layerBytes).InSmall("4MB");
    parameters.AddTime("compute", "computation of a layer, in each direction", compute, true);
    parameters.AddBytes("storage-bytes", "bytes of each sender of an incast", storageBytes);
    parameters.AddCount("storage-senders", "senders of an incast", storageSenders);
    parameters.AddTime("storage-interval",
                       "mean time between incasts of a data center",
                       storageInterval);
    parameters.AddTime("duration", "how long incasts begin", duration).InSmall("1ms");
    parameters.AddBytes("elephant-bytes", "bytes of an elephant", elephantBytes).InSmall("4MB");
    parameters.AddBytes("burst-bytes", "bytes of each sender of a burst over the WAN", burstBytes)
        .UseIf([this] { return bursts > 0; }, "--bursts above 0");
    parameters.AddCount("bursts", "bursts over the WAN, from either data center in turn", bursts)
        .InSmall("1");
}

void
TwoSitesSettings::Check() const
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

} // namespace ns3::aidc

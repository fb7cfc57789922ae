/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-options.h"

namespace ns3::aidc
{

void
ExperimentOptions::AddTo(ExperimentParameters& parameters, const std::string& ranksHelp)
{
    parameters.AddWord("devices", "devices of the links: ethernet, point-to-point", devices);
    parameters.AddWord("datapath",
                       "how packets get through switches with Ethernet: fast, stack",
                       datapath);
    parameters.AddWord("simulator",
                       "what runs the events: windows (node by node in time windows), default "
                       "(ns-3's); several ranks have ns-3's own",
                       simulator);
    parameters.AddCount("seed", "seed of the random number generators", seed);
    parameters.AddCount("runs", "number of runs; with several, confidence intervals", runs);
    parameters.AddCount("ranks", ranksHelp, ranks);
    parameters.AddWord("out", "folder of the results", out);
    parameters.AddFlag("small", "a variant that takes seconds", small);
}

void
ExperimentOptions::Check() const
{
    CheckOption(devices == "point-to-point" || devices == "ethernet",
                "--devices to be ethernet or point-to-point, found \"" + devices + "\"");
    CheckOption(datapath == "fast" || datapath == "stack",
                "--datapath to be fast or stack, found \"" + datapath + "\"");
    CheckOption(simulator == "windows" || simulator == "default",
                "--simulator to be windows or default, found \"" + simulator + "\"");
    CheckOption(seed > 0, "--seed to be at least 1");
    CheckOption(runs > 0, "--runs to be at least 1");
    CheckOption(ranks > 0, "--ranks to be at least 1");
    CheckOption(!out.empty(), "--out to be a folder");
}

void
ExperimentOptions::Configure(FabricHelper& network) const
{
    network.SetDeviceKind(devices == "ethernet" ? FabricHelper::ETHERNET
                                                : FabricHelper::POINT_TO_POINT);
    network.SetDatapath(datapath == "fast" ? SwitchDatapath::FAST : SwitchDatapath::STACK);
}

} // namespace ns3::aidc

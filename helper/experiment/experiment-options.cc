/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-options.h"

namespace ns3::aidc
{

void
ExperimentOptions::AddTo(ExperimentParameters& parameters, const ExperimentAbilities& abilities)
{
    parameters.AddWord("devices",
                       "devices of the links: " + std::string(abilities.hasPointToPoint
                                                                  ? "ethernet, point-to-point"
                                                                  : "ethernet only"),
                       devices);
    parameters
        .AddWord("datapath",
                 "how packets get through switches with Ethernet: fast, stack",
                 datapath)
        .UseIf([this] { return devices == "ethernet"; }, "--devices=ethernet")
        .Sets({"ns3::aidc::SwitchDatapath::Mode"});
    parameters
        .AddWord("simulator",
                 "what runs the events: windows (node by node in time windows), default "
                 "(ns-3's)" +
                     std::string(abilities.isParallel ? "; several processes have windows" : ""),
                 simulator)
        .UseIf([this] { return processes == 1; }, "--processes=1");
    parameters.AddCount("seed", "seed of the random number generators", seed);
    parameters.AddCount("run", "number of the run, which draws other numbers from the seed", run);
    parameters.AddCount("processes",
                        abilities.isParallel ? "processes of a parallel simulation" : "1 only",
                        processes);
    parameters.AddFlag("small", "a variant that takes seconds", small);
    parameters.AddWord("out", "folder of series and records, which exists; none by default", out);
    parameters.AddWord("only", "SCHEME@SCENARIO to run; the first ones by default", only);
    parameters.AddFlag("plan", "print what may be run as JSON, and run nothing", plan);
    parameters.AddFlag("json", "print progress and results as JSON, a line each", json);
}

void
ExperimentOptions::Check(const ExperimentAbilities& abilities) const
{
    CheckOption(devices == "ethernet" || (abilities.hasPointToPoint && devices == "point-to-point"),
                "--devices to be ethernet" +
                    std::string(abilities.hasPointToPoint ? " or point-to-point" : "") +
                    ", found \"" + devices + "\"");
    CheckOption(datapath == "fast" || datapath == "stack",
                "--datapath to be fast or stack, found \"" + datapath + "\"");
    CheckOption(simulator == "windows" || simulator == "default",
                "--simulator to be windows or default, found \"" + simulator + "\"");
    CheckOption(seed > 0, "--seed to be at least 1");
    CheckOption(run > 0, "--run to be at least 1");
    CheckOption(processes > 0, "--processes to be at least 1");
    CheckOption(processes == 1 || abilities.isParallel,
                "--processes to be 1, as this experiment is not parallel, found " +
                    std::to_string(processes));
}

void
ExperimentOptions::Configure(FabricHelper& network) const
{
    network.SetDeviceKind(devices == "ethernet" ? FabricHelper::ETHERNET
                                                : FabricHelper::POINT_TO_POINT);
    network.SetDatapath(datapath == "fast" ? SwitchDatapath::FAST : SwitchDatapath::STACK);
}

} // namespace ns3::aidc

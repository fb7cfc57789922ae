/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-options.h"

#include "experiment-jobs.h"

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
                     std::string(abilities.isParallel ? "; several ranks have windows" : ""),
                 simulator)
        .UseIf([this] { return ranks == 1; }, "--ranks=1");
    parameters.AddCount("seed", "seed of the random number generators", seed);
    parameters.AddCount("runs", "number of runs; with several, confidence intervals", runs);
    parameters.AddCount("ranks",
                        abilities.isParallel
                            ? "processes of a parallel simulation, which mpirun starts"
                            : "processes: 1 only",
                        ranks);
    jobs = 0;
    parameters
        .AddCount("jobs",
                  "runs at once, each in a process of its own, with the memory of a run; 1 makes "
                  "all in this process, 0 as many as there are processors. Results are the same",
                  jobs)
        .UseIf([this] { return ranks == 1; }, "--ranks=1");
    parameters.AddWord("out", "folder of the results", out).InSmall(out + "-small");
    parameters.AddFlag("overwrite",
                       "replace the results of another experiment in that folder",
                       overwrite);
    parameters.AddFlag("small", "a variant that takes seconds", small);
    parameters.AddFlag("table", "print the table of metrics besides the findings", table);
    parameters.AddFlag("no-figures", "leave out the figures, which gnuplot draws", noFigures);
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
    CheckOption(runs > 0, "--runs to be at least 1");
    CheckOption(ranks > 0, "--ranks to be at least 1");
    CheckOption(ranks == 1 || abilities.isParallel,
                "--ranks to be 1, as this experiment is not parallel, found " +
                    std::to_string(ranks));
    CheckOption(!out.empty(), "--out to be a folder");
}

uint32_t
ExperimentOptions::CountJobs() const
{
    return jobs > 0 ? jobs : CountProcessors();
}

void
ExperimentOptions::Configure(FabricHelper& network) const
{
    network.SetDeviceKind(devices == "ethernet" ? FabricHelper::ETHERNET
                                                : FabricHelper::POINT_TO_POINT);
    network.SetDatapath(datapath == "fast" ? SwitchDatapath::FAST : SwitchDatapath::STACK);
}

} // namespace ns3::aidc

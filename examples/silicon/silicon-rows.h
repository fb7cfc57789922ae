// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_SILICON_ROWS_H
#define AIDC_SILICON_ROWS_H

#include "ns3/experiment-parameters.h"

#include <string>
#include <vector>

namespace ns3::aidc
{

/// A quantity: what is published of it, and what the simulation gives.
struct SiliconRow
{
    std::string quantity; //!< what it is
    std::string how;      //!< how it is measured
    double published{0};  //!< what is published
    double ours{0};       //!< what the simulation gives
    double tolerance{0};  //!< how far they may be apart; below 0 if nobody can know
    std::string unit;     //!< of all three
    std::string source;   //!< where it is published
    std::string note{};   //!< what else there is to say
};

/// Thresholds: fill and count, as the file of a chip, by its name or path, says.
std::vector<SiliconRow> MeasureThresholds(const ExperimentOptions& options,
                                          const std::string& chip);

/// Headroom: what our law derives, next to what is published of each link.
std::vector<SiliconRow> DeriveHeadroom(const ExperimentOptions& options, const std::string& chip);

/// Marking: a queue is blocked, filled and released, in some runs; and its entry and exit.
std::vector<SiliconRow> MeasureMarking(const ExperimentOptions& options, uint32_t runs);

/// What the Linux kernel's tests of Spectrum switches expect of marks and of scheduling.
std::vector<SiliconRow> MeasureKernelTests(const ExperimentOptions& options);

/// The incast of RoCEv2: three senders to one port, for some simulated time.
std::vector<SiliconRow> MeasureIncast(const ExperimentOptions& options,
                                      const std::string& chip,
                                      Time time);

/// Pairs of ports at line rate, in both directions, for some simulated time.
std::vector<SiliconRow> MeasureLineRate(const ExperimentOptions& options,
                                        const std::string& chip,
                                        Time time);

/// From which number of busy queues on Kmax, of some bands, is not reached, and what coupled ECN
/// does there.
std::vector<SiliconRow> MeasureBusyQueues(const ExperimentOptions& options,
                                          const std::string& chip,
                                          const std::vector<uint32_t>& kmaxs);

} // namespace ns3::aidc

#endif // AIDC_SILICON_ROWS_H

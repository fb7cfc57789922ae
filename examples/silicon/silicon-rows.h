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

/// Thresholds: fill and count, as the chip's file says.
/// @param options of the experiment @param chip the name or file of the chip
/// @return a row for each number
std::vector<SiliconRow> MeasureThresholds(const ExperimentOptions& options,
                                          const std::string& chip);

/// Headroom: what our law derives, beside what is published.
/// @param options of the experiment @param chip the name or file of the chip
/// @return a row for each published link
std::vector<SiliconRow> DeriveHeadroom(const ExperimentOptions& options, const std::string& chip);

/// Marking: a queue is blocked, filled and released; and its entry and exit.
/// @param options of the experiment @param runs how often each procedure is repeated
/// @return the rows
std::vector<SiliconRow> MeasureMarking(const ExperimentOptions& options, uint32_t runs);

/// What the Linux kernel's tests of Spectrum switches expect of marks and of scheduling.
/// @param options of the experiment @return the rows
std::vector<SiliconRow> MeasureKernelTests(const ExperimentOptions& options);

/// The incast of RoCEv2: three senders to one port.
/// @param options of the experiment @param chip the name or file of the chip
/// @param time simulated time that counts @return the rows
std::vector<SiliconRow> MeasureIncast(const ExperimentOptions& options,
                                      const std::string& chip,
                                      Time time);

/// Pairs of ports at line rate, in both directions.
/// @param options of the experiment @param chip the name or file of the chip
/// @param time simulated time that counts @return the rows
std::vector<SiliconRow> MeasureLineRate(const ExperimentOptions& options,
                                        const std::string& chip,
                                        Time time);

/// From which number of busy queues on Kmax is not reached, and what coupled ECN does there.
/// @param options of the experiment @param chip the name or file of the chip
/// @param kmaxs the upper ends of marking bands, in bytes @return the rows
std::vector<SiliconRow> MeasureBusyQueues(const ExperimentOptions& options,
                                          const std::string& chip,
                                          const std::vector<uint32_t>& kmaxs);

} // namespace ns3::aidc

#endif // AIDC_SILICON_ROWS_H

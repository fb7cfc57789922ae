// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_EXPERIMENT_SWITCH_OPTIONS_H
#define AIDC_EXPERIMENT_SWITCH_OPTIONS_H

#include "experiment-parameters.h"
#include "experiment-run.h"

#include "ns3/nstime.h"
#include "ns3/queue-size.h"
#include "ns3/shared-buffer-switch-helper.h"

#include <cstdint>
#include <functional>
#include <string>

namespace ns3::aidc
{

/// @return the value of an attribute that is a size in bytes
QueueSizeValue MakeSize(uint32_t bytes);

/// The options of an experiment's switches: their shared buffer, and when they mark.
///
/// The switches have one class. Sizes are in bytes.
struct ExperimentSwitchOptions
{
    std::string chip;          //!< of the switches, as SwitchChip::Find() takes it; empty for none
    uint32_t buffer{12000000}; //!< size of the shared buffer
    double alpha{1};           //!< factor of the dynamic threshold
    uint32_t cap{0};           //!< static cap of a queue, 0 for none
    uint32_t marking{200000};  //!< ECN threshold of static marking
    uint32_t kmin{200000};     //!< lower end of the band of RED
    uint32_t kmax{2000000};    //!< upper end of it
    uint32_t offset{0};        //!< Offset of coupled marking, 0 to derive it
    uint32_t ecnFloor{0};      //!< ECN_Floor of coupled marking, 0 to derive it
    Time rtt;                  //!< the RTT that they are derived from, 0 for the switch's own

    /// Let a user set the shared buffer: --chip, or --buffer, --alpha and --cap.
    /// @param [in,out] parameters what the user may set
    /// @param capHelp what the cap is, if it is not a cap of all queues
    void AddBufferTo(ExperimentParameters& parameters,
                     const std::string& capHelp = "static cap of a queue, 0B for none");

    /// Let a user set the memory: --chip, or --buffer.
    /// @param [in,out] parameters what the user may set
    /// @param help what --buffer is
    /// @param least the least size in bytes
    void AddMemoryTo(ExperimentParameters& parameters, const std::string& help, uint32_t least = 1);

    /// Let a user set the chip: --chip. An option that a chip replaces has
    /// `UseIf(HasNoChip(), "no --chip")`.
    void AddChipTo(ExperimentParameters& parameters);

    /// @return a function that tells whether there is no chip
    std::function<bool()> HasNoChip() const;

    /// Let a user set static marking: --marking.
    void AddStaticMarkingTo(ExperimentParameters& parameters);

    /// Let a user set the band of RED: --kmin, --kmax.
    /// @param [in,out] parameters what the user may set
    /// @param plan the plan, in which the scheme is called red
    void AddRedTo(ExperimentParameters& parameters, const ExperimentPlan& plan);

    /// Let a user set coupled marking: --offset, --ecn-floor, --rtt.
    /// @param [in,out] parameters what the user may set
    /// @param plan the plan, in which the scheme is called coupled
    void AddCoupledMarkingTo(ExperimentParameters& parameters, const ExperimentPlan& plan);

    /// Make the helper that installs the switches.
    /// @param marks how they mark: off; static, from a threshold on; red; proportional, from half
    ///        of the buffer threshold on; coupled, with an ECN threshold coupled to the buffer
    ///        threshold
    /// @return the helper
    /// @throws std::invalid_argument if it is another word
    SharedBufferSwitchHelper Make(const std::string& marks) const;
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_SWITCH_OPTIONS_H

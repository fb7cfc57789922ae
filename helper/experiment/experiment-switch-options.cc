/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-switch-options.h"

#include "ns3/double.h"
#include "ns3/queue-size.h"
#include "ns3/string.h"

namespace ns3::aidc
{

namespace
{

/// Every class of a port
constexpr auto ALL = SharedBufferSwitchHelper::ALL_CLASSES;

/// Bytes that have room for a jumbo frame: with less, nothing gets through a switch.
constexpr uint32_t LEAST_BUFFER = 10000;

/**
 * @brief Make the value of an attribute that is a size.
 * @param bytes the size
 * @return the value
 */
QueueSizeValue
MakeSize(uint32_t bytes)
{
    return QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, bytes));
}

/**
 * @brief Make what installs switches with a shared buffer.
 * @param options the options
 * @return the helper
 */
SharedBufferSwitchHelper
MakeHelper(const ExperimentSwitchOptions& options)
{
    SharedBufferSwitchHelper switches;
    switches.SetNClasses(1);
    switches.SetBufferAttribute("Size", MakeSize(options.buffer));
    switches.SetClassAttribute(ALL, "Alpha", DoubleValue(options.alpha));
    switches.SetClassAttribute(ALL, "Cap", MakeSize(options.cap));
    return switches;
}

} // namespace

void
ExperimentSwitchOptions::AddBufferTo(ExperimentParameters& parameters, const std::string& capHelp)
{
    parameters.AddBytes("buffer",
                        "size of a switch's shared buffer, such as 12MB",
                        buffer,
                        false,
                        LEAST_BUFFER);
    parameters.AddNumber(
        "alpha",
        "factor of the dynamic threshold",
        alpha,
        [](double value) { return value >= 1.0 / 65536 && value <= 65536; },
        "from 1/65536 to 65536");
    parameters.AddBytes("cap", capHelp, cap, true);
}

void
ExperimentSwitchOptions::AddStaticMarkingTo(ExperimentParameters& parameters)
{
    parameters.AddBytes("marking", "ECN marking threshold, such as 200kB", marking);
}

void
ExperimentSwitchOptions::AddCoupledMarkingTo(ExperimentParameters& parameters)
{
    parameters.AddBytes("offset", "Offset of coupled, such as 150kB; 0B derives it", offset, true);
    parameters.AddTime("rtt",
                       "round-trip time that Offset and ECN_Floor of coupled are derived from; 0s "
                       "is four times the longest delay of the switch's links",
                       rtt,
                       true);
}

SharedBufferSwitchHelper
ExperimentSwitchOptions::MakeStatic() const
{
    auto switches = MakeHelper(*this);
    switches.SetQueueDiscAttribute(ALL, "Mode", StringValue("StaticStep"));
    switches.SetQueueDiscAttribute(ALL, "Threshold", MakeSize(marking));
    return switches;
}

SharedBufferSwitchHelper
ExperimentSwitchOptions::MakeRed() const
{
    auto switches = MakeHelper(*this);
    switches.SetQueueDiscAttribute(ALL, "Mode", StringValue("StaticRed"));
    switches.SetQueueDiscAttribute(ALL, "Kmin", MakeSize(200000));
    switches.SetQueueDiscAttribute(ALL, "Kmax", MakeSize(2000000));
    return switches;
}

SharedBufferSwitchHelper
ExperimentSwitchOptions::MakeProportional() const
{
    auto switches = MakeHelper(*this);
    switches.SetQueueDiscAttribute(ALL, "Mode", StringValue("Proportional"));
    return switches;
}

SharedBufferSwitchHelper
ExperimentSwitchOptions::MakeCoupled() const
{
    auto switches = MakeHelper(*this);
    switches.SetRtt(rtt);
    if (offset > 0)
    {
        switches.SetQueueDiscAttribute(ALL, "Offset", MakeSize(offset));
    }
    return switches;
}

} // namespace ns3::aidc

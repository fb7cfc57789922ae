// SPDX-License-Identifier: GPL-2.0-only

#include "experiment-switch-options.h"

#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/user-default.h"

#include <limits>
#include <stdexcept>

namespace ns3::aidc
{

namespace
{

/// Every class of a port
constexpr auto ALL = SharedBufferSwitchHelper::ALL_CLASSES;

/// Bytes that have room for a jumbo frame: with less, nothing gets through a switch.
constexpr uint32_t LEAST_BUFFER = 10000;

/// @return what installs switches with a shared buffer
SharedBufferSwitchHelper
MakeHelper(const ExperimentSwitchOptions& options)
{
    SharedBufferSwitchHelper switches;
    switches.SetNClasses(1);
    if (!options.chip.empty())
    {
        switches.SetChip(options.chip);
        return switches;
    }
    switches.SetBufferAttribute("Size", MakeSize(options.buffer));
    const auto set = [&switches](const std::string& name, const AttributeValue& value) {
        if (!HasUserDefault("ns3::aidc::SharedBufferQueue::" + name))
        {
            switches.SetClassAttribute(ALL, name, value);
        }
    };
    set("Alpha", DoubleValue(options.alpha));
    set("Cap", MakeSize(options.cap));
    return switches;
}

} // namespace

QueueSizeValue
MakeSize(uint32_t bytes)
{
    return QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, bytes));
}

std::function<bool()>
ExperimentSwitchOptions::HasNoChip() const
{
    return [this] { return chip.empty(); };
}

void
ExperimentSwitchOptions::AddChipTo(ExperimentParameters& parameters)
{
    parameters.AddText("chip",
                       "chip of the switches: one of the module's own, such as tomahawk-5, or a "
                       "file; it has a buffer, alphas and caps of its own",
                       chip,
                       "none");
}

void
ExperimentSwitchOptions::AddMemoryTo(ExperimentParameters& parameters,
                                     const std::string& help,
                                     uint32_t least)
{
    AddChipTo(parameters);
    parameters.AddBytes("buffer", help, buffer, false, least)
        .Sets({"ns3::aidc::SharedBuffer::Size"})
        .UseIf(HasNoChip(), "no --chip");
}

void
ExperimentSwitchOptions::AddBufferTo(ExperimentParameters& parameters, const std::string& capHelp)
{
    AddMemoryTo(parameters, "size of a switch's shared buffer, such as 12MB", LEAST_BUFFER);
    const auto hasNone = HasNoChip();
    parameters
        .AddNumber(
            "alpha",
            "factor of the dynamic threshold",
            alpha,
            [](double value) { return value >= 1.0 / 65536 && value <= 65536; },
            "from 1/65536 to 65536")
        .Sets({"ns3::aidc::SharedBufferQueue::Alpha"})
        .UseIf(hasNone, "no --chip");
    parameters.AddBytes("cap", capHelp, cap, true)
        .Sets({"ns3::aidc::SharedBufferQueue::Cap"})
        .UseIf(hasNone, "no --chip");
}

void
ExperimentSwitchOptions::AddStaticMarkingTo(ExperimentParameters& parameters)
{
    parameters.AddBytes("marking", "ECN marking threshold, such as 200kB", marking)
        .Sets({"ns3::aidc::CoupledEcnQueueDisc::Threshold"});
}

void
ExperimentSwitchOptions::AddRedTo(ExperimentParameters& parameters, const ExperimentPlan& plan)
{
    parameters.AddBytes("kmin", "lower end of red's marking band", kmin)
        .Sets({"ns3::aidc::CoupledEcnQueueDisc::Kmin"})
        .UseWith(plan, {"red"});
    parameters.AddBytes("kmax", "upper end of red's marking band, at least --kmin", kmax)
        .Sets({"ns3::aidc::CoupledEcnQueueDisc::Kmax"})
        .UseWith(plan, {"red"});
}

void
ExperimentSwitchOptions::AddCoupledMarkingTo(ExperimentParameters& parameters,
                                             const ExperimentPlan& plan)
{
    parameters.AddBytes("offset", "Offset of coupled, such as 150kB; 0B derives it", offset, true)
        .Sets({"ns3::aidc::CoupledEcnQueueDisc::Offset"})
        .UseWith(plan, {"coupled"});
    parameters
        .AddBytes("ecn-floor", "ECN_Floor of coupled, such as 30kB; 0B derives it", ecnFloor, true)
        .Sets({"ns3::aidc::CoupledEcnQueueDisc::EcnFloor"})
        .UseWith(plan, {"coupled"});
    parameters
        .AddTime("rtt",
                 "round-trip time from which Offset and ECN_Floor of coupled are derived; 0s is "
                 "four times the longest delay of the switch's links",
                 rtt,
                 true)
        .Sets({"ns3::aidc::CoupledEcnQueueDisc::Rtt"})
        .UseIf(
            [this, &plan] { return plan.HasScheme({"coupled"}) && (offset == 0 || ecnFloor == 0); },
            "--schemes=coupled, and with --offset or --ecn-floor to be derived,");
}

SharedBufferSwitchHelper
ExperimentSwitchOptions::Make(const std::string& marks) const
{
    auto switches = MakeHelper(*this);
    const auto set = [&switches](const std::string& name, const AttributeValue& value) {
        switches.SetQueueDiscAttribute(ALL, name, value);
    };
    if (marks == "coupled")
    {
        switches.SetRtt(rtt);
        if (offset > 0)
        {
            set("Offset", MakeSize(offset));
        }
        if (ecnFloor > 0)
        {
            set("EcnFloor", MakeSize(ecnFloor));
        }
    }
    else if (marks == "static" || marks == "off")
    {
        const auto longest = std::numeric_limits<uint32_t>::max(); // no queue is that long
        set("Mode", StringValue("StaticStep"));
        set("Threshold", MakeSize(marks == "static" ? marking : longest));
    }
    else if (marks == "red")
    {
        set("Mode", StringValue("StaticRed"));
        set("Kmin", MakeSize(kmin));
        set("Kmax", MakeSize(kmax));
    }
    else if (marks == "proportional")
    {
        set("Mode", StringValue("Proportional"));
    }
    else
    {
        throw std::invalid_argument("expected a way to mark, found \"" + marks + "\"");
    }
    return switches;
}

} // namespace ns3::aidc

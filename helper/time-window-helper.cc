// SPDX-License-Identifier: GPL-2.0-only

#include "time-window-helper.h"

#include "../model/core/require-argument.h"

#include "ns3/global-value.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/time-window-simulator-impl.h"

#include <string>

namespace ns3::aidc
{

namespace
{

void
Choose(const std::string& type)
{
    GlobalValue::Bind("SimulatorImplementationType", StringValue(type));
    const auto getUsed = [] {
        return Simulator::GetImplementation()->GetInstanceTypeId().GetName();
    };
    if (getUsed() != type && Simulator::IsFinished() && Simulator::GetEventCount() == 0)
    {
        Simulator::Destroy(); // it was only asked something
    }
    const auto used = getUsed();
    AIDC_REFUSED_UNLESS(used == type,
                        "Expected the simulator to be chosen before it is first used, or after "
                        "Simulator::Destroy(); this simulation already has "
                            << used);
}

} // namespace

void
TimeWindowHelper::Enable()
{
    Choose(TimeWindowSimulatorImpl::GetTypeId().GetName());
}

void
TimeWindowHelper::Disable()
{
    Choose("ns3::DefaultSimulatorImpl");
}

Time
TimeWindowHelper::GetLookahead()
{
    const auto windows = DynamicCast<TimeWindowSimulatorImpl>(Simulator::GetImplementation());
    return windows ? windows->GetLookahead() : TimeStep(0);
}

Time
TimeWindowHelper::GetWindow()
{
    const auto windows = DynamicCast<TimeWindowSimulatorImpl>(Simulator::GetImplementation());
    return windows ? windows->GetWindow() : TimeStep(0);
}

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_SIMULATOR_SCRIPTS_H
#define AIDC_SIMULATOR_SCRIPTS_H

#include "test/test-case.h"

#include "ns3/simple-channel.h"
#include "ns3/simple-net-device.h"

// What tests of simulators share: small linked networks, and runs by either simulator.

namespace aidctest
{

/// The simulators that are compared.
enum class Simulation
{
    DEFAULT, //!< ns-3's own
    WINDOWS  //!< TimeWindowSimulatorImpl
};

/// Link two nodes by a channel without bytes.
inline void
Link(Ptr<Node> a, Ptr<Node> b, Time delay)
{
    const auto channel = CreateObject<SimpleChannel>();
    channel->SetAttribute("Delay", TimeValue(delay));
    for (const auto& node : {a, b})
    {
        const auto device = CreateObject<SimpleNetDevice>();
        node->AddDevice(device);
        device->SetChannel(channel);
    }
}

/// Make nodes that are linked in a row. Returns the nodes, with the ids 0 to n - 1.
inline NodeContainer
MakeRow(uint32_t n, Time delay)
{
    NodeContainer nodes;
    nodes.Create(n);
    for (uint32_t i = 1; i < n; ++i)
    {
        Link(nodes.Get(i - 1), nodes.Get(i), delay);
    }
    return nodes;
}

/// Make nodes that are linked in a ring. n: the number of nodes, at least 3. Returns the nodes,
/// with the ids 0 to n - 1.
inline NodeContainer
MakeRing(uint32_t n, Time delay)
{
    auto nodes = MakeRow(n, delay);
    Link(nodes.Get(n - 1), nodes.Get(0), delay);
    return nodes;
}

/// Schedule something for a node. ns: when, in ns from now.
inline void
At(uint32_t node, int64_t ns, const std::function<void()>& event)
{
    Simulator::ScheduleWithContext(node, NanoSeconds(ns), event);
}

/// Make something with a simulator, and destroy the simulation. script: what is to be made; it
/// writes down what happens.
inline std::string
RunWith(Simulation simulation, const std::function<void(std::ostream&)>& script)
{
    if (simulation == Simulation::WINDOWS)
    {
        TimeWindowHelper::Enable();
    }
    std::ostringstream log;
    script(log);
    Simulator::Destroy();
    TimeWindowHelper::Disable();
    return log.str();
}

} // namespace aidctest

#endif // AIDC_SIMULATOR_SCRIPTS_H

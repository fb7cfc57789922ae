/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SIMULATOR_SCRIPTS_H
#define AIDC_SIMULATOR_SCRIPTS_H

#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/simple-channel.h"
#include "ns3/simple-net-device.h"
#include "ns3/simulator.h"
#include "ns3/time-window-helper.h"

#include <cstdint>
#include <functional>
#include <sstream>
#include <string>

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
Link(ns3::Ptr<ns3::Node> a, ns3::Ptr<ns3::Node> b, ns3::Time delay)
{
    const auto channel = ns3::CreateObject<ns3::SimpleChannel>();
    channel->SetAttribute("Delay", ns3::TimeValue(delay));
    for (const auto& node : {a, b})
    {
        const auto device = ns3::CreateObject<ns3::SimpleNetDevice>();
        node->AddDevice(device);
        device->SetChannel(channel);
    }
}

/// Make nodes that are linked in a row. Returns the nodes, with the ids 0 to n - 1.
inline ns3::NodeContainer
MakeRow(uint32_t n, ns3::Time delay)
{
    ns3::NodeContainer nodes;
    nodes.Create(n);
    for (uint32_t i = 1; i < n; ++i)
    {
        Link(nodes.Get(i - 1), nodes.Get(i), delay);
    }
    return nodes;
}

/// Make nodes that are linked in a ring. n: the number of nodes, at least 3. Returns the nodes,
/// with the ids 0 to n - 1.
inline ns3::NodeContainer
MakeRing(uint32_t n, ns3::Time delay)
{
    auto nodes = MakeRow(n, delay);
    Link(nodes.Get(n - 1), nodes.Get(0), delay);
    return nodes;
}

/// Schedule something for a node. ns: when, in ns from now.
inline void
At(uint32_t node, int64_t ns, const std::function<void()>& event)
{
    ns3::Simulator::ScheduleWithContext(node, ns3::NanoSeconds(ns), event);
}

/// Make something with a simulator, and destroy the simulation. script: what is to be made; it
/// writes down what happens.
inline std::string
RunWith(Simulation simulation, const std::function<void(std::ostream&)>& script)
{
    if (simulation == Simulation::WINDOWS)
    {
        ns3::aidc::TimeWindowHelper::Enable();
    }
    std::ostringstream log;
    script(log);
    ns3::Simulator::Destroy();
    ns3::aidc::TimeWindowHelper::Disable();
    return log.str();
}

} // namespace aidctest

#endif // AIDC_SIMULATOR_SCRIPTS_H

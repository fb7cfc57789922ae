// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TEST_SWITCHES_H
#define AIDC_TEST_SWITCHES_H

#include "test/test-case.h"

#include "ns3/coupled-ecn-queue-disc.h"
#include "ns3/switch-port-queue-disc.h"

// A node that becomes a switch, for the test suites.

namespace aidctest
{

struct SwitchLink
{
    std::string rate;   //!< DataRate
    std::string delay;  //!< Delay
    uint16_t mtu{1500}; //!< of the switch's device
};

/// Make a node with point-to-point links and an Internet stack.
inline Ptr<Node>
MakeNode(const std::vector<SwitchLink>& links)
{
    auto node = CreateObject<Node>();
    for (const auto& link : links)
    {
        PointToPointHelper helper;
        helper.SetDeviceAttribute("DataRate", StringValue(link.rate));
        helper.SetChannelAttribute("Delay", StringValue(link.delay));
        helper.Install(node, CreateObject<Node>()).Get(0)->SetMtu(link.mtu);
    }
    InternetStackHelper stack;
    stack.Install(node);
    return node;
}

/// Get the queue of a class, as a coupled one. Returns the queue, null if it is of another kind.
inline Ptr<CoupledEcnQueue>
GetCoupled(Ptr<QueueDisc> root, uint32_t index)
{
    return DynamicCast<CoupledEcnQueue>(
        DynamicCast<SwitchPortQueueDisc>(root)->GetClass(index)->GetQueue());
}

/// Get an attribute in words.
inline std::string
GetText(Ptr<const Object> object, const std::string& name)
{
    StringValue value;
    object->GetAttribute(name, value);
    return value.Get();
}

} // namespace aidctest

#endif // AIDC_TEST_SWITCHES_H

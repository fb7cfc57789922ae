// SPDX-License-Identifier: GPL-2.0-only

#include "test/core/catch-message.h"
#include "test/star-fabric.h"
#include "test/test-case.h"

#include "ns3/congestion-control.h"
#include "ns3/csig-helper.h"
#include "ns3/ethernet-helper.h"
#include "ns3/factory-attribute.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/priority-flow-control-helper.h"
#include "ns3/roce-helper.h"

// What helpers take by name.
AIDC_TEST_SUITE("aidc-factory-attribute", UNIT);

// Helpers name what a class has where a user gives a name that it does not have.
AIDC_TEST_CASE("helpers name the valid attributes of a class")
{
    const UintegerValue any(1);
    constexpr uint32_t ALL = SharedBufferSwitchHelper::ALL_CLASSES;
    // The class, and an attribute that is its own or its base class's
    const std::vector<std::pair<std::string, std::function<void()>>> wrong{
        {"RoceNic MaxPackets", [&] { RoceHelper().SetAttribute("MaxPacket", any); }},
        {"SharedBuffer Size", [&] { SharedBufferSwitchHelper().SetBufferAttribute("X", any); }},
        {"CoupledEcnQueueDisc EcnFloor",
         [&] { SharedBufferSwitchHelper().SetQueueDiscAttribute(ALL, "X", any); }},
        {"CoupledEcnQueueDisc LinkRate",
         [&] { SharedBufferSwitchHelper().SetQueueDiscAttribute(ALL, "X", any); }},
        {"PriorityFlowControl Priorities",
         [&] { PriorityFlowControlHelper().SetAttribute("X", any); }},
        {"EthernetNetDevice Mtu", [&] { EthernetHelper().SetDeviceAttribute("X", any); }},
        {"CsigPort Trusted", [&] { CsigHelper().SetPortAttribute("X", any); }},
        {"CsigHost Format", [&] { CsigHelper().GetHostHelper().SetAttribute("X", any); }},
        {"SwiftControl GoverningDelay",
         [&] { RoceHelper().SetCongestionControl("ns3::aidc::SwiftControl", "X", any); }},
    };
    for (const auto& [names, set] : wrong)
    {
        const auto blank = names.find(' ');
        const auto message = aidctest::CatchMessage(set);
        const auto begin = "ns3::aidc::" + names.substr(0, blank) + " has no attribute \"";
        NS_TEST_EXPECT_MSG_EQ(message.rfind(begin, 0), 0, names << ": " << message);
        NS_TEST_EXPECT_MSG_NE(message.find(names.substr(blank), begin.size()),
                              std::string::npos,
                              message);
    }
    NS_TEST_EXPECT_MSG_EQ(
        aidctest::CatchMessage([] { RoceHelper().SetCongestionControl("Dcqcn"); }),
        "there is no class \"Dcqcn\"; expected a TypeId, such as ns3::aidc::DcqcnControl",
        "a class");
    NS_TEST_EXPECT_MSG_NE(
        aidctest::CatchMessage([] { MultipathRoutingHelper("ns3::aidc::Nothing"); }),
        "",
        "a class");
    const auto value =
        aidctest::CatchMessage([] { RoceHelper().SetAttribute("TimeToLive", UintegerValue(0)); });
    NS_TEST_EXPECT_MSG_EQ(value.rfind("ns3::aidc::RoceNic::TimeToLive does not take \"0\"", 0),
                          0,
                          value);
}

/// Get the congestion control that a helper installs.
std::string
GetControl(const RoceHelper& roce)
{
    FabricHelper network;
    network.Build(aidctest::MakeStar(2, 100000000000, 1000));
    network.AssignAddresses();
    roce.Install(network.GetHosts());
    const auto first = RoceHelper::GetNic(network.GetHosts().Get(0));
    const auto second = RoceHelper::GetNic(network.GetHosts().Get(1));
    const uint32_t qp = RoceHelper::Connect(first, second).first;
    auto name = first->GetQueuePair(qp).GetControl()->GetInstanceTypeId().GetName();
    Simulator::Destroy();
    return name;
}

// RoceHelper installs DCQCN, unless it is told otherwise by the program or by the user.
AIDC_TEST_CASE("RoceHelper installs DCQCN by default")
{
    const std::string none = "ns3::aidc::CongestionControl";
    NS_TEST_EXPECT_MSG_EQ(GetControl(RoceHelper()), "ns3::aidc::DcqcnControl", "by default");
    RoceHelper without;
    without.SetCongestionControl(none);
    NS_TEST_EXPECT_MSG_EQ(GetControl(without), none, "by the program");
    Config::SetDefault("ns3::aidc::RoceNic::CongestionControl",
                       StringValue("ns3::aidc::SwiftControl[]"));
    NS_TEST_EXPECT_MSG_EQ(GetControl(RoceHelper()), "ns3::aidc::SwiftControl", "by the user");
}

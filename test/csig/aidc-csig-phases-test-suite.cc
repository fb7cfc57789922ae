// SPDX-License-Identifier: GPL-2.0-only

#include "test/helper/test-fabrics.h"
#include "test/test-case.h"

#include "ns3/csig-helper.h"
#include "ns3/csig-port.h"

// When the windows of a fabric's ports begin.
AIDC_TEST_SUITE("aidc-csig-phases", UNIT);

/// Get the phases of all ports of the switches of a fabric.
std::vector<double>
Install(CsigHelper& helper)
{
    FabricHelper network;
    network.SetDeviceKind(FabricHelper::ETHERNET);
    network.Build(MakeFatTree(4, 100000000000, 1000));
    FinishNetwork(network);
    helper.Install(network);
    const auto& fabric = network.GetFabric();
    std::vector<double> phases;
    for (const NodeIndex node : fabric.GetSwitches())
    {
        for (PortIndex port; port < fabric.GetPorts(node).GetEnd(); ++port)
        {
            DoubleValue phase;
            network.GetPort(node, port)
                ->GetObject<CsigPort>()
                ->GetAgent()
                ->GetAttribute("Phase", phase);
            phases.push_back(phase.Get());
        }
    }
    Simulator::Destroy();
    return phases;
}

// Timers of switches' ports are not synchronized.
AIDC_TEST_CASE("5.3.2: windows of the ports of a fabric are not in phase, unless they are told")
{
    CsigHelper helper;
    auto phases = Install(helper);
    NS_TEST_ASSERT_MSG_EQ(phases.size(), 80, "20 switches with 4 ports");
    // Any two ports of a path: of 100 us, 80 ports have 1.25 us each on average.
    std::sort(phases.begin(), phases.end());
    for (std::size_t i = 0; i + 1 < phases.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_GT(phases[i + 1] - phases[i], 1e-3, "no two begin together");
        NS_TEST_EXPECT_MSG_LT(phases[i + 1] - phases[i], 0.1, "nor is there a gap");
    }
    NS_TEST_EXPECT_MSG_GT_OR_EQ(phases.front(), 0, "the least phase");
    NS_TEST_EXPECT_MSG_LT(phases.back(), 1, "the greatest phase");
    CsigHelper together;
    together.SetAgentAttribute("Phase", DoubleValue(0.5));
    const auto equal = Install(together);
    NS_TEST_EXPECT_MSG_EQ(std::count(equal.begin(), equal.end(), 0.5), 80, "as they are told");
}

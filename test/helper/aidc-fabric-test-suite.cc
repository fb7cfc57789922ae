// SPDX-License-Identifier: GPL-2.0-only

#include "small-fabrics.h"
#include "test-fabrics.h"
#include "test/test-case.h"

#include "ns3/aidc-input-error.h"
#include "ns3/channel.h"
#include "ns3/error-model.h"
#include "ns3/ipv4.h"
#include "ns3/names.h"

// FabricHelper builds networks as they were asked for.
AIDC_TEST_SUITE("aidc-fabric", UNIT);

void
CheckNode(const FabricHelper& network, NodeIndex id)
{
    const auto& fabric = network.GetFabric();
    const std::string name = fabric.GetNodeName(id);
    const auto node = network.GetNode(id);
    const auto ipv4 = node->GetObject<Ipv4>();
    const auto& ports = fabric.GetPorts(id);
    NS_TEST_EXPECT_MSG_EQ(Names::Find<Node>(name), node, name);
    NS_TEST_EXPECT_MSG_EQ(ipv4->GetNInterfaces(), ports.size() + 1, "a port and loopback");
    for (PortIndex port; port < ports.GetEnd(); ++port)
    {
        const auto device = network.GetPort(id, port);
        const std::string portName = fabric.GetPortName(id, port);
        NS_TEST_EXPECT_MSG_EQ(node->GetDevice(port.value), device, "port i is device i");
        NS_TEST_EXPECT_MSG_EQ(device->GetIfIndex(), port.value, "its index");
        NS_TEST_EXPECT_MSG_EQ(ipv4->GetInterfaceForDevice(device),
                              static_cast<int32_t>(port.value + 1),
                              "interface i + 1");
        NS_TEST_EXPECT_MSG_EQ(device->GetMtu(), 1500, "MTU");
        std::string path = portName;
        path[name.size()] = '/';
        NS_TEST_EXPECT_MSG_EQ(Names::Find<NetDevice>(path), device, portName);
        const auto channel = device->GetChannel();
        const auto other = channel->GetDevice(channel->GetDevice(0) == device ? 1 : 0);
        NS_TEST_EXPECT_MSG_EQ(other->GetNode()->GetId(), ports[port].peer.value, "its peer");
    }
    const int32_t interface = fabric.IsHost(id) ? 1 : 0;
    const Ipv4Address address(fabric.GetAddress(id));
    NS_TEST_EXPECT_MSG_EQ(network.GetAddress(id), address, "of the plan");
    NS_TEST_EXPECT_MSG_EQ(ipv4->GetInterfaceForAddress(address), interface, "its place");
    for (PortIndex port; fabric.IsSwitch(id) && port < ports.GetEnd(); ++port)
    {
        NS_TEST_EXPECT_MSG_EQ(ipv4->GetNAddresses(port.value + 1), 0, "ports have no address");
    }
}

struct Structure
{
    std::string name;  //!< in words
    FabricPlan fabric; //!< the fabric
};

// The structure of nodes: ports, addresses, MTU, names. Expected results: port i is device i and
// interface i + 1, on both sides of a link; a host has its address at its port, a switch at the
// loopback interface; names are as in the plan.
AIDC_TEST_CASES(Structure,
                row,
                "port i of a node is device i and interface i + 1, and has the plan's name: " +
                    row.name,
                ({{"fat-tree", MakeFatTree(4, 10000000000, 1000)},
                  {"parallel links", MakeParallelLeafSpine()},
                  {"file of two tiers", MakeTwoTiers()}}))
{
    FabricHelper network;
    network.SetMtu(1500);
    network.Build(row.fabric);
    FinishNetwork(network);
    network.RegisterNames();
    for (NodeIndex id; id < NodeIndex(row.fabric.GetNNodes()); ++id)
    {
        CheckNode(network, id);
    }
    NS_TEST_EXPECT_MSG_EQ(network.GetHosts().GetN(), row.fabric.GetHosts().size(), "hosts");
    NS_TEST_EXPECT_MSG_EQ(network.GetSwitches().GetN(),
                          row.fabric.GetSwitches().size(),
                          "switches");
    for (const NodeIndex host : row.fabric.GetHosts())
    {
        NS_TEST_EXPECT_MSG_EQ(network.GetHostDevice(host)->GetNode()->GetId(), host.value, "host");
        NS_TEST_EXPECT_MSG_EQ(network.GetSwitchPort(host)->GetNode()->GetId(),
                              row.fabric.GetLeaf(host).value,
                              "leaf");
        NS_TEST_EXPECT_MSG_EQ(network.GetSwitchPort(host)->GetChannel(),
                              network.GetHostDevice(host)->GetChannel(),
                              "joined");
    }
    Names::Clear();
}

// Expected results, fat-tree of k = 8 (128 hosts, 8 pods of 4 leaves and 4 spines). Everyone has
// the loopback network, 1; an address with a mask of 32 bits has no network. Besides:
//  leaf: its 4 hosts, the rest of its prefix, all else: 6
//  spine: the 4 leaves of its pod, the rest of the pod, all else: 6
//  super-spine: the 8 pods: 8
AIDC_TEST_CASE("routing tables grow with the ports of a switch, not with the hosts")
{
    const FabricPlan fabric = MakeFatTree(8, 100000000000, 1000);
    FabricHelper network;
    network.Build(fabric);
    FinishNetwork(network);
    for (const NodeIndex id : fabric.GetSwitches())
    {
        const std::size_t expected =
            fabric.GetNode(id).tier == FabricTier::SUPER_SPINE ? 1 + 8 : 1 + 6;
        NS_TEST_EXPECT_MSG_EQ(MultipathRoutingHelper::GetRouting(network.GetNode(id))->GetNRoutes(),
                              expected,
                              fabric.GetNodeName(id));
    }
}

/// Streams of random variables do not depend on processes. Expected results: the error models of a
/// link have two streams, wherever its ends are, and each switch has one. 2 leaves of 1 host and 2
/// spines have 4 switches, and of 6 links 3 have errors: 10 streams. Error models have the same
/// stream of random numbers in each division into processes.
class StreamsTestCase : public TestCase
{
  protected:
    using TestCase::TestCase;

    /// Let the error models lose packets. Returns which of 64 packets are lost, by node and port.
    std::map<std::string, std::string> GetLosses(uint32_t nProcesses)
    {
        FabricPlan fabric = MakeOfText("6 4 6\n"
                                       "2 3 4 5\n"
                                       "0 2 10Gbps 1us 0\n"
                                       "3 1 10Gbps 1us 0.5\n"
                                       "2 4 10Gbps 1us 0.5\n"
                                       "2 5 10Gbps 1us 0\n"
                                       "3 4 10Gbps 1us 0.5\n"
                                       "3 5 10Gbps 1us 0\n");
        fabric.AssignProcesses(nProcesses);
        FabricHelper network;
        network.Build(fabric);
        network.AssignAddresses();
        m_nStreams[nProcesses] = network.AssignStreams(100);
        std::map<std::string, std::string> losses;
        for (NodeIndex id; id < NodeIndex(fabric.GetNNodes()); ++id)
        {
            for (PortIndex port; network.IsLocal(id) && port < fabric.GetPorts(id).GetEnd(); ++port)
            {
                PointerValue value;
                network.GetPort(id, port)->GetAttribute("ReceiveErrorModel", value);
                const auto errorModel = value.Get<ErrorModel>();
                std::string& text = losses[fabric.GetPortName(id, port)];
                for (uint32_t i = 0; errorModel && i < 64; ++i)
                {
                    text += errorModel->IsCorrupt(Create<Packet>(100)) ? 'x' : '.';
                }
            }
        }
        Simulator::Destroy();
        return losses;
    }

    std::map<uint32_t, int64_t> m_nStreams; //!< streams by processes
};

AIDC_TEST_CASE_F(StreamsTestCase, "streams are the same with any number of processes")
{
    const auto whole = GetLosses(1);
    const auto half = GetLosses(2);
    NS_TEST_EXPECT_MSG_EQ(m_nStreams.at(1), 10, "2 * 3 + 4");
    NS_TEST_EXPECT_MSG_EQ(m_nStreams.at(2), 10, "2 * 3 + 4");
    uint32_t nSame = 0;
    for (const auto& [device, losses] : half)
    {
        NS_TEST_EXPECT_MSG_EQ(losses, whole.at(device), "of device " << device);
        ++nSame;
    }
    NS_TEST_EXPECT_MSG_EQ(whole.size(), 12, "both ends of six links");
    NS_TEST_EXPECT_MSG_EQ(nSame, 6, "those of a host, a leaf and a spine");
}

/// Expect a call to throw an AidcInputError.
void
ExpectError(const std::string& found, const std::function<void()>& call)
{
    std::string text = "no error";
    try
    {
        call();
    }
    catch (const AidcInputError& error)
    {
        text = error.GetFound();
    }
    NS_TEST_EXPECT_MSG_EQ(text, found, "what was found");
}

// Errors of the user. Expected results: links that there are not are InputErrors that name what
// was found; other values out of range, and calls in the wrong order, end the program with a
// message that names what was found, or the call that is missing.
AIDC_TEST_CASE("errors say what was expected")
{
    FabricHelper network;
    ExpectRefusal("MTU from 68 to 65535 bytes, found 67", [&network]() { network.SetMtu(67); });
    network.SetMtu(68);
    NS_TEST_EXPECT_MSG_EQ(network.GetMtu(), 68, "the smallest");
    network.SetMtu(1500);
    ExpectRefusal("FabricHelper::Build()", [&network]() { network.AssignAddresses(); });
    network.Build(MakeDumbbell());
    ExpectRefusal("once", [&network]() { network.Build(MakeDumbbell()); });
    ExpectRefusal("FabricHelper::AssignAddresses()",
                  [&network]() { network.FailLink(LinkIndex(0)); });
    ExpectRefusal("FabricHelper::AssignAddresses()", [&network]() { network.GetRoutes(); });
    network.AssignAddresses();
    ExpectError("5", [&network]() { network.FailLink(LinkIndex(5)); });
    ExpectError("4294967295", [&network]() { network.RestoreLink(LinkIndex(UINT32_MAX)); });
    ExpectRefusal("found 6", [&network]() { network.GetNode(NodeIndex(6)); });
    ExpectRefusal("found 6", [&network]() { network.GetAddress(NodeIndex(6)); });
    ExpectRefusal("found 6 0", [&network]() { network.GetPort(NodeIndex(6), PortIndex(0)); });
    ExpectRefusal("found 0 1", [&network]() { network.GetPort(NodeIndex(0), PortIndex(1)); });
    ExpectRefusal("found 4", [&network]() { network.GetHostDevice(NodeIndex(4)); });
    ExpectRefusal("found 6", [&network]() { network.GetSwitchPort(NodeIndex(6)); });
    Simulator::Destroy();
}

// SPDX-License-Identifier: GPL-2.0-only

// What programs set or call wrong is an exception with one line, and does not end by SIGABRT. Most
// refusals are tested beside what they protect (death-test.h); here are calls that no other test
// makes.

#include "test/test-case.h"

#include "ns3/bfd-speaker.h"
#include "ns3/bgp-speaker.h"
#include "ns3/coupled-ecn-queue-disc.h"
#include "ns3/csig-agent.h"
#include "ns3/csig-host.h"
#include "ns3/csig-port.h"
#include "ns3/csig-udp-applications.h"
#include "ns3/edge-shaper.h"
#include "ns3/ingress-buffer.h"
#include "ns3/ingress-edge-controller.h"
#include "ns3/ip-tunnel-net-device.h"
#include "ns3/packet-filter.h"
#include "ns3/path-share-controller.h"
#include "ns3/shared-buffer.h"
#include "ns3/switch-port-queue-disc.h"

using namespace ns3;
using namespace ns3::aidc;

/// A packet filter that knows no packet.
class NoFilter : public PacketFilter
{
  private:
    bool CheckProtocol(Ptr<QueueDiscItem>) const override
    {
        return false;
    }

    int32_t DoClassify(Ptr<QueueDiscItem>) const override
    {
        return PF_NO_MATCH;
    }
};

/// @return a node with IPv4, TCP and UDP
Ptr<Node>
MakeHost()
{
    auto node = CreateObject<Node>();
    InternetStackHelper().Install(node);
    return node;
}

/// Give a node an application and start it. @param node the node @param application the application
void
Run(const Ptr<Node>& node, const Ptr<Application>& application)
{
    node->AddApplication(application);
    application->SetStartTime(Seconds(0));
    application->Initialize();
    RunFor(Seconds(1));
}

/// Initialize a queue disc that has a packet filter. @param queueDisc the queue disc
void
InitializeFiltered(const Ptr<QueueDisc>& queueDisc)
{
    queueDisc->AddPacketFilter(CreateObject<NoFilter>());
    queueDisc->Initialize();
}

/// @param n a number
/// @return "node n"
std::string
NameNode(uint32_t n)
{
    return "node " + std::to_string(n);
}

/**
 * @ingroup aidc-test
 * @brief A call is refused by an exception whose message is one line, and the simulator can go on.
 */
class RefusalTestCase : public TestCase
{
  public:
    /// What is called; returns the expected message.
    using Call = std::function<void(std::string& expected)>;

    /// Constructor.
    /// @param name what is wrong
    /// @param call makes the call, after it has written what it expects
    RefusalTestCase(const std::string& name, Call call)
        : TestCase(name),
          m_call(std::move(call))
    {
    }

  private:
    void DoRun() override
    {
        std::string expected;
        const std::string found = MessageOf([&] { m_call(expected); });
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(found.empty() ? "nothing was refused" : found, expected, GetName());
    }

    Call m_call; //!< what is called
};

/// A wrong call.
struct Row
{
    std::string name;           //!< what is wrong
    RefusalTestCase::Call call; //!< the call
};

/// @return calls of what hosts and switches have
std::vector<Row>
ListNodes()
{
    return {
        {"BfdSpeaker without IPv4",
         [](std::string& expected) {
             auto node = CreateObject<Node>();
             expected = "BfdSpeaker: " + NameNode(node->GetId()) + " has no IPv4";
             Run(node, CreateObject<BfdSpeaker>());
         }},
        {"BgpSpeaker without IPv4",
         [](std::string& expected) {
             auto node = CreateObject<Node>();
             expected = "BgpSpeaker: " + NameNode(node->GetId()) + " has no IPv4";
             Run(node, CreateObject<BgpSpeaker>());
         }},
        {"CsigHost without IPv4",
         [](std::string& expected) {
             auto node = CreateObject<Node>();
             expected = "CsigHost needs IPv4 and TCP or UDP on " + NameNode(node->GetId()) +
                        ": run InternetStackHelper on it first";
             CreateObject<CsigHost>()->Install(node);
         }},
        {"a second CsigHost",
         [](std::string& expected) {
             auto node = MakeHost();
             expected = "Node " + std::to_string(node->GetId()) + " has a CsigHost already";
             CreateObject<CsigHost>()->Install(node);
             CreateObject<CsigHost>()->Install(node);
         }},
        // Inside the simulator: the second sink starts in an event.
        {"a port with two sinks",
         [](std::string& expected) {
             auto node = MakeHost();
             expected = "expected port 9 of 0.0.0.0 to be free";
             for (uint32_t i = 0; i < 2; ++i)
             {
                 auto sink = CreateObject<CsigUdpSink>();
                 sink->SetAttribute("Port", UintegerValue(9));
                 node->AddApplication(sink);
             }
             RunFor(Seconds(1));
         }},
        {"EdgeShaper at two nodes",
         [](std::string& expected) {
             expected = "EdgeShaper serves one node";
             auto shaper = CreateObject<EdgeShaper>();
             const EdgeShaper::ReleaseCallback release(
                 [](uint32_t, IpTunnelNetDevice&, TunnelPacket&) {});
             shaper->Install(MakeHost(), release);
             shaper->Install(MakeHost(), release);
         }},
    };
}

/// @return calls of what ports and queues have
std::vector<Row>
ListPorts()
{
    return {
        {"a CsigAgent at two ports",
         [](std::string& expected) {
             expected = "A CsigAgent serves one port";
             auto agent = CreateObject<CsigAgent>();
             agent->Start(1000000000, 0);
             agent->Start(1000000000, 0);
         }},
        {"a CsigAgent without a rate",
         [](std::string& expected) {
             expected = "The speed of a CSIG port must be above 0";
             CreateObject<CsigAgent>()->Start(0, 0);
         }},
        {"a CsigPort at two ports",
         [](std::string& expected) {
             expected = "A CsigPort serves one port";
             auto port = CreateObject<CsigPort>();
             port->Install(CreateObject<EthernetNetDevice>());
             port->Install(CreateObject<EthernetNetDevice>());
         }},
        {"an ingress account of no port",
         [](std::string& expected) {
             expected = "There is no priority 8, expected 0 to 7";
             CreateObject<SharedBuffer>()->AddIngress(0, 8, CreateObject<IngressBuffer>());
         }},
        {"a class of ns-3 in a SwitchPortQueueDisc, by its filter",
         [](std::string& expected) {
             expected = "SwitchPortQueueDisc takes no internal queues and no packet filters";
             InitializeFiltered(CreateObject<SwitchPortQueueDisc>());
         }},
        {"CoupledEcnQueueDisc with a filter",
         [](std::string& expected) {
             expected = "ns3::aidc::CoupledEcnQueueDisc takes no internal queues, no classes and "
                        "no packet filters";
             InitializeFiltered(CreateObject<CoupledEcnQueueDisc>());
         }},
    };
}

/// @return calls of what PEs have
std::vector<Row>
ListTunnels()
{
    return {
        {"a tunnel that is added twice",
         [](std::string& expected) {
             expected = "The tunnel was added before";
             auto tunnel = CreateObject<IpTunnelNetDevice>();
             auto controller = CreateObject<PathShareController>();
             controller->AddTunnel(tunnel);
             controller->AddTunnel(tunnel);
         }},
        {"the delay of a tunnel that was not added",
         [](std::string& expected) {
             expected = "The tunnel was not added";
             CreateObject<IngressEdgeController>()->SetPathDelay(CreateObject<IpTunnelNetDevice>(),
                                                                 0,
                                                                 Seconds(1));
         }},
        {"the limit of a tunnel that was not added",
         [](std::string& expected) {
             expected = "The tunnel was not added";
             CreateObject<IngressEdgeController>()->LimitTunnels(
                 {CreateObject<IpTunnelNetDevice>()},
                 DataRate("1Gbps"),
                 0);
         }},
    };
}

/**
 * @ingroup aidc-test
 * @brief What programs set or call wrong.
 */
class AidcRefusalsTestSuite : public TestSuite
{
  public:
    AidcRefusalsTestSuite()
        : TestSuite("aidc-refusals", TestSuite::Type::UNIT)
    {
        for (const auto& rows : {ListNodes(), ListPorts(), ListTunnels()})
        {
            for (const auto& row : rows)
            {
                AddTestCase(new RefusalTestCase(row.name, row.call));
            }
        }
    }
};

const AidcRefusalsTestSuite g_suite; //!< the instance

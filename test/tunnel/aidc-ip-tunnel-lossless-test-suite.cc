// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"
#include "tunnel-network.h"

#include "ns3/ingress-buffer.h"
#include "ns3/priority-flow-control-helper.h"
#include "ns3/shared-buffer.h"

// Tunnels of lossless classes.
AIDC_TEST_SUITE("aidc-ip-tunnel-lossless", UNIT);

using N = TunnelNetwork;

constexpr uint32_t PRIORITY = 3; //!< the lossless priority

/// What is known of an account.
struct Account
{
    Ptr<IngressBuffer> buffer; //!< the account
    uint64_t most{0};          //!< the most that was in it
    std::string signals;       //!< what the peer was told: X to stop, o to go on
};

struct Accounts
{
    SwitchDatapath::Mode mode;          //!< how packets get through routers
    std::vector<Ipv4Address> waypoints; //!< of the path
};

// At both ends of a tunnel, lossless packets are charged to the port that they came in by, whose
// peer is told to stop.
AIDC_TEST_CASE_P(AccountsTestCase,
                 Accounts,
                 row,
                 "a lossless class at a tunnel's ends, " + std::to_string(row.waypoints.size()) +
                     " waypoints" + GetSuffix(row.mode))
{
    N::Settings settings;
    settings.mode = row.mode;
    settings.paths = {row.waypoints};
    N network(settings);
    const uint32_t next = row.waypoints.empty() ? N::C1 : N::C2;
    network.GetPort(N::P1, next)->SetAttribute("DataRate", StringValue("1Gbps"));
    network.GetPort(N::P2, N::B)->SetAttribute("DataRate", StringValue("250Mbps"));
    SharedBufferSwitchHelper switches;
    switches.SetBufferAttribute("Size", StringValue("400kB"));
    switches.SetQueueDisc(SharedBufferSwitchHelper::ALL_CLASSES, "ns3::FifoQueueDisc");
    PriorityFlowControlHelper control;
    control.SetIngressAttribute("Headroom", StringValue("60kB"));
    control.SetIngressAttribute("XoffAlpha", StringValue("0.2"));
    std::map<N::Hop, Account> accounts;
    for (const uint32_t pe : {N::P1, N::P2})
    {
        switches.Install(network.nodes.Get(pe));
        control.InstallSwitches(NodeContainer(network.nodes.Get(pe)));
        const auto buffer = network.nodes.Get(pe)->GetObject<SharedBuffer>();
        for (const uint32_t peer : {N::A, N::C1, N::C2, N::B})
        {
            if ((peer == N::A && pe == N::P2) || (peer == N::B && pe == N::P1))
            {
                continue;
            }
            Account& account = accounts[{pe, peer}];
            const uint32_t port = network.GetPort(pe, peer)->GetIfIndex();
            account.buffer = buffer->GetIngress(port, PRIORITY);
            ConnectTrace(account.buffer, "Occupancy", [&account](uint64_t, uint64_t bytes) {
                account.most = std::max(account.most, bytes);
            });
            ConnectTrace(account.buffer, "Xoff", [&account](bool xoff) {
                account.signals += xoff ? "X" : "o";
            });
        }
    }
    constexpr uint32_t PACKETS = 60;
    for (uint32_t i = 0; i < PACKETS; ++i)
    {
        DatagramSpec spec;
        spec.tos = PRIORITY << 5;
        spec.size = 1000;
        network.SendAt(MicroSeconds(2 * i), MakeDatagram(spec));
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ((network.sent[{N::P2, N::B}].size()), PACKETS, "nothing is lost");
    for (const auto& [hop, account] : accounts)
    {
        const auto& [pe, peer] = hop;
        // 400 kB without 180 kB of headroom; all that is used is the account's own, so that it
        // is told to stop at x = 0.2 (220 kB - x) = 36.7 kB. 60 packets in 120 us fill 45 kB at
        // P1, where 15 leave meanwhile, and the same 60 in 490 us fill 45 kB at P2.
        const bool isUsed = (pe == N::P1 && peer == N::A) ||
                            (pe == N::P2 && peer == (row.waypoints.empty() ? N::C1 : N::C2));
        const std::string where = std::to_string(pe) + " from " + std::to_string(peer);
        NS_TEST_EXPECT_MSG_EQ(account.signals, (isUsed ? "Xo" : ""), where);
        NS_TEST_EXPECT_MSG_EQ((account.most > 36700), isUsed, where);
        NS_TEST_EXPECT_MSG_EQ((account.most > 0), isUsed, where);
        NS_TEST_EXPECT_MSG_EQ(account.buffer->GetOccupancy(), 0, where);
        NS_TEST_EXPECT_MSG_EQ(account.buffer->GetRefused(), 0, where);
    }
}

AIDC_ADD_TEST_CASES()
{
    for (const auto mode : {SwitchDatapath::FAST, SwitchDatapath::STACK})
    {
        AddTestCases<AccountsTestCase>({{mode, {}}, {mode, {Ipv4Address("192.0.2.12")}}});
    }
}

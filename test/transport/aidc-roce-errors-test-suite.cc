// SPDX-License-Identifier: GPL-2.0-only

#include "roce-network.h"
#include "test/test-case.h"

#include "ns3/wan-helper.h"

// RoCEv2's requests that are refused.
AIDC_TEST_SUITE("aidc-roce-errors", UNIT);

/// Access memory of host 1, followed by more requests both ways.
void
Access(RoceOperation operation, uint64_t address, uint64_t nBytes, uint32_t keyOffset, bool isLegal)
{
    RoceNetwork network(2);
    network.Start();
    const uint32_t key = network.GetNic(1)->RegisterMemory(0x10000, 8192);
    RoceWork work;
    work.operation = operation;
    work.remoteAddress = address;
    work.nBytes = nBytes;
    work.remoteKey = key + keyOffset;
    // A refusal of what comes behind a request to read waits for all that is read.
    RoceWork before;
    before.operation =
        operation == RoceOperation::WRITE ? RoceOperation::READ : RoceOperation::WRITE;
    before.nBytes = 100000;
    network.Post(0, 1, before);
    network.Post(0, 1, work);
    network.Write(0, 1, 100000);
    network.Write(1, 0, 10000000);
    Simulator::Run();
    const std::string text = std::to_string(address) + " " + std::to_string(nBytes);
    NS_TEST_EXPECT_MSG_EQ(network.GetStatuses(0), (isLegal ? "SSS" : "SAF"), text);
    NS_TEST_EXPECT_MSG_EQ(network.GetStatuses(1), (isLegal ? "S" : "F"), text);
    for (const uint32_t host : {0, 1})
    {
        const auto nic = network.GetNic(host);
        NS_TEST_EXPECT_MSG_EQ(nic->GetStatistics().errors, (isLegal ? 0U : 1U), text);
        NS_TEST_EXPECT_MSG_EQ(nic->GetStatistics().timeouts, 0U, text);
    }
}

// Peers access what they have a key for; all else ends with an error, after which both queue pairs
// have failed.
AIDC_TEST_CASE("Memory is accessed with its key only")
{
    constexpr uint64_t BEGIN = 0x10000;
    constexpr uint64_t BYTES = 8192;
    for (const auto operation : {RoceOperation::WRITE, RoceOperation::READ})
    {
        Access(operation, BEGIN, BYTES, 0, true);           // all of the region
        Access(operation, BEGIN + BYTES - 1, 1, 0, true);   // its last byte
        Access(operation, BEGIN + 1, BYTES, 0, false);      // a byte too far
        Access(operation, BEGIN - 1, 2, 0, false);          // a byte before
        Access(operation, BEGIN, BYTES, 1, false);          // another key
        Access(operation, 0xffffffffffffffff, 2, 0, false); // beyond all addresses
        Access(operation, 0, 0, 1, true);                   // nothing, which is not checked
    }
}

/// Write, send, and write.
uint32_t
Begin(RoceNetwork& network, uint32_t nReceives)
{
    const uint32_t peers = network.GetQp(1, 0);
    network.GetNic(1)->GetQueuePair(peers).PostReceive(nReceives);
    RoceWork send;
    send.operation = RoceOperation::SEND;
    send.nBytes = 50000;
    network.Write(0, 1, 50000);
    network.Post(0, 1, send);
    network.Write(0, 1, 50000);
    return peers;
}

// A receiver without receive requests asks to wait, 0.64 ms each time: code 12.
AIDC_TEST_CASE("A receiver is not ready")
{
    // Never ready: as many attempts as the attribute says, after the first one.
    constexpr uint32_t RNR_RETRIES = 3;
    const Time wait = MicroSeconds(640);
    {
        RoceNetwork network(2);
        network.roce.SetAttribute("RnrRetry", UintegerValue(RNR_RETRIES));
        network.Start();
        Begin(network, 0);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.GetStatuses(0), "SNF", "the send fails");
        NS_TEST_EXPECT_MSG_EQ(network.deliveries.size(), 1, "the write was delivered");
        NS_TEST_EXPECT_MSG_EQ(network.GetNic(1)->GetStatistics().sentRnrNaks,
                              RNR_RETRIES + 1,
                              "attempts");
        NS_TEST_EXPECT_MSG_GT(network.completions.back().time, RNR_RETRIES * wait, "waits");
        NS_TEST_EXPECT_MSG_LT(network.completions.back().time,
                              RNR_RETRIES * wait + MicroSeconds(50),
                              "waits");
        NS_TEST_EXPECT_MSG_EQ(network.GetNic(0)->GetStatistics().timeouts, 0, "no timeouts");
    }
    // Ready after 20 ms, which is more than 7 attempts take.
    for (const std::string recovery : {"GoBackN", "SelectiveRepeat"})
    {
        RoceNetwork network(2);
        network.roce.SetAttribute("Recovery", StringValue(recovery));
        network.Start();
        const uint32_t peers = Begin(network, 0);
        const Time ready = MilliSeconds(20);
        Simulator::Schedule(ready, [&network, peers] {
            network.GetNic(1)->GetQueuePair(peers).PostReceive(1);
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.GetStatuses(0), "SSS", "all are done");
        NS_TEST_ASSERT_MSG_EQ(network.deliveries.size(), 3, "and delivered");
        NS_TEST_EXPECT_MSG_GT(network.deliveries[1].time, ready, "when the receiver is ready");
        NS_TEST_EXPECT_MSG_LT(network.deliveries[1].time, ready + wait + MicroSeconds(50), "soon");
        NS_TEST_EXPECT_MSG_GT(network.GetNic(0)->GetStatistics().receivedRnrNaks, 20, "waits");
    }
    // Ready in time.
    RoceNetwork network(2);
    network.Start();
    Begin(network, 1);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(network.GetStatuses(0), "SSS", "all are done");
    NS_TEST_EXPECT_MSG_EQ(network.GetNic(0)->GetStatistics().receivedRnrNaks, 0, "at once");
}

/// Send messages over a link of 1500 bytes behind one of 4200.
void
Expect(uint32_t pathMtu, const std::string& statuses, int nWarnings)
{
    RoceNetwork network(3);
    network.roce.SetAttribute("PathMtu", UintegerValue(pathMtu));
    network.Start();
    const auto host = network.network.GetHosts().Get(1);
    const auto hostId = network.network.GetFabric().GetHosts()[1];
    const auto channel = network.network.GetHostDevice(hostId)->GetChannel();
    const uint32_t end = channel->GetDevice(0)->GetNode() == host ? 1 : 0;
    const auto port = channel->GetDevice(end);
    port->SetMtu(1500);
    const CapturedStream err(std::cerr);
    network.Write(0, 1, 10000);
    network.Write(0, 2, 10000); // not over that link
    network.Write(2, 1, 10000);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(network.GetStatuses(0) + network.GetStatuses(2),
                          statuses,
                          "with " << pathMtu);
    const std::string warning = "aidc: warning: port " + std::to_string(port->GetIfIndex()) +
                                " of node " + std::to_string(port->GetNode()->GetId()) +
                                ", to node " + std::to_string(host->GetId()) +
                                ", has an MTU of 1500 bytes, and drops longer packets of RoCEv2";
    NS_TEST_EXPECT_MSG_EQ(err.CountLinesWith(warning), nWarnings, err.GetText());
    NS_TEST_EXPECT_MSG_EQ(err.CountLinesWith("MTU"), nWarnings, "no other one");
}

// A link behind the first one is too small for full packets: the user is told which one.
AIDC_TEST_CASE("A link is too small for the path MTU")
{
    Expect(4096, "SRR", 1);
    Expect(1024, "SSS", 0);
}

template <typename F>
void
Expect(F call, const std::string& what)
{
    const std::string found = MessageOf([&] { call(); });
    NS_TEST_EXPECT_MSG_EQ(found, what, "refused");
}

// What a program sets wrong is an exception with its reason, and does not end by SIGABRT.
AIDC_TEST_CASE("Wrong settings are exceptions")
{
    FabricHelper fabric;
    WanHelper wan;
    for (const uint32_t mtu : {100000U, 65536U, 67U, 0U})
    {
        const std::string end =
            ": expected an MTU from 68 to 65535 bytes, found " + std::to_string(mtu);
        Expect([&] { fabric.SetMtu(mtu); }, "FabricHelper" + end);
        Expect([&] { wan.SetMtu(mtu); }, "WanHelper" + end);
    }
    RoceNetwork network(MakeStar(2, 100000000000, 1000), 1500);
    const auto host = network.network.GetHosts().Get(0);
    // 4096 bytes, and 64 of the longest headers
    Expect(
        [&] { network.Start(); },
        "RoceNic: port " +
            std::to_string(network.network.GetHostDevice(network.network.GetFabric().GetHosts()[0])
                               ->GetIfIndex()) +
            " of node " + std::to_string(host->GetId()) +
            " has an MTU of 1500 bytes; the path MTU of 4096 needs 4160");
}

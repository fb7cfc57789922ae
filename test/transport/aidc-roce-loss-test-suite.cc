// SPDX-License-Identifier: GPL-2.0-only

#include "roce-ledger.h"
#include "test/test-case.h"

#include "ns3/error-model.h"

#include <list>

// RoCEv2 over links that lose.
AIDC_TEST_SUITE("aidc-roce-loss", UNIT);

/// A retransmission, as it is traced.
struct Retransmission
{
    Time time;      //!< when
    uint32_t psn;   //!< from which packet on
    bool isTimeout; //!< whether by the timer
};

/// Write a retransmission down.
void
NoteRetransmission(std::vector<Retransmission>* list, uint32_t, uint32_t psn, bool isTimeout)
{
    list->push_back({Simulator::Now(), psn, isTimeout});
}

/// Count the end of a work request.
void
CountCompletion(uint64_t* count, uint32_t, const RoceCompletion&)
{
    ++*count;
}

/// frames: which, from 0 on.
void
Lose(const Ptr<EthernetNetDevice>& port, const std::list<uint32_t>& frames)
{
    const auto errors = CreateObject<ReceiveListErrorModel>();
    errors->SetList(frames);
    port->SetAttribute("ReceiveErrorModel", PointerValue(errors));
}

struct RandomLoss
{
    std::string recovery; //!< the mode
    double rate;          //!< the share of packets that a link loses
    uint32_t firstPsn;    //!< the first packet sequence number
};

// All hosts exchange messages of all kinds and sizes while links lose packets at random: every
// message is delivered once and in order.
AIDC_TEST_CASE_P(RandomLossTestCase,
                 RandomLoss,
                 row,
                 "All is delivered once and in order: " + row.recovery + ", of 10,000 packets " +
                     std::to_string(static_cast<int>(1e4 * row.rate)) + " lost, from PSN " +
                     std::to_string(row.firstPsn))
{
    constexpr uint32_t HOSTS = 6;
    constexpr uint32_t MESSAGES = 500;
    RoceNetwork network(MakeStar(HOSTS, 100000000000, 1000, row.rate));
    network.firstPsn = row.firstPsn;
    network.roce.SetAttribute("Recovery", StringValue(row.recovery));
    network.roce.SetAttribute("PathMtu", UintegerValue(1024));
    network.roce.SetAttribute("VerifyInvariantCrc", BooleanValue(true));
    network.Start();
    std::vector<Retransmission> retransmissions;
    uint64_t nEnded = 0;
    for (uint32_t host = 0; host < HOSTS; ++host)
    {
        const auto nic = network.GetNic(host);
        nic->TraceConnectWithoutContext("Retransmission",
                                        MakeBoundCallback(&NoteRetransmission, &retransmissions));
        nic->TraceConnectWithoutContext("Completion", MakeBoundCallback(&CountCompletion, &nEnded));
    }
    std::mt19937 random(1);
    RoceLedger ledger;
    double nPackets = 0; // with data, of sends and writes
    for (uint32_t i = 0; i < MESSAGES; ++i)
    {
        for (uint32_t from = 0; from < HOSTS; ++from)
        {
            for (uint32_t to = 0; to < HOSTS; ++to)
            {
                if (from != to)
                {
                    // Small ones are as likely as large ones, and some have no bytes.
                    const uint64_t nBytes = random() % (uint64_t{1} << (random() % 17));
                    const auto operation = ROCE_OPERATIONS[random() % 3];
                    ledger.Post(network, from, to, operation, nBytes);
                    if (operation != RoceOperation::READ)
                    {
                        nPackets += nBytes == 0 ? 1 : std::ceil(static_cast<double>(nBytes) / 1024);
                    }
                }
            }
        }
    }
    Simulator::Run();

    NS_TEST_EXPECT_MSG_EQ(ledger.Check(network), "", "once and in order");
    RoceNicStatistics sum;
    uint64_t nLost = 0;
    for (uint32_t host = 0; host < HOSTS; ++host)
    {
        const auto& counted = network.GetNic(host)->GetStatistics();
        sum.retransmittedPackets += counted.retransmittedPackets;
        sum.timeouts += counted.timeouts;
        sum.sentNaks += counted.sentNaks;
        sum.receivedNaks += counted.receivedNaks;
        sum.errors += counted.errors;
        sum.badInvariantCrcs += counted.badInvariantCrcs + counted.unknownQueuePairs;
        for (const uint64_t n : counted.malformed)
        {
            sum.badInvariantCrcs += n;
        }
        nLost += network.GetHostPort(host)->GetStatistics().inErrors +
                 network.GetSwitchPort(host)->GetStatistics().inErrors;
    }
    NS_TEST_EXPECT_MSG_EQ(nEnded, network.completions.size(), "completions are traced");
    // Each of these packets crosses two links that lose it with the rate: a binomial number,
    // here within five standard deviations. Each lost one is sent again. Reads, answers and
    // repetitions, which are lost, too, only add to both numbers.
    const double least =
        2 * row.rate * nPackets - 5 * std::sqrt(2 * row.rate * (1 - row.rate) * nPackets);
    NS_TEST_EXPECT_MSG_GT(least, 0, "the bound says something");
    NS_TEST_EXPECT_MSG_GT(static_cast<double>(nLost), least, "many packets are lost");
    NS_TEST_EXPECT_MSG_GT(static_cast<double>(sum.retransmittedPackets), least, "and sent again");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(sum.sentNaks, 1, "since receivers ask for them");
    if (row.recovery == "GoBackN")
    {
        // A receiver asks again only after what it asked for has come, and more was lost.
        NS_TEST_EXPECT_MSG_LT_OR_EQ(sum.sentNaks, nLost, "once for a loss at most");
    }
    NS_TEST_EXPECT_MSG_GT_OR_EQ(sum.timeouts, 1, "so that timers expire");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(sum.timeouts, nLost, "once for a loss at most");
    NS_TEST_EXPECT_MSG_EQ(sum.errors, 0, "no queue pair fails");
    NS_TEST_EXPECT_MSG_EQ(sum.badInvariantCrcs, 0, "what arrives is good");
    uint64_t nTimeouts = 0;
    for (const auto& retransmission : retransmissions)
    {
        nTimeouts += retransmission.isTimeout ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_EQ(nTimeouts, sum.timeouts, "timeouts are traced");
    NS_TEST_EXPECT_MSG_GT(retransmissions.size(), nTimeouts, "and what peers ask for");
}

/// Exchange messages while packets are lost.
void
Exchange(const std::string& recovery,
         const std::list<uint32_t>& first,
         const std::list<uint32_t>& second)
{
    RoceNetwork network(2);
    network.firstPsn = 0xfffffa; // it wraps among the few packets
    network.roce.SetAttribute("Recovery", StringValue(recovery));
    network.roce.SetAttribute("AckInterval", UintegerValue(3));
    network.Start();
    Lose(network.GetHostPort(0), first);
    Lose(network.GetHostPort(1), second);
    RoceLedger ledger;
    for (const uint64_t nBytes : {10000, 100, 20000})
    {
        for (const auto operation : ROCE_OPERATIONS)
        {
            ledger.Post(network, 0, 1, operation, nBytes);
        }
    }
    ledger.Post(network, 1, 0, RoceOperation::WRITE, 10000);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ledger.Check(network),
                          "",
                          "losses " << (first.empty() ? -1 : static_cast<int>(first.front())) << ' '
                                    << (first.empty() ? -1 : static_cast<int>(first.back()))
                                    << " and "
                                    << (second.empty() ? -1 : static_cast<int>(second.front())));
}

// Each packet of a short exchange, and each two, are lost once.
AIDC_TEST_CASE_P(EachPacketTestCase,
                 std::string,
                 recovery,
                 "Whichever packets are lost, all is delivered: " + recovery)
{
    constexpr uint32_t FRAMES = 20;
    // Losses at one host's port, and at the other's.
    for (uint32_t i = 0; i <= FRAMES; ++i)
    {
        for (uint32_t j = 0; j <= FRAMES; ++j)
        {
            Exchange(recovery, {i}, {j});
            if (j > i)
            {
                Exchange(recovery, {i, j}, {});
            }
        }
    }
}

constexpr uint32_t FIRST_PSN = 1000; //!< of the message

/// What comes of a run.
struct Result
{
    std::vector<Retransmission> retransmissions; //!< as traced
    RoceNicStatistics statistics;                //!< of the sender
};

/// Write a message, of which a packet is lost.
Result
Transfer(const std::string& recovery, uint64_t nBytes, uint32_t lost)
{
    Result result;
    RoceNetwork network(2);
    network.firstPsn = FIRST_PSN;
    network.path = {MicroSeconds(5), MilliSeconds(1)};
    network.roce.SetAttribute("Recovery", StringValue(recovery));
    network.Start();
    Lose(network.GetHostPort(1), {lost});
    network.GetNic(0)->TraceConnectWithoutContext(
        "Retransmission",
        MakeBoundCallback(&NoteRetransmission, &result.retransmissions));
    RoceLedger ledger;
    ledger.Post(network, 0, 1, RoceOperation::WRITE, nBytes);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ledger.Check(network), "", "delivered");
    result.statistics = network.GetNic(0)->GetStatistics();
    return result;
}

/// A mode, and what it does.
struct Recovery
{
    std::string recovery; //!< the mode
    Time timeout;         //!< the timeout while few packets are on their way
    uint64_t nRepeated;   //!< the packets that are sent again
};

// What is sent again, and when: by a timeout, if the last packet is lost; as the receiver asks, if
// one before it is.
// 4.096 us * 2^8 (InfiniBand, section 9.7.6.1.3); IRN's low timeout, as few are on their way.
AIDC_TEST_CASES(Recovery,
                row,
                "Retransmissions take place when and as they should: " + row.recovery,
                ({{"GoBackN", NanoSeconds(4096 << 8), 8},
                  {"SelectiveRepeat", MicroSeconds(100), 1}}))
{
    // The message's only packet is lost.
    auto result = Transfer(row.recovery, 100, 0);
    NS_TEST_ASSERT_MSG_EQ(result.retransmissions.size(), 1, "sent again once");
    AIDC_EXPECT(result.retransmissions[0].isTimeout, "by a timeout");
    NS_TEST_EXPECT_MSG_EQ(result.retransmissions[0].psn, FIRST_PSN, "the packet");
    NS_TEST_EXPECT_MSG_EQ(result.retransmissions[0].time, row.timeout, "when it is time");
    NS_TEST_EXPECT_MSG_EQ(result.statistics.timeouts, 1, "counted");
    NS_TEST_EXPECT_MSG_EQ(result.statistics.retransmittedPackets, 1, "counted");
    NS_TEST_EXPECT_MSG_EQ(result.statistics.receivedNaks, 0, "nobody has asked for it");

    // One packet of ten is lost.
    result = Transfer(row.recovery, 10 * 4096, 2);
    NS_TEST_ASSERT_MSG_EQ(result.retransmissions.size(), 1, "sent again once");
    AIDC_EXPECT(!result.retransmissions[0].isTimeout, "by a refusal");
    NS_TEST_EXPECT_MSG_EQ(result.retransmissions[0].psn, FIRST_PSN + 2, "the packet");
    NS_TEST_EXPECT_MSG_LT(result.retransmissions[0].time, MicroSeconds(10), "soon");
    NS_TEST_EXPECT_MSG_EQ(result.statistics.timeouts, 0, "without a timeout");
    NS_TEST_EXPECT_MSG_EQ(result.statistics.retransmittedPackets, row.nRepeated, "as many");
}

AIDC_ADD_TEST_CASES()
{
    for (const std::string recovery : {"GoBackN", "SelectiveRepeat"})
    {
        AddTestCases<RandomLossTestCase>(
            {{recovery, 0.001, 0}, {recovery, 0.001, 0xfffff0}, {recovery, 0.02, 0xfffff0}});
        AddTestCase(new EachPacketTestCase(recovery));
    }
}

// SPDX-License-Identifier: GPL-2.0-only

#include "roce-ledger.h"
#include "test/test-case.h"

#include "ns3/ethernet-channel.h"

// What goes wrong with RoCEv2, and what becomes of work requests then.
AIDC_TEST_SUITE("aidc-roce-failures", UNIT);

/// The timeout of attribute AckTimeout, 4.096 us times 2^8.
const Time TIMEOUT = NanoSeconds(4096 << 8);

/// The attempts of attribute RetryCount, after the first one.
constexpr int RETRIES = 7;

Ptr<EthernetChannel>
GetLink(const RoceNetwork& network, uint32_t host)
{
    return DynamicCast<EthernetChannel>(network.GetHostPort(host)->GetChannel());
}

// Queue pairs of two hosts share their ports, with messages of all kinds that overlap.
AIDC_TEST_CASE("Queue pairs share a port, and their messages overlap")
{
    constexpr uint32_t PAIRS = 8;
    constexpr uint32_t MESSAGES = 20;
    RoceNetwork network(2);
    network.Start();
    RoceLedger ledger;
    std::mt19937 random(2);
    for (uint32_t pair = 0; pair < PAIRS; ++pair)
    {
        const auto [first, second] = network.Connect(0, 1);
        for (uint32_t i = 0; i < MESSAGES; ++i)
        {
            const uint64_t nBytes = random() % 50000;
            ledger.Post(network, {0, first}, {1, second}, ROCE_OPERATIONS[i % 3], nBytes);
            ledger.Post(network, {1, second}, {0, first}, ROCE_OPERATIONS[i % 3], nBytes);
        }
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ledger.Check(network), "", "once and in order");
    // In turns: no queue pair is done before each of the others has got something done.
    std::vector<uint32_t> nEnded(2 + PAIRS);
    for (const auto& ended : network.completions)
    {
        if (ended.host == 0 && ++nEnded[ended.qp] == MESSAGES)
        {
            break;
        }
    }
    for (uint32_t pair = 0; pair < PAIRS; ++pair)
    {
        NS_TEST_EXPECT_MSG_GT(nEnded[2 + pair], MESSAGES / 2, "all have their share");
    }
    NS_TEST_EXPECT_MSG_EQ(network.GetNic(0)->GetStatistics().retransmittedPackets, 0, "none");
}

/// Note a state of a queue pair. states: where: C for connected, E for an error, R for reset.
void
NoteState(std::string* states, uint32_t, RoceQpState state)
{
    *states += state == RoceQpState::READY_TO_SEND ? 'C' : state == RoceQpState::ERROR ? 'E' : 'R';
}

// A host restarts, and forgets its queue pairs: the requests of its peers end with an error, and
// new queue pairs work.
AIDC_TEST_CASE("A peer restarts")
{
    RoceNetwork network(3);
    network.Start();
    std::string states0;
    std::string states1;
    network.GetNic(0)->TraceConnectWithoutContext("State", MakeBoundCallback(&NoteState, &states0));
    network.GetNic(1)->TraceConnectWithoutContext("State", MakeBoundCallback(&NoteState, &states1));
    RoceLedger ledger;
    for (int i = 0; i < 4; ++i)
    {
        network.Write(0, 1, 200000, i);
        network.Write(1, 0, 200000, i);
        ledger.Post(network, 0, 2, RoceOperation::WRITE, 200000);
        ledger.Post(network, 2, 0, RoceOperation::READ, 200000);
    }
    const uint32_t former = network.GetQp(0, 1);
    const uint32_t peers = network.GetQp(1, 0);
    constexpr int64_t RESTART = 50; // us: messages of 16 us at the line rate are under way
    Simulator::Schedule(MicroSeconds(RESTART), [&network] { network.GetNic(1)->Restart(); });
    Simulator::Run();

    std::string statuses;
    std::size_t nDelivered = 0;
    for (const auto& ended : network.completions)
    {
        const bool isOther = ended.host == 0 && ended.qp != former;
        if (ended.host == 0 && ended.qp == former)
        {
            statuses += RoceNetwork::GetLetter(ended.completion.status);
        }
        AIDC_EXPECT(!(ended.host == 1 && ended.time > MicroSeconds(RESTART)),
                    "who restarts is told nothing of what was before");
        AIDC_EXPECT(!(isOther && ended.completion.status != RoceStatus::SUCCESS),
                    "other queue pairs go on");
    }
    for (const auto& arrived : network.deliveries)
    {
        nDelivered += arrived.host == 1 && arrived.qp == peers ? 1 : 0;
    }
    NS_TEST_ASSERT_MSG_EQ(statuses.size(), 4, "each ends once");
    const std::size_t nGood = statuses.find('R');
    NS_TEST_ASSERT_MSG_LT(nGood, 4, "one has met the restart");
    NS_TEST_EXPECT_MSG_EQ(statuses,
                          std::string(nGood, 'S') + 'R' + std::string(3 - nGood, 'F'),
                          "an error, and those behind it are flushed");
    AIDC_EXPECT(nDelivered == nGood || nDelivered == nGood + 1,
                "what has ended well was delivered, and one more at most");
    NS_TEST_EXPECT_MSG_GT(network.GetNic(1)->GetStatistics().unknownQueuePairs,
                          RETRIES,
                          "packets for what was before are dropped");
    NS_TEST_EXPECT_MSG_EQ(network.GetNic(0)->GetStatistics().errors, 1, "counted");
    NS_TEST_EXPECT_MSG_EQ(states0, "CCE", "two are connected, one fails");
    NS_TEST_EXPECT_MSG_EQ(states1, "CR", "one is connected, and forgotten");

    // What is posted to the queue pair that has failed is flushed at once.
    network.completions.clear();
    const Time now = Simulator::Now();
    network.Write(0, 1, 1000, 4);
    NS_TEST_ASSERT_MSG_EQ(network.completions.size(), 1, "it ends");
    NS_TEST_EXPECT_MSG_EQ(network.GetStatuses(0), "F", "flushed");
    NS_TEST_EXPECT_MSG_EQ(network.completions[0].completion.id, 4, "it");

    // New queue pairs, with other numbers, work.
    network.completions.clear();
    network.deliveries.clear();
    const auto [first, second] = network.Connect(0, 1);
    NS_TEST_EXPECT_MSG_NE(first, former, "a new number");
    NS_TEST_EXPECT_MSG_NE(second, peers, "a new number");
    RoceLedger anew;
    for (const auto operation : ROCE_OPERATIONS)
    {
        anew.Post(network, 0, 1, operation, 100000);
        anew.Post(network, 1, 0, operation, 100000);
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(anew.Check(network), "", "all is done");
    NS_TEST_EXPECT_MSG_LT(Simulator::Now() - now, 2 * TIMEOUT, "soon");
}

// The process of one end of a queue pair ends: requests of both ends fail, each in its way, and
// other queue pairs go on.
AIDC_TEST_CASE("A queue pair is moved to the error state")
{
    RoceNetwork network(3);
    network.Start();
    std::string states;
    network.GetNic(1)->TraceConnectWithoutContext("State", MakeBoundCallback(&NoteState, &states));
    RoceLedger ledger;
    for (int i = 0; i < 4; ++i)
    {
        network.Write(0, 1, 200000, i);
        network.Write(1, 0, 200000, i);
        ledger.Post(network, 2, 1, RoceOperation::WRITE, 200000);
        ledger.Post(network, 1, 2, RoceOperation::READ, 200000);
    }
    const uint32_t peers = network.GetQp(0, 1);
    const uint32_t own = network.GetQp(1, 0);
    const Time end = MicroSeconds(50); // messages of 16 us at the line rate are under way
    Simulator::Schedule(end, [&network, own] {
        network.GetNic(1)->GetQueuePair(own).SetError();
        network.GetNic(1)->GetQueuePair(own).SetError(); // it is there already
    });
    Simulator::Run();

    std::string ownStatuses;
    std::string peersStatuses;
    for (const auto& ended : network.completions)
    {
        const char status = RoceNetwork::GetLetter(ended.completion.status);
        if (ended.host == 1 && ended.qp == own)
        {
            ownStatuses += status;
            AIDC_EXPECT(status == 'S' || ended.time == end, "at once");
        }
        else if (ended.host == 0 && ended.qp == peers)
        {
            peersStatuses += status;
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ(status, 'S', "other queue pairs go on");
        }
    }
    const std::size_t nOwn = ownStatuses.find('F');
    NS_TEST_ASSERT_MSG_LT(nOwn, 4, "one has met the end");
    NS_TEST_EXPECT_MSG_EQ(ownStatuses,
                          std::string(nOwn, 'S') + std::string(4 - nOwn, 'F'),
                          "all that were not done are flushed");
    const std::size_t nPeers = peersStatuses.find('R');
    NS_TEST_ASSERT_MSG_LT(nPeers, 4, "one has met the end");
    NS_TEST_EXPECT_MSG_EQ(peersStatuses,
                          std::string(nPeers, 'S') + 'R' + std::string(3 - nPeers, 'F'),
                          "the peer finds out by its retries");
    NS_TEST_EXPECT_MSG_EQ(states.find('E'), states.size() - 1, "one error, at last");
    NS_TEST_EXPECT_MSG_EQ(network.GetNic(1)->GetStatistics().errors, 1, "counted once");
    NS_TEST_EXPECT_MSG_GT(network.GetNic(1)->GetStatistics().failedQueuePairs,
                          RETRIES,
                          "packets of the peer are dropped");
    NS_TEST_EXPECT_MSG_EQ(network.GetNic(1)->GetStatistics().timeouts, 0, "its timer is off");
}

/// Have a link fail and be restored, twice.
void
Flap(const std::string& recovery, uint32_t host, Time start, Time duration, Time detection)
{
    RoceNetwork network(3);
    network.roce.SetAttribute("Recovery", StringValue(recovery));
    network.Start();
    const auto link = GetLink(network, host);
    link->SetAttribute("DetectionDelay", TimeValue(detection));
    RoceLedger ledger;
    for (const auto operation : ROCE_OPERATIONS)
    {
        ledger.Post(network, 0, 1, operation, 300000);
        ledger.Post(network, 1, 0, operation, 200000);
        ledger.Post(network, 2, 1, operation, 100000);
    }
    for (int i = 0; i < 2; ++i)
    {
        const Time begin = start + i * (duration + MicroSeconds(40));
        Simulator::Schedule(begin, &EthernetChannel::Fail, link);
        Simulator::Schedule(begin + duration, &EthernetChannel::Restore, link);
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ledger.Check(network),
                          "",
                          "link of host " << host << " down at " << start << " for " << duration
                                          << ", seen after " << detection);
}

struct Flaps
{
    std::string recovery;        //!< the mode
    std::vector<Time> durations; //!< how long the link is down
};

// A link fails in the midst of messages and is restored: nothing is lost, doubled or stuck.
// The timeouts of selective repeat are shorter while few packets are on their way.
AIDC_TEST_CASES(Flaps,
                row,
                "A link flaps in mid-message: " + row.recovery,
                ({{"GoBackN",
                   {MicroSeconds(1), MicroSeconds(20), MicroSeconds(300), MilliSeconds(3)}},
                  {"SelectiveRepeat", {MicroSeconds(1), MicroSeconds(20), MicroSeconds(300)}}}))
{
    for (const Time& duration : row.durations)
    {
        for (const Time& detection : {Time(), MicroSeconds(3), MilliSeconds(20)})
        {
            for (const uint32_t host : {0, 1})
            {
                for (const int64_t start : {1, 5, 30, 60})
                {
                    Flap(row.recovery, host, NanoSeconds(start * 1001), duration, detection);
                }
            }
        }
    }
}

// A link is down for good: what is under way ends with an error, what is behind it is flushed, on
// both sides, and what does not use the link goes on.
AIDC_TEST_CASES(std::string,
                recovery,
                "A link is down for good: " + recovery,
                ({"GoBackN", "SelectiveRepeat"}))
{
    for (const Time& detection : {Time(), MilliSeconds(100)})
    {
        RoceNetwork network(3);
        network.roce.SetAttribute("Recovery", StringValue(recovery));
        network.Start();
        const auto link = GetLink(network, 1);
        link->SetAttribute("DetectionDelay", TimeValue(detection));
        for (int i = 0; i < 3; ++i)
        {
            network.Write(0, 1, 1000000, i);
            network.Write(1, 0, 1000000, i);
        }
        network.Write(0, 2, 3000000);
        constexpr int64_t FAILURE = 50; // us: in the first messages
        Simulator::Schedule(MicroSeconds(FAILURE), &EthernetChannel::Fail, link);
        Simulator::Run();
        const uint32_t other = network.GetQp(0, 2);
        std::string statuses;
        for (const auto& ended : network.completions)
        {
            if (ended.host == 0 && ended.qp == other)
            {
                AIDC_EXPECT(ended.completion.status == RoceStatus::SUCCESS,
                            "the other one goes on");
                continue;
            }
            statuses += std::to_string(ended.host) + GetRoceStatusName(ended.completion.status);
            // The first attempt was before the failure.
            NS_TEST_EXPECT_MSG_LT(ended.time,
                                  MicroSeconds(FAILURE) + (RETRIES + 2) * TIMEOUT,
                                  "when all attempts are used up");
        }
        AIDC_EXPECT(statuses == "0retry exceeded0flushed0flushed"
                                "1retry exceeded1flushed1flushed" ||
                        statuses == "1retry exceeded1flushed1flushed"
                                    "0retry exceeded0flushed0flushed",
                    statuses);
        NS_TEST_EXPECT_MSG_EQ(network.deliveries.size(), 1, "nothing but the other one");
        NS_TEST_EXPECT_MSG_EQ(network.GetNic(0)->GetStatistics().errors, 1, "counted");
        NS_TEST_EXPECT_MSG_EQ(network.GetNic(1)->GetStatistics().errors, 1, "counted");
        NS_TEST_EXPECT_MSG_EQ(network.GetNic(0)->GetStatistics().timeouts, RETRIES + 1, "attempts");
    }
}

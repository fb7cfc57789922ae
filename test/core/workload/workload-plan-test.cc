// SPDX-License-Identifier: GPL-2.0-only

// The programs of all ranks: their execution, and the checks before it.

#include "model/core/workload/rank-execution.h"
#include "test/core/core-test.h"

#include "ns3/ideal-execution.h"
#include "ns3/workload-plan.h"

using Numbers = std::vector<uint32_t>;

RankGroup
MakeGroup(const Numbers& ranks)
{
    return std::make_shared<const Numbers>(ranks);
}

/// Takes all events of an execution as a text.
std::string
TakeAll(RankExecution& execution)
{
    std::string text;
    RankEvent event;
    while (execution.Take(event))
    {
        const std::string number = std::to_string(event.operation);
        switch (event.kind)
        {
        case RankEventKind::STARTED:
            text += " +" + number;
            break;
        case RankEventKind::ENDED:
            text += " -" + number;
            break;
        case RankEventKind::COMPUTE:
            text += " compute " + std::to_string(event.amount);
            break;
        case RankEventKind::SEND:
            text += " send " + std::to_string(event.amount) + " to " + std::to_string(event.peer);
            break;
        }
    }
    return text;
}

/// Executes the programs of all ranks; messages and computations end in any order.
class Network
{
  public:
    explicit Network(const WorkloadPlan& plan)
        : sent(plan.GetNRanks())
    {
        for (uint32_t rank = 0; rank < plan.GetNRanks(); ++rank)
        {
            m_executions.push_back(std::make_unique<RankExecution>(plan.GetProgram(rank)));
        }
    }

    template <typename Choose>
    void Run(Choose choose)
    {
        for (uint32_t rank = 0; rank < m_executions.size(); ++rank)
        {
            m_executions[rank]->Start();
            Collect(rank);
        }
        while (!m_waiting.empty())
        {
            auto entry = m_waiting.begin();
            std::advance(entry, choose(m_waiting.size()));
            const RankEvent event = entry->second.front();
            const auto [from, to] = entry->first;
            entry->second.pop_front();
            if (entry->second.empty())
            {
                m_waiting.erase(entry);
            }
            if (event.kind == RankEventKind::SEND)
            {
                m_executions[to]->Receive(from, event.amount, event.tag);
                Collect(to);
                m_executions[from]->EndSend(event.operation, event.lane, event.peer);
            }
            else
            {
                m_executions[from]->EndCompute(event.operation);
            }
            Collect(from);
        }
    }

    bool IsDone() const
    {
        for (const auto& execution : m_executions)
        {
            if (!execution->IsDone())
            {
                return false;
            }
        }
        return true;
    }

    std::vector<uint64_t> sent;                         //!< bytes by rank
    std::map<std::pair<uint32_t, uint32_t>, int> ended; //!< how often each operation ended

  private:
    void Collect(uint32_t rank)
    {
        RankEvent event;
        while (m_executions[rank]->Take(event))
        {
            if (event.kind == RankEventKind::SEND)
            {
                sent[rank] += event.amount;
                m_waiting[{rank, event.peer}].push_back(event); // in order between two ranks
            }
            else if (event.kind == RankEventKind::COMPUTE)
            {
                m_waiting[{rank, rank}].push_back(event);
            }
            else if (event.kind == RankEventKind::ENDED)
            {
                ++ended[{rank, event.operation}];
            }
        }
    }

    std::vector<std::unique_ptr<RankExecution>> m_executions;
    std::map<std::pair<uint32_t, uint32_t>, std::deque<RankEvent>> m_waiting;
};

TEST(RankProgram, IsCompact)
{
    EXPECT_LE(sizeof(RankOperation), 32U);
    RankProgram program;
    program.AddCompute(5, {});
    EXPECT_EQ(CatchMessage([&program] { program.AddSend(1, 2, 3, {1}); }),
              "operation 1 can wait for earlier ones only, not for 1");
    EXPECT_EQ(program.GetN(), 1U);
}

TEST(RankExecution, OperationsStartWhenTheirDependenciesHaveEnded)
{
    RankProgram program;
    program.AddCompute(10, {});         // 0
    program.AddReceive(1, 100, 7, {});  // 1
    program.AddSend(2, 50, 7, {0, 1});  // 2
    program.AddReceive(1, 100, 7, {2}); // 3
    program.AddCompute(20, {});         // 4, after 0, as a unit computes one thing at a time
    program.AddCompute(30, {}, 0, 1);   // 5, by another unit
    RankExecution execution(program);
    execution.Start();
    EXPECT_EQ(TakeAll(execution), " +0 compute 10 +1 +5 compute 30");
    execution.Receive(1, 100, 7);
    EXPECT_EQ(TakeAll(execution), " -1");
    execution.Receive(1, 100, 7); // nobody waits for it yet
    execution.Receive(1, 1, 8);
    execution.EndCompute(0);
    EXPECT_EQ(TakeAll(execution), " -0 +2 send 50 to 2 +4 compute 20");
    execution.EndSend(2, 0, 2);
    EXPECT_EQ(TakeAll(execution), " -2 +3 -3");
    execution.EndCompute(5);
    EXPECT_FALSE(execution.IsDone());
    execution.EndCompute(4);
    EXPECT_EQ(TakeAll(execution), " -5 -4");
    EXPECT_TRUE(execution.IsDone());
}

TEST(RankExecution, MessagesToARankWithATagKeepTheirOrder)
{
    RankProgram program;
    program.AddCompute(10, {});       // 0
    program.AddSend(2, 1, 7, {0});    // 1
    program.AddSend(2, 2, 7, {});     // 2, ready before 1
    program.AddReceive(2, 1, 7, {0}); // 3
    program.AddReceive(2, 2, 7, {});  // 4, ready before 3
    RankExecution execution(program);
    execution.Start();
    EXPECT_EQ(TakeAll(execution), " +0 compute 10");
    execution.Receive(2, 1, 7);
    execution.EndCompute(0);
    EXPECT_EQ(TakeAll(execution), " -0 +1 send 1 to 2 +3 -3 +2 send 2 to 2 +4");
    execution.Receive(2, 2, 7);
    EXPECT_EQ(TakeAll(execution), " -4");
}

TEST(RankExecution, MessageOfAnotherSizeIsAnError)
{
    RankProgram program;
    program.AddReceive(1, 100, 7, {});
    RankExecution execution(program);
    execution.Start();
    EXPECT_THROW(execution.Receive(1, 99, 7), std::runtime_error);
}

TEST(RankExecution, TreeSendsOneMessageAtATimeAndRingsDoNotWait)
{
    WorkloadPlan plan(4);
    const auto ranks = MakeGroup({3, 1, 0, 2});
    const Numbers none;
    plan.AddCollective("b",
                       {CollectiveKind::BROADCAST, CollectiveAlgorithm::BINOMIAL_TREE, 4, 100},
                       ranks,
                       {none, none, none, none});
    RankExecution root(plan.GetProgram(3));
    root.Start();
    EXPECT_EQ(TakeAll(root), " +0 send 100 to 1");
    root.EndSend(0, 0, 1);
    EXPECT_EQ(TakeAll(root), " send 100 to 0");
    root.EndSend(0, 0, 0);
    EXPECT_EQ(TakeAll(root), " -0");

    WorkloadPlan ring(4);
    ring.AddCollective("g",
                       {CollectiveKind::ALL_GATHER, CollectiveAlgorithm::RING, 4, 400},
                       ranks,
                       {none, none, none, none});
    RankExecution member(ring.GetProgram(3));
    member.Start();
    EXPECT_EQ(TakeAll(member), " +0 send 100 to 1");
    member.Receive(2, 100, WorkloadPlan::FIRST_TAG);
    EXPECT_EQ(TakeAll(member), " send 100 to 1");
    member.Receive(2, 100, WorkloadPlan::FIRST_TAG);
    member.Receive(2, 100, WorkloadPlan::FIRST_TAG);
    EXPECT_EQ(TakeAll(member), " send 100 to 1");
    for (int i = 0; i < 3; ++i)
    {
        EXPECT_FALSE(member.IsDone());
        member.EndSend(0, 0, 1);
    }
    EXPECT_EQ(TakeAll(member), " -0");
}

TEST(RankExecution, CollectivesOfAGroupFollowEachOtherInTheOrderOfTheProgram)
{
    const CollectiveSchedule schedule(CollectiveKind::ALL_REDUCE, CollectiveAlgorithm::RING, 2, 8);
    const auto ranks = MakeGroup({0, 1});
    const auto same = MakeGroup({0, 1}); // another communicator of the same ranks
    WorkloadPlan plan(2);
    plan.GetProgram(0).AddCompute(5, {});                       // 0 of rank 0
    plan.AddCollective("a", schedule, ranks, {Numbers{0}, {}}); // 1
    plan.AddCollective("b", schedule, ranks, {Numbers(), {}});  // 2, ready before 1
    plan.AddCollective("c", schedule, same, {Numbers(), {}});   // 3
    plan.AddCollective("d", schedule, ranks, {Numbers{2}, {}}); // 4
    plan.Check();
    RankExecution execution(plan.GetProgram(0));
    execution.Start();
    EXPECT_EQ(TakeAll(execution), " +0 compute 5 +3 send 4 to 1");
    execution.EndCompute(0);
    EXPECT_EQ(TakeAll(execution), " -0 +1 send 4 to 1");
    for (int step = 0; step < 2; ++step)
    {
        execution.Receive(1, 4, WorkloadPlan::FIRST_TAG);
        execution.EndSend(1, 0, 1);
    }
    EXPECT_EQ(TakeAll(execution), " send 4 to 1 -1 +2 send 4 to 1");
    EXPECT_EQ(plan.GetProgram(0).GetAfter(4).end() - plan.GetProgram(0).GetAfter(4).begin(), 1);
}

TEST(WorkloadPlan, RefusesCollectivesOfAGroupInAnotherOrderAtAnotherRank)
{
    const CollectiveSchedule schedule(CollectiveKind::ALL_REDUCE, CollectiveAlgorithm::RING, 2, 8);
    const auto ranks = MakeGroup({0, 1});
    for (const bool isOneGroup : {true, false})
    {
        const auto others = isOneGroup ? ranks : MakeGroup({0, 1});
        WorkloadPlan plan(2);
        const uint32_t a = plan.AddItem("a");
        const uint32_t b = plan.AddItem("b");
        plan.GetProgram(0).AddCollective({schedule, ranks, 0}, 1, {}, a);
        plan.GetProgram(0).AddCollective({schedule, others, 0}, 2, {}, b);
        plan.GetProgram(1).AddCollective({schedule, others, 1}, 2, {}, b);
        plan.GetProgram(1).AddCollective({schedule, ranks, 1}, 1, {}, a);
        EXPECT_EQ(CatchMessage([&plan] { plan.Check(); }),
                  isOneGroup ? "rank 0, operation 0 (a: all-reduce of 8 bytes) never starts: it "
                               "waits for rank 0, operation 1 (b: all-reduce of 8 bytes), which "
                               "waits for the first"
                             : "");
    }
}

CollectiveSchedule
MakeRandomCollective(CollectiveKind kind, uint32_t nMembers)
{
    CollectiveScheduleSettings settings;
    settings.kind = kind;
    settings.nMembers = nMembers;
    settings.bytes = DrawInRange<uint64_t>(0, 1000);
    settings.nChunks = DrawInRange<uint32_t>(1, 4);
    settings.algorithm = *rc::gen::elementOf(GetCollectiveAlgorithms(kind));
    switch (settings.algorithm)
    {
    case CollectiveAlgorithm::HALVING_DOUBLING:
        if (kind != CollectiveKind::ALL_REDUCE)
        {
            settings.algorithm = CollectiveAlgorithm::RING;
        }
        break;
    case CollectiveAlgorithm::RING:
    case CollectiveAlgorithm::DOUBLE_TREE:
    case CollectiveAlgorithm::NVLS:
        settings.nChannels = DrawInRange<uint32_t>(1, 4);
        settings.nPerServer = nMembers % 2 == 0 ? DrawInRange<uint32_t>(1, 3) : 1;
        break;
    case CollectiveAlgorithm::HIERARCHICAL:
        settings.nPerServer = nMembers % 2 == 0 ? 2 : nMembers;
        break;
    default:
        break;
    }
    return CollectiveSchedule(settings);
}

/// Adds collectives of random groups, messages and computations; each waits for some before.
WorkloadPlan
MakeRandomPlan()
{
    const auto nRanks = DrawInRange<uint32_t>(2, 9);
    WorkloadPlan plan(nRanks);
    const auto chooseAfter = [&plan](uint32_t rank) {
        Numbers after;
        const uint32_t n = plan.GetProgram(rank).GetN();
        for (uint32_t i = n > 3 ? n - 3 : 0; i < n; ++i)
        {
            if (DrawInRange(0, 2) == 1)
            {
                after.push_back(i);
            }
        }
        return after;
    };
    const auto nItems = DrawInRange<uint32_t>(1, 20);
    for (uint32_t i = 0; i < nItems; ++i)
    {
        const auto first = DrawInRange<uint32_t>(0, nRanks);
        const auto count = DrawInRange<uint32_t>(1, nRanks + 1);
        const auto kind = DrawInRange(0, 7);
        if (kind < 5)
        {
            Numbers ranks;
            std::vector<Numbers> after;
            for (uint32_t k = 0; k < count; ++k)
            {
                ranks.push_back((first + k) % nRanks);
                after.push_back(chooseAfter(ranks.back()));
            }
            plan.AddCollective("c",
                               MakeRandomCollective(static_cast<CollectiveKind>(kind), count),
                               MakeGroup(ranks),
                               after);
        }
        else if (kind == 5)
        {
            const uint32_t to = (first + 1) % nRanks;
            plan.AddMessage(plan.AddItem("m"),
                            first,
                            to,
                            5,
                            1,
                            chooseAfter(first),
                            chooseAfter(to),
                            DrawInRange(0, 2) == 1);
        }
        else
        {
            plan.GetProgram(first).AddCompute(1, chooseAfter(first), plan.AddItem("w"));
        }
    }
    return plan;
}

RC_GTEST_PROP(RankExecution, AllOperationsEndOnceInWhateverOrderMessagesArrive, ())
{
    const WorkloadPlan plan = MakeRandomPlan();
    plan.Check();
    Network network(plan);
    uint64_t state = DrawAny<uint64_t>();
    network.Run([&state](std::size_t size) {
        state = state * 6364136223846793005 + 1442695040888963407;
        return static_cast<std::size_t>((state >> 33) % size);
    });
    RC_ASSERT(network.IsDone());
    for (uint32_t rank = 0; rank < plan.GetNRanks(); ++rank)
    {
        for (uint32_t i = 0; i < plan.GetProgram(rank).GetN(); ++i)
        {
            RC_ASSERT((network.ended[{rank, i}]) == 1);
        }
    }
}

/// Tells what the ranks of a job in a larger plan do, as if they were the first ones.
std::string
DescribeJob(const WorkloadPlan& plan, uint32_t first, uint32_t nRanks)
{
    std::string text;
    for (uint32_t rank = first; rank < first + nRanks; ++rank)
    {
        const RankProgram& program = plan.GetProgram(rank);
        for (uint32_t i = 0; i < program.GetN(); ++i)
        {
            const RankOperation& operation = program.Get(i);
            const bool hasPeer = operation.kind == RankOperationKind::SEND ||
                                 operation.kind == RankOperationKind::RECEIVE;
            text += plan.GetItems()[operation.label].GetName() + ' ' +
                    std::to_string(static_cast<int>(operation.kind)) + ' ' +
                    std::to_string(operation.amount) + ' ' + std::to_string(operation.tag) + ' ' +
                    std::to_string(hasPeer ? operation.peer - first : operation.peer) + " after";
            for (const uint32_t other : program.GetAfter(i))
            {
                text += ' ' + std::to_string(other);
            }
            if (operation.kind == RankOperationKind::COLLECTIVE)
            {
                const RankCollective& collective = program.GetCollective(i);
                text += " member " + std::to_string(collective.member) + " of";
                for (const uint32_t member : *collective.ranks)
                {
                    text += ' ' + std::to_string(member - first);
                }
            }
            text += '\n';
        }
    }
    return text;
}

RC_GTEST_PROP(WorkloadPlan, JobsBesideEachOtherAreAsEachIsAlone, ())
{
    const WorkloadPlan first = MakeRandomPlan();
    const WorkloadPlan second = MakeRandomPlan();
    WorkloadPlan both = first;
    both.Append(second);
    both.Check();
    const uint32_t n = first.GetNRanks();
    RC_ASSERT(both.GetNRanks() == n + second.GetNRanks());
    RC_ASSERT(both.GetItems().size() == first.GetItems().size() + second.GetItems().size());
    RC_ASSERT(DescribeJob(both, 0, n) == DescribeJob(first, 0, n));
    RC_ASSERT(DescribeJob(both, n, second.GetNRanks()) ==
              DescribeJob(second, 0, second.GetNRanks()));
    // Both begin at once, so the last operation belongs to the longer job
    const auto getTime = [](const WorkloadPlan& plan) { return GetIdealSeconds(plan, 1e9, 1e-6); };
    RC_ASSERT(getTime(both) == std::max(getTime(first), getTime(second)));
}

TEST(WorkloadPlan, AppendedJobKeepsItsGroups)
{
    const CollectiveSchedule schedule(CollectiveKind::ALL_REDUCE, CollectiveAlgorithm::RING, 2, 8);
    const auto ranks = MakeGroup({1, 0});
    const auto same = MakeGroup({1, 0}); // another communicator of the same ranks
    WorkloadPlan job(2);
    for (const auto& group : {ranks, same, ranks})
    {
        job.AddCollective("a", schedule, group, std::vector<Numbers>(2));
    }
    WorkloadPlan plan = job;
    plan.Append(plan); // of itself
    plan.Append(job);
    ASSERT_EQ(plan.GetNRanks(), 6U);
    ASSERT_EQ(plan.GetItems().size(), 9U);
    for (const uint32_t first : {0U, 2U, 4U})
    {
        const RankProgram& program = plan.GetProgram(first);
        const RankGroup& group = program.GetCollective(0).ranks;
        EXPECT_EQ(*group, (Numbers{first + 1, first}));
        EXPECT_EQ(program.GetCollective(2).ranks, group);
        EXPECT_NE(program.GetCollective(1).ranks, group);
        EXPECT_EQ(plan.GetProgram(first + 1).GetCollective(0).ranks, group);
    }
    // A collective of a group that is added later waits for the last one of the group
    const RankGroup group = plan.GetProgram(4).GetCollective(0).ranks;
    const auto operations = plan.AddCollective("b", schedule, group, std::vector<Numbers>(2));
    EXPECT_EQ(operations, (Numbers{3, 3}));
    EXPECT_EQ(*plan.GetProgram(4).GetAfter(3).begin(), 2U);
    // No other collective has its tags
    EXPECT_EQ(plan.GetProgram(4).Get(3).tag, plan.GetProgram(4).Get(2).tag + 1);
    plan.Check();
}

TEST(WorkloadPlan, RefusesMoreRanksThanThereMayBe)
{
    WorkloadPlan plan(WorkloadPlan::MAX_RANKS - 1);
    EXPECT_EQ(CatchMessage([&plan] { plan.Append(WorkloadPlan(2)); }),
              "there are at most 1048576 ranks, not 1048575 and 2");
    EXPECT_EQ(plan.GetNRanks(), WorkloadPlan::MAX_RANKS - 1);
}

TEST(RankExecution, RingSendsItsBytesFromEachRank)
{
    WorkloadPlan plan(5);
    plan.AddCollective("r",
                       {CollectiveKind::ALL_REDUCE, CollectiveAlgorithm::RING, 5, 1000, 2},
                       MakeGroup({4, 2, 0, 1, 3}),
                       std::vector<Numbers>(5));
    plan.Check();
    Network network(plan);
    network.Run([](std::size_t) { return 0; });
    EXPECT_TRUE(network.IsDone());
    EXPECT_EQ(network.sent, std::vector<uint64_t>(5, 2 * 1000 / 5 * 4));
}

TEST(WorkloadPlan, NamesRankAndOperationOfAMessageWithoutItsOtherEnd)
{
    WorkloadPlan plan(3);
    plan.GetProgram(2).AddCompute(7, {}, plan.AddItem("work"));
    WorkloadPlan sends = plan;
    sends.GetProgram(2).AddSend(1, 100, 7, {0}, sends.AddItem("x"));
    EXPECT_EQ(CatchMessage([&] { sends.Check(); }),
              "rank 2, operation 1 (x: send of 100 bytes to rank 1 with tag 7) is never received");
    WorkloadPlan receives = plan;
    receives.GetProgram(2).AddReceive(1, 100, 7, {}, receives.AddItem("x"));
    EXPECT_EQ(CatchMessage([&] { receives.Check(); }),
              "rank 2, operation 1 (x: receive of 100 bytes from rank 1 with tag 7) waits for a "
              "message that is never sent");
    receives.GetProgram(1).AddSend(2, 101, 7, {});
    EXPECT_EQ(CatchMessage([&] { receives.Check(); }),
              "rank 2, operation 1 (x: receive of 100 bytes from rank 1 with tag 7) gets a message "
              "of 101 bytes");
    WorkloadPlan unknown = plan;
    unknown.GetProgram(0).AddSend(3, 1, 7, {}, unknown.AddItem("x"));
    EXPECT_EQ(CatchMessage([&] { unknown.Check(); }),
              "rank 0, operation 0 (x: send of 1 bytes to rank 3 with tag 7) has an unknown peer: "
              "there are 3 ranks");
    WorkloadPlan self = plan;
    self.GetProgram(0).AddSend(0, 1, 7, {}, self.AddItem("x"));
    EXPECT_EQ(CatchMessage([&] { self.Check(); }),
              "rank 0, operation 0 (x: send of 1 bytes to rank 0 with tag 7) is between a rank and "
              "itself");
}

TEST(WorkloadPlan, FindsRanksThatWaitForEachOther)
{
    WorkloadPlan plan(2);
    const uint32_t item = plan.AddItem("x");
    for (const uint32_t rank : {0, 1})
    {
        plan.GetProgram(rank).AddReceive(1 - rank, 5, 1, {}, item);
        plan.GetProgram(rank).AddSend(1 - rank, 5, 1, {0}, item);
    }
    EXPECT_EQ(CatchMessage([&] { plan.Check(); }),
              "rank 0, operation 0 (x: receive of 5 bytes from rank 1 with tag 1) never starts: it "
              "waits for rank 1, operation 1 (x: send of 5 bytes to rank 0 with tag 1), which "
              "waits for rank 1, operation 0 (x: receive of 5 bytes from rank 0 with tag 1), which "
              "waits for rank 0, operation 1 (x: send of 5 bytes to rank 1 with tag 1), which "
              "waits for the first");

    // Two groups whose members take part in other orders
    WorkloadPlan orders(2);
    const auto ranks = MakeGroup({0, 1});
    const CollectiveSchedule schedule(CollectiveKind::ALL_REDUCE, CollectiveAlgorithm::RING, 2, 8);
    orders.GetProgram(0).AddCollective({schedule, ranks, 0}, 1, {}, orders.AddItem("a"));
    orders.GetProgram(0).AddCollective({schedule, ranks, 0}, 2, {0}, orders.AddItem("b"));
    orders.GetProgram(1).AddCollective({schedule, ranks, 1}, 2, {}, 1);
    EXPECT_EQ(CatchMessage([&] { orders.Check(); }),
              "rank 0, operation 0 (a: all-reduce of 8 bytes) has 2 members, but 1 operations");
    orders.GetProgram(1).AddCollective({schedule, ranks, 1}, 1, {0}, 0);
    EXPECT_NE(CatchMessage([&] { orders.Check(); }), "");
}

TEST(WorkloadPlan, RefusesGroupsThatAreNone)
{
    WorkloadPlan plan(3);
    const CollectiveSchedule schedule(CollectiveKind::ALL_REDUCE, CollectiveAlgorithm::RING, 2, 8);
    const auto add = [&](const Numbers& ranks) {
        return CatchMessage(
            [&] { plan.AddCollective("a", schedule, MakeGroup(ranks), std::vector<Numbers>(2)); });
    };
    EXPECT_EQ(add({1, 1}), "rank 1 is there twice");
    EXPECT_EQ(add({1, 3}), "there are 3 ranks, counted from 0, but no rank 3");
    EXPECT_EQ(add({0, 2}), "");
    EXPECT_EQ(CatchMessage([] { WorkloadPlan(0); }), "there are from 1 to 1048576 ranks, not 0");
}

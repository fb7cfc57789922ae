// SPDX-License-Identifier: GPL-2.0-only

// Messages that wait for credits, and chunks of collectives that follow each other.

#include "fixed-rate-network.h"
#include "test/core/core-test.h"

using Numbers = std::vector<uint32_t>;

/// Takes the messages that an execution sends, as "5>1" for 5 bytes to rank 1, and lanes.
std::string
TakeMessages(RankExecution& execution)
{
    std::string text;
    RankEvent event;
    while (execution.Take(event))
    {
        if (event.kind == RankEventKind::SEND)
        {
            text += " " + std::to_string(event.amount) + ">" + std::to_string(event.peer) + "/" +
                    std::to_string(event.lane);
        }
    }
    return text;
}

TEST(RankExecution, MessageWithACreditWaitsForItsReceiver)
{
    WorkloadPlan plan(2);
    const uint32_t item = plan.AddItem("x");
    plan.GetProgram(1).AddCompute(1000, {}, item);
    const auto [send, receive] = plan.AddMessage(item, 0, 1, 500, 7, {}, {0}, true);
    EXPECT_EQ(send, 1U);
    EXPECT_EQ(receive, 2U);
    plan.Check();
    const uint32_t creditTag = WorkloadPlan::FIRST_TAG;

    RankExecution sender(plan.GetProgram(0));
    sender.Start();
    EXPECT_EQ(TakeMessages(sender), "");
    sender.Receive(1, 0, creditTag);
    EXPECT_EQ(TakeMessages(sender), " 500>1/0");
    sender.EndSend(1, 0, 1);
    EXPECT_TRUE(sender.IsDone());

    RankExecution receiver(plan.GetProgram(1));
    receiver.Start();
    EXPECT_EQ(TakeMessages(receiver), "");
    receiver.EndCompute(0);
    EXPECT_EQ(TakeMessages(receiver), " 0>0/0");
    receiver.Receive(0, 500, 7);
    EXPECT_FALSE(receiver.IsDone());
    receiver.EndSend(1, 0, 0);
    EXPECT_TRUE(receiver.IsDone());
}

TEST(RankExecution, CollectiveIsLaunchedAndItsMessagesHaveDelaysAndBytesOfTheWire)
{
    CollectiveScheduleSettings settings;
    settings.nMembers = 4;
    settings.nPerServer = 2;
    settings.bytes = 400;
    settings.costs.launch = 7000;
    settings.costs.post = 50;
    settings.costs.inside = {600, 1, 1, 1000}; // 100 bytes at 1000 byte/us are 100 ns
    settings.costs.between = {2700, 2, 1, 0};
    const auto plan = aidctest::MakeCollectivePlan(CollectiveSchedule(settings));
    // The ring is 1, 0, 2, 3: rank 0 sends to another server, rank 1 inside of its server
    for (const bool isInside : {false, true})
    {
        RankExecution execution(plan.GetProgram(isInside ? 1 : 0));
        execution.Start();
        RankEvent event;
        ASSERT_TRUE(execution.Take(event));
        EXPECT_EQ(event.kind, RankEventKind::STARTED);
        ASSERT_TRUE(execution.Take(event));
        EXPECT_EQ(event.kind, RankEventKind::COMPUTE);
        EXPECT_EQ(event.amount, 7000U);
        EXPECT_FALSE(execution.Take(event));
        execution.EndCompute(0);
        ASSERT_TRUE(execution.Take(event));
        EXPECT_EQ(event.kind, RankEventKind::SEND);
        EXPECT_EQ(event.peer, isInside ? 0U : 2U);
        EXPECT_EQ(event.amount, isInside ? 100U : 200U);
        EXPECT_EQ(event.delay, isInside ? 700U : 2700U);
        EXPECT_EQ(event.post, isInside ? 0U : 50U);
        EXPECT_FALSE(execution.Take(event));
        // The message that it waits for has the bytes of the other way
        EXPECT_NO_THROW(execution.Receive(isInside ? 3 : 1, isInside ? 200 : 100, event.tag));
        ASSERT_TRUE(execution.Take(event));
        EXPECT_EQ(event.kind, RankEventKind::SEND);
    }
}

TEST(RankExecution, SwitchCarriesAllOfAMembersDataAndOneSumOfEachHead)
{
    // Of 4 members, each has 400 bytes: its egress carries them once, and each head gets a sum of
    // 100 bytes; copies of it are the reverse. A member's messages to three heads have the share of
    // its own part, too
    CollectiveScheduleSettings settings;
    settings.algorithm = CollectiveAlgorithm::NVLS;
    settings.nMembers = settings.nPerServer = 4;
    settings.bytes = 1200;
    const auto plan = aidctest::MakeCollectivePlan(CollectiveSchedule(settings));
    RankExecution execution(plan.GetProgram(0));
    execution.Start();
    RankEvent event;
    uint64_t egress = 0;
    uint64_t ingress = 0;
    while (execution.Take(event))
    {
        if (event.kind == RankEventKind::SEND)
        {
            EXPECT_EQ(event.amount, 300U);
            egress += event.egress;
            ingress += event.ingress;
        }
    }
    EXPECT_EQ(egress, 1200U);
    EXPECT_EQ(ingress, 300U);
    for (const uint32_t member : {1, 2, 3})
    {
        execution.Receive(member, 300, event.tag - event.lane);
    }
    egress = ingress = 0;
    while (execution.Take(event))
    {
        egress += event.egress;
        ingress += event.ingress;
    }
    EXPECT_EQ(egress, 300U);
    EXPECT_EQ(ingress, 1200U);
}

TEST(RankExecution, BytesOnTheWireAreAtLeastThoseOfTheData)
{
    for (const CollectiveCosts::Message& message :
         {CollectiveCosts::Message{0, 1, 0, 0}, CollectiveCosts::Message{0, 1, 2, 0}})
    {
        CollectiveScheduleSettings settings;
        settings.costs.between = message;
        EXPECT_NE(CatchMessage([&] { settings.Check(); }).find("bytes on the wire"),
                  std::string::npos);
    }
}

TEST(RankExecution, CreditTakesALatencyAndHoldsTheMessageBack)
{
    // 1 MB at 50 kB/us behind 100 us of computation: the message is there already, or comes after
    // the credit
    for (const bool hasCredit : {false, true})
    {
        WorkloadPlan plan(2);
        const uint32_t item = plan.AddItem("x");
        plan.GetProgram(1).AddCompute(100000, {}, item);
        plan.AddMessage(item, 0, 1, 1000000, 7, {}, {0}, hasCredit);
        plan.Check();
        FixedRateNetwork network(plan, {50000, 1});
        EXPECT_NEAR(network.Run(), hasCredit ? 100 + 1 + 20 + 1 : 100, 1e-9);
        EXPECT_TRUE(network.IsDone());
        EXPECT_EQ(plan.GetProgram(0).GetN(), hasCredit ? 2U : 1U);
        EXPECT_EQ(plan.GetProgram(1).GetN(), hasCredit ? 3U : 2U);
    }
}

TEST(WorkloadPlan, FindsSendersThatWaitForCreditsOfEachOther)
{
    // Both ranks send before they receive, as in MPI_Ssend
    for (const bool hasCredit : {false, true})
    {
        WorkloadPlan plan(2);
        const uint32_t item = plan.AddItem("x");
        for (const uint32_t rank : {0, 1})
        {
            RankProgram& program = plan.GetProgram(rank);
            const uint32_t tag = rank;
            if (hasCredit)
            {
                const uint32_t send =
                    program.AddSendWithCredit(1 - rank, 5, tag, 10 + tag, {}, item);
                program.AddReceiveWithCredit(1 - rank, 5, 1 - tag, 11 - tag, {send}, item);
            }
            else
            {
                const uint32_t send = program.AddSend(1 - rank, 5, tag, {}, item);
                program.AddReceive(1 - rank, 5, 1 - tag, {send}, item);
            }
        }
        const std::string error = CatchMessage([&plan] { plan.Check(); });
        EXPECT_EQ(error.substr(0, 91),
                  hasCredit ? "rank 0, operation 0 (x: receive of 0 bytes from rank 1 with tag 10) "
                              "never starts: it waits "
                            : "");
    }
}

TEST(WorkloadPlan, FindsCreditsThatAreNeverSent)
{
    WorkloadPlan plan(2);
    plan.GetProgram(0).AddSendWithCredit(1, 5, 7, 8, {});
    plan.GetProgram(1).AddReceive(0, 5, 7, {});
    EXPECT_EQ(CatchMessage([&plan] { plan.Check(); }),
              "rank 0, operation 0 (receive of 0 bytes from rank 1 with tag 8) waits for a message "
              "that is never sent");
}

TEST(RankExecution, ChunksOfAHierarchicalAllReduceFollowEachOtherThroughItsPhases)
{
    // Two servers of two, two chunks of 40 bytes: 20 in the server, 10 along the rail
    CollectiveScheduleSettings settings;
    settings.algorithm = CollectiveAlgorithm::HIERARCHICAL;
    settings.nMembers = 4;
    settings.nPerServer = 2;
    settings.nChunks = 2;
    settings.bytes = 80;
    const auto plan = aidctest::MakeCollectivePlan(CollectiveSchedule(settings));
    const uint32_t tag = WorkloadPlan::FIRST_TAG;
    RankExecution execution(plan.GetProgram(0));
    execution.Start();
    EXPECT_EQ(TakeMessages(execution), " 20>1/0"); // not the second chunk
    execution.Receive(1, 20, tag);
    EXPECT_EQ(TakeMessages(execution), " 10>2/0 20>1/1"); // which takes its place in the server
    execution.Receive(1, 20, tag + 1);
    EXPECT_EQ(TakeMessages(execution), ""); // the rail is the first chunk's
    execution.Receive(2, 10, tag);
    EXPECT_EQ(TakeMessages(execution), " 10>2/0");
    execution.Receive(2, 10, tag);
    EXPECT_EQ(TakeMessages(execution), " 20>1/0 10>2/1");
    execution.Receive(2, 10, tag + 1);
    execution.Receive(2, 10, tag + 1);
    EXPECT_EQ(TakeMessages(execution), " 10>2/1"); // the first chunk is still gathered
    execution.Receive(1, 20, tag);
    EXPECT_EQ(TakeMessages(execution), " 20>1/1");
    execution.Receive(1, 20, tag + 1);
    for (int i = 0; i < 8; ++i)
    {
        EXPECT_FALSE(execution.IsDone());
        execution.EndSend(0, i % 2, 1 + i % 2);
    }
    EXPECT_TRUE(execution.IsDone());
}

TEST(RankExecution, MessagesOfAStreamToAMemberWaitForASlot)
{
    // Member 1 of 4 is a leaf below member 2 in the first tree, and in the second one the parent of
    // member 0 and below member 3 (NCCL's trees): nobody waits for it in the first one
    CollectiveScheduleSettings settings;
    settings.algorithm = CollectiveAlgorithm::DOUBLE_TREE;
    settings.nMembers = 4;
    settings.bytes = 80;
    settings.nChunks = 4; // of 10 bytes in each tree
    settings.nSlots = 2;
    WorkloadPlan plan(4);
    plan.AddCollective(
        "a",
        CollectiveSchedule(settings),
        std::make_shared<const std::vector<uint32_t>>(std::vector<uint32_t>{0, 1, 2, 3}),
        std::vector<std::vector<uint32_t>>(4));
    const uint32_t tag = WorkloadPlan::FIRST_TAG;
    RankExecution execution(plan.GetProgram(1));
    execution.Start();
    EXPECT_EQ(TakeMessages(execution), " 10>2/0 10>2/2");
    execution.EndSend(0, 0, 2);
    EXPECT_EQ(TakeMessages(execution), " 10>2/4");
    // The slots of another stream are others
    for (uint32_t child = 0; child < 3; child += 2)
    {
        for (uint32_t chunk = 0; chunk < 4; ++chunk)
        {
            execution.Receive(child, 10, tag + 2 * chunk + 1);
        }
    }
    EXPECT_EQ(TakeMessages(execution), " 10>3/1 10>3/3");
    execution.EndSend(0, 1, 3);
    execution.EndSend(0, 3, 3);
    EXPECT_EQ(TakeMessages(execution), " 10>3/5 10>3/7");
    execution.EndSend(0, 2, 2);
    EXPECT_EQ(TakeMessages(execution), " 10>2/6");
    execution.EndSend(0, 4, 2);
    execution.EndSend(0, 6, 2);
    EXPECT_EQ(TakeMessages(execution), "");
}

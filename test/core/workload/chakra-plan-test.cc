// SPDX-License-Identifier: GPL-2.0-only

// Programs that are made of Chakra traces.

#include "chakra-bytes.h"
#include "model/core/workload/chakra-plan.h"
#include "test/core/core-test.h"

ChakraNode
MakeNode(uint64_t id, ChakraNodeType type, const std::vector<uint64_t>& after)
{
    ChakraNode node;
    node.id = id;
    node.name = "n";
    node.type = type;
    node.dataDependencies = after;
    return node;
}

ChakraNode
MakeComputation(uint64_t id, uint64_t micros, const std::vector<uint64_t>& after = {})
{
    ChakraNode node = MakeNode(id, ChakraNodeType::COMPUTE, after);
    node.durationMicros = micros;
    return node;
}

ChakraNode
MakeCollective(uint64_t id, int64_t type, int64_t bytes, const std::string& group = "")
{
    ChakraNode node = MakeNode(id, ChakraNodeType::COLLECTIVE, {});
    node.communicationType = type;
    node.communicationSize = bytes;
    node.group = group;
    node.durationMicros = 1000; // not used
    return node;
}

ChakraNode
MakeMessage(uint64_t id, bool isSend, int64_t peer, int64_t bytes)
{
    ChakraNode node = MakeNode(id, isSend ? ChakraNodeType::SEND : ChakraNodeType::RECEIVE, {});
    (isSend ? node.destination : node.source) = peer;
    node.tensorSize = bytes;
    return node;
}

/// What the operations of a rank are, and what they wait for.
std::string
Print(const WorkloadPlan& plan, uint32_t rank)
{
    std::string text;
    const RankProgram& program = plan.GetProgram(rank);
    for (uint32_t i = 0; i < program.GetN(); ++i)
    {
        text += program.Describe(i);
        if (program.Get(i).kind == RankOperationKind::COMPUTE)
        {
            text += " by " + std::to_string(program.Get(i).peer);
        }
        for (const uint32_t other : program.GetAfter(i))
        {
            text += " " + std::to_string(other);
        }
        text += "\n";
    }
    return text;
}

TEST(ChakraPlan, GoldenTracesAreExecuted)
{
    ChakraTrace receiver = Decode(METADATA + COMPUTATION + COLLECTIVE);
    receiver.nodes.push_back(MakeMessage(400, false, 0, 1 << 20));
    receiver.nodes.back().tag = 7;
    ChakraSettings settings;
    settings.groups["1"] = {1, 0};
    const std::vector<ChakraTrace> traces = {Decode(METADATA + COMPUTATION + COLLECTIVE + SEND),
                                             receiver};
    const WorkloadPlan plan = MakeChakraPlan(traces, settings);
    EXPECT_EQ(Print(plan, 0),
              "computation of 10000 ns by 0\n"
              "all-reduce of 4194304 bytes 0\n"
              "send of 1048576 bytes to rank 1 with tag 7 0 1\n");
    EXPECT_EQ(plan.GetProgram(0).GetCollective(1).member, 1U);
    EXPECT_EQ(plan.GetProgram(1).GetCollective(1).member, 0U);
    EXPECT_EQ(plan.GetItems().at(1).GetName(), "node 300 (ar)");
}

TEST(ChakraPlan, DependenciesMayPointForwardAndControlIsAnOption)
{
    ChakraTrace trace;
    trace.nodes = {MakeComputation(5, 1, {90}),
                   MakeComputation(90, 2),
                   MakeNode(7, ChakraNodeType::METADATA, {5}),
                   MakeNode(8, static_cast<ChakraNodeType>(9), {7})};
    trace.nodes[1].isCpuOperation = 1;
    trace.nodes[3].controlDependencies = {90};
    ChakraSettings settings;
    EXPECT_EQ(Print(MakeChakraPlan({trace}, settings), 0),
              "computation of 2000 ns by 1\n"
              "computation of 1000 ns by 0 0\n"
              "computation of 0 ns by 2 1\n"
              "computation of 0 ns by 2 2\n");
    settings.waitsForControl = true;
    EXPECT_EQ(Print(MakeChakraPlan({trace}, settings), 0).substr(85),
              "computation of 0 ns by 2 2 0\n");
}

TEST(ChakraPlan, CollectivesAreMatchedByTheirNumberInTheGroup)
{
    ChakraSettings settings;
    settings.groups["g"] = {0, 2};
    settings.allGather = CollectiveAlgorithm::HALVING_DOUBLING;
    std::vector<ChakraTrace> traces(3);
    for (uint32_t rank = 0; rank < 3; ++rank)
    {
        // Other ids at each rank
        traces[rank].nodes.push_back(MakeCollective(10 + rank, 9, 0));
        if (rank != 1)
        {
            traces[rank].nodes.push_back(MakeCollective(20 + rank, 2, 100, "g"));
        }
        traces[rank].nodes.push_back(MakeCollective(30 + rank, 6, 90));
    }
    const WorkloadPlan plan = MakeChakraPlan(traces, settings);
    EXPECT_EQ(Print(plan, 1), "all-reduce of 0 bytes\nall-to-all of 90 bytes 0\n");
    // Each of two ranks puts 100 bytes in
    EXPECT_EQ(Print(plan, 2),
              "all-reduce of 0 bytes\nall-gather of 200 bytes\nall-to-all of 90 bytes 0\n");
    EXPECT_EQ(plan.GetProgram(0).GetCollective(1).schedule.GetAlgorithm(),
              CollectiveAlgorithm::HALVING_DOUBLING);
    EXPECT_EQ(plan.GetProgram(0).Get(1).tag, plan.GetProgram(2).Get(1).tag);
}

TEST(ChakraPlan, CollectivesFollowDependenciesNotIds)
{
    // The collective of the higher id is first, and waits for a computation
    ChakraTrace trace;
    trace.nodes = {MakeCollective(1, 0, 8), MakeCollective(2, 0, 9), MakeComputation(3, 10)};
    trace.nodes[0].dataDependencies = {2};
    trace.nodes[1].dataDependencies = {3};
    const std::string expected = "computation of 10000 ns by 0\n"
                                 "all-reduce of 9 bytes 0\n"
                                 "all-reduce of 8 bytes 1\n";
    EXPECT_EQ(Print(MakeChakraPlan({trace, trace}, {}), 1), expected);
    // In two groups
    ChakraSettings settings;
    settings.groups = {{"1", {0, 1}}, {"2", {0, 1}}};
    trace.nodes[0].group = "1";
    trace.nodes[1].group = "2";
    EXPECT_EQ(Print(MakeChakraPlan({trace, trace}, settings), 1), expected);
    // With the ids backward at one rank only
    trace.nodes[0].group = "";
    trace.nodes[1].group = "";
    ChakraTrace other;
    other.nodes = {MakeCollective(1, 0, 9), MakeCollective(2, 0, 8)};
    other.nodes[1].dataDependencies = {1};
    const WorkloadPlan plan = MakeChakraPlan({trace, other}, {});
    EXPECT_EQ(Print(plan, 0), expected);
    EXPECT_EQ(Print(plan, 1), "all-reduce of 9 bytes\nall-reduce of 8 bytes 0\n");
}

TEST(ChakraPlan, AnEarlyCollectiveDoesNotWaitForALateOne)
{
    // The collective of the lower id waits for a computation of 2 ms at rank 0
    std::vector<ChakraTrace> traces(2);
    for (auto& trace : traces)
    {
        trace.nodes = {MakeCollective(10, 0, 8), MakeCollective(20, 0, 9)};
    }
    traces[0].nodes[0].dataDependencies = {30};
    traces[0].nodes.push_back(MakeComputation(30, 2000));
    const WorkloadPlan plan = MakeChakraPlan(traces, {});
    EXPECT_EQ(Print(plan, 0),
              "all-reduce of 9 bytes\n"
              "computation of 2000000 ns by 0\n"
              "all-reduce of 8 bytes 1 0\n");
    EXPECT_EQ(Print(plan, 1), "all-reduce of 9 bytes\nall-reduce of 8 bytes 0\n");
}

TEST(ChakraPlan, CollectivesThatWaitForEachOtherAreRefused)
{
    std::vector<ChakraTrace> traces(2);
    ChakraSettings settings;
    settings.groups = {{"1", {0, 1}}, {"2", {0, 1}}};
    traces[0].nodes = {MakeCollective(1, 0, 8, "1"), MakeCollective(2, 0, 8, "2")};
    traces[1] = traces[0];
    traces[0].nodes[0].dataDependencies = {2};
    traces[1].nodes[1].dataDependencies = {1};
    EXPECT_EQ(CatchMessage([&] { MakeChakraPlan(traces, settings); }).substr(0, 69),
              "rank 0, operation 0 (node 2 (n): all-reduce of 8 bytes) never starts:");
    traces[1].nodes[0].dataDependencies = {2};
    EXPECT_EQ(CatchMessage([&] { MakeChakraPlan(traces, settings); }),
              "node 1 (n) waits for itself: it is one of 2 nodes that depend on each other, and "
              "depends on node 2");
}

TEST(ChakraPlan, CallsOfTheHostAreComputations)
{
    ChakraTrace trace;
    trace.nodes = {MakeNode(1, ChakraNodeType::COLLECTIVE, {}),
                   MakeCollective(2, 0, 8),
                   MakeNode(3, ChakraNodeType::SEND, {2}),
                   MakeNode(4, ChakraNodeType::COLLECTIVE, {3})};
    trace.nodes[0].isCpuOperation = 1;
    trace.nodes[0].durationMicros = 85;
    trace.nodes[1].dataDependencies = {1};
    trace.nodes[1].isCpuOperation = 0;
    trace.nodes[2].isCpuOperation = 1;
    trace.nodes[2].durationMicros = 7;
    // A collective of the accelerator of which only the time is known
    trace.nodes[3].isCpuOperation = 0;
    trace.nodes[3].durationMicros = 28;
    std::vector<std::string> notes;
    EXPECT_EQ(Print(MakeChakraPlan({trace, trace}, {}, &notes), 1),
              "computation of 85000 ns by 1\n"
              "all-reduce of 8 bytes 0\n"
              "computation of 7000 ns by 1 1\n"
              "computation of 28000 ns by 3 2\n");
    EXPECT_EQ(notes,
              std::vector<std::string>{"2 collectives send nothing and take the time in the trace, "
                                       "as they have no comm_type"});
}

TEST(ChakraPlan, MissingControlDependenciesAreLeftOut)
{
    ChakraTrace trace;
    trace.nodes = {MakeComputation(3, 1), MakeComputation(5, 2)};
    trace.nodes[0].controlDependencies = {2};
    trace.nodes[1].controlDependencies = {3, 4};
    ChakraSettings settings;
    settings.waitsForControl = true;
    std::vector<std::string> notes;
    EXPECT_EQ(Print(MakeChakraPlan({trace}, settings, &notes), 0),
              "computation of 1000 ns by 0\ncomputation of 2000 ns by 0 0\n");
    EXPECT_EQ(notes,
              std::vector<std::string>{
                  "2 control dependencies are left out, on nodes that there are not"});
}

TEST(ChakraPlan, OperationsTakeTheTimeOfARoofline)
{
    ChakraTrace trace;
    trace.nodes = {MakeComputation(1, 0), MakeComputation(2, 0), MakeComputation(3, 5)};
    for (auto& node : trace.nodes)
    {
        node.nOperations = 3000000;
        node.tensorSize = 500000;
    }
    trace.nodes[1].tensorSize.reset();
    ChakraSettings settings;
    settings.operationRate = 1e12; // 3 us
    EXPECT_EQ(Print(MakeChakraPlan({trace}, settings), 0),
              "computation of 3000 ns by 0\n"
              "computation of 3000 ns by 0\n"
              "computation of 5000 ns by 0\n");
    settings.memoryRate = 1e11; // 5 us
    trace.nodes[2].durationMicros = 6;
    EXPECT_EQ(Print(MakeChakraPlan({trace}, settings), 0),
              "computation of 5000 ns by 0\n"
              "computation of 3000 ns by 0\n"
              "computation of 6000 ns by 0\n");
    trace.nodes[0].nOperations = -1;
    EXPECT_EQ(CatchMessage([&] { MakeChakraPlan({trace}, settings); }),
              "node 1 (n) has the num_ops -1, not from 0 to 9223372036854775807");
    trace.nodes[0].nOperations = INT64_MAX;
    settings.operationRate = 1;
    EXPECT_EQ(CatchMessage([&] { MakeChakraPlan({trace}, settings); }),
              "node 1 (n) takes more than 1000000000000000 us");
}

/// The first operation of two ranks, whose METADATA tells process groups.
std::string
PrintGroup(const std::string& inputs, const std::string& group)
{
    ChakraTrace trace;
    trace.nodes = {MakeNode(1, ChakraNodeType::METADATA, {}), MakeCollective(2, 2, 8, group)};
    trace.nodes[0].inputs = inputs;
    try
    {
        return Print(MakeChakraPlan({trace, trace}, {}), 1).substr(25);
    }
    catch (const ChakraError& error)
    {
        return error.what();
    }
}

TEST(ChakraPlan, MetadataTellsProcessGroups)
{
    const std::string groups = R"([{"pg_name": "0", "backend_id": 821, "ranks": [], )"
                               R"("group_size": 2}, {"pg_name": "dp's", "ranks": [1, 0]}])";
    // As a list of a text: as Python prints it, and as JSON writes it
    std::string escaped;
    for (const char c : groups)
    {
        escaped += c == '"' ? "\\\"" : std::string(1, c);
    }
    for (const std::string& inputs : {groups, "['" + groups + "']", "[\"" + escaped + "\"]"})
    {
        EXPECT_EQ(PrintGroup(inputs, "0"), "all-gather of 16 bytes\n") << inputs;
        EXPECT_EQ(PrintGroup(inputs, "dp's"), "all-gather of 16 bytes\n") << inputs;
        EXPECT_EQ(PrintGroup(inputs, "2"),
                  "node 2 (n) is of the process group \"2\", whose ranks are not known: tell them "
                  "with groups");
    }
    EXPECT_EQ(PrintGroup(R"([{"pg_name": "1", "ranks": [], "group_size": 4}])", "1"),
              "node 2 (n) is of the process group \"1\" of 4 ranks, but there are 2");
    EXPECT_EQ(PrintGroup(R"([{"pg_name": "1"}])", "1"),
              "node 1 (n) tells process groups: expected \"ranks\" in each process group, found "
              "none");
    EXPECT_EQ(PrintGroup(R"([{"pg_name": "1", "ranks": [-1]}])", "1"),
              "node 1 (n) tells process groups: expected numbers from 0 to 4294967295, found -1");
    EXPECT_EQ(PrintGroup("['{pg_name']", "1").substr(0, 40),
              "node 1 (n) tells process groups: expecte");
}

TEST(ChakraPlan, RefusesAGroupWithARankTooMany)
{
    ChakraTrace trace;
    trace.nodes = {MakeCollective(3, 0, 5, "g")};
    ChakraSettings settings;
    settings.groups["g"] = {0, 2};
    EXPECT_EQ(CatchMessage([&] { MakeChakraPlan({trace, trace}, settings); }),
              "node 3 (n) is of the process group \"g\", which has rank 2 twice, or there is no "
              "such rank");
    settings.groups["g"] = {0, 1, 0};
    EXPECT_EQ(CatchMessage([&] { MakeChakraPlan({trace, trace}, settings); }),
              "node 3 (n) is of the process group \"g\", which has rank 0 twice, or there is no "
              "such rank");
}

/// The error of two ranks, the second of which has an empty trace.
std::string
PlanError(const std::vector<ChakraNode>& nodes)
{
    return CatchMessage([&nodes] {
        ChakraTrace trace;
        trace.nodes = nodes;
        MakeChakraPlan({trace, {}}, {});
    });
}

TEST(ChakraPlan, NamesTheNodeThatIsNotSupported)
{
    using Type = ChakraNodeType;
    EXPECT_EQ(PlanError({MakeNode(3, Type::INVALID, {})}), "node 3 (n) has no type");
    EXPECT_EQ(PlanError({MakeNode(3, Type::MEMORY_LOAD, {})}),
              "node 3 (n) is an access to remote memory, which is not supported");
    for (const int64_t type : {1, 3, 4})
    {
        EXPECT_EQ(PlanError({MakeCollective(3, type, 5)}),
                  "node 3 (n) is a reduce, gather or scatter, which are not supported");
    }
    EXPECT_EQ(PlanError({MakeCollective(3, 10, 5)}),
              "node 3 (n) has the comm_type 10, not from 0 to 9");
    EXPECT_EQ(PlanError({MakeCollective(3, 0, -5)}),
              "node 3 (n) has the comm_size -5, not from 0 to 1152921504606846976");
    EXPECT_EQ(PlanError({MakeCollective(3, 2, 1LL << 60)}),
              "node 3 (n) gathers more than 2^60 bytes");
    EXPECT_EQ(PlanError({MakeNode(3, Type::COLLECTIVE, {})}), "node 3 (n) has no comm_type");
    EXPECT_EQ(PlanError({MakeCollective(3, 0, 5, "x")}),
              "node 3 (n) is of the process group \"x\", whose ranks are not known: tell them with "
              "groups");
    EXPECT_EQ(PlanError({MakeCollective(3, 0, 5)}),
              "node 3 (n) is number 0 of its process group, which 1 of 2 ranks have");
    EXPECT_EQ(PlanError({MakeNode(3, Type::SEND, {})}), "node 3 (n) has no comm_dst");
    ChakraNode empty = MakeMessage(3, true, 1, 5);
    empty.tensorSize.reset();
    EXPECT_EQ(PlanError({empty}), "node 3 (n) has no comm_size or tensor_size");
    EXPECT_EQ(PlanError({MakeMessage(3, true, 2, 5)}),
              "node 3 (n) has the comm_dst 2, not from 0 to 1");
    EXPECT_EQ(PlanError({MakeMessage(3, true, 1, 5)}),
              "rank 0, operation 0 (node 3 (n): send of 5 bytes to rank 1 with tag 0) is never "
              "received");
    ChakraNode foreign = MakeMessage(3, true, 1, 5);
    foreign.source = 1;
    EXPECT_EQ(PlanError({foreign}), "node 3 (n) has the comm_src 1, but is in the trace of rank 0");
    ChakraNode work = MakeComputation(3, 0);
    work.nOperations = 1000;
    EXPECT_EQ(PlanError({work}),
              "node 3 (n) has num_ops but no duration_micros: tell the operations per second with "
              "operationRate");
    EXPECT_EQ(PlanError({MakeComputation(3, 1, {4})}),
              "node 3 (n) depends on node 4, which there is not");
    EXPECT_EQ(PlanError({MakeComputation(3, 1, {4}), MakeComputation(4, 1, {3})}),
              "node 3 (n) waits for itself: it is one of 2 nodes that depend on each other, and "
              "depends on node 4");
    EXPECT_EQ(PlanError({MakeComputation(3, 1), MakeComputation(3, 1)}),
              "node 3 (n) has an id that another node has");
    ChakraTrace one;
    one.nodes = {MakeCollective(3, 0, 5)};
    ChakraTrace other;
    other.nodes = {MakeCollective(9, 0, 6)};
    EXPECT_EQ(CatchMessage([&] { MakeChakraPlan({one, other}, {}); }),
              "node 9 (n) does not match node 3 (n) of rank 0: both are number 0 of their process "
              "group");
}

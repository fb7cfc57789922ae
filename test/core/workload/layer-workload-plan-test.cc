// SPDX-License-Identifier: GPL-2.0-only

// Plans of workloads of layers: who does what, in which order, and among which ranks.

#include "layer-texts.h"
#include "model/core/workload/layer-workload-plan.h"
#include "test/core/core-test.h"

#include "ns3/ideal-execution.h"

WorkloadPlan
MakePlan(const std::string& text, const LayerWorkloadSettings& settings)
{
    return MakeLayerWorkloadPlan(ParseLayerWorkload(text, settings), settings);
}

/// What a rank does, with what each operation waits for.
std::string
Print(const WorkloadPlan& plan, uint32_t rank)
{
    std::string text;
    const RankProgram& program = plan.GetProgram(rank);
    for (uint32_t i = 0; i < program.GetN(); ++i)
    {
        const RankOperation& operation = program.Get(i);
        text += std::to_string(i) + " ";
        if (operation.kind == RankOperationKind::COLLECTIVE)
        {
            const RankCollective& collective = program.GetCollective(i);
            text += std::string(GetCollectiveName(collective.schedule.GetKind())) + " " +
                    std::to_string(collective.schedule.GetBytes()) + " {";
            for (const uint32_t other : *collective.ranks)
            {
                text += (other == collective.ranks->front() ? "" : " ") + std::to_string(other);
            }
            text += "}";
        }
        else if (operation.kind == RankOperationKind::SEND ||
                 operation.kind == RankOperationKind::RECEIVE)
        {
            text += (operation.kind == RankOperationKind::SEND ? "send " : "receive ") +
                    std::to_string(operation.amount) + " {" + std::to_string(operation.peer) + "}";
        }
        else
        {
            text += (operation.peer == RankProgram::NO_UNIT ? "delay " : "compute ") +
                    std::to_string(operation.amount);
        }
        std::vector<uint32_t> after(program.GetAfter(i).begin(), program.GetAfter(i).end());
        std::sort(after.begin(), after.end());
        text += after.empty() ? "" : " after";
        for (const uint32_t other : after)
        {
            text += " " + std::to_string(other);
        }
        text += "\n";
    }
    return text;
}

/// The nanoseconds that a plan takes if messages take none.
double
GetNanoseconds(const WorkloadPlan& plan)
{
    return 1e9 * GetIdealSeconds(plan, 1e30, 0);
}

/// Nanoseconds that a rank computes, and bytes that it sends.
struct Sums
{
    uint64_t nanoseconds{0}; //!< nanoseconds, without delays
    uint64_t bytes{0};       //!< bytes
};

Sums
GetSums(const WorkloadPlan& plan, uint32_t rank)
{
    Sums sums;
    const RankProgram& program = plan.GetProgram(rank);
    for (uint32_t i = 0; i < program.GetN(); ++i)
    {
        const RankOperation& operation = program.Get(i);
        if (operation.kind == RankOperationKind::COMPUTE)
        {
            sums.nanoseconds += operation.peer == RankProgram::NO_UNIT ? 0 : operation.amount;
            continue;
        }
        if (operation.kind != RankOperationKind::COLLECTIVE)
        {
            sums.bytes += operation.kind == RankOperationKind::SEND ? operation.amount : 0;
            continue;
        }
        const RankCollective& collective = program.GetCollective(i);
        const CollectiveSchedule& schedule = collective.schedule;
        for (uint32_t lane = 0; lane < schedule.GetNLanes(); ++lane)
        {
            for (uint32_t step = 0; step < schedule.GetNSteps(collective.member, lane); ++step)
            {
                sums.bytes += schedule.GetStep(collective.member, lane, step).sendBytes;
            }
        }
    }
    return sums;
}

TEST(LayerWorkloadPlan, StagesSendEachOtherMessages)
{
    // Two microbatches of a layer, behind one that is of none, on 2 x 2 stages and tp 2
    const std::string head = "HYBRID_TRANSFORMER tp: 2 pp: 2 ga: 2 all_gpus: 8 pp_comm: 500\n";
    const std::string layer = " -1 10 NONE 0 20 NONE 0 30 NONE 0 0\n";
    const WorkloadPlan plan = MakePlan(head + "3\nw" + layer + "a" + layer + "a" + layer, {});
    EXPECT_EQ(Print(plan, 4),
              "0 compute 10\n"
              "1 compute 10 after 0\n"
              "2 send 500 {6} after 1\n"
              "3 compute 10 after 1\n"
              "4 send 500 {6} after 3\n"
              "5 receive 500 {6} after 3\n"
              "6 compute 20 after 5\n"
              "7 compute 30 after 6\n"
              "8 receive 500 {6} after 7\n"
              "9 compute 20 after 8\n"
              "10 compute 30 after 9\n"
              "11 compute 20 after 10\n"
              "12 compute 30 after 11\n");
    EXPECT_EQ(Print(plan, 6),
              "0 compute 10\n"
              "1 receive 500 {4} after 0\n"
              "2 compute 10 after 1\n"
              "3 receive 500 {4} after 2\n"
              "4 compute 10 after 3\n"
              "5 compute 20 after 4\n"
              "6 compute 30 after 5\n"
              "7 send 500 {4} after 6\n"
              "8 compute 20 after 6\n"
              "9 compute 30 after 8\n"
              "10 send 500 {4} after 9\n"
              "11 compute 20 after 9\n"
              "12 compute 30 after 11\n");
}

TEST(LayerWorkloadPlan, InferenceGoesForwardOnly)
{
    // As AICB writes it
    const std::string head = "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 1 ep: 1 "
                             "pp: 2 all_gpus: 2 mode: 1 vpp: 1 ga: 1 checkpoints: 0 "
                             "checkpoint_initiates: 0 pp_comm: 500\n1\n";
    const WorkloadPlan plan = MakePlan(head + "a -1 10 NONE 0 1 NONE 0 1 NONE 0 100\n", {});
    EXPECT_EQ(Print(plan, 0), "0 compute 10\n1 send 500 {1} after 0\n");
    EXPECT_EQ(Print(plan, 1), "0 receive 500 {0}\n1 compute 10 after 0\n");
}

TEST(LayerWorkloadPlan, PipelinesTakeTheTimeOfTheFormula)
{
    // (m + p - 1) (forward + backward), each time of m microbatches and p stages
    for (const uint32_t pp : {2, 3, 8})
    {
        for (const uint32_t ga : {1, 4, 7})
        {
            const std::string header = "HYBRID_TRANSFORMER tp: 1 pp: " + std::to_string(pp) +
                                       " ga: " + std::to_string(ga) + " all_gpus: 24 pp_comm: 8";
            std::string text = header + "\n" + std::to_string(2 * ga) + "\n";
            for (uint32_t i = 0; i < ga; ++i)
            {
                text +=
                    "a -1 100 NONE 0 200 NONE 0 50 NONE 0 0\nb -1 7 NONE 0 3 NONE 0 0 NONE 0 0\n";
            }
            EXPECT_NEAR(GetNanoseconds(MakePlan(text, {})), (ga + pp - 1) * 360.0, 1e-6)
                << pp << " " << ga;
        }
    }
}

TEST(LayerWorkloadPlan, ExpertsAreInOneStage)
{
    const std::string text = "HYBRID_TRANSFORMER tp: 2 pp: 2 ep: 2 all_gpus: 16 pp_comm: 8\n1\n"
                             "a -1 1 ALLTOALL_EP 8 1 ALLREDUCE 8 1 ALLREDUCE_DP_EP 8 0\n";
    const WorkloadPlan plan = MakePlan(text, {});
    const std::string printed = Print(plan, 6);
    EXPECT_NE(printed.find("all-to-all 8 {2 6}"), std::string::npos) << printed;
    EXPECT_NE(printed.find("all-reduce 8 {6 7}"), std::string::npos) << printed;
    EXPECT_NE(printed.find("all-reduce 8 {6 14}"), std::string::npos) << printed;
}

TEST(LayerWorkloadPlan, SimAiTransformer)
{
    const WorkloadPlan plan = MakePlan(SIMAI_TEXT, {});
    ASSERT_EQ(plan.GetNRanks(), 4U);
    EXPECT_EQ(Print(plan, 3),
              "0 compute 1000\n"
              "1 all-reduce 8192 {2 3} after 0\n"
              "2 delay 100 after 1\n"
              "3 compute 3000 after 2\n"
              "4 all-reduce 8192 {2 3} after 1 3\n"
              "5 delay 100 after 4\n"
              "6 compute 4000 after 5\n"
              "7 compute 700 after 6\n"
              "8 reduce-scatter 65536 {1 3} after 7\n"
              "9 delay 100 after 8\n"
              "10 compute 2000 after 7\n"
              "11 all-reduce 8192 {2 3} after 4 10\n"
              "12 delay 100 after 11\n"
              "13 compute 500 after 12\n");
    EXPECT_EQ(plan.GetProgram(0).GetCollective(1).ranks->at(1), 1U);
    EXPECT_EQ(plan.GetProgram(0).GetCollective(8).ranks->at(1), 2U);
    for (uint32_t rank = 0; rank < 4; ++rank)
    {
        const Sums sums = GetSums(plan, rank);
        EXPECT_EQ(sums.nanoseconds, 11200U);
        EXPECT_EQ(sums.bytes, 3U * 8192 + 32768);
    }
    // The last delay, of the reduce-scatter, passes meanwhile
    EXPECT_DOUBLE_EQ(GetNanoseconds(plan), 11500);
    EXPECT_EQ(plan.GetItems().at(4).GetName(), "forward/pass-0/layer-0-att/rank-0");
}

TEST(LayerWorkloadPlan, AstraSimTransformerOverlapsInputGradients)
{
    LayerWorkloadSettings settings;
    settings.format = LayerWorkloadFormat::ASTRA_SIM;
    settings.nRanks = 4;
    const std::string text =
        "HYBRID_TRANSFORMER_FWD_IN_BCKWD tp 2 c 0 i 0" + SIMAI_TEXT.substr(SIMAI_TEXT.find('\n'));
    EXPECT_EQ(
        Print(MakePlan(text, settings), 0).substr(Print(MakePlan(SIMAI_TEXT, {}), 0).find("10 ")),
        "10 compute 2000 after 7\n"
        "11 all-reduce 8192 {0 1} after 4 10\n"
        "12 delay 100 after 11\n"
        "13 compute 500 after 10\n");
}

TEST(LayerWorkloadPlan, DataParallelPassesWaitForTheirGradients)
{
    LayerWorkloadSettings settings = WithRanks(3);
    EXPECT_EQ(Print(MakePlan(DATA_TEXT, settings), 2),
              "0 compute 10\n"
              "1 compute 30 after 0\n"
              "2 compute 50 after 1\n"
              "3 all-reduce 2000 {0 1 2} after 2\n"
              "4 delay 5 after 3\n"
              "5 compute 40 after 2\n"
              "6 compute 20 after 5\n"
              "7 all-reduce 1000 {0 1 2} after 3 6\n"
              "8 delay 5 after 7\n");
    // The reductions start at 90 and 150
    EXPECT_DOUBLE_EQ(GetNanoseconds(MakePlan(DATA_TEXT, settings)), 155);
    settings.nPasses = 2;
    const WorkloadPlan twice = MakePlan(DATA_TEXT, settings);
    EXPECT_EQ(Print(twice, 0).substr(Print(twice, 0).find("\n9 ") + 1).substr(0, 48),
              "9 compute 10 after 6 8\n10 compute 30 after 4 9\n1");
    EXPECT_DOUBLE_EQ(GetNanoseconds(twice), 310);
}

TEST(LayerWorkloadPlan, LayersGoForwardAgainFromTheCheckpoint)
{
    std::string text = "HYBRID_TRANSFORMER_FWD_IN_BCKWD all_gpus: 1 checkpoints: 2 0 2 "
                       "checkpoint_initiates: 2 3 1\n4\n";
    for (int i = 0; i < 4; ++i)
    {
        const std::string n = std::to_string(i);
        text += "l -1 1" + n + " NONE 0 2" + n + " NONE 0 3" + n + " NONE 0 1\n";
    }
    const WorkloadPlan plan = MakePlan(text, {});
    std::string times;
    for (uint32_t i = 0; i < plan.GetProgram(0).GetN(); ++i)
    {
        times += " " + std::to_string(plan.GetProgram(0).Get(i).amount);
    }
    EXPECT_EQ(times, " 10 11 12 13 12 23 33 22 32 10 21 31 20 30");
}

/// The collectives of rank 0 and their members, for a text of one layer or more.
std::string
GetCollectives(const std::string& text, const LayerWorkloadSettings& settings)
{
    const WorkloadPlan plan = MakePlan(text, settings);
    const std::string program = "\n" + Print(plan, 0);
    std::string found;
    for (std::size_t at = program.find('}'); at != std::string::npos;
         at = program.find('}', at + 1))
    {
        const std::size_t begin = program.find(' ', program.rfind('\n', at)) + 1;
        const std::string what = program.substr(begin, at + 1 - begin);
        if (what.rfind("send", 0) != 0 && what.rfind("receive", 0) != 0)
        {
            found += (found.empty() ? "" : ", ") + what;
        }
    }
    return found;
}

TEST(LayerWorkloadPlan, GroupsOfEachPolicy)
{
    LayerWorkloadSettings settings = WithRanks(8);
    settings.nNeighbors = 2;
    const std::string all = "{0 1 2 3 4 5 6 7}";
    const std::string layer = "1 ALLREDUCE 10 1 ALLREDUCE 20 1 ALLREDUCE 30 1";
    // The second layer, as the first one has no input gradient in most policies
    const auto get = [&](const std::string& header) {
        return GetCollectives(header + "\n2\na -1 1 NONE 0 1 NONE 0 1 NONE 0 1\nb -1 " + layer,
                              settings);
    };
    EXPECT_EQ(get("DATA"), "all-reduce 30 " + all);
    EXPECT_EQ(get("HYBRID_DLRM 0"), "all-reduce 30 " + all);
    EXPECT_EQ(get("MODEL"), "all-reduce 10 " + all + ", all-reduce 20 " + all);
    EXPECT_EQ(get("DISTRIBUTED_INFERENCE"), "all-reduce 10 " + all);
    EXPECT_EQ(get("HYBRID_TRANSFORMER tp 4"),
              "all-reduce 10 {0 1 2 3}, all-reduce 20 {0 1 2 3}, all-reduce 30 {0 4}");
    EXPECT_EQ(get("HYBRID_DATA_MODEL"),
              "all-reduce 10 {0 1}, all-reduce 20 {0 1}, all-reduce 30 {0 2 4 6}");
    EXPECT_EQ(get("HYBRID_MODEL_DATA"),
              "all-reduce 10 {0 2 4 6}, all-reduce 20 {0 2 4 6}, all-reduce 30 {0 1}");
    EXPECT_EQ(GetCollectives("HYBRID_CUSTOMIZED 3\na -1 " + layer + " MODEL\nb -1 " + layer +
                                 " DATA\nc -1 " + layer + " HYBRID_MODEL_DATA",
                             settings),
              "all-reduce 10 " + all +
                  ", all-reduce 10 {0 2 4 6}, all-reduce 20 {0 2 4 6}, "
                  "all-reduce 30 {0 1}, all-reduce 30 " +
                  all);
    // Of groups with one rank, nobody communicates, and no update time passes
    settings.nNeighbors = 1;
    EXPECT_EQ(get("HYBRID_DATA_MODEL"), "all-reduce 30 " + all);
    EXPECT_EQ(Print(MakePlan(MakeLayers("MODEL", layer, 1), WithRanks(1)), 0),
              "0 compute 1\n1 compute 1 after 0\n2 compute 1 after 1\n");
}

TEST(LayerWorkloadPlan, GroupsOfSimAi)
{
    // 16 GPUs: tp 2, 2 stages, dp 4, of which 2 have different experts
    const std::string header =
        "HYBRID_TRANSFORMER all_gpus: 16 model_parallel_NPU_group: 2 pp: 2 ep: 2 pp_comm: 5";
    const std::string text =
        MakeLayers(header, "0 ALLGATHER 80 0 ALLTOALL_EP 20 0 ALLREDUCE 30 0", 1);
    EXPECT_EQ(GetCollectives(text, {}),
              "all-gather 80 {0 1}, all-to-all 20 {0 4}, all-reduce 30 {0 4 8 12}");
    const std::string same = MakeLayers(header, "0 NONE 1 0 NONE 1 0 ALLREDUCE_DP_EP 30 0", 1);
    EXPECT_EQ(GetCollectives(same, {}), "all-reduce 30 {0 8}");
    const WorkloadPlan plan = MakePlan(same, {});
    std::map<std::vector<uint32_t>, int> groups;
    for (uint32_t rank = 0; rank < 16; ++rank)
    {
        const RankProgram& program = plan.GetProgram(rank);
        for (uint32_t i = 0; i < program.GetN(); ++i)
        {
            if (program.Get(i).kind == RankOperationKind::COLLECTIVE)
            {
                ++groups[*program.GetCollective(i).ranks];
            }
        }
    }
    std::map<std::vector<uint32_t>, int> expected;
    for (uint32_t rank = 0; rank < 8; ++rank)
    {
        expected[{rank, rank + 8}] = 2;
    }
    EXPECT_EQ(groups, expected);
}

TEST(LayerWorkloadPlan, AllToAllsAreDirectUnlessTheUserWantsPairs)
{
    // 8 experts, 3 us to the others, and 800 bytes at 1 byte/ns. Direct: 7 messages of 100 ns one
    // behind another, and the last one's way there and back. In pairs: 7 times 100 ns and a way
    // there, as a rank waits for the message of each round, and the last one's way back.
    const std::string text =
        MakeLayers("HYBRID_TRANSFORMER model_parallel_NPU_group: 1 ep: 8 pp: 1 "
                   "all_gpus: 8",
                   "0 ALLTOALL_EP 800 0 NONE 0 0 NONE 0 0",
                   1);
    LayerWorkloadSettings settings;
    const auto getMicros = [&] {
        return 1e6 * GetIdealSeconds(MakePlan(text, settings), 8e9, 3e-6);
    };
    EXPECT_NEAR(getMicros(), 0.7 + 2 * 3, 1e-6);
    settings.allToAll = CollectiveAlgorithm::PAIRWISE;
    EXPECT_NEAR(getMicros(), 7 * 3.1 + 3, 1e-6);
}

TEST(LayerWorkloadPlan, SizesOfAllGathersDependOnTheFormat)
{
    const std::string gather = "1 ALLGATHER 5000 1 NONE 0 1 NONE 0 1";
    LayerWorkloadSettings settings = WithRanks(4);
    const std::string text = MakeLayers("MODEL", gather, 1);
    EXPECT_EQ(GetCollectives(text, settings), "all-gather 20000 {0 1 2 3}");
    settings.format = LayerWorkloadFormat::SIMAI;
    EXPECT_EQ(GetCollectives(text, settings), "all-gather 5000 {0 1 2 3}");
    settings.gatherSize = GatherSize::CONTRIBUTION;
    EXPECT_EQ(GetCollectives(text, settings), "all-gather 20000 {0 1 2 3}");
    settings.format = LayerWorkloadFormat::ASTRA_SIM;
    settings.gatherSize = GatherSize::TOTAL;
    EXPECT_EQ(GetCollectives(text, settings), "all-gather 5000 {0 1 2 3}");
}

TEST(LayerWorkloadPlan, SimAiRaisesForwardSizesOfOnePolicy)
{
    const std::string keys = " all_gpus: 2 model_parallel_NPU_group: 2";
    const std::string layer = "1 ALLREDUCE 1 1 ALLREDUCE 1 1 NONE 0 1";
    EXPECT_EQ(GetCollectives(MakeLayers("HYBRID_TRANSFORMER_FWD_IN_BCKWD" + keys, layer, 1), {}),
              "all-reduce 4096 {0 1}, all-reduce 1 {0 1}");
    EXPECT_EQ(GetCollectives(MakeLayers("HYBRID_TRANSFORMER" + keys, layer, 1), {}),
              "all-reduce 1 {0 1}, all-reduce 1 {0 1}");
}

TEST(LayerWorkloadPlan, MicroHasTheFirstLayerOrAll)
{
    const std::string text = MakeLayers("MICRO", "7 NONE 0 7 NONE 0 7 ALLTOALL 90 4", 3);
    LayerWorkloadSettings settings = WithRanks(3);
    settings.nPasses = 2;
    EXPECT_EQ(Print(MakePlan(text, settings), 0),
              "0 all-to-all 90 {0 1 2}\n"
              "1 delay 4 after 0\n"
              "2 all-to-all 90 {0 1 2} after 0\n"
              "3 delay 4 after 2\n");
    // Both delays pass at once: collectives take no time here
    EXPECT_DOUBLE_EQ(GetNanoseconds(MakePlan(text, settings)), 4);
    settings.allLayers = true;
    EXPECT_EQ(MakePlan(text, settings).GetProgram(0).GetN(), 12U);
}

TEST(LayerWorkloadPlan, EmbeddingsOfDlrm)
{
    const std::string text = "HYBRID_DLRM 1\n3\n"
                             "emb -1 10 ALLTOALL 90 20 ALLTOALL 91 30 NONE 0 9\n"
                             "bottom -1 11 NONE 0 21 NONE 0 31 ALLREDUCE 92 9\n"
                             "top -1 12 NONE 0 22 NONE 0 32 ALLREDUCE 93 9\n";
    EXPECT_EQ(Print(MakePlan(text, WithRanks(2)), 0),
              "0 compute 10\n"
              "1 all-to-all 90 {0 1} after 0\n"
              "2 delay 9 after 1\n"
              "3 compute 11 after 0\n"
              "4 compute 12 after 2 3\n"
              "5 compute 32 after 4\n"
              "6 all-reduce 93 {0 1} after 1 5\n"
              "7 delay 9 after 6\n"
              "8 compute 22 after 5\n"
              "9 all-to-all 91 {0 1} after 6 8\n"
              "10 delay 9 after 9\n"
              "11 compute 31 after 8\n"
              "12 all-reduce 92 {0 1} after 9 11\n"
              "13 delay 9 after 12\n"
              "14 compute 21 after 11\n"
              "15 compute 30 after 14\n");
    LayerWorkloadSettings settings = WithRanks(2);
    settings.nPasses = 2;
    const std::string twice = Print(MakePlan(text, settings), 0);
    EXPECT_NE(twice.find("\n16 compute 10 after 10 15\n"), std::string::npos) << twice;
    const std::string enhanced =
        Print(MakePlan("HYBRID_DLRM_ENHANCED" + text.substr(11), settings), 0);
    EXPECT_NE(enhanced.find("\n16 compute 10 after 15\n"), std::string::npos) << enhanced;
}

TEST(LayerWorkloadPlan, CollectivesAreDoneAsChosen)
{
    LayerWorkloadSettings settings = WithRanks(4);
    settings.allReduce = CollectiveAlgorithm::HALVING_DOUBLING;
    settings.nChunks = 2;
    const WorkloadPlan plan = MakePlan(DATA_TEXT, settings);
    const CollectiveSchedule& schedule = plan.GetProgram(0).GetCollective(3).schedule;
    EXPECT_EQ(schedule.GetAlgorithm(), CollectiveAlgorithm::HALVING_DOUBLING);
    EXPECT_EQ(schedule.GetNChunks(), 2U);
}

RC_GTEST_PROP(LayerWorkloadPlan, RanksComputeAllAndEnd, ())
{
    static const std::array<const char*, 5> TYPES{"NONE",
                                                  "ALLREDUCE",
                                                  "ALLTOALL",
                                                  "ALLGATHER",
                                                  "REDUCESCATTER"};
    static const std::array<const char*, 3> SUFFIXES{"", "_EP", "_DP_EP"};
    const auto tp = DrawInRange<uint32_t>(1, 4);
    const auto pp = DrawInRange<uint32_t>(1, 3);
    const auto ep = DrawInRange<uint32_t>(1, 3);
    const auto dpEp = DrawInRange<uint32_t>(1, 3);
    const auto nLayers = DrawInRange(1, 6);
    std::string text = "HYBRID_TRANSFORMER all_gpus: " + std::to_string(tp * pp * ep * dpEp) +
                       " model_parallel_NPU_group: " + std::to_string(tp) +
                       " pp: " + std::to_string(pp) + " ep: " + std::to_string(ep) +
                       " pp_comm: 5 ga: " + std::to_string(DrawInRange(1, 4)) + "\n" +
                       std::to_string(nLayers) + "\n";
    uint64_t sum = 0;
    uint32_t nCollectives = 0;
    for (int i = 0; i < nLayers; ++i)
    {
        text += "l -1 ";
        for (int phase = 0; phase < 3; ++phase)
        {
            const auto time = DrawInRange<uint64_t>(0, 50);
            const auto type = DrawInRange<std::size_t>(0, TYPES.size());
            const auto suffix = DrawInRange<std::size_t>(0, SUFFIXES.size());
            const auto bytes = DrawInRange<uint64_t>(0, 3);
            sum += time;
            const uint32_t nMembers = suffix == 1   ? ep
                                      : suffix == 2 ? dpEp
                                      : phase == 2  ? ep * dpEp
                                                    : tp;
            nCollectives += type > 0 && bytes > 0 && nMembers > 1 ? 1 : 0;
            text += std::to_string(time) + " " + TYPES[type] + (type > 0 ? SUFFIXES[suffix] : "") +
                    " " + std::to_string(bytes) + " ";
        }
        text += std::to_string(DrawInRange(0, 3)) + "\n";
    }
    LayerWorkloadSettings settings;
    settings.nPasses = DrawInRange<uint32_t>(1, 4);
    const WorkloadPlan plan = MakePlan(text, settings);
    RC_ASSERT(plan.GetNRanks() == tp * pp * ep * dpEp);
    for (uint32_t rank = 0; rank < plan.GetNRanks(); ++rank)
    {
        RC_ASSERT(GetSums(plan, rank).nanoseconds == settings.nPasses * sum);
        const RankProgram& program = plan.GetProgram(rank);
        uint32_t n = 0;
        for (uint32_t i = 0; i < program.GetN(); ++i)
        {
            n += program.Get(i).kind == RankOperationKind::COLLECTIVE ? 1 : 0;
        }
        RC_ASSERT(n == settings.nPasses * nCollectives);
    }
    RC_ASSERT(GetNanoseconds(plan) >= 0.999 * static_cast<double>(settings.nPasses * sum));
}

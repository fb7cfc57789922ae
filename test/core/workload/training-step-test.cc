// SPDX-License-Identifier: GPL-2.0-only

// A training step as the programs of its ranks.

#include "test/core/core-test.h"

#include "ns3/ideal-execution.h"
#include "ns3/training-step-planner.h"

#include <memory>

/// The operations of a rank, a line each: what it is, and what it waits for.
std::string
Print(const WorkloadPlan& plan, uint32_t rank)
{
    std::string text;
    const RankProgram& program = plan.GetProgram(rank);
    for (uint32_t i = 0; i < program.GetN(); ++i)
    {
        const RankOperation& operation = program.Get(i);
        text += std::to_string(i) + " " + plan.GetItems()[operation.label].GetName();
        if (operation.kind == RankOperationKind::SEND)
        {
            text += " to " + std::to_string(operation.peer);
        }
        else if (operation.kind == RankOperationKind::RECEIVE)
        {
            text += " from " + std::to_string(operation.peer);
        }
        else if (operation.kind == RankOperationKind::COLLECTIVE)
        {
            text += " of";
            for (const uint32_t member : *program.GetCollective(i).ranks)
            {
                text += " " + std::to_string(member);
            }
        }
        text += ":";
        for (const uint32_t other : program.GetAfter(i))
        {
            text += " " + std::to_string(other);
        }
        text += "\n";
    }
    return text;
}

TEST(TrainingStep, DataParallelRanksReduceEachLayerWhileOthersGoBackward)
{
    TrainingStep step;
    step.dp = 3;
    step.nLayers = 2;
    step.nMicrobatches = 2;
    step.optimizerNs = 5;
    step.data.bytes = 99;
    WorkloadPlan plan(3);
    AddTrainingStep(plan, step);
    plan.Check();
    EXPECT_EQ(Print(plan, 1),
              "0 forward:\n"
              "1 forward: 0\n"
              "2 forward: 1\n"
              "3 forward: 2\n"
              "4 backward: 3\n"
              "5 backward: 4\n"
              "6 backward: 5\n"
              "7 data/layer-1/rank-0 of 0 1 2: 6\n"
              "8 backward: 6\n"
              "9 data/layer-0/rank-0 of 0 1 2: 7 8\n"
              "10 optimizer: 8 9\n");
    EXPECT_EQ(plan.GetProgram(1).GetCollective(7).schedule.GetBytes(), 99U);

    step.overlaps = false;
    step.isSharded = true;
    step.nMicrobatches = 1;
    WorkloadPlan sharded(3);
    AddTrainingStep(sharded, step);
    sharded.Check();
    EXPECT_EQ(Print(sharded, 2),
              "0 forward:\n"
              "1 forward: 0\n"
              "2 backward: 1\n"
              "3 backward: 2\n"
              "4 data/layer-1/rank-0 of 0 1 2: 3\n"
              "5 data/layer-0/rank-0 of 0 1 2: 4 3\n"
              "6 optimizer: 3 5\n"
              "7 parameters/layer-0/rank-0 of 0 1 2: 6 5\n"
              "8 parameters/layer-1/rank-0 of 0 1 2: 7\n");
    EXPECT_EQ(sharded.GetProgram(2).GetCollective(4).schedule.GetKind(),
              CollectiveKind::REDUCE_SCATTER);
    EXPECT_EQ(sharded.GetProgram(2).GetCollective(7).schedule.GetKind(),
              CollectiveKind::ALL_GATHER);
}

TEST(TrainingStep, NextStepBeginsWhenARankHasItsGradients)
{
    TrainingStep step;
    step.dp = 2;
    step.data.bytes = 99;
    WorkloadPlan plan(2);
    AddTrainingStep(plan, step, 2);
    plan.Check();
    EXPECT_EQ(Print(plan, 1),
              "0 forward:\n"
              "1 backward: 0\n"
              "2 step-0/data/layer-0/rank-0 of 0 1: 1\n"
              "3 optimizer: 1 2\n"
              "4 forward: 3\n"
              "5 backward: 4\n"
              "6 step-1/data/layer-0/rank-0 of 0 1: 2 5\n");
}

TEST(TrainingStep, HotExpertGetsMoreTokensAndSendsThemBack)
{
    TrainingStep step;
    step.dp = 4;
    step.ep = 4;
    step.expert.bytes = 1000;
    step.expertLoad = 2;
    WorkloadPlan plan(4);
    AddTrainingStep(plan, step);
    plan.Check();
    const auto getSizes = [&plan](uint32_t operation) {
        return plan.GetProgram(3).GetCollective(operation).schedule.GetSettings().sizes;
    };
    EXPECT_EQ(getSizes(0)->GetSent(3, 0).bytes, 500U); // dispatch
    EXPECT_EQ(getSizes(0)->GetSent(0, 3).bytes, 166U);
    EXPECT_EQ(getSizes(2)->GetSent(3, 0).bytes, 166U); // combine
    EXPECT_EQ(getSizes(2)->GetSent(0, 3).bytes, 500U);
    EXPECT_EQ(getSizes(6), nullptr); // gradients
    step.expertLoad = 4.5;
    EXPECT_EQ(CatchMessage([&step] { step.Check(); }),
              "expert: the load of the first rank over the mean is from 1 to 4, not 4.500000");
    step.expertLoad = 2;
    step.expert.bytes = 1ULL << 59;
    EXPECT_EQ(CatchMessage([&step] { step.Check(); }),
              "expert: with unequal loads, there are at most 4096 ranks, which have at most 2^60 "
              "bytes to send together");
}

TEST(TrainingStep, RanksAreNumberedByTensorThenDataThenStage)
{
    TrainingStep step;
    step.dp = 4;
    step.tp = 2;
    step.pp = 2;
    step.ep = 2;
    step.nLayers = 2;
    WorkloadPlan plan(16);
    AddTrainingStep(plan, step);
    plan.Check();
    // Rank 5 is t = 1, d = 2, stage 0; rank 13 is its neighbor of stage 1
    EXPECT_EQ(Print(plan, 5),
              "0 expert-dispatch-forward/microbatch-0/layer-0/rank-5 of 5 7:\n"
              "1 forward: 0\n"
              "2 expert-combine-forward/microbatch-0/layer-0/rank-5 of 5 7: 1 0\n"
              "3 tensor-forward/microbatch-0/layer-0/rank-4 of 4 5: 2\n"
              "4 activations to 13: 3\n"
              "5 gradients from 13:\n"
              "6 expert-dispatch-backward/microbatch-0/layer-0/rank-5 of 5 7: 3 5 2\n"
              "7 backward: 6\n"
              "8 expert-combine-backward/microbatch-0/layer-0/rank-5 of 5 7: 7 6\n"
              "9 tensor-backward/microbatch-0/layer-0/rank-4 of 4 5: 8 3\n"
              "10 data/layer-0/rank-1 of 1 3 5 7: 9\n");
    const std::string beginning = "0 activations from 5:\n"
                                  "1 expert-dispatch-forward/microbatch-0/layer-1/rank-13 of 13 "
                                  "15: 0\n"
                                  "2 forward: 1\n";
    EXPECT_EQ(Print(plan, 13).substr(0, beginning.size()), beginning);
}

/// The time of a step without communication: each rank computes one thing at a time.
uint64_t
GetComputeTime(const WorkloadPlan& plan)
{
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> ends;
    const std::function<uint64_t(uint32_t, uint32_t)> getEnd = [&](uint32_t rank, uint32_t i) {
        const auto [entry, isNew] = ends.emplace(std::make_pair(rank, i), 0);
        if (!isNew)
        {
            return entry->second;
        }
        const RankProgram& program = plan.GetProgram(rank);
        const RankOperation& operation = program.Get(i);
        uint64_t end = 0;
        for (const uint32_t other : program.GetAfter(i))
        {
            end = std::max(end, getEnd(rank, other));
        }
        if (operation.kind == RankOperationKind::COMPUTE)
        {
            end += operation.amount;
        }
        else if (operation.kind == RankOperationKind::RECEIVE)
        {
            // The message of the same number among the messages of this pair
            uint32_t before = 0;
            for (uint32_t k = 0; k < i; ++k)
            {
                const RankOperation& other = program.Get(k);
                before += other.kind == operation.kind && other.peer == operation.peer &&
                                  other.tag == operation.tag
                              ? 1
                              : 0;
            }
            const RankProgram& peer = plan.GetProgram(operation.peer);
            for (uint32_t k = 0; k < peer.GetN(); ++k)
            {
                const RankOperation& other = peer.Get(k);
                if (other.kind == RankOperationKind::SEND && other.peer == rank &&
                    other.tag == operation.tag && before-- == 0)
                {
                    end = std::max(end, getEnd(operation.peer, k));
                    break;
                }
            }
        }
        return ends[{rank, i}] = end;
    };
    uint64_t last = 0;
    for (uint32_t rank = 0; rank < plan.GetNRanks(); ++rank)
    {
        for (uint32_t i = 0; i < plan.GetProgram(rank).GetN(); ++i)
        {
            last = std::max(last, getEnd(rank, i));
        }
    }
    return last;
}

TEST(TrainingStep, PipelineHasTheBubbleOfItsStages)
{
    for (const uint32_t stages : {1, 2, 4})
    {
        for (const uint32_t microbatches : {1, 3, 8})
        {
            TrainingStep step;
            step.pp = stages;
            step.nLayers = 8;
            step.nMicrobatches = microbatches;
            step.forwardNs = 100;
            step.backwardNs = 200;
            WorkloadPlan plan(stages);
            AddTrainingStep(plan, step);
            plan.Check();
            const uint64_t stageTime = 8 / stages * 300;
            EXPECT_EQ(GetComputeTime(plan), (microbatches + stages - 1) * stageTime);
        }
    }
}

/// The messages that ranks send.
uint64_t
CountMessages(const WorkloadPlan& plan)
{
    uint64_t n = 0;
    for (uint32_t rank = 0; rank < plan.GetNRanks(); ++rank)
    {
        for (uint32_t i = 0; i < plan.GetProgram(rank).GetN(); ++i)
        {
            n += plan.GetProgram(rank).Get(i).kind == RankOperationKind::SEND ? 1 : 0;
        }
    }
    return n;
}

TEST(TrainingStep, InterleavedPipelineHasASmallerBubbleAndMoreMessages)
{
    TrainingStep step;
    step.pp = 4;
    step.nLayers = 8;
    step.nMicrobatches = 8;
    step.forwardNs = 50;
    step.backwardNs = 100;
    step.order = PipelineOrder::ONE_FORWARD_ONE_BACKWARD;
    WorkloadPlan plain(4);
    AddTrainingStep(plain, step);
    plain.Check();
    EXPECT_EQ(GetComputeTime(plain), 3300U); // (m + p - 1) 300
    EXPECT_EQ(CountMessages(plain), 2U * 8 * 3);
    step.order = PipelineOrder::INTERLEAVED;
    step.nChunks = 2;
    WorkloadPlan interleaved(4);
    AddTrainingStep(interleaved, step);
    interleaved.Check();
    EXPECT_EQ(GetComputeTime(interleaved), 2850U); // (m + (p - 1) / v) 300
    EXPECT_EQ(CountMessages(interleaved), 2U * 8 * 7);
}

TEST(TrainingStep, StagesTakeOneForwardAndOneBackwardInTurn)
{
    TrainingStep step;
    step.pp = 2;
    step.nLayers = 2;
    step.nMicrobatches = 2;
    step.order = PipelineOrder::ONE_FORWARD_ONE_BACKWARD;
    WorkloadPlan plan(2);
    AddTrainingStep(plan, step);
    plan.Check();
    EXPECT_EQ(Print(plan, 0),
              "0 forward:\n"
              "1 activations to 1: 0\n"
              "2 forward: 0\n"
              "3 activations to 1: 2\n"
              "4 gradients from 1:\n"
              "5 gradients from 1:\n"
              "6 backward: 2 4\n"
              "7 backward: 6 5\n");
    EXPECT_EQ(Print(plan, 1),
              "0 activations from 0:\n"
              "1 activations from 0:\n"
              "2 forward: 0\n"
              "3 backward: 2\n"
              "4 gradients to 0: 3\n"
              "5 forward: 3 1\n"
              "6 backward: 5\n"
              "7 gradients to 0: 6\n");
}

/// The layers whose gradients a rank reduces, in their order.
std::vector<std::string>
GetReducedLayers(const WorkloadPlan& plan, uint32_t rank)
{
    std::vector<std::string> names;
    for (uint32_t i = 0; i < plan.GetProgram(rank).GetN(); ++i)
    {
        const RankOperation& operation = plan.GetProgram(rank).Get(i);
        if (operation.kind == RankOperationKind::COLLECTIVE)
        {
            const std::string name = plan.GetItems()[operation.label].GetName();
            names.push_back(name.substr(0, name.rfind('/')));
        }
    }
    return names;
}

TEST(TrainingStep, ChunksOfAStageAreApartInTheModel)
{
    // Parts of the model: layers 0 1, 2 3, 4 5 and 6 7, at stages 0, 1, 0 and 1
    TrainingStep step;
    step.dp = 2;
    step.pp = 2;
    step.nLayers = 8;
    step.nMicrobatches = 2;
    step.order = PipelineOrder::INTERLEAVED;
    step.nChunks = 2;
    step.isSharded = true;
    for (const bool overlaps : {true, false})
    {
        step.overlaps = overlaps;
        WorkloadPlan plan(4);
        AddTrainingStep(plan, step);
        plan.Check();
        EXPECT_EQ(GetReducedLayers(plan, 1),
                  (std::vector<std::string>{"data/layer-5",
                                            "data/layer-4",
                                            "data/layer-1",
                                            "data/layer-0",
                                            "parameters/layer-0",
                                            "parameters/layer-1",
                                            "parameters/layer-4",
                                            "parameters/layer-5"}));
    }
}

TEST(TrainingStep, ContextGroupsAreBetweenTensorAndDataGroups)
{
    TrainingStep step;
    step.dp = 2;
    step.tp = 2;
    step.cp = 2;
    step.ep = 2;
    step.expertData.emplace();
    WorkloadPlan plan(8);
    AddTrainingStep(plan, step);
    plan.Check();
    // Rank 5 is t = 1, c = 0, d = 1
    EXPECT_EQ(Print(plan, 5),
              "0 keys-values to 7:\n"
              "1 keys-values from 7:\n"
              "2 forward:\n"
              "3 forward: 2 1\n"
              "4 expert-dispatch-forward/microbatch-0/layer-0/rank-5 of 5 7: 3\n"
              "5 forward: 4\n"
              "6 expert-combine-forward/microbatch-0/layer-0/rank-5 of 5 7: 5 4\n"
              "7 tensor-forward/microbatch-0/layer-0/rank-4 of 4 5: 6\n"
              "8 keys-values to 7: 7\n"
              "9 keys-values from 7: 7\n"
              "10 backward: 7\n"
              "11 keys-values to 7: 10 9\n"
              "12 keys-values from 7: 10 9\n"
              "13 backward: 10 9\n"
              "14 expert-dispatch-backward/microbatch-0/layer-0/rank-5 of 5 7: 13 12 6\n"
              "15 backward: 14\n"
              "16 expert-combine-backward/microbatch-0/layer-0/rank-5 of 5 7: 15 14\n"
              "17 tensor-backward/microbatch-0/layer-0/rank-4 of 4 5: 16 7\n"
              "18 data/layer-0/rank-1 of 1 3 5 7: 17\n"
              "19 expert-data/layer-0/rank-1 of 1 5: 18 17\n");
}

TEST(TrainingStep, KeysAndValuesGoAroundWhileRanksCompute)
{
    TrainingStep step;
    step.cp = 4;
    step.forwardNs = 4000;
    step.backwardNs = 8000;
    const auto getNanoseconds = [&step](uint64_t bytes, double share) {
        step.context = {bytes, share};
        WorkloadPlan plan(4);
        AddTrainingStep(plan, step);
        plan.Check();
        // Forward 3 blocks a rank; backward a block, two with gradients, and gradients
        std::vector<uint64_t> sent;
        for (uint32_t i = 0; i < plan.GetProgram(2).GetN(); ++i)
        {
            const RankOperation& operation = plan.GetProgram(2).Get(i);
            if (operation.kind == RankOperationKind::SEND)
            {
                EXPECT_EQ(operation.peer, sent.size() < 3 ? 3U : 1U);
                sent.push_back(operation.amount / bytes);
            }
        }
        EXPECT_EQ(sent, (std::vector<uint64_t>{1, 1, 1, 1, 2, 2, 1}));
        return 1e9 * GetIdealSeconds(plan, 8e9, 0); // a byte a nanosecond
    };
    // Blocks of 500 ns are there when parts of 1000 and 2000 ns have been computed
    EXPECT_NEAR(getNanoseconds(500, 1), 4000 + 8000, 1e-3);
    // Blocks of 2000 ns: a part behind 3 of them. Backward, messages of 2000, 4000, 4000 and 2000
    // ns follow each other, as each part is shorter
    EXPECT_NEAR(getNanoseconds(2000, 1), 3 * 2000 + 1000 + 12000, 1e-3);
    // No computation uses them, all of it follows
    EXPECT_NEAR(getNanoseconds(500, 0), 1500 + 4000 + 3000 + 8000, 1e-3);
}

TEST(TrainingStep, ExpertsHaveTheirOwnGradients)
{
    const auto made = std::make_unique<TrainingStep>(); // GCC 12 warns of one that is a variable
    TrainingStep& step = *made;
    step.dp = 8;
    step.ep = 4;
    step.isSharded = true;
    step.data.bytes = 100;
    step.expertData.emplace().bytes = 30;
    WorkloadPlan plan(8);
    AddTrainingStep(plan, step);
    plan.Check();
    EXPECT_EQ(Print(plan, 6),
              "0 expert-dispatch-forward/microbatch-0/layer-0/rank-4 of 4 5 6 7:\n"
              "1 forward: 0\n"
              "2 expert-combine-forward/microbatch-0/layer-0/rank-4 of 4 5 6 7: 1 0\n"
              "3 expert-dispatch-backward/microbatch-0/layer-0/rank-4 of 4 5 6 7: 2\n"
              "4 backward: 3\n"
              "5 expert-combine-backward/microbatch-0/layer-0/rank-4 of 4 5 6 7: 4 3\n"
              "6 data/layer-0/rank-0 of 0 1 2 3 4 5 6 7: 5\n"
              "7 expert-data/layer-0/rank-2 of 2 6: 6 5\n"
              "8 optimizer: 5 7\n"
              "9 parameters/layer-0/rank-0 of 0 1 2 3 4 5 6 7: 8 6\n"
              "10 expert-parameters/layer-0/rank-2 of 2 6: 9 7\n");
    EXPECT_EQ(plan.GetProgram(6).GetCollective(6).schedule.GetBytes(), 100U);
    EXPECT_EQ(plan.GetProgram(6).GetCollective(7).schedule.GetBytes(), 30U);
    EXPECT_EQ(plan.GetProgram(6).GetCollective(7).schedule.GetKind(),
              CollectiveKind::REDUCE_SCATTER);
}

TEST(TrainingStep, RefusesSizesThatDoNotFit)
{
    const auto check = [](const std::function<void(TrainingStep&)>& change) {
        TrainingStep step;
        step.dp = 4;
        step.tp = 3;
        change(step);
        return CatchMessage([&step] { step.Check(); });
    };
    EXPECT_EQ(check([](auto&) {}), "");
    EXPECT_EQ(check([](auto& step) { step.ep = 3; }),
              "ep divides dp * cp, but 3 does not divide 4");
    EXPECT_EQ(check([](auto& step) { step.pp = 2; }),
              "each chunk of a stage has as many layers, but pp * chunks, 2, does not divide 1");
    EXPECT_EQ(check([](auto& step) { step.dp = 0; }),
              "sizes, layers, microbatches and chunks are from 1 to 1048576");
    EXPECT_EQ(check([](auto& step) { step.dp = 1 << 20; }),
              "there are at most 1048576 ranks: dp * tp * cp * pp");
    EXPECT_EQ(check([](auto& step) {
                  step.dp = 1 << 20;
                  step.tp = 1;
              }),
              "");
    EXPECT_EQ(check([](auto& step) { step.pp = step.nLayers = 1 << 20; }),
              "there are at most 1048576 ranks: dp * tp * cp * pp");
    EXPECT_EQ(check([](auto& step) { step.dp = step.tp = step.pp = step.nLayers = 1 << 20; }),
              "there are at most 1048576 ranks: dp * tp * cp * pp");
    EXPECT_EQ(check([](auto& step) { step.nMicrobatches = 1 << 20; }), "");
    EXPECT_EQ(check([](auto& step) { step.nMicrobatches = step.nLayers = 1 << 20; }),
              "the step has at most 134217728 operations over all ranks");
    EXPECT_EQ(check([](auto& step) { step.data.algorithm = CollectiveAlgorithm::CHAIN; }),
              "data: there is no all-reduce by chain");
    EXPECT_EQ(check([](auto& step) {
                  step.isSharded = true;
                  step.dp = 6;
                  step.data.algorithm = CollectiveAlgorithm::HALVING_DOUBLING;
              }),
              "data: reduce-scatter by halving-doubling needs a power of two members, not 6");
    EXPECT_EQ(check([](auto& step) {
                  step.pp = 2;
                  step.nLayers = 6;
                  step.nChunks = 2;
              }),
              "each chunk of a stage has as many layers, but pp * chunks, 4, does not divide 6");
    EXPECT_EQ(check([](auto& step) { step.nLayers = step.nChunks = 2; }),
              "a pipeline by gpipe has one chunk of layers in each stage, not 2");
    EXPECT_EQ(check([](auto& step) {
                  step.pp = 2;
                  step.nLayers = 4;
                  step.nChunks = 2;
                  step.nMicrobatches = 3;
                  step.order = PipelineOrder::INTERLEAVED;
              }),
              "an interleaved pipeline has a multiple of its stages, 2, as microbatches, not 3");
    EXPECT_EQ(check([](auto& step) { step.cp = 1 << 19; }),
              "there are at most 1048576 ranks: dp * tp * cp * pp");
    EXPECT_EQ(check([](auto& step) { step.context.share = 1.5; }),
              "context: the share of a layer's computation is from 0 to 1, not 1.500000");
    EXPECT_EQ(check([](auto& step) { step.context.bytes = (1ULL << 59) + 1; }),
              "context: keys and values have at most 2^59 bytes");
    for (const uint32_t ep : {1, 4})
    {
        EXPECT_EQ(
            check([ep](auto& step) {
                step.ep = ep;
                step.expertData.emplace();
            }),
            "expert_data: gradients of experts are reduced by themselves if 1 < ep < dp * cp");
    }
    EXPECT_EQ(check([](auto& step) {
                  step.ep = 2;
                  step.expertData.emplace().algorithm = CollectiveAlgorithm::CHAIN;
              }),
              "expert_data: there is no all-reduce by chain");
    TrainingStep step;
    step.dp = 4;
    WorkloadPlan plan(3);
    EXPECT_EQ(CatchMessage([&] { AddTrainingStep(plan, step); }),
              "the step has 4 ranks, the plan 3");
}

TEST(TrainingStep, OfAThousandRanksFitsMemory)
{
    TrainingStep step;
    step.dp = 16;
    step.tp = 8;
    step.pp = 8;
    step.nLayers = 32;
    step.nMicrobatches = 8;
    WorkloadPlan plan(1024);
    AddTrainingStep(plan, step);
    // 4 layers, 8 microbatches, two directions, a computation and an all-reduce each; 4 reductions;
    // messages to and from one or two neighbors
    EXPECT_EQ(plan.GetProgram(0).GetN(), 4U * 8 * 2 * 2 + 4 + 2 * 8);
    EXPECT_EQ(plan.GetProgram(512).GetN(), 4U * 8 * 2 * 2 + 4 + 4 * 8);
    plan.Check();
}

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A training step as the programs of its ranks.

#include "../catch-message.h"

#include "ns3/training-step-planner.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace ns3::aidc;
using aidctest::CatchMessage;

namespace
{

/// The operations of a rank, a line each: what it is, and what it waits for.
std::string
Print(const WorkloadPlan& plan, uint32_t rank)
{
    std::string text;
    const RankProgram& program = plan.GetProgram(rank);
    for (uint32_t i = 0; i < program.GetN(); ++i)
    {
        const RankOperation& operation = program.Get(i);
        text += std::to_string(i) + " " + plan.GetItems()[operation.label].name;
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
            // The message of the same number among those of this pair
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
    EXPECT_EQ(check([](auto& step) { step.ep = 3; }), "ep divides dp, but 3 does not divide 4");
    EXPECT_EQ(check([](auto& step) { step.pp = 2; }),
              "each stage has as many layers, but pp, 2, does not divide 1");
    EXPECT_EQ(check([](auto& step) { step.dp = 0; }),
              "sizes, layers and microbatches are from 1 to 1048576");
    EXPECT_EQ(check([](auto& step) { step.dp = 1 << 20; }),
              "there are at most 1048576 ranks: dp * tp * pp");
    EXPECT_EQ(check([](auto& step) {
                  step.dp = 1 << 20;
                  step.tp = 1;
              }),
              "");
    EXPECT_EQ(check([](auto& step) { step.pp = step.nLayers = 1 << 20; }),
              "there are at most 1048576 ranks: dp * tp * pp");
    EXPECT_EQ(check([](auto& step) { step.dp = step.tp = step.pp = step.nLayers = 1 << 20; }),
              "there are at most 1048576 ranks: dp * tp * pp");
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

} // namespace

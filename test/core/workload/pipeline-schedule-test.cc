// SPDX-License-Identifier: GPL-2.0-only

// The order of the units of a pipeline, against orders written down unit by unit, and the time that
// they take.

#include "test/core/core-test.h"

#include "ns3/pipeline-schedule.h"

constexpr auto GPIPE = PipelineOrder::GPIPE;
constexpr auto ONE_F_ONE_B = PipelineOrder::ONE_FORWARD_ONE_BACKWARD;
constexpr auto INTERLEAVED = PipelineOrder::INTERLEAVED;

/// The units of a stage, such as "F0a" for microbatch 0 forward through chunk a.
std::string
Print(const PipelineSchedule& schedule, uint32_t stage, bool hasChunks)
{
    std::string text;
    for (uint64_t i = 0; i < schedule.GetNUnits(); ++i)
    {
        const PipelineUnit unit = schedule.GetUnit(stage, i);
        text += i > 0 ? " " : "";
        text += unit.isForward ? "F" : "B";
        text += std::to_string(unit.microbatch);
        text += hasChunks ? std::string(1, static_cast<char>('a' + unit.chunk)) : "";
    }
    return text;
}

TEST(PipelineSchedule, OneForwardOneBackwardHasTheOrderOfMegatron)
{
    const PipelineSchedule schedule(ONE_F_ONE_B, 4, 8);
    EXPECT_EQ(Print(schedule, 0, false), "F0 F1 F2 F3 B0 F4 B1 F5 B2 F6 B3 F7 B4 B5 B6 B7");
    EXPECT_EQ(Print(schedule, 1, false), "F0 F1 F2 B0 F3 B1 F4 B2 F5 B3 F6 B4 F7 B5 B6 B7");
    EXPECT_EQ(Print(schedule, 2, false), "F0 F1 B0 F2 B1 F3 B2 F4 B3 F5 B4 F6 B5 F7 B6 B7");
    EXPECT_EQ(Print(schedule, 3, false), "F0 B0 F1 B1 F2 B2 F3 B3 F4 B4 F5 B5 F6 B6 F7 B7");
}

TEST(PipelineSchedule, InterleavedHasTheOrderOfMegatron)
{
    const PipelineSchedule schedule(INTERLEAVED, 4, 8, 2);
    EXPECT_EQ(Print(schedule, 0, true),
              "F0a F1a F2a F3a F0b F1b F2b F3b F4a F5a F6a B0b F7a B1b F4b B2b F5b B3b F6b B0a "
              "F7b B1a B2a B3a B4b B5b B6b B7b B4a B5a B6a B7a");
    EXPECT_EQ(Print(schedule, 1, true),
              "F0a F1a F2a F3a F0b F1b F2b F3b F4a B0b F5a B1b F6a B2b F7a B3b F4b B0a F5b B1a "
              "F6b B2a F7b B3a B4b B5b B6b B7b B4a B5a B6a B7a");
    EXPECT_EQ(Print(schedule, 2, true),
              "F0a F1a F2a F3a F0b F1b F2b B0b F3b B1b F4a B2b F5a B3b F6a B0a F7a B1a F4b B2a "
              "F5b B3a F6b B4b F7b B5b B6b B7b B4a B5a B6a B7a");
    EXPECT_EQ(Print(schedule, 3, true),
              "F0a F1a F2a F3a F0b B0b F1b B1b F2b B2b F3b B3b F4a B0a F5a B1a F6a B2a F7a B3a "
              "F4b B4b F5b B5b F6b B6b F7b B7b B4a B5a B6a B7a");
}

TEST(PipelineSchedule, InterleavedWithAsManyMicrobatchesAsStagesGoesForwardFirst)
{
    const PipelineSchedule schedule(INTERLEAVED, 2, 2, 2);
    EXPECT_EQ(Print(schedule, 0, true), "F0a F1a F0b F1b B0b B1b B0a B1a");
    EXPECT_EQ(Print(schedule, 1, true), "F0a F1a F0b F1b B0b B1b B0a B1a");
}

TEST(PipelineSchedule, GpipeGoesForwardFirst)
{
    const PipelineSchedule schedule(GPIPE, 2, 3);
    EXPECT_EQ(Print(schedule, 0, false), "F0 F1 F2 B0 B1 B2");
    EXPECT_EQ(Print(schedule, 1, false), "F0 F1 F2 B0 B1 B2");
}

/// A schedule with its numbers.
struct Pipeline
{
    PipelineOrder order;
    uint32_t nStages;
    uint32_t nMicrobatches;
    uint32_t nChunks;

    PipelineSchedule Make() const
    {
        return {order, nStages, nMicrobatches, nChunks};
    }
};

/// What an execution of a schedule has found out.
struct Execution
{
    bool isDone{true};       //!< whether no stage waits for ever
    double end{0};           //!< when the last unit ends
    uint64_t nMessages{0};   //!< messages between stages
    bool hasWrapLink{false}; //!< whether the last and the first stage send to each other, over 2
    std::vector<uint64_t> inFlight; //!< by stage, the most chunks gone forward, but not backward
};

/// Executes units when the units that they need have ended: the layers before, forward; the layers
/// behind, backward; and their own unit forward. A stage does one at a time, in its order.
Execution
Execute(const Pipeline& pipeline, double forward, double backward, double transfer)
{
    const PipelineSchedule schedule = pipeline.Make();
    const uint32_t p = pipeline.nStages;
    const uint32_t nVirtual = p * pipeline.nChunks;
    std::map<std::tuple<bool, uint32_t, uint32_t>, double> ends; // direction, layers, microbatch
    std::vector<uint64_t> next(p, 0);
    std::vector<double> idle(p, 0);
    std::vector<uint64_t> kept(p, 0);
    Execution execution;
    execution.inFlight.resize(p, 0);
    bool moves = true;
    while (moves)
    {
        moves = false;
        for (uint32_t stage = 0; stage < p; ++stage)
        {
            while (next[stage] < schedule.GetNUnits())
            {
                const PipelineUnit unit = schedule.GetUnit(stage, next[stage]);
                const uint32_t layers = unit.chunk * p + stage;
                const bool isFirst = unit.isForward ? layers == 0 : layers == nVirtual - 1;
                double start = idle[stage];
                if (!unit.isForward && ends.count({true, layers, unit.microbatch}) == 0)
                {
                    break;
                }
                if (!isFirst)
                {
                    const uint32_t before = unit.isForward ? layers - 1 : layers + 1;
                    const auto input = ends.find({unit.isForward, before, unit.microbatch});
                    if (input == ends.end())
                    {
                        break;
                    }
                    const uint32_t peer = before % p;
                    execution.nMessages += peer != stage ? 1 : 0;
                    execution.hasWrapLink |=
                        p > 2 && std::max(peer, stage) == p - 1 && std::min(peer, stage) == 0;
                    start = std::max(start, input->second + transfer);
                }
                idle[stage] = start + (unit.isForward ? forward : backward) / pipeline.nChunks;
                EXPECT_TRUE(ends.emplace(std::make_tuple(unit.isForward, layers, unit.microbatch),
                                         idle[stage])
                                .second)
                    << "twice";
                kept[stage] += unit.isForward ? 1 : -1;
                execution.inFlight[stage] = std::max(execution.inFlight[stage], kept[stage]);
                execution.end = std::max(execution.end, idle[stage]);
                ++next[stage];
                moves = true;
            }
        }
    }
    for (const uint64_t number : next)
    {
        execution.isDone &= number == schedule.GetNUnits();
    }
    return execution;
}

TEST(PipelineSchedule, TakesTheTimeOfItsBubble)
{
    // 8 microbatches forward in 1 and backward in 2: 24, and a bubble of 9 or 9 / 2
    const Execution plain = Execute({ONE_F_ONE_B, 4, 8, 1}, 1, 2, 0);
    EXPECT_DOUBLE_EQ(plain.end, 33);
    EXPECT_DOUBLE_EQ(Execute({GPIPE, 4, 8, 1}, 1, 2, 0).end, 33);
    const Execution interleaved = Execute({INTERLEAVED, 4, 8, 2}, 1, 2, 0);
    EXPECT_DOUBLE_EQ(interleaved.end, 28.5);
    EXPECT_DOUBLE_EQ((plain.end - 24) / 24, 0.375);
    EXPECT_DOUBLE_EQ((interleaved.end - 24) / 24, 0.1875);
    EXPECT_NEAR((plain.end - 24) / plain.end, 0.272727, 1e-6);
    EXPECT_NEAR((interleaved.end - 24) / interleaved.end, 0.157895, 1e-6);
    EXPECT_NEAR(Execute({ONE_F_ONE_B, 4, 8, 1}, 1, 2, 0.1).end, 34.6, 1e-9);
    EXPECT_NEAR(Execute({INTERLEAVED, 4, 8, 2}, 1, 2, 0.1).end, 29.9, 1e-9);
}

TEST(PipelineSchedule, KeepsFewActivations)
{
    using Counts = std::vector<uint64_t>;
    EXPECT_EQ(Execute({GPIPE, 4, 8, 1}, 1, 2, 0).inFlight, (Counts{8, 8, 8, 8}));
    EXPECT_EQ(Execute({ONE_F_ONE_B, 4, 8, 1}, 1, 2, 0).inFlight, (Counts{4, 3, 2, 1}));
    EXPECT_EQ(Execute({ONE_F_ONE_B, 4, 2, 1}, 1, 2, 0).inFlight, (Counts{2, 2, 2, 1}));
    EXPECT_EQ(Execute({INTERLEAVED, 4, 8, 2}, 1, 2, 0).inFlight, (Counts{11, 9, 7, 5}));
}

TEST(PipelineSchedule, SendsAMessageBetweenStagesOfEachMicrobatch)
{
    EXPECT_EQ(Execute({GPIPE, 4, 8, 1}, 1, 2, 0).nMessages, 2U * 8 * 3);
    EXPECT_EQ(Execute({ONE_F_ONE_B, 4, 8, 1}, 1, 2, 0).nMessages, 2U * 8 * 3);
    EXPECT_FALSE(Execute({ONE_F_ONE_B, 4, 8, 1}, 1, 2, 0).hasWrapLink);
    EXPECT_EQ(Execute({INTERLEAVED, 4, 8, 2}, 1, 2, 0).nMessages, 2U * 8 * 7);
    EXPECT_TRUE(Execute({INTERLEAVED, 4, 8, 2}, 1, 2, 0).hasWrapLink);
}

Pipeline
GetRandomPipeline()
{
    Pipeline pipeline{};
    pipeline.order = DrawElement({GPIPE, ONE_F_ONE_B, INTERLEAVED});
    const bool isInterleaved = pipeline.order == INTERLEAVED;
    pipeline.nStages = DrawInRange<uint32_t>(isInterleaved ? 2 : 1, 9);
    pipeline.nMicrobatches = DrawInRange<uint32_t>(1, 5) * (isInterleaved ? pipeline.nStages : 1);
    pipeline.nChunks = isInterleaved ? DrawInRange<uint32_t>(2, 6) : 1;
    return pipeline;
}

RC_GTEST_PROP(PipelineSchedule, EachStageDoesEachUnitOnceForwardBeforeBackward, ())
{
    const Pipeline pipeline = GetRandomPipeline();
    const PipelineSchedule schedule = pipeline.Make();
    const uint32_t nHalf = pipeline.nMicrobatches * pipeline.nChunks;
    RC_ASSERT(schedule.GetNUnits() == 2 * nHalf);
    for (uint32_t stage = 0; stage < pipeline.nStages; ++stage)
    {
        std::map<std::pair<uint32_t, uint32_t>, std::vector<bool>> units; // directions in order
        for (uint64_t i = 0; i < schedule.GetNUnits(); ++i)
        {
            const PipelineUnit unit = schedule.GetUnit(stage, i);
            RC_ASSERT(unit.chunk < pipeline.nChunks);
            RC_ASSERT(unit.microbatch < pipeline.nMicrobatches);
            units[{unit.chunk, unit.microbatch}].push_back(unit.isForward);
        }
        RC_ASSERT(units.size() == nHalf);
        for (const auto& [key, directions] : units)
        {
            RC_ASSERT(directions == (std::vector<bool>{true, false}));
        }
    }
}

RC_GTEST_PROP(PipelineSchedule, EndsInTheTimeOfItsBubble, ())
{
    const Pipeline pipeline = GetRandomPipeline();
    const uint32_t p = pipeline.nStages;
    const uint32_t m = pipeline.nMicrobatches;
    const uint32_t v = pipeline.nChunks;
    const Execution execution = Execute(pipeline, 1, 2, 0);
    RC_ASSERT(execution.isDone);
    RC_ASSERT(std::abs(execution.end - 3 * (m + (p - 1.0) / v)) < 1e-9);
    RC_ASSERT(execution.nMessages == 2ULL * m * (p * v - 1));
    for (uint32_t stage = 0; stage < p; ++stage)
    {
        uint64_t expected = m; // of GPipe
        if (pipeline.order == ONE_F_ONE_B)
        {
            expected = std::min(m, p - stage);
        }
        else if (pipeline.order == INTERLEAVED)
        {
            const uint32_t warmUp = 2 * (p - 1 - stage) + (v - 1) * p;
            expected = m == p ? m * v : std::min(m * v, warmUp + 1);
        }
        RC_ASSERT(execution.inFlight[stage] == expected);
    }
}

TEST(PipelineSchedule, RefusesNumbersThatDoNotFit)
{
    const auto check = [](const Pipeline& pipeline) {
        return CatchMessage([&pipeline] { pipeline.Make(); });
    };
    EXPECT_EQ(check({GPIPE, 0, 1, 1}), "a pipeline has at least one stage and one microbatch");
    EXPECT_EQ(check({GPIPE, 1, 0, 1}), "a pipeline has at least one stage and one microbatch");
    EXPECT_EQ(check({GPIPE, 2, 1, 2}),
              "a pipeline by gpipe has one chunk of layers in each stage, not 2");
    EXPECT_EQ(check({ONE_F_ONE_B, 2, 1, 3}),
              "a pipeline by 1f1b has one chunk of layers in each stage, not 3");
    EXPECT_EQ(check({INTERLEAVED, 1, 4, 2}),
              "an interleaved pipeline has at least 2 stages, not 1");
    EXPECT_EQ(check({INTERLEAVED, 2, 4, 1}),
              "an interleaved pipeline has at least 2 chunks of layers in each stage, not 1");
    EXPECT_EQ(check({INTERLEAVED, 4, 6, 2}),
              "an interleaved pipeline has a multiple of its stages, 4, as microbatches, not 6");
}

TEST(PipelineSchedule, OrdersHaveNames)
{
    for (const auto order : {GPIPE, ONE_F_ONE_B, INTERLEAVED})
    {
        PipelineOrder parsed = order == GPIPE ? INTERLEAVED : GPIPE;
        EXPECT_TRUE(ParsePipelineOrder(GetPipelineOrderName(order), parsed));
        EXPECT_EQ(parsed, order);
    }
    PipelineOrder order = GPIPE;
    EXPECT_FALSE(ParsePipelineOrder("1F1B", order));
    EXPECT_STREQ(GetPipelineOrderName(ONE_F_ONE_B), "1f1b");
}

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Collectives as steps: their number, the bytes that are sent, and that all members have the right
// data in the end.

#include "../catch-message.h"

#include "ns3/collective-schedule.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3::aidc;
using aidctest::CatchMessage;

using Kind = CollectiveKind;
using Algorithm = CollectiveAlgorithm;

namespace
{

/// A byte of the data, wide enough that no two sums of members' bytes are equal by chance.
using Data = std::vector<uint64_t>;

/// The byte that a member has at a place in the beginning (the mixing of SplitMix64).
uint64_t
GetInput(uint32_t member, uint64_t place)
{
    uint64_t z = (uint64_t{member} << 32 | place) + 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/// Where a part of a division into equal parts begins, larger ones first.
uint64_t
GetBegin(uint64_t bytes, uint32_t n, uint32_t part)
{
    uint64_t begin = 0;
    for (uint32_t i = 0; i < part; ++i)
    {
        begin += bytes / n + (i < bytes % n ? 1 : 0);
    }
    return begin;
}

/// Does the steps of all members, in any order that they allow, with data.
class Executor
{
  public:
    explicit Executor(const CollectiveSchedule& schedule)
        : sent(schedule.GetNMembers()),
          m_schedule(schedule),
          m_n(schedule.GetNMembers()),
          m_steps(m_n, std::vector<uint32_t>(schedule.GetNChunks())),
          m_hasSent(m_n, std::vector<bool>(schedule.GetNChunks()))
    {
        const uint64_t bytes = schedule.GetBytes();
        for (uint32_t member = 0; member < m_n; ++member)
        {
            const uint64_t begin = GetBegin(bytes, m_n, member);
            const uint64_t end = GetBegin(bytes, m_n, member + 1);
            Data data(bytes);
            for (uint64_t place = 0; place < bytes; ++place)
            {
                const bool isOwn = place >= begin && place < end;
                data[place] =
                    schedule.GetKind() == Kind::ALL_GATHER && !isOwn ? 0 : GetInput(member, place);
            }
            outputs.push_back(data);
            inputs.push_back(data);
            if (schedule.GetKind() == Kind::ALL_TO_ALL)
            {
                outputs.back().assign(m_n * (end - begin), 0);
                std::copy(data.begin() + begin,
                          data.begin() + end,
                          outputs.back().begin() + member * (end - begin));
            }
        }
    }

    /// Do all steps, with choices from a generator of numbers; returns whether all could be done.
    template <typename Choose>
    bool Run(Choose choose)
    {
        std::vector<std::pair<uint32_t, uint32_t>> lanes;
        for (uint32_t member = 0; member < m_n; ++member)
        {
            for (uint32_t lane = 0; lane < m_schedule.GetNChunks(); ++lane)
            {
                lanes.emplace_back(member, lane);
            }
        }
        while (!lanes.empty())
        {
            // From a lane by choice on, the first one that gets any further
            const std::size_t first = choose(lanes.size());
            std::size_t tried = 0;
            while (tried < lanes.size() && !Advance(lanes[(first + tried) % lanes.size()]))
            {
                ++tried;
            }
            if (tried == lanes.size())
            {
                return false;
            }
            const std::size_t index = (first + tried) % lanes.size();
            const auto [member, lane] = lanes[index];
            if (m_steps[member][lane] == m_schedule.GetNSteps(member))
            {
                lanes.erase(lanes.begin() + static_cast<std::ptrdiff_t>(index));
            }
        }
        return std::all_of(m_messages.begin(), m_messages.end(), [](const auto& queue) {
            return queue.second.empty();
        });
    }

    std::vector<Data> inputs;   //!< what members had
    std::vector<Data> outputs;  //!< what members have
    std::vector<uint64_t> sent; //!< bytes that members have sent
    /// Messages with bytes to members that had not got the buffer that is folded into theirs.
    uint32_t nEarly{0};

    /// Do what can be done before any buffer that is folded into another one has arrived.
    void RunBeforeFolds()
    {
        for (bool hasMoved = true; hasMoved;)
        {
            hasMoved = false;
            for (uint32_t member = 0; member < m_n; ++member)
            {
                for (uint32_t lane = 0; lane < m_schedule.GetNChunks(); ++lane)
                {
                    const bool isLeft = m_steps[member][lane] < m_schedule.GetNSteps(member);
                    hasMoved |= isLeft && !AwaitsFold(member, lane) && Advance({member, lane});
                }
            }
        }
    }

  private:
    /// Whether a member still waits for the buffer of the one before it.
    bool AwaitsFold(uint32_t member, uint32_t lane) const
    {
        uint32_t power = 1;
        while (2 * power <= m_n)
        {
            power *= 2;
        }
        return member < 2 * (m_n - power) && member % 2 == 1 && m_steps[member][lane] == 0;
    }

    bool Advance(const std::pair<uint32_t, uint32_t>& which)
    {
        const auto [member, lane] = which;
        uint32_t& number = m_steps[member][lane];
        if (number == m_schedule.GetNSteps(member))
        {
            return true;
        }
        const CollectiveStep step = m_schedule.GetStep(member, lane, number);
        if (step.sendTo != CollectiveStep::NONE && !m_hasSent[member][lane])
        {
            const Data& from =
                m_schedule.GetKind() == Kind::ALL_TO_ALL ? inputs[member] : outputs[member];
            Data message;
            for (uint64_t i = 0; i < step.sendBytes; ++i)
            {
                message.push_back(from.at(step.sendOffset + i));
            }
            m_messages[std::make_tuple(member, step.sendTo, lane)].push_back(message);
            const bool folds = member + 1 == step.sendTo;
            nEarly += step.sendBytes > 0 && !folds && AwaitsFold(step.sendTo, lane) ? 1 : 0;
            sent[member] += step.sendBytes;
        }
        m_hasSent[member][lane] = true;
        if (step.receiveFrom != CollectiveStep::NONE)
        {
            auto& queue = m_messages[std::make_tuple(step.receiveFrom, member, lane)];
            if (queue.empty())
            {
                return false;
            }
            EXPECT_EQ(queue.front().size(), step.receiveBytes);
            for (uint64_t i = 0; i < step.receiveBytes; ++i)
            {
                uint64_t& byte = outputs[member].at(step.receiveOffset + i);
                byte = queue.front()[i] + (step.reduces ? byte : 0);
            }
            queue.pop_front();
        }
        m_hasSent[member][lane] = false;
        ++number;
        return true;
    }

    CollectiveSchedule m_schedule;
    uint32_t m_n;
    std::vector<std::vector<uint32_t>> m_steps;
    std::vector<std::vector<bool>> m_hasSent;
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::deque<Data>> m_messages;
};

/// What a member must have at a place of its output; only its block counts after reduce-scatter.
uint64_t
GetExpected(const CollectiveSchedule& schedule, uint32_t root, uint32_t member, uint64_t place)
{
    const uint32_t n = schedule.GetNMembers();
    const uint64_t bytes = schedule.GetBytes();
    switch (schedule.GetKind())
    {
    case Kind::BROADCAST:
        return GetInput(root, place);
    case Kind::ALL_GATHER: {
        uint32_t owner = 0;
        while (place >= GetBegin(bytes, n, owner + 1))
        {
            ++owner;
        }
        return GetInput(owner, place);
    }
    case Kind::ALL_TO_ALL: {
        const uint64_t begin = GetBegin(bytes, n, member);
        const uint64_t block = GetBegin(bytes, n, member + 1) - begin;
        return GetInput(static_cast<uint32_t>(place / block), begin + place % block);
    }
    default: {
        uint64_t sum = 0;
        for (uint32_t other = 0; other < n; ++other)
        {
            sum += GetInput(other, place);
        }
        return sum;
    }
    }
}

struct Way
{
    Kind kind;
    Algorithm algorithm;
};

const std::vector<Way> WAYS = {{Kind::ALL_REDUCE, Algorithm::RING},
                               {Kind::ALL_REDUCE, Algorithm::HALVING_DOUBLING},
                               {Kind::ALL_REDUCE, Algorithm::RECURSIVE_DOUBLING},
                               {Kind::ALL_GATHER, Algorithm::RING},
                               {Kind::ALL_GATHER, Algorithm::HALVING_DOUBLING},
                               {Kind::REDUCE_SCATTER, Algorithm::RING},
                               {Kind::REDUCE_SCATTER, Algorithm::HALVING_DOUBLING},
                               {Kind::ALL_TO_ALL, Algorithm::PAIRWISE},
                               {Kind::BROADCAST, Algorithm::BINOMIAL_TREE},
                               {Kind::BROADCAST, Algorithm::CHAIN}};

bool
NeedsPowerOfTwo(const Way& way)
{
    return way.algorithm == Algorithm::HALVING_DOUBLING && way.kind != Kind::ALL_REDUCE;
}

RC_GTEST_PROP(CollectiveSchedule, AllMembersHaveTheRightData, ())
{
    const Way way = WAYS[*rc::gen::inRange<std::size_t>(0, WAYS.size())];
    auto n = *rc::gen::inRange<uint32_t>(1, 20);
    auto nChunks = *rc::gen::inRange<uint32_t>(1, 5);
    if (NeedsPowerOfTwo(way))
    {
        n = 1U << n % 5;
        nChunks = 1;
    }
    const auto bytes = *rc::gen::inRange<uint64_t>(0, 200);
    const auto root = *rc::gen::inRange<uint32_t>(0, n);
    const CollectiveSchedule schedule(way.kind, way.algorithm, n, bytes, nChunks, root);
    Executor executor(schedule);
    if (way.algorithm == Algorithm::HALVING_DOUBLING ||
        way.algorithm == Algorithm::RECURSIVE_DOUBLING)
    {
        executor.RunBeforeFolds();
        RC_ASSERT(executor.nEarly == 0U);
    }
    uint64_t state = *rc::gen::arbitrary<uint64_t>();
    RC_ASSERT(executor.Run([&state](std::size_t size) {
        state = state * 6364136223846793005 + 1442695040888963407;
        return static_cast<std::size_t>((state >> 33) % size);
    }));
    for (uint32_t member = 0; member < n; ++member)
    {
        const bool isBlock = way.kind == Kind::REDUCE_SCATTER;
        const Data& output = executor.outputs[member];
        const uint64_t begin = isBlock ? GetBegin(bytes, n, member) : 0;
        const uint64_t end = isBlock ? GetBegin(bytes, n, member + 1) : output.size();
        for (uint64_t place = begin; place < end; ++place)
        {
            RC_ASSERT(output[place] == GetExpected(schedule, root, member, place));
        }
    }
}

/// Checks steps and bytes sent by each member, where all parts are equal.
void
CheckCounts(Way way, uint32_t n, uint64_t bytes, uint32_t nSteps, uint64_t sent)
{
    for (const uint32_t nChunks : {1, 4})
    {
        if (nChunks > 1 && NeedsPowerOfTwo(way))
        {
            continue;
        }
        const CollectiveSchedule schedule(way.kind, way.algorithm, n, bytes, nChunks);
        Executor executor(schedule);
        ASSERT_TRUE(executor.Run([](std::size_t) { return 0; }));
        for (uint32_t member = 0; member < n; ++member)
        {
            EXPECT_EQ(schedule.GetNSteps(member), nSteps) << GetCollectiveName(way.algorithm) << n;
            EXPECT_EQ(executor.sent[member], sent) << GetCollectiveName(way.algorithm) << n;
        }
    }
}

TEST(CollectiveSchedule, HasTheStepsAndBytesOfTheLiterature)
{
    for (const auto& [n, log2] : std::map<uint32_t, uint32_t>{{2, 1}, {4, 2}, {8, 3}, {16, 4}})
    {
        const uint64_t s = 64 * 16;
        CheckCounts({Kind::ALL_REDUCE, Algorithm::RING}, n, s, 2 * (n - 1), 2 * s / n * (n - 1));
        CheckCounts({Kind::ALL_REDUCE, Algorithm::HALVING_DOUBLING},
                    n,
                    s,
                    2 * log2,
                    2 * s / n * (n - 1));
        CheckCounts({Kind::ALL_REDUCE, Algorithm::RECURSIVE_DOUBLING}, n, s, log2, log2 * s);
        for (const auto kind : {Kind::ALL_GATHER, Kind::REDUCE_SCATTER})
        {
            CheckCounts({kind, Algorithm::RING}, n, s, n - 1, s / n * (n - 1));
            CheckCounts({kind, Algorithm::HALVING_DOUBLING}, n, s, log2, s / n * (n - 1));
        }
        CheckCounts({Kind::ALL_TO_ALL, Algorithm::PAIRWISE}, n, s, n - 1, s / n * (n - 1));
    }
    CheckCounts({Kind::ALL_REDUCE, Algorithm::RING}, 6, 240, 10, 400);
    CheckCounts({Kind::ALL_REDUCE, Algorithm::RING}, 1, 240, 0, 0);
    // Halving-doubling: half of the buffer first
    const CollectiveSchedule halving(Kind::ALL_REDUCE, Algorithm::HALVING_DOUBLING, 8, 1000);
    EXPECT_EQ(halving.GetStep(5, 0, 0).sendBytes, 500U);
    EXPECT_EQ(halving.GetStep(5, 0, 0).sendTo, 1U);
    EXPECT_EQ(halving.GetStep(5, 0, 5).sendBytes, 500U);
}

TEST(CollectiveSchedule, RingOfAThousandRanksHasItsStepsWithoutMemory)
{
    const CollectiveSchedule ring(Kind::ALL_REDUCE, Algorithm::RING, 1024, 64000000);
    EXPECT_EQ(ring.GetNSteps(7), 2046U);
    uint64_t sent = 0;
    for (uint32_t step = 0; step < 2046; ++step)
    {
        sent += ring.GetStep(7, 0, step).sendBytes;
    }
    EXPECT_EQ(sent, 2 * 64000000ULL / 1024 * 1023);
    EXPECT_LE(sizeof(ring), 32U);
}

TEST(CollectiveSchedule, BroadcastReachesTwiceAsManyInEachStep)
{
    // In step k of the tree, members 0 to 2^k - 1 behind the root send, to those 2^k further
    const CollectiveSchedule tree(Kind::BROADCAST, Algorithm::BINOMIAL_TREE, 6, 100, 1, 2);
    const auto getSteps = [](const CollectiveSchedule& schedule, uint32_t member) {
        std::string text;
        for (uint32_t i = 0; i < schedule.GetNSteps(member); ++i)
        {
            const auto step = schedule.GetStep(member, 0, i);
            text += step.sendTo == CollectiveStep::NONE ? "<" + std::to_string(step.receiveFrom)
                                                        : ">" + std::to_string(step.sendTo);
        }
        return text;
    };
    EXPECT_EQ(getSteps(tree, 2), ">3>4>0");
    EXPECT_EQ(getSteps(tree, 3), "<2>5>1");
    EXPECT_EQ(getSteps(tree, 4), "<2");
    EXPECT_EQ(getSteps(tree, 5), "<3");
    EXPECT_EQ(getSteps(tree, 0), "<2");
    EXPECT_EQ(getSteps(tree, 1), "<3");
    const CollectiveSchedule chain(Kind::BROADCAST, Algorithm::CHAIN, 3, 100, 5, 1);
    EXPECT_EQ(getSteps(chain, 1), ">2");
    EXPECT_EQ(getSteps(chain, 2), "<1>0");
    EXPECT_EQ(getSteps(chain, 0), "<2");
    EXPECT_EQ(chain.GetStep(1, 3, 0).sendBytes, 20U);
}

TEST(CollectiveSchedule, OthersThanPowersOfTwoAreFolded)
{
    // 6 = 4 + 2: members 0 and 2 give their data to 1 and 3, which tell 4 and 5 when they have it
    const CollectiveSchedule folded(Kind::ALL_REDUCE, Algorithm::HALVING_DOUBLING, 6, 100);
    EXPECT_EQ(folded.GetNSteps(0), 2U);
    EXPECT_EQ(folded.GetNSteps(1), 7U);
    EXPECT_EQ(folded.GetNSteps(5), 5U);
    EXPECT_EQ(folded.GetStep(2, 0, 0).sendTo, 3U);
    EXPECT_EQ(folded.GetStep(2, 0, 0).sendBytes, 100U);
    EXPECT_EQ(folded.GetStep(3, 0, 1).sendTo, 5U);
    EXPECT_EQ(folded.GetStep(3, 0, 1).sendBytes, 0U);
    EXPECT_EQ(folded.GetStep(3, 0, 1).receiveFrom, CollectiveStep::NONE);
    EXPECT_EQ(folded.GetStep(5, 0, 0).receiveFrom, 3U);
    EXPECT_EQ(folded.GetStep(5, 0, 0).sendTo, CollectiveStep::NONE);
    EXPECT_EQ(folded.GetStep(5, 0, 1).sendBytes, 50U);
    EXPECT_EQ(folded.GetStep(3, 0, 6).sendTo, 2U);

    // 5 = 4 + 1: of the pairs 1 and 3, 2 and 4 of the first step, the fold delays one only
    const CollectiveSchedule one(Kind::ALL_REDUCE, Algorithm::HALVING_DOUBLING, 5, 100);
    EXPECT_EQ(one.GetStep(3, 0, 0).receiveFrom, 1U);
    EXPECT_EQ(one.GetStep(3, 0, 0).receiveBytes, 0U);
    EXPECT_EQ(one.GetStep(2, 0, 0).sendTo, 4U);
    EXPECT_EQ(one.GetStep(2, 0, 0).sendBytes, 50U);
    EXPECT_EQ(one.GetStep(2, 0, 1).receiveFrom, 1U);
    EXPECT_EQ(one.GetStep(2, 0, 1).receiveBytes, 0U);
    EXPECT_EQ(one.GetStep(3, 0, 2).sendTo, 4U);
    EXPECT_EQ(one.GetStep(3, 0, 2).sendBytes, 0U);
}

TEST(CollectiveSchedule, RefusesWhatThereIsNot)
{
    const auto make = [](Kind kind, Algorithm algorithm, uint32_t n, uint32_t nChunks, uint32_t r) {
        return CatchMessage([=] { CollectiveSchedule(kind, algorithm, n, 1, nChunks, r); });
    };
    EXPECT_EQ(make(Kind::ALL_TO_ALL, Algorithm::RING, 4, 1, 0), "there is no all-to-all by ring");
    EXPECT_EQ(make(Kind::ALL_REDUCE, Algorithm::RING, 0, 1, 0),
              "all-reduce by ring has at least one member");
    EXPECT_EQ(make(Kind::ALL_REDUCE, Algorithm::RING, 4, 0, 0),
              "all-reduce by ring has from 1 to 4096 chunks, not 0");
    EXPECT_EQ(make(Kind::ALL_REDUCE, Algorithm::RING, 4, 4096, 0), "");
    EXPECT_EQ(make(Kind::ALL_REDUCE, Algorithm::RING, 4, 4097, 0),
              "all-reduce by ring has from 1 to 4096 chunks, not 4097");
    EXPECT_EQ(make(Kind::BROADCAST, Algorithm::CHAIN, 4, 1, 4),
              "the root is one of 4 members, counted from 0, not 4");
    EXPECT_EQ(make(Kind::ALL_GATHER, Algorithm::HALVING_DOUBLING, 6, 1, 0),
              "all-gather by halving-doubling needs a power of two members, not 6");
    EXPECT_EQ(make(Kind::REDUCE_SCATTER, Algorithm::HALVING_DOUBLING, 4, 2, 0),
              "reduce-scatter by halving-doubling has one chunk, not 2");
    EXPECT_EQ(
        CatchMessage([] { CollectiveSchedule(Kind::ALL_REDUCE, Algorithm::RING, 2, 1ULL << 61); }),
        "all-reduce by ring has at most 2^60 bytes, not 2305843009213693952");
}

TEST(CollectiveSchedule, NamesAreReadBack)
{
    for (const Way& way : WAYS)
    {
        Kind kind = Kind::BROADCAST;
        Algorithm algorithm = Algorithm::CHAIN;
        EXPECT_TRUE(ParseCollectiveKind(GetCollectiveName(way.kind), kind));
        EXPECT_TRUE(ParseCollectiveAlgorithm(GetCollectiveName(way.algorithm), algorithm));
        EXPECT_EQ(kind, way.kind);
        EXPECT_EQ(algorithm, way.algorithm);
        EXPECT_FALSE(ParseCollectiveKind("ring", kind));
        EXPECT_NO_THROW(CollectiveSchedule(kind, GetCollectiveAlgorithms(kind).front(), 7, 1));
    }
}

} // namespace

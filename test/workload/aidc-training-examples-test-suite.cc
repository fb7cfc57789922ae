// SPDX-License-Identifier: GPL-2.0-only

#include "test/core/workload/fixed-rate-network.h"
#include "test/test-case.h"

#include "ns3/experiment-data-file.h"
#include "ns3/training-step-file.h"

// Tests of the ready examples of training steps: they have the numbers of their models, and take
// the time that the links of servers of 8 GPUs need for them.

// Ready examples of training steps.
AIDC_TEST_SUITE("aidc-training-examples", UNIT);

constexpr FixedRateLink ADAPTER{50000, 1};     //!< 400 Gb/s and 1 us
constexpr FixedRateLink SCALE_UP{450000, 0.3}; //!< 3.6 Tb/s and 0.3 us of a GPU in its server
constexpr uint32_t SERVER = 8;                 //!< GPUs of a server

/// What a rank does in collectives of one kind of name.
struct Collectives
{
    uint64_t number{0};                        //!< how many
    uint64_t bytes{0};                         //!< the sum of their sizes
    std::vector<CollectiveSchedule> schedules; //!< the first one
    std::vector<uint32_t> ranks;               //!< of the first one
};

std::map<std::string, Collectives>
GetCollectives(const WorkloadPlan& plan, uint32_t rank)
{
    std::map<std::string, Collectives> all;
    const RankProgram& program = plan.GetProgram(rank);
    for (uint32_t i = 0; i < program.GetN(); ++i)
    {
        if (program.Get(i).kind == RankOperationKind::COLLECTIVE)
        {
            const std::string name = plan.GetItems()[program.Get(i).label].GetName();
            Collectives& collectives = all[name.substr(0, name.find('/'))];
            const RankCollective& part = program.GetCollective(i);
            if (collectives.schedules.empty())
            {
                collectives.schedules.push_back(part.schedule);
                collectives.ranks = *part.ranks;
            }
            ++collectives.number;
            collectives.bytes += part.schedule.GetBytes();
        }
    }
    return all;
}

/// Add up the computations of a rank. Returns their time in seconds.
double
GetComputeSeconds(const WorkloadPlan& plan, uint32_t rank)
{
    uint64_t nanoseconds = 0;
    const RankProgram& program = plan.GetProgram(rank);
    for (uint32_t i = 0; i < program.GetN(); ++i)
    {
        const RankOperation& operation = program.Get(i);
        nanoseconds += operation.kind == RankOperationKind::COMPUTE ? operation.amount : 0;
    }
    return 1e-9 * static_cast<double>(nanoseconds);
}

std::vector<uint32_t>
MakeRanks(uint32_t first, uint32_t count, uint32_t distance)
{
    std::vector<uint32_t> ranks;
    for (uint32_t i = 0; i < count; ++i)
    {
        ranks.push_back(first + i * distance);
    }
    return ranks;
}

void
Check(const Collectives& collectives,
      uint64_t number,
      uint64_t bytes,
      const std::vector<uint32_t>& ranks)
{
    NS_TEST_EXPECT_MSG_EQ(collectives.number, number, "number");
    NS_TEST_EXPECT_MSG_EQ(collectives.bytes, bytes, "bytes");
    AIDC_EXPECT(collectives.ranks == ranks, "ranks");
}

/// Check a time against a bound below which it cannot be.
void
CheckBound(double micros, double bound, double tolerance)
{
    NS_TEST_EXPECT_MSG_GT_OR_EQ(micros, bound * (1 - 1e-9), "bound");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(micros, bound * (1 + tolerance), "time");
}

/// Check the time of a collective by itself. bound: the time of its bytes and latencies in
/// microseconds.
void
CheckTime(const CollectiveSchedule& schedule, uint32_t nPerServer, double bound, double tolerance)
{
    const WorkloadPlan plan = MakeCollectivePlan(schedule);
    FixedRateNetwork network(plan, ADAPTER, SCALE_UP, nPerServer);
    CheckBound(network.Run(), bound, tolerance);
}

// What both examples need.
AIDC_TEST_CASE("a GPT of 13 billion parameters")
{
    const WorkloadPlan plan = ReadTrainingStepFile(FindDataFile("training/gpt-13b-128.json"));
    NS_TEST_ASSERT_MSG_EQ(plan.GetNRanks(), 128, "ranks");
    plan.Check();
    constexpr uint64_t l = 40;
    constexpr uint64_t h = 5120;
    constexpr uint64_t s = 2048;
    constexpr uint64_t vocabulary = 51200;
    constexpr uint64_t all = 12 * l * h * h + 13 * l * h + vocabulary * h + s * h + 2 * h;
    NS_TEST_EXPECT_MSG_EQ(all, 12858214400, "parameters");
    // Attention has 4 matrices of h x h, the layers behind it 8. Biases: 3 h of queries, keys
    // and values and 4 h are divided, h of each of the others are not; 2 normalizations of 2 h
    constexpr uint64_t layer = (12 * h * h + 7 * h) / 8 + 2 * h + 4 * h;
    constexpr uint64_t atRank = l * layer + vocabulary * h / 8 + s * h + 2 * h;
    NS_TEST_EXPECT_MSG_EQ(atRank, 1617536000, "parameters of a rank");

    auto collectives = GetCollectives(plan, 0);
    NS_TEST_EXPECT_MSG_EQ(collectives.size(), 3, "kinds");
    const std::vector<uint32_t> server = MakeRanks(0, 8, 1);
    Check(collectives["tensor-forward"], 80, 80 * 2 * s * h, server);
    Check(collectives["tensor-backward"], 80, 80 * 2 * s * h, server);
    Check(collectives["data"], 40, 2 * atRank, MakeRanks(0, 16, 8));
    collectives = GetCollectives(plan, 127);
    Check(collectives["data"], 40, 2 * atRank, MakeRanks(7, 16, 8));
    const WorkloadPlan large = ReadTrainingStepFile(FindDataFile("training/gpt-13b-1024.json"));
    NS_TEST_ASSERT_MSG_EQ(large.GetNRanks(), 1024, "ranks");
    auto ofLast = GetCollectives(large, 1023);
    Check(ofLast["tensor-forward"], 80, 80 * 2 * s * h, MakeRanks(1016, 8, 1));
    Check(ofLast["data"], 40, 2 * atRank, MakeRanks(7, 128, 8));

    constexpr double flops = 24.0 * s * h * h + 4.0 * s * s * h; // of a layer, forward
    const double seconds = l * 3 * flops / 8 / 156e12;
    NS_TEST_EXPECT_MSG_EQ_TOL(seconds, 0.13215, 5e-6, "computation");
    NS_TEST_EXPECT_MSG_EQ_TOL(GetComputeSeconds(plan, 77), seconds, l * 1e-9, "computation");

    // 14 steps of 1/8 and their latencies
    constexpr double tensor = 14 * (2 * s * h / 8 / SCALE_UP.bytesPerMicro + SCALE_UP.latency);
    NS_TEST_EXPECT_MSG_EQ_TOL(tensor, 85.76, 0.005, "all-reduce of tensors");
    CheckTime(collectives["tensor-forward"].schedules[0], SERVER, tensor, 1e-9);
    const double data = 2.0 * 15 / 16 * 2 * atRank / ADAPTER.bytesPerMicro;
    NS_TEST_EXPECT_MSG_EQ_TOL(data, 121315.2, 0.1, "all-reduces of gradients");
    CheckTime(collectives["data"].schedules[0], 1, data / l, 0.001);

    // All goes forward and a layer backward before the first gradients are reduced
    const double forward = 1e6 * seconds / 3 + 80 * tensor;
    const double backward = 2e6 * seconds / 3 + 80 * tensor;
    FixedRateNetwork network(plan, ADAPTER, SCALE_UP, SERVER);
    CheckBound(network.Run(), forward + backward / l + data, 0.001);
    AIDC_EXPECT(network.IsDone(), "done");
}

AIDC_TEST_CASE("a mixture of experts")
{
    const auto path = FindDataFile("training/experts-8x7b-64.json");
    const WorkloadPlan plan = ReadTrainingStepFile(path);
    NS_TEST_ASSERT_MSG_EQ(plan.GetNRanks(), 64, "ranks");
    plan.Check();
    constexpr uint64_t l = 32;
    constexpr uint64_t h = 4096;
    constexpr uint64_t s = 4096;
    constexpr uint64_t f = 14336;
    constexpr uint64_t vocabulary = 32000;
    constexpr uint64_t expert = l * 3 * h * f; // of all layers
    // Attention, router, two normalizations; a last one, and both embeddings
    constexpr uint64_t dense = l * (4 * h * h + 8 * h + 2 * h) + h + 2 * vocabulary * h;
    NS_TEST_EXPECT_MSG_EQ(expert, 5637144576, "parameters of experts of a rank");
    NS_TEST_EXPECT_MSG_EQ(dense, 2410942464, "other parameters of a rank");
    NS_TEST_EXPECT_MSG_EQ(8 * expert + dense, 47508099072, "parameters");

    auto collectives = GetCollectives(plan, 21); // GPU 5 of server 2
    NS_TEST_EXPECT_MSG_EQ(collectives.size(), 6, "kinds");
    for (const std::string way : {"dispatch", "combine"})
    {
        for (const std::string direction : {"-forward", "-backward"})
        {
            Check(collectives["expert-" + way + direction],
                  l,
                  l * s * 2 * h * 2,
                  MakeRanks(16, 8, 1));
        }
    }
    Check(collectives["data"], l, 2 * dense, MakeRanks(0, 64, 1));
    Check(collectives["expert-data"], l, 2 * expert, MakeRanks(5, 8, 8));

    // Attention's matrices, its scores and sums, two experts of three matrices, the router
    constexpr double flops = s * (8.0 * h * h + 4.0 * s * h + 2 * 6.0 * h * f + 16.0 * h);
    NS_TEST_EXPECT_MSG_EQ_TOL(flops, 3.711e12, 5e8, "operations");
    const double seconds = l * 3 * flops / 400e12;
    NS_TEST_EXPECT_MSG_EQ_TOL(GetComputeSeconds(plan, 63), seconds, l * 2e-9, "computation");

    const double exchange = 7.0 / 8 * s * 2 * h * 2 / SCALE_UP.bytesPerMicro;
    NS_TEST_EXPECT_MSG_EQ_TOL(exchange, 130.49, 0.005, "all-to-all");
    const auto& dispatch = collectives["expert-dispatch-forward"].schedules[0];
    CheckTime(dispatch, SERVER, exchange + SCALE_UP.latency, 1e-9);
    // Each GPU in a server of its own
    CheckTime(dispatch, 1, 1174.405, 0.001);
    const double same = 2.0 * 7 / 8 * 2 * expert / ADAPTER.bytesPerMicro;
    NS_TEST_EXPECT_MSG_EQ_TOL(same, 394600, 1, "all-reduces of experts' gradients");
    CheckTime(collectives["expert-data"].schedules[0], 1, same / l, 0.001);
    // One adapter a server would take 189.86 ms; the 8 channels of a ring use all 8
    const double ring = 2.0 * 63 / 64 * 2 * dense / ADAPTER.bytesPerMicro;
    NS_TEST_EXPECT_MSG_EQ_TOL(ring, 189860, 5, "all-reduces over one adapter");
    CheckTime(collectives["data"].schedules[0], SERVER, ring / 8 / l, 0.02);
}

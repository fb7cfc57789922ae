// SPDX-License-Identifier: GPL-2.0-only

// NCCL's costs, chunks and slots, against numbers of its sources, computed by hand.

#include "test/core/core-test.h"

#include "ns3/nccl-settings.h"

using namespace ns3::aidc;
using aidctest::CatchMessage;

namespace
{

using Algorithm = CollectiveAlgorithm;

constexpr uint64_t MIB = 1 << 20;

CollectiveScheduleSettings
Make(Algorithm algorithm,
     uint32_t nServers,
     uint32_t nPerServer,
     uint32_t nChannels,
     uint64_t bytes)
{
    CollectiveScheduleSettings settings;
    settings.algorithm = algorithm;
    settings.nMembers = nServers * nPerServer;
    settings.nPerServer = nPerServer;
    settings.nChannels = nChannels;
    settings.bytes = bytes;
    return settings;
}

uint32_t
GetNChunks(CollectiveScheduleSettings settings, NcclProtocol protocol)
{
    UseNcclSettings(settings, protocol);
    return settings.nChunks;
}

TEST(NcclSettings, CostsAreThoseOfTheTuningModel)
{
    struct Row
    {
        Algorithm algorithm;
        NcclProtocol protocol;
        uint64_t base;
        uint64_t nvlink;
        uint64_t net;
        double inside;  //!< bytes on the wire for a byte
        double between; //!< bytes on the wire for a byte
    };

    // us of baseLatencies and hwLatencies; LL has as many bytes of flags, LL128 8 for 120
    const Row rows[] = {
        {Algorithm::RING, NcclProtocol::LL, 6600, 600, 2700, 2, 2},
        {Algorithm::RING, NcclProtocol::LL128, 14000, 1900, 4000, 128.0 / 120, 128.0 / 120},
        {Algorithm::RING, NcclProtocol::SIMPLE, 8400, 3400, 14000, 1, 1},
        {Algorithm::DOUBLE_TREE, NcclProtocol::LL, 6800, 600, 5000, 2, 2},
        {Algorithm::DOUBLE_TREE, NcclProtocol::LL128, 14000, 1250, 8500, 128.0 / 120, 128.0 / 120},
        {Algorithm::DOUBLE_TREE, NcclProtocol::SIMPLE, 8400, 4000, 14000, 1, 1},
        {Algorithm::NVLS, NcclProtocol::SIMPLE, 0, 12500, 20900, 1 / 0.85, 1},
    };
    for (const Row& row : rows)
    {
        const CollectiveCosts costs = GetNcclCosts(row.algorithm, row.protocol);
        EXPECT_EQ(costs.launch, row.base);
        EXPECT_EQ(costs.post, 1000U); // getNetOverhead()
        EXPECT_EQ(costs.inside.latency, row.nvlink);
        EXPECT_EQ(costs.between.latency, row.net);
        EXPECT_NEAR(static_cast<double>(costs.inside.GetBytes(6120000)), 6120000 * row.inside, 1);
        EXPECT_NEAR(static_cast<double>(costs.between.GetBytes(6120000)), 6120000 * row.between, 1);
    }
    EXPECT_EQ(CatchMessage([] { GetNcclCosts(Algorithm::HIERARCHICAL, NcclProtocol::LL); }),
              "NCCL has ring, double-tree and nvls, not hierarchical");
    EXPECT_EQ(CatchMessage([] { GetNcclCosts(Algorithm::NVLS, NcclProtocol::LL128); }),
              "NCCL has nvls with simple, not with ll128");
}

TEST(NcclSettings, ChunksAreStepsOfBuffers)
{
    // A ring of 16 in 8 channels: a chunk is 4 of 8 steps of 4 MiB, in two slices. All blocks have
    // a chunk for each 16 x 8 x 2 MiB
    CollectiveScheduleSettings ring = Make(Algorithm::RING, 2, 8, 8, 256 * MIB);
    UseNcclSettings(ring, NcclProtocol::SIMPLE);
    EXPECT_EQ(ring.nChunks, 2U);
    EXPECT_EQ(ring.nSlots, 4U);
    ring.bytes = 256 * MIB + 1;
    EXPECT_EQ(GetNChunks(ring, NcclProtocol::SIMPLE), 4U);
    ring.bytes = 0;
    EXPECT_EQ(GetNChunks(ring, NcclProtocol::SIMPLE), 1U);
    // LL: 8 lines of 512 threads with 8 bytes of data are 32 KiB
    ring.bytes = 12 * MIB;
    UseNcclSettings(ring, NcclProtocol::LL);
    EXPECT_EQ(ring.nChunks, 3U);
    EXPECT_EQ(ring.nSlots, 8U);
    // LL128: 640 threads with 120 elements of 8 bytes, of 16 of which 15 are data: 576,000 bytes
    ring.bytes = 16 * 8 * 576000;
    EXPECT_EQ(GetNChunks(ring, NcclProtocol::LL128), 1U);
    ++ring.bytes;
    EXPECT_EQ(GetNChunks(ring, NcclProtocol::LL128), 2U);
    // A tree: a step, in each of 2 x 8 trees
    EXPECT_EQ(GetNChunks(Make(Algorithm::DOUBLE_TREE, 2, 8, 8, 64 * MIB), NcclProtocol::SIMPLE),
              8U);
    // LL128: 2.8 steps. Of 576,000 and 288,000 bytes a tree has 7 and 14 chunks, fewer than
    // 2.8 x 64 / 8; of 144,000 it has enough
    EXPECT_EQ(GetNChunks(Make(Algorithm::DOUBLE_TREE, 2, 8, 8, 64 * MIB), NcclProtocol::LL128),
              30U);
}

TEST(NcclSettings, ChunksOfNvlsDependOnTheSize)
{
    // 16 channels of 8 heads: below 16 rounds of 128 KiB 128 KiB, below 4 rounds 64 KiB, below one
    // round of these 32 KiB
    const auto getNChunks = [](uint32_t nServers, uint64_t bytes) {
        return GetNChunks(Make(Algorithm::NVLS, nServers, 8, 16, bytes), NcclProtocol::SIMPLE);
    };
    EXPECT_EQ(getNChunks(2, 1024 * MIB), 64U);
    EXPECT_EQ(getNChunks(2, 64 * MIB), 4U);
    EXPECT_EQ(getNChunks(2, 64 * MIB - 128), 8U);
    EXPECT_EQ(getNChunks(2, 8 * MIB), 1U);
    EXPECT_EQ(getNChunks(2, 4 * MIB + 1), 2U);
    EXPECT_EQ(getNChunks(2, 1 * MIB), 1U);
    // Four servers and more: 64 KiB
    EXPECT_EQ(getNChunks(4, 1024 * MIB), 128U);
    // One server: below 64 rounds of 128 KiB 64 KiB, below 8 rounds 32 KiB, below 2 rounds 16 KiB
    EXPECT_EQ(getNChunks(1, 1024 * MIB), 64U);
    EXPECT_EQ(getNChunks(1, 512 * MIB), 64U);
    EXPECT_EQ(getNChunks(1, 32 * MIB), 8U);
    EXPECT_EQ(getNChunks(1, 4 * MIB), 2U);
}

TEST(NcclSettings, ProtocolsHaveNames)
{
    NcclProtocol protocol = NcclProtocol::SIMPLE;
    EXPECT_TRUE(ParseNcclProtocol("ll128", protocol));
    EXPECT_EQ(protocol, NcclProtocol::LL128);
    EXPECT_FALSE(ParseNcclProtocol("LL", protocol));
}

} // namespace

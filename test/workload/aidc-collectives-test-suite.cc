/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../transport/roce-network.h"

#include "ns3/rank-application-helper.h"
#include "ns3/roce-rank-helper.h"
#include "ns3/test.h"

#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

/**
 * @file
 * @ingroup aidc-test
 * Tests of collectives over RoCEv2.
 */

namespace
{

/**
 * @ingroup aidc-test
 * @brief A collective on an idle network takes the lower bound of its bytes, plus latency.
 */
class LowerBoundTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param schedule the collective
     * @param gbps the rate of links in Gb/s
     * @param nSerial messages that follow each other through all of the network
     * @param bytes the bytes that go through each host's link
     */
    LowerBoundTestCase(const CollectiveSchedule& schedule,
                       uint64_t gbps,
                       uint32_t nSerial,
                       uint64_t bytes)
        : TestCase(std::string(GetCollectiveName(schedule.GetKind())) + " by " +
                   GetCollectiveName(schedule.GetAlgorithm()) + ", " +
                   std::to_string(schedule.GetNMembers()) + " ranks, " + std::to_string(gbps) +
                   " Gbps, " + std::to_string(schedule.GetNChunks()) + " chunks"),
          m_schedule(schedule),
          m_gbps(gbps),
          m_nSerial(nSerial),
          m_bytes(bytes)
    {
    }

  private:
    void DoRun() override
    {
        const uint32_t n = m_schedule.GetNMembers();
        RoceNetwork network(n, m_gbps * 1000000000);
        network.Start();
        std::vector<uint32_t> ranks(n);
        std::iota(ranks.begin(), ranks.end(), 0);
        WorkloadPlan plan(n);
        plan.AddCollective("c",
                           m_schedule,
                           std::make_shared<const std::vector<uint32_t>>(ranks),
                           std::vector<std::vector<uint32_t>>(n));
        RankApplicationHelper helper(plan);
        const auto hosts = network.network.GetHosts();
        helper.Install(hosts, RoceRankHelper::Connect(helper.GetPlan(), hosts));
        helper.StopWhenDone();
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        const auto record = helper.GetCollectiveRecords().at(0);
        NS_TEST_ASSERT_MSG_EQ(record.isDone, true, "done");
        const double seconds = (record.finish - record.start).GetSeconds();
        // Of 4178 bytes on the wire, 4096 are payload; a message passes two links of 1 us and is
        // stored in the switch; the last one is acknowledged. Not in the bound: acknowledgments of
        // what comes in, 86 bytes for 16 packets, go by the same link (0.13 %).
        const double goodput = 4096.0 / 4178;
        const double bound = 8 * static_cast<double>(m_bytes) / (goodput * 1e9 * m_gbps) +
                             m_nSerial * (2e-6 + 8 * 4178 / (1e9 * m_gbps)) + 2e-6;
        NS_TEST_EXPECT_MSG_EQ((seconds > 0.9999 * bound), true, seconds << " over " << bound);
        NS_TEST_EXPECT_MSG_LT(seconds, 1.02 * bound, "time over the lower bound");
    }

    CollectiveSchedule m_schedule; //!< the collective
    uint64_t m_gbps;               //!< the rate of links in Gb/s
    uint32_t m_nSerial;            //!< messages that follow each other
    uint64_t m_bytes;              //!< bytes through each link
};

/**
 * @ingroup aidc-test
 * @brief Collectives of fewer bytes than ranks have messages without bytes.
 */
class FewBytesTestCase : public TestCase
{
  public:
    FewBytesTestCase()
        : TestCase("Collectives of fewer bytes than ranks come to their end")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t N = 6;
        WorkloadPlan plan(N);
        RankGroup ranks =
            std::make_shared<const std::vector<uint32_t>>(std::vector<uint32_t>{5, 0, 4, 1, 3, 2});
        for (const uint64_t bytes : {0, 1, 5, 7})
        {
            for (const auto kind : {CollectiveKind::ALL_REDUCE,
                                    CollectiveKind::ALL_GATHER,
                                    CollectiveKind::REDUCE_SCATTER,
                                    CollectiveKind::ALL_TO_ALL,
                                    CollectiveKind::BROADCAST})
            {
                plan.AddCollective("c",
                                   {kind, GetDefaultAlgorithm(kind), N, bytes, 2},
                                   ranks,
                                   std::vector<std::vector<uint32_t>>(N));
            }
        }
        RoceNetwork network(N);
        network.Start();
        RankApplicationHelper helper(plan);
        const auto hosts = network.network.GetHosts();
        helper.Install(hosts, RoceRankHelper::Connect(helper.GetPlan(), hosts));
        helper.StopWhenDone();
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(helper.IsDone(), true, "done");
    }
};

/**
 * @ingroup aidc-test
 * @brief Collectives over RoCEv2.
 */
class AidcCollectivesTestSuite : public TestSuite
{
  public:
    AidcCollectivesTestSuite()
        : TestSuite("aidc-collectives", TestSuite::Type::SYSTEM)
    {
        using Kind = CollectiveKind;
        using Algorithm = CollectiveAlgorithm;
        constexpr uint64_t S = 16000000;
        for (const uint64_t gbps : {100, 400})
        {
            Add({Kind::ALL_REDUCE, Algorithm::RING, 8, S}, gbps, 14, 2 * S / 8 * 7);
            // With chunks, the latency of the last step only
            Add({Kind::ALL_REDUCE, Algorithm::RING, 8, S, 4}, gbps, 1, 2 * S / 8 * 7);
        }
        Add({Kind::ALL_REDUCE, Algorithm::HALVING_DOUBLING, 8, S}, 100, 6, 2 * S / 8 * 7);
        Add({Kind::ALL_GATHER, Algorithm::RING, 8, S}, 100, 7, S / 8 * 7);
        Add({Kind::REDUCE_SCATTER, Algorithm::RING, 8, S}, 100, 7, S / 8 * 7);
        Add({Kind::ALL_TO_ALL, Algorithm::PAIRWISE, 8, S}, 100, 7, S / 8 * 7);
        AddTestCase(new FewBytesTestCase);
        Add({Kind::BROADCAST, Algorithm::CHAIN, 8, S, 64}, 100, 7, S / 64 * (64 + 6));
    }

  private:
    /**
     * @brief Add a test case.
     * @param schedule the collective
     * @param gbps the rate of links in Gb/s
     * @param nSerial messages that follow each other through all of the network
     * @param bytes the bytes that go through each host's link
     */
    void Add(const CollectiveSchedule& schedule, uint64_t gbps, uint32_t nSerial, uint64_t bytes)
    {
        AddTestCase(new LowerBoundTestCase(schedule, gbps, nSerial, bytes));
    }
};

/// The instance that registers the suite
const AidcCollectivesTestSuite g_aidcCollectivesTestSuite;

} // namespace

// SPDX-License-Identifier: GPL-2.0-only

// What is leapt, and when it ends.

#include "model/core/leap/leap-book.h"
#include "model/core/never.h"
#include "test/core/core-test.h"

#include "ns3/clos-fabric.h"
#include "ns3/server-plan.h"
#include "ns3/training-step-planner.h"

using namespace ns3::aidc;

namespace
{

using Kind = LeapEvent::Kind;
using Ranks = std::vector<uint32_t>;

/// All-reduces of some ranks, one after another. bytes: of each.
WorkloadPlan
MakeChain(uint32_t nRanks, const std::vector<uint64_t>& bytes)
{
    WorkloadPlan plan(nRanks);
    Ranks ranks(nRanks);
    for (uint32_t rank = 0; rank < nRanks; ++rank)
    {
        ranks[rank] = rank;
    }
    const auto group = std::make_shared<const Ranks>(ranks);
    for (const uint64_t n : bytes)
    {
        const CollectiveSchedule ring(CollectiveKind::ALL_REDUCE,
                                      CollectiveAlgorithm::RING,
                                      nRanks,
                                      n);
        plan.AddCollective("c", ring, group, std::vector<Ranks>(nRanks));
    }
    return plan;
}

/// Executes, or leaps over, the operations of a chain of two ranks.
class Chain
{
  public:
    explicit Chain(const std::vector<uint64_t>& bytes, const LeapSettings& settings = {})
        : m_plan(MakeChain(2, bytes)),
          m_book(m_plan, settings, nullptr)
    {
    }

    /// Do the next one: rank 1 starts 100 ns later, and they end some time after that. Returns
    /// whether it was leapt. pace: of the congestion controls of each.
    bool Do(int64_t duration, uint64_t pace = 0)
    {
        m_book.Decide(m_now, NEVER);
        const bool isLeapt = m_book.IsLeapt(m_book.GetTasks().Find(0, m_next));
        ends = m_book.Take({{m_now + 100, 1, m_next, 0, Kind::STARTED, isLeapt, pace},
                            {m_now, 0, m_next, 0, Kind::STARTED, isLeapt, pace}},
                           m_now + 100);
        m_now += 100 + duration;
        if (isLeapt)
        {
            m_book.Take({}, m_now + 1000000);
        }
        else
        {
            m_book.Take({{m_now - 50, 0, m_next, 0, Kind::ENDED, false},
                         {m_now, 1, m_next, 0, Kind::ENDED, false}},
                        m_now);
        }
        ++m_next;
        return isLeapt;
    }

    LeapBook& Get()
    {
        return m_book;
    }

    std::vector<LeapEnd> ends; //!< of the last one, if it was leapt

  private:
    WorkloadPlan m_plan;
    LeapBook m_book;
    uint32_t m_next{0};
    int64_t m_now{0};
};

TEST(LeapBook, MembersEndAsLongAfterTheLastStartAsBefore)
{
    Chain chain(std::vector<uint64_t>(10, 1000));
    EXPECT_FALSE(chain.Do(40000));
    EXPECT_FALSE(chain.Do(50000));
    EXPECT_FALSE(chain.Do(50000)); // two that are the same
    EXPECT_TRUE(chain.Do(50000));
    ASSERT_EQ(chain.ends.size(), 2U);
    const int64_t start = 40100 + 2 * 50100 + 100;
    EXPECT_EQ(chain.ends[0].time, start + 49950);
    EXPECT_EQ(chain.ends[1].time, start + 50000);
    EXPECT_EQ(chain.Get().GetProgress().nExecuted, 0U);
    const auto summary = chain.Get().GetSummary();
    EXPECT_EQ(summary.nLeapt, 1U);
    EXPECT_EQ(summary.nExecuted, 3U);
    EXPECT_EQ(summary.nMistaken, 0U);
    EXPECT_EQ(summary.leaptBytes * 3, summary.executedBytes);
}

TEST(LeapBook, OtherSizesShortOnesAndDriftsAreExecuted)
{
    Chain sizes({1000, 2000, 1000, 2000, 3000});
    for (int i = 0; i < 4; ++i)
    {
        EXPECT_FALSE(sizes.Do(50000 + i % 2));
    }
    EXPECT_FALSE(sizes.Do(50000));
    Chain brief(std::vector<uint64_t>(10, 1000));
    Chain drift(std::vector<uint64_t>(10, 1000));
    for (int i = 0; i < 10; ++i)
    {
        EXPECT_FALSE(brief.Do(9000));              // below the interval of decisions
        EXPECT_FALSE(drift.Do(50000 * (100 + i))); // 1 % each time
    }
    EXPECT_NE(brief.Get().GetSummary().reason.find("a member ends within 10 us"), std::string::npos)
        << brief.Get().GetSummary().reason;
    EXPECT_NE(drift.Get().GetSummary().reason.find("vary by 6.86 %"), std::string::npos)
        << drift.Get().GetSummary().reason; // 109 / 102
}

TEST(LeapBook, WindowsMustHaveSettledThatOtherTasksMayNeed)
{
    Chain growing(std::vector<uint64_t>(20, 1000));
    for (uint64_t i = 0; i < 10; ++i)
    {
        EXPECT_FALSE(growing.Do(50000, 200 + i)); // 0.5 % each time
    }
    // 209 / 202, with the 1 that each sum has more
    EXPECT_NE(growing.Get().GetSummary().reason.find("windows before the last 8 of 10 executed "
                                                     "ones vary by 3.46 %"),
              std::string::npos)
        << growing.Get().GetSummary().reason;
    EXPECT_FALSE(growing.Do(50000, 209)); // now they are the same
    EXPECT_TRUE(growing.Do(50000, 209));
    Chain alone({1000, 1000, 1000});
    EXPECT_TRUE(alone.Get().GetPeers(0, 0).empty());
    Chain both({1000, 1000, 2000});
    EXPECT_EQ(both.Get().GetPeers(0, 0), Ranks{1});
    EXPECT_EQ(both.Get().GetPeers(2, 1), Ranks{0});
}

TEST(LeapBook, TasksMayTakeNoTime)
{
    auto plan = MakeChain(2, {0, 0});
    LeapBook book(plan, {}, nullptr);
    for (uint32_t i = 0; i < 2; ++i)
    {
        book.Take({{5, 0, i, 0, Kind::ENDED_AT_ONCE, false},
                   {5, 0, i, 0, Kind::STARTED, false},
                   {5, 1, i, 0, Kind::STARTED, false},
                   {5, 1, i, 0, Kind::ENDED_AT_ONCE, false}},
                  5);
        EXPECT_EQ(book.GetProgress().nExecuted, 0U);
        book.Decide(5, NEVER);
    }
    EXPECT_EQ(book.GetSummary().nExecuted, 2U);
}

TEST(LeapBook, NothingIsLeaptThatEndsAfterTheLimit)
{
    Chain chain(std::vector<uint64_t>(10, 1000));
    chain.Do(50000);
    chain.Do(50000);
    const int64_t now = 2 * 50100;
    chain.Get().Decide(now, now + 50000);
    EXPECT_FALSE(chain.Get().IsLeapt(chain.Get().GetTasks().Find(0, 2)));
    chain.Get().Decide(now, now + 80000);
    EXPECT_TRUE(chain.Get().IsLeapt(chain.Get().GetTasks().Find(0, 2)));
    chain.Get().Forget();
    chain.Get().Decide(now, NEVER);
    EXPECT_FALSE(chain.Get().IsLeapt(chain.Get().GetTasks().Find(0, 2)));
}

TEST(LeapBook, UnusualStartsAreMistakes)
{
    auto plan = MakeChain(2, std::vector<uint64_t>(10, 1000));
    LeapBook book(plan, {}, nullptr);
    int64_t now = 0;
    for (uint32_t i = 0; i < 2; ++i, now += 50000)
    {
        book.Take({{now, 0, i, 0, Kind::STARTED, false},
                   {now, 1, i, 0, Kind::STARTED, false},
                   {now + 50000, 0, i, 0, Kind::ENDED, false},
                   {now + 50000, 1, i, 0, Kind::ENDED, false}},
                  now + 50000);
    }
    book.Decide(now, NEVER);
    ASSERT_TRUE(book.IsLeapt(book.GetTasks().Find(0, 2)));
    // Rank 1 is 2000 ns late; within 1 % of 50000 would be usual
    book.Take({{now, 0, 2, 0, Kind::STARTED, true}, {now + 2000, 1, 2, 0, Kind::STARTED, true}},
              now + 100000);
    EXPECT_EQ(book.GetSummary().nMistaken, 1U);
    book.Decide(now + 100000, NEVER);
    EXPECT_FALSE(book.IsLeapt(book.GetTasks().Find(0, 3)));
}

/// Servers of two GPUs, and the places of their ranks.
struct Rails
{
    explicit Rails(const ServerFabricSettings& settings)
    {
        const uint32_t nGpus = settings.gpus;
        made = std::make_unique<ServerFabric>(MakeServerFabric(settings));
        std::vector<NodeIndex> hosts;
        std::vector<uint32_t> servers;
        for (uint32_t gpu = 0; gpu < nGpus; ++gpu)
        {
            hosts.push_back(made->servers.GetHost(gpu));
            servers.push_back(made->servers.GetServer(gpu));
        }
        places = std::make_unique<FabricPlaces>(made->fabric, hosts, servers);
    }

    std::unique_ptr<ServerFabric> made;
    std::unique_ptr<FabricPlaces> places;
};

/// Six all-reduces of each of two rails of two servers, and the book of them.
class TwoRails
{
  public:
    /// bytes: of an all-reduce, 2 ms by default; isFirst: whether the even rail does not wait for
    /// the odd one
    explicit TwoRails(uint64_t bytes = 100000000, bool isFirst = true)
        : m_rails(MakeSettings()),
          m_plan(4)
    {
        const auto even = std::make_shared<const Ranks>(Ranks{0, 2});
        const auto odd = std::make_shared<const Ranks>(Ranks{1, 3});
        const CollectiveSchedule ring(CollectiveKind::ALL_REDUCE,
                                      CollectiveAlgorithm::RING,
                                      2,
                                      bytes);
        // In servers, so that the rails are of one job
        const auto both = std::make_shared<const Ranks>(Ranks{0, 1});
        const CollectiveSchedule small(CollectiveKind::ALL_REDUCE, CollectiveAlgorithm::RING, 2, 8);
        for (int i = 0; i < 6; ++i)
        {
            const auto before = m_plan.AddCollective("odd", ring, odd, {{}, {}});
            auto after = std::vector<Ranks>(2);
            if (!isFirst && i == 0)
            {
                const auto between =
                    m_plan.AddCollective("between", small, both, {{}, {before[0]}});
                after[0] = {between[0]};
            }
            m_plan.AddCollective("even", ring, even, after);
        }
        m_plan.AddMessage(m_plan.AddItem("m"), 0, 1, 5, 1, {}, {});
        m_plan.Check();
        m_book = std::make_unique<LeapBook>(m_plan, LeapSettings(), m_rails.places.get());
    }

    LeapBook& Get()
    {
        return *m_book;
    }

    /// Start a round of rail 0 or 1 at a time, the second member 10 ns or more later. Returns
    /// whether it is leapt.
    bool Start(uint32_t rail, uint32_t round, int64_t now, int64_t stagger = 10)
    {
        const bool isLeapt = m_book->IsLeapt(m_book->GetTasks().Find(rail, round));
        const auto ends =
            m_book->Take({{now, rail, round, 0, Kind::STARTED, isLeapt},
                          {now + stagger, rail + 2, round, 0, Kind::STARTED, isLeapt}},
                         now + stagger);
        EXPECT_TRUE(ends.empty());
        return isLeapt;
    }

    /// Let the members of an executed round end, 10 ns apart. Returns ends of leapt ones.
    std::vector<LeapEnd> End(uint32_t rail, uint32_t round, int64_t time)
    {
        return m_book->Take({{time - 10, rail, round, 0, Kind::ENDED, false},
                             {time, rail + 2, round, 0, Kind::ENDED, false}},
                            time);
    }

  private:
    static ServerFabricSettings MakeSettings()
    {
        auto settings = GetServerFabricTemplate("spectrum-x");
        settings.gpus = 4;
        settings.gpusPerServer = 2;
        return settings;
    }

    Rails m_rails;
    WorkloadPlan m_plan;
    std::unique_ptr<LeapBook> m_book;
};

TEST(LeapBook, RailsThatDoTheSameFollowOneFromTheFirstTaskOn)
{
    TwoRails rails;
    rails.Get().Decide(0, NEVER);
    EXPECT_TRUE(rails.Start(1, 0, 0));
    EXPECT_FALSE(rails.Start(0, 0, 10)); // the other one waits for it
    const auto ends = rails.End(0, 0, 2500020);
    ASSERT_EQ(ends.size(), 2U);
    EXPECT_EQ(rails.Get().GetTasks().GetOperation(ends[0].task, 0).first, 1U);
    EXPECT_EQ(ends[0].time, 2500020); // 2499990 after its last start, but it is only known now
    EXPECT_EQ(ends[1].time, 2500020);
    rails.Get().Take({}, 2600000);
    rails.Get().Decide(2600000, NEVER);
    EXPECT_FALSE(rails.Start(0, 1, 2600000)); // one executed task says nothing of the next one
    EXPECT_TRUE(rails.Start(1, 1, 2600020));
    EXPECT_EQ(rails.End(0, 1, 5100010).back().time, 5100020 + 10); // as long after the last start
    const auto summary = rails.Get().GetSummary();
    EXPECT_EQ(summary.nLeapt, 1U);
    EXPECT_EQ(summary.nExecuted, 2U);
    EXPECT_EQ(summary.nMistaken, 0U);
    EXPECT_NEAR(summary.error, 20 / 2500010., 1e-9); // its first member ended 20 ns late
}

TEST(LeapBook, SeveralRoundsMayWaitForALeaderThatDoesNotCome)
{
    TwoRails rails;
    rails.Get().Decide(0, NEVER);
    EXPECT_TRUE(rails.Start(1, 0, 0));
    EXPECT_TRUE(rails.Start(1, 1, 0));
    EXPECT_EQ(rails.Get().GetProgress().nextWait, 20010); // two intervals after its last start
    EXPECT_EQ(rails.Get().Take({}, 30000).size(), 4U);
    EXPECT_EQ(rails.Get().GetSummary().nMistaken, 2U);
    EXPECT_EQ(rails.Get().GetProgress().nextWait, NEVER);
}

TEST(LeapBook, NothingFollowsThatIsShortOrChanged)
{
    TwoRails brief(99000000); // two intervals are more than 1 %
    TwoRails changed;
    changed.Get().Forget();
    for (TwoRails* rails : {&brief, &changed})
    {
        rails->Get().Decide(0, NEVER);
        EXPECT_FALSE(rails->Start(1, 0, 0));
    }
    TwoRails limited;
    limited.Get().Decide(0, 1000000000);
    EXPECT_FALSE(limited.Start(1, 0, 0));
}

TEST(LeapBook, FollowersThatTheirLeaderWaitsForAreMistakes)
{
    TwoRails rails(100000000, false);
    rails.Get().Decide(0, NEVER);
    EXPECT_TRUE(rails.Start(1, 0, 0));
    EXPECT_TRUE(rails.Get().Take({}, 20000).empty()); // the leader may have started meanwhile
    const auto ends = rails.Get().Take({}, 30000);
    ASSERT_EQ(ends.size(), 2U);
    EXPECT_EQ(ends[0].time, 2000010); // 800 Mbit at 400 Gb/s
    EXPECT_EQ(rails.Get().GetSummary().nMistaken, 1U);
    rails.Get().Take({}, 2000010);
    rails.Get().Decide(2000010, NEVER);
    EXPECT_FALSE(rails.Start(1, 1, 2000010));
}

TEST(LeapBook, FollowersThatStartOtherwiseAreMistakes)
{
    TwoRails rails;
    rails.Get().Decide(0, NEVER);
    rails.Start(0, 0, 0);
    EXPECT_TRUE(rails.Start(1, 0, 0, 30000)); // of 2.5 ms, 1 % is usual
    EXPECT_EQ(rails.End(0, 0, 2500010).size(), 2U);
    EXPECT_EQ(rails.Get().GetSummary().nMistaken, 1U);
    rails.Get().Take({}, 2600000);
    rails.Get().Decide(2600000, NEVER);
    EXPECT_FALSE(rails.Start(1, 1, 2600000));
}

TEST(LeapTasks, KindsTellWhatComesBeforeAndBeside)
{
    TrainingStep step;
    step.dp = 2;
    step.tp = 2;
    step.nLayers = 3;
    step.forwardNs = 10;
    step.backwardNs = 20;
    step.tensor.bytes = 100;
    step.data.bytes = 500;
    WorkloadPlan plan(4);
    AddTrainingStep(plan, step, 2);
    const LeapTasks tasks(plan);
    // Rank 0: forward, tensor for each layer; then backward, tensor and gradients
    const auto getKind = [&tasks](uint32_t operation) {
        return tasks.Get(tasks.Find(0, operation)).kind;
    };
    const auto getFamily = [&tasks](uint32_t operation) {
        return tasks.Get(tasks.Find(0, operation)).family;
    };
    EXPECT_EQ(tasks.Find(0, 0), LeapTasks::NONE);
    EXPECT_NE(getKind(1), getKind(3)); // the first one waits for no other
    EXPECT_EQ(getKind(3), getKind(5)); // after forward
    EXPECT_EQ(getFamily(1), getFamily(7));
    EXPECT_NE(getKind(3), getKind(7)); // after backward
    EXPECT_NE(getFamily(8), getFamily(7));
    EXPECT_NE(getKind(8), getKind(11));  // the first gradients wait for no others
    EXPECT_EQ(getKind(11), getKind(14)); // the last ones, beside which nothing goes on
    const uint32_t first = static_cast<uint32_t>(tasks.GetFamilies()[getFamily(8)].tasks.size());
    EXPECT_EQ(first, 6U);
}

TEST(LeapTasks, CollectivesOfOtherCostsAreOfOtherFamilies)
{
    CollectiveScheduleSettings settings;
    settings.nMembers = 2;
    settings.bytes = 100;
    WorkloadPlan plan(2);
    const auto both = std::make_shared<const std::vector<uint32_t>>(std::vector<uint32_t>{0, 1});
    for (const uint64_t latency : {0, 0, 500})
    {
        settings.costs.between.latency = latency;
        plan.AddCollective("c", CollectiveSchedule(settings), both, {{}, {}});
    }
    const LeapTasks tasks(plan);
    const auto getFamily = [&tasks](uint32_t operation) {
        return tasks.Get(tasks.Find(0, operation)).family;
    };
    EXPECT_EQ(getFamily(0), getFamily(1));
    EXPECT_NE(getFamily(0), getFamily(2));
}

TEST(FabricPlaces, RailsAndServersDoNotTouch)
{
    auto settings = GetServerFabricTemplate("spectrum-x");
    settings.gpus = 32;
    settings.gpusPerServer = 8;
    const Rails rails(settings);
    FabricPlaces& places = *rails.places;
    const auto get = [&places](uint32_t from, uint32_t to) {
        std::set<uint32_t> found;
        places.AddPlaces(from, to, found);
        return found;
    };
    const auto touch = [&get](uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
        const auto one = get(a, b);
        for (const uint32_t place : get(c, d))
        {
            if (one.count(place) > 0)
            {
                return true;
            }
        }
        return false;
    };
    EXPECT_EQ(get(0, 8).size(), 3U);  // two adapters and the leaf of rail 0
    EXPECT_FALSE(touch(0, 8, 1, 9));  // rails
    EXPECT_TRUE(touch(0, 8, 16, 24)); // the same leaf
    EXPECT_FALSE(touch(0, 1, 2, 3));  // ports of a scale-up switch
    EXPECT_TRUE(touch(0, 1, 0, 3));   // one egress port
    EXPECT_TRUE(touch(0, 1, 3, 1));   // one ingress port
    EXPECT_FALSE(touch(0, 1, 1, 0));  // two directions
    EXPECT_FALSE(touch(0, 1, 0, 8));  // scale-up port and adapter
    EXPECT_TRUE(touch(0, 9, 2, 11));  // over any spine
    EXPECT_FALSE(places.UsesFabric(0, 7));
    EXPECT_TRUE(places.UsesFabric(0, 8));
}

TEST(FabricPlaces, ShapesAreThoseOfSinglePaths)
{
    auto settings = GetServerFabricTemplate("spectrum-x");
    settings.gpus = 8;
    settings.gpusPerServer = 2;
    settings.gpusPerLeaf = 2;
    const auto getShape = [&settings](uint32_t a, uint32_t b) {
        return Rails(settings).places->GetShape({{a, b}, {b, a}});
    };
    const auto rail = getShape(0, 2);
    // Each way: the link of the receiver, the link of the sender, and the link at the leaf
    EXPECT_EQ(rail.size(), 2 * 3 * 4U);
    EXPECT_EQ(rail[0], 0U);            // the first place
    EXPECT_EQ(rail[1], 1U);            // its ports
    EXPECT_EQ(rail[2], 400000000000U); // the rate of its link
    EXPECT_EQ(rail[3], 500U);          // and the delay
    EXPECT_EQ(getShape(1, 3), rail);
    EXPECT_EQ(getShape(4, 6), rail);
    EXPECT_TRUE(getShape(0, 4).empty()); // over any spine
    EXPECT_TRUE(getShape(0, 1).empty()); // within a server
    settings.hostRate = 100000000000;
    EXPECT_NE(getShape(0, 2), rail);
    settings.isDualHomed = true;
    EXPECT_EQ(getShape(0, 2).size(), 2 * 6 * 4U); // a path from each port
}

} // namespace

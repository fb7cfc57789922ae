/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "model/simulator/window-events.h"
#include "test/test-case.h"

#include <random>

using namespace aidctest;

// The windows of several ranks (WindowEvents::OpenAgreed()), in one process.
AIDC_TEST_SUITE("aidc-agreed-windows", UNIT);

/// What ran, in its order.
struct Ran
{
    EventOrder order;   //!< the place of the event
    uint32_t node{0};   //!< its node
    uint64_t before{0}; //!< how many events without a node had run before
};

/// A random network and its events, of which each makes the same ones whoever runs it.
class RandomEvents
{
  public:
    static constexpr uint32_t N_NODES = 7; //!< how many nodes there are

    explicit RandomEvents(uint32_t seed)
        : m_random(seed)
    {
        m_hasSides = Draw(0, 1) == 1;
        m_delay = Draw(1, 20);
        for (uint32_t node = 0; node < N_NODES; ++node)
        {
            m_sides.push_back(m_hasSides ? static_cast<uint8_t>(Draw(0, 1)) : 0);
            m_ranks.push_back(Draw(0, 2));
        }
        // Scheduled before the simulation, in this order. Many are at once, some of them at 0.
        const uint32_t last = Draw(0, 2) * 100;
        const uint32_t n = Draw(0, 30);
        for (uint32_t i = 0; i < n; ++i)
        {
            const bool isGlobal = Draw(0, 4) == 0;
            const uint32_t node = isGlobal ? Simulator::NO_CONTEXT : Draw(0, N_NODES - 1);
            m_first.push_back(Make(Draw(0, last), node, i));
        }
    }

    static PendingEvent Make(uint64_t time, uint32_t node, uint64_t number)
    {
        return {{time, 0, 0, 0, number}, node, nullptr};
    }

    /// Get what an event schedules. As in a network, it is for its own node at any time from now
    /// on, or for a node of the other side (any node if there is one side) after the delay of a
    /// link.
    std::vector<PendingEvent> GetNext(const PendingEvent& event) const
    {
        std::mt19937 random(static_cast<uint32_t>(event.order.number * 31 + event.order.time));
        std::vector<PendingEvent> next;
        const auto add = [&](uint64_t time, uint32_t node) {
            next.push_back({{time, event.order.time, 0, event.node + 1, random()}, node, nullptr});
        };
        if (event.node == Simulator::NO_CONTEXT || event.order.time > 400)
        {
            return next;
        }
        if (random() % 2 == 0)
        {
            add(event.order.time + 1 + random() % 50, event.node);
        }
        const uint32_t other = random() % N_NODES;
        if (random() % 2 == 0 && other != event.node &&
            (!m_hasSides || m_sides[other] != m_sides[event.node]))
        {
            add(event.order.time + m_delay + random() % 40, other);
        }
        return next;
    }

    uint64_t GetLength() const
    {
        return m_hasSides ? 2 * m_delay : m_delay;
    }

    std::vector<uint8_t> GetSides() const
    {
        return m_hasSides ? m_sides : std::vector<uint8_t>();
    }

    uint32_t GetRank(uint32_t node, uint32_t nRanks) const
    {
        return m_ranks[node] % nRanks;
    }

    const std::vector<PendingEvent>& GetFirst() const
    {
        return m_first;
    }

  private:
    uint32_t Draw(uint32_t least, uint32_t most)
    {
        return least + m_random() % (most - least + 1);
    }

    std::mt19937 m_random;             //!< draws numbers
    bool m_hasSides{false};            //!< whether there are two sides
    uint64_t m_delay{1};               //!< the least delay of a link
    std::vector<uint8_t> m_sides;      //!< by node
    std::vector<uint32_t> m_ranks;     //!< by node, of three ranks
    std::vector<PendingEvent> m_first; //!< events in the beginning
};

/// Several ranks in one process, which agree on heads as by MpiRanks::GetLeast(), and go on alone
/// as by RemoteArrivals.
class AgreeingRanks
{
  public:
    AgreeingRanks(const RandomEvents& events, uint32_t n)
        : m_source(events),
          m_ranks(n),
          m_sent(n),
          m_nGlobals(n, 0)
    {
        for (auto& rank : m_ranks)
        {
            rank.SetWindows(events.GetLength(), events.GetSides(), 0);
        }
        for (const auto& event : events.GetFirst())
        {
            for (uint32_t rank = 0; rank < n; ++rank)
            {
                // What has no node is at each rank.
                if (event.node == Simulator::NO_CONTEXT || events.GetRank(event.node, n) == rank)
                {
                    m_ranks[rank].Insert(event);
                }
            }
        }
    }

    std::string Run()
    {
        for (uint32_t nWindows = 0; nWindows < 100000; ++nWindows)
        {
            const auto heads = Agree();
            std::vector<WindowEvents::Next> next;
            for (auto& rank : m_ranks)
            {
                next.push_back(rank.OpenAgreed(heads));
            }
            if (std::count(next.begin(), next.end(), next.front()) !=
                static_cast<std::ptrdiff_t>(next.size()))
            {
                return "the ranks open different things";
            }
            if (next.front() == WindowEvents::Next::NOTHING)
            {
                return "";
            }
            const bool isGlobal = next.front() == WindowEvents::Next::GLOBAL;
            for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
            {
                isGlobal ? RunGlobal(rank, heads.barrier) : RunWindow(rank);
            }
            for (uint32_t rank = 0; !isGlobal && rank < m_ranks.size(); ++rank)
            {
                RunAlone(rank, heads.barrier);
            }
            if (!m_error.empty())
            {
                return m_error;
            }
        }
        return "it does not end";
    }

    uint32_t GetNAlone() const
    {
        return m_nAlone;
    }

    const std::map<uint32_t, std::vector<Ran>>& GetRan() const
    {
        return m_ran;
    }

  private:
    WindowEvents::Heads Agree()
    {
        WindowEvents::Heads least;
        WindowEvents::Heads sentLeast;
        uint64_t latest = 0;
        m_begins.clear();
        for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
        {
            auto heads = m_ranks[rank].GetHeads();
            m_begins.push_back(std::min(heads.begins[0], heads.begins[1]));
            latest = std::max(latest, m_ranks[rank].GetLatestLimit());
            for (const auto& event : m_sent[rank])
            {
                m_ranks[rank].AddTo(heads, event.node, event.order.time);
                m_ranks[rank].AddTo(sentLeast, event.node, event.order.time);
            }
            least.barrier = std::min(least.barrier, heads.barrier);
            for (std::size_t side = 0; side < 2; ++side)
            {
                least.begins[side] = std::min(least.begins[side], heads.begins[side]);
            }
        }
        m_firstSent = std::min(sentLeast.begins[0], sentLeast.begins[1]);
        for (auto& rank : m_ranks)
        {
            rank.SetLatestLimit(latest);
        }
        for (auto& sent : m_sent)
        {
            for (const auto& event : sent)
            {
                auto& to = m_ranks[m_source.GetRank(event.node, GetN())];
                if (event.order.time < to.GetRunUntil(event.node))
                {
                    m_error = "an event comes at " + std::to_string(event.order.time) +
                              ", where events before " +
                              std::to_string(to.GetRunUntil(event.node)) + " were run";
                }
                to.Insert(event);
            }
            sent.clear();
        }
        return least;
    }

    uint32_t GetN() const
    {
        return static_cast<uint32_t>(m_ranks.size());
    }

    /// Run the event without a node, if the rank has it.
    void RunGlobal(uint32_t rank, uint64_t time)
    {
        if (!m_ranks[rank].HasGlobal(time))
        {
            m_error = "rank " + std::to_string(rank) + " lacks the event without a node at " +
                      std::to_string(time);
            return;
        }
        m_ranks[rank].PopGlobal();
        ++m_nGlobals[rank];
    }

    /// Run windows that end before another rank has something to do.
    void RunAlone(uint32_t rank, uint64_t barrier)
    {
        uint64_t others = m_firstSent;
        for (uint32_t other = 0; other < m_ranks.size(); ++other)
        {
            others = other == rank ? others : std::min(others, m_begins[other]);
        }
        auto& events = m_ranks[rank];
        while (m_sent[rank].empty() && events.IsAlone(events.GetHeads(), others, barrier))
        {
            if (events.OpenAgreed(events.GetHeads()) != WindowEvents::Next::NODES)
            {
                m_error = "a rank that is alone opens no window";
                return;
            }
            RunWindow(rank);
            ++m_nAlone;
        }
    }

    void RunWindow(uint32_t rank)
    {
        auto& events = m_ranks[rank];
        std::vector<PendingEvent> window;
        events.TakeWindow(window);
        while (!window.empty())
        {
            const auto first = std::min_element(window.begin(), window.end(), EarlierEvent());
            const auto event = *first;
            window.erase(first);
            if (!(event.order < events.GetLimit()))
            {
                m_error = "an event at " + std::to_string(event.order.time) +
                          " is in a window that ends at " + std::to_string(events.GetLimit().time);
            }
            m_ran[event.node].push_back({event.order, event.node, m_nGlobals[rank]});
            for (const auto& next : m_source.GetNext(event))
            {
                if (m_source.GetRank(next.node, GetN()) != rank)
                {
                    m_sent[rank].push_back(next);
                }
                else if (next.node == event.node && next.order < events.GetLimit())
                {
                    window.push_back(next);
                }
                else
                {
                    events.Insert(next);
                }
            }
        }
    }

    const RandomEvents& m_source;                  //!< the network
    std::vector<WindowEvents> m_ranks;             //!< by rank, what waits
    std::vector<std::vector<PendingEvent>> m_sent; //!< by rank, what is for other ranks
    std::vector<uint64_t> m_nGlobals;              //!< by rank, the events without a node so far
    std::map<uint32_t, std::vector<Ran>> m_ran;    //!< by node, what ran
    std::vector<uint64_t> m_begins; //!< by rank, where its first window began when they agreed
    uint64_t m_firstSent{0};        //!< where the first window with something sent began then
    uint32_t m_nAlone{0};           //!< windows without an agreement
    std::string m_error;            //!< the first error
};

/// Run all events in the order of time, without windows.
std::map<uint32_t, std::vector<Ran>>
RunInOrder(const RandomEvents& events)
{
    std::multiset<PendingEvent, EarlierEvent> waiting(events.GetFirst().begin(),
                                                      events.GetFirst().end());
    std::map<uint32_t, std::vector<Ran>> ran;
    uint64_t nGlobals = 0;
    while (!waiting.empty())
    {
        const auto event = waiting.extract(waiting.begin()).value();
        if (event.node == Simulator::NO_CONTEXT)
        {
            ++nGlobals;
            continue;
        }
        ran[event.node].push_back({event.order, event.node, nGlobals});
        for (const auto& next : events.GetNext(event))
        {
            waiting.insert(next);
        }
    }
    return ran;
}

void
Compare(const std::map<uint32_t, std::vector<Ran>>& ran,
        const std::map<uint32_t, std::vector<Ran>>& expected,
        const std::string& name)
{
    NS_TEST_ASSERT_MSG_EQ(ran.size(), expected.size(), name << ": nodes with events");
    for (const auto& [node, events] : expected)
    {
        const auto& own = ran.at(node);
        NS_TEST_ASSERT_MSG_EQ(own.size(), events.size(), name << ": events of node " << node);
        for (std::size_t i = 0; i < events.size(); ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(own[i].order.time, events[i].order.time, name << ": time");
            NS_TEST_ASSERT_MSG_EQ(own[i].order.number, events[i].order.number, name);
            NS_TEST_ASSERT_MSG_EQ(own[i].before,
                                  events[i].before,
                                  name << ": events without a node before " << node << " at "
                                       << events[i].order.time);
        }
    }
}

// Any number of ranks runs each node's events in the order of time, and each event without a node
// between the same ones.
AIDC_TEST_CASE("one to three ranks run what is run in the order of time")
{
    uint32_t nAlone = 0;
    for (uint32_t seed = 1; seed <= 300; ++seed)
    {
        const RandomEvents events(seed);
        const auto expected = RunInOrder(events);
        for (uint32_t n = 1; n <= 3; ++n)
        {
            AgreeingRanks ranks(events, n);
            const std::string name =
                "seed " + std::to_string(seed) + ", " + std::to_string(n) + " ranks";
            NS_TEST_ASSERT_MSG_EQ(ranks.Run(), "", name);
            Compare(ranks.GetRan(), expected, name);
            nAlone += n > 1 ? ranks.GetNAlone() : 0;
        }
    }
    NS_TEST_EXPECT_MSG_GT(nAlone, 300, "ranks have gone on alone");
}

// Heads with an event that is still to be inserted are those after it was inserted.
AIDC_TEST_CASE("heads count what is still to be inserted")
{
    for (uint32_t seed = 1; seed <= 300; ++seed)
    {
        const RandomEvents events(seed);
        WindowEvents waiting;
        waiting.SetWindows(events.GetLength(), events.GetSides(), 0);
        for (const auto& event : events.GetFirst())
        {
            auto expected = waiting.GetHeads();
            if (event.node != Simulator::NO_CONTEXT)
            {
                waiting.AddTo(expected, event.node, event.order.time);
            }
            else
            {
                expected.barrier = std::min(expected.barrier, event.order.time);
            }
            waiting.Insert(event);
            const auto heads = waiting.GetHeads();
            NS_TEST_ASSERT_MSG_EQ(heads.barrier, expected.barrier, "seed " << seed);
            NS_TEST_ASSERT_MSG_EQ(heads.begins[0], expected.begins[0], "seed " << seed);
            NS_TEST_ASSERT_MSG_EQ(heads.begins[1], expected.begins[1], "seed " << seed);
        }
    }
}

AIDC_TEST_CASE("a rank without events opens the windows of others")
{
    WindowEvents busy;
    WindowEvents idle;
    busy.SetWindows(10, {}, 0);
    idle.SetWindows(10, {}, 0);
    busy.Insert(RandomEvents::Make(25, 0, 1));
    idle.Insert(RandomEvents::Make(28, Simulator::NO_CONTEXT, 2));
    busy.Insert(RandomEvents::Make(28, Simulator::NO_CONTEXT, 2));
    busy.Insert(RandomEvents::Make(29, 0, 3));
    WindowEvents::Heads heads = busy.GetHeads();
    NS_TEST_EXPECT_MSG_EQ(heads.begins[0], 20, "the window of 25 is 20 to 30");
    NS_TEST_EXPECT_MSG_EQ(heads.barrier, 28, "the event without a node");
    for (auto* rank : {&busy, &idle})
    {
        AIDC_ASSERT(rank->OpenAgreed(heads) == WindowEvents::Next::NODES, "the window comes first");
        NS_TEST_EXPECT_MSG_EQ(rank->GetLimit().time, 28, "up to the barrier");
        std::vector<PendingEvent> window;
        rank->TakeWindow(window);
        NS_TEST_EXPECT_MSG_EQ(window.size(), (rank == &busy ? 1 : 0), "the event at 25");
    }
    heads = busy.GetHeads();
    for (auto* rank : {&busy, &idle})
    {
        AIDC_ASSERT(rank->OpenAgreed(heads) == WindowEvents::Next::GLOBAL, "then the barrier");
        AIDC_EXPECT(rank->HasGlobal(28), "each rank has it");
        rank->PopGlobal();
    }
    heads = busy.GetHeads();
    for (auto* rank : {&busy, &idle})
    {
        AIDC_ASSERT(rank->OpenAgreed(heads) == WindowEvents::Next::NODES, "the rest of the window");
        NS_TEST_EXPECT_MSG_EQ(rank->GetLimit().time, 30, "to its end");
        std::vector<PendingEvent> window;
        rank->TakeWindow(window);
        NS_TEST_EXPECT_MSG_EQ(window.size(), (rank == &busy ? 1 : 0), "the event at 29");
    }
    for (auto* rank : {&busy, &idle})
    {
        AIDC_EXPECT(rank->OpenAgreed(busy.GetHeads()) == WindowEvents::Next::NOTHING,
                    "nothing is left");
    }
}

// SPDX-License-Identifier: GPL-2.0-only

#include "model/simulator/window-events.h"
#include "test/test-case.h"

// The windows of several processes (WindowEvents::OpenAgreed()), without MPI.
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
            m_processes.push_back(Draw(0, 2));
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

    uint32_t GetProcess(uint32_t node, uint32_t nProcesses) const
    {
        return m_processes[node] % nProcesses;
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
    std::vector<uint32_t> m_processes; //!< by node, of three processes
    std::vector<PendingEvent> m_first; //!< events in the beginning
};

/// Stands for several processes, which agree on heads as by MpiProcesses::GetLeast(), and go on
/// alone as by RemoteArrivals.
class AgreeingProcesses
{
  public:
    AgreeingProcesses(const RandomEvents& events, uint32_t n)
        : m_source(events),
          m_processes(n),
          m_sent(n),
          m_nGlobals(n, 0)
    {
        for (auto& process : m_processes)
        {
            process.SetWindows(events.GetLength(), events.GetSides(), 0);
        }
        for (const auto& event : events.GetFirst())
        {
            for (uint32_t process = 0; process < n; ++process)
            {
                // What has no node is in each process.
                if (event.node == Simulator::NO_CONTEXT ||
                    events.GetProcess(event.node, n) == process)
                {
                    m_processes[process].Insert(event);
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
            for (auto& process : m_processes)
            {
                next.push_back(process.OpenAgreed(heads));
            }
            if (std::count(next.begin(), next.end(), next.front()) !=
                static_cast<std::ptrdiff_t>(next.size()))
            {
                return "the processes open different things";
            }
            if (next.front() == WindowEvents::Next::NOTHING)
            {
                return "";
            }
            const bool isGlobal = next.front() == WindowEvents::Next::GLOBAL;
            for (uint32_t process = 0; process < m_processes.size(); ++process)
            {
                isGlobal ? RunGlobal(process, heads.barrier) : RunWindow(process);
            }
            for (uint32_t process = 0; !isGlobal && process < m_processes.size(); ++process)
            {
                RunAlone(process, heads.barrier);
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
        for (uint32_t process = 0; process < m_processes.size(); ++process)
        {
            auto heads = m_processes[process].GetHeads();
            m_begins.push_back(std::min(heads.begins[0], heads.begins[1]));
            latest = std::max(latest, m_processes[process].GetLatestLimit());
            for (const auto& event : m_sent[process])
            {
                m_processes[process].AddTo(heads, event.node, event.order.time);
                m_processes[process].AddTo(sentLeast, event.node, event.order.time);
            }
            least.barrier = std::min(least.barrier, heads.barrier);
            for (std::size_t side = 0; side < 2; ++side)
            {
                least.begins[side] = std::min(least.begins[side], heads.begins[side]);
            }
        }
        m_firstSent = std::min(sentLeast.begins[0], sentLeast.begins[1]);
        for (auto& process : m_processes)
        {
            process.SetLatestLimit(latest);
        }
        for (auto& sent : m_sent)
        {
            for (const auto& event : sent)
            {
                auto& to = m_processes[m_source.GetProcess(event.node, GetN())];
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
        return static_cast<uint32_t>(m_processes.size());
    }

    /// Run the event without a node, if the process has it.
    void RunGlobal(uint32_t process, uint64_t time)
    {
        if (!m_processes[process].HasGlobal(time))
        {
            m_error = "process " + std::to_string(process) + " lacks the event without a node at " +
                      std::to_string(time);
            return;
        }
        m_processes[process].PopGlobal();
        ++m_nGlobals[process];
    }

    /// Run windows that end before another process has something to do.
    void RunAlone(uint32_t process, uint64_t barrier)
    {
        uint64_t others = m_firstSent;
        for (uint32_t other = 0; other < m_processes.size(); ++other)
        {
            others = other == process ? others : std::min(others, m_begins[other]);
        }
        auto& events = m_processes[process];
        while (m_sent[process].empty() && events.IsAlone(events.GetHeads(), others, barrier))
        {
            if (events.OpenAgreed(events.GetHeads()) != WindowEvents::Next::NODES)
            {
                m_error = "a process that is alone opens no window";
                return;
            }
            RunWindow(process);
            ++m_nAlone;
        }
    }

    void RunWindow(uint32_t process)
    {
        auto& events = m_processes[process];
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
            m_ran[event.node].push_back({event.order, event.node, m_nGlobals[process]});
            for (const auto& next : m_source.GetNext(event))
            {
                if (m_source.GetProcess(next.node, GetN()) != process)
                {
                    m_sent[process].push_back(next);
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
    std::vector<WindowEvents> m_processes;         //!< by process, what waits
    std::vector<std::vector<PendingEvent>> m_sent; //!< by process, what is for other processes
    std::vector<uint64_t> m_nGlobals;              //!< by process, the events without a node so far
    std::map<uint32_t, std::vector<Ran>> m_ran;    //!< by node, what ran
    std::vector<uint64_t> m_begins; //!< by process, where its first window began when they agreed
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

// Any number of processes runs each node's events in the order of time, and each event without a
// node between the same ones.
AIDC_TEST_CASE("one to three processes run what is run in the order of time")
{
    uint32_t nAlone = 0;
    for (uint32_t seed = 1; seed <= 300; ++seed)
    {
        const RandomEvents events(seed);
        const auto expected = RunInOrder(events);
        for (uint32_t n = 1; n <= 3; ++n)
        {
            AgreeingProcesses processes(events, n);
            const std::string name =
                "seed " + std::to_string(seed) + ", " + std::to_string(n) + " processes";
            NS_TEST_ASSERT_MSG_EQ(processes.Run(), "", name);
            Compare(processes.GetRan(), expected, name);
            nAlone += n > 1 ? processes.GetNAlone() : 0;
        }
    }
    NS_TEST_EXPECT_MSG_GT(nAlone, 300, "processes have gone on alone");
}

// Heads with an event that is still to be inserted are the same as after it was inserted.
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

AIDC_TEST_CASE("a process without events opens the windows of others")
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
    for (auto* process : {&busy, &idle})
    {
        AIDC_ASSERT(process->OpenAgreed(heads) == WindowEvents::Next::NODES,
                    "the window comes first");
        NS_TEST_EXPECT_MSG_EQ(process->GetLimit().time, 28, "up to the barrier");
        std::vector<PendingEvent> window;
        process->TakeWindow(window);
        NS_TEST_EXPECT_MSG_EQ(window.size(), (process == &busy ? 1 : 0), "the event at 25");
    }
    heads = busy.GetHeads();
    for (auto* process : {&busy, &idle})
    {
        AIDC_ASSERT(process->OpenAgreed(heads) == WindowEvents::Next::GLOBAL, "then the barrier");
        AIDC_EXPECT(process->HasGlobal(28), "each process has it");
        process->PopGlobal();
    }
    heads = busy.GetHeads();
    for (auto* process : {&busy, &idle})
    {
        AIDC_ASSERT(process->OpenAgreed(heads) == WindowEvents::Next::NODES,
                    "the rest of the window");
        NS_TEST_EXPECT_MSG_EQ(process->GetLimit().time, 30, "to its end");
        std::vector<PendingEvent> window;
        process->TakeWindow(window);
        NS_TEST_EXPECT_MSG_EQ(window.size(), (process == &busy ? 1 : 0), "the event at 29");
    }
    for (auto* process : {&busy, &idle})
    {
        AIDC_EXPECT(process->OpenAgreed(busy.GetHeads()) == WindowEvents::Next::NOTHING,
                    "nothing is left");
    }
}

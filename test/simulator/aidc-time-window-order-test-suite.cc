// SPDX-License-Identifier: GPL-2.0-only

#include "model/simulator/network-lookahead.h"
#include "simulator-scripts.h"
#include "test/test-case.h"

#include "ns3/event-id.h"

// The order of events by windows.
AIDC_TEST_SUITE("aidc-time-window-order", UNIT);

/// What a random simulation is made of.
struct RandomSetting
{
    uint32_t seed{0};      //!< of all that is random
    int64_t lookahead{0};  //!< ns of the shortest link of the nodes that do something
    int64_t idleLink{0};   //!< ns of one more link, whose ends do nothing; 0 for none
    bool isLate{false};    //!< whether that delay is set by an event of a node, and 5000 before
    bool hasGlobals{true}; //!< whether there are events without a node
    bool isRing{false};    //!< whether the last node is linked to the first one, too
    bool hasGroups{false}; //!< whether nodes 1, 2 (and 3 in a row) are a group, and 5, 6
};

/// Nodes that schedule and cancel events for themselves and for each other, at random. Each one has
/// its own random numbers. Events that two nodes schedule for a third one never come at the same
/// time: when that time is divided by N_NODES, the rest is the sender's id. What a node schedules
/// for itself and what another one does at the same instant never do, either. All others often do.
/// Within a group, nodes reach each other within 10 ns.
class RandomNodes
{
  public:
    explicit RandomNodes(const RandomSetting& setting)
        : m_setting(setting)
    {
        auto row = MakeRow(N_NODES, NanoSeconds(setting.lookahead));
        if (setting.isRing)
        {
            // Of an odd number of nodes, so that they are not on two sides.
            Link(row.Get(0), row.Get(N_NODES - 1), NanoSeconds(setting.lookahead));
        }
        if (setting.idleLink > 0)
        {
            NodeContainer idle;
            idle.Create(2);
            Link(idle.Get(0), idle.Get(1), NanoSeconds(setting.isLate ? 5000 : setting.idleLink));
            if (setting.isLate)
            {
                // Another channel has the lookahead found anew, when nodes are at different times.
                const auto channel = idle.Get(0)->GetDevice(0)->GetChannel();
                const auto delay = NanoSeconds(setting.idleLink);
                Simulator::ScheduleWithContext(3, NanoSeconds(1234), [channel, delay] {
                    channel->SetAttribute("Delay", TimeValue(delay));
                    CreateObject<SimpleChannel>();
                });
            }
        }
        if (setting.hasGroups)
        {
            NodeGroup::Join(row.Get(5), row.Get(6));
            NodeGroup::Join(row.Get(setting.isRing ? 1 : 3), row.Get(2));
            NodeGroup::Join(row.Get(1), row.Get(setting.isRing ? 2 : 3));
        }
        m_nodes.resize(N_NODES);
        for (uint32_t id = 0; id < N_NODES; ++id)
        {
            m_nodes[id].random.seed(setting.seed * N_NODES + id);
            Simulator::ScheduleWithContext(id, NanoSeconds(100 * (id % 3)), [this, id] {
                Act(id, "begin");
            });
        }
        m_random.seed(setting.seed + 1000000);
        if (setting.hasGlobals)
        {
            Simulator::Schedule(NanoSeconds(0), &RandomNodes::Sample, this);
            for (int i = 0; i < 20; ++i)
            {
                Simulator::Schedule(NanoSeconds(Draw(m_random, 20) * 100),
                                    &RandomNodes::Disturb,
                                    this);
            }
        }
    }

    std::string GetLog() const
    {
        std::ostringstream log;
        for (const auto& node : m_nodes)
        {
            log << node.log.str() << '\n';
        }
        log << m_log.str() << Simulator::Now().GetTimeStep() << ' ' << Simulator::GetEventCount();
        return log.str();
    }

  private:
    static constexpr uint32_t N_NODES = 7;  //!< the nodes
    static constexpr int MAX_ACTIONS = 120; //!< the events of a node that do something

    /// A node.
    struct State
    {
        std::mt19937 random;         //!< its random numbers
        std::ostringstream log;      //!< what it has seen
        std::vector<EventId> timers; //!< what it has scheduled for itself
        int actions{0};              //!< how often it did something
    };

    static int64_t Draw(std::mt19937& random, int64_t n)
    {
        return static_cast<int64_t>(random() % static_cast<uint32_t>(n));
    }

    /// Do something at random; an event of a node.
    void Act(uint32_t id, const std::string& why)
    {
        State& node = m_nodes[id];
        node.log << Simulator::Now().GetTimeStep() << ' ' << Simulator::GetContext() << ' ' << why;
        Look(node);
        if (++node.actions > MAX_ACTIONS)
        {
            return;
        }
        const int64_t nEvents = 1 + Draw(node.random, 2);
        for (int64_t i = 0; i < nEvents; ++i)
        {
            const std::vector<int64_t> delays{0, 1, 100, 100, 200, m_setting.lookahead, 90000};
            const int64_t delay = delays[static_cast<std::size_t>(Draw(node.random, 7))];
            const auto name = "timer " + std::to_string(node.timers.size());
            node.timers.push_back(
                Simulator::Schedule(NanoSeconds(delay), &RandomNodes::Act, this, id, name));
        }
        if (Draw(node.random, 3) == 0)
        {
            Send(id);
        }
    }

    /// Schedule an event for the next node.
    void Send(uint32_t id)
    {
        State& node = m_nodes[id];
        const uint32_t to = (id + 1) % N_NODES;
        // Back to the first along the row, unless it is a ring
        const int64_t links = to == 0 && !m_setting.isRing ? N_NODES - 1 : 1;
        // Never a delay of the receiver's own timers
        const bool isInGroup =
            m_setting.hasGroups && (id == 1 || (id == 2 && !m_setting.isRing) || id == 5);
        int64_t delay =
            (isInGroup ? 2 : links * m_setting.lookahead + 10) + Draw(node.random, 3) * 100;
        while (static_cast<uint32_t>((Simulator::Now().GetNanoSeconds() + delay) % N_NODES) != id)
        {
            ++delay;
        }
        Simulator::ScheduleWithContext(to, NanoSeconds(delay), [this, to, id] {
            Act(to, "from " + std::to_string(id));
        });
    }

    /// Ask about one of a node's timers, and perhaps cancel or remove it.
    void Look(State& node)
    {
        if (!node.timers.empty())
        {
            const auto n = Draw(node.random, static_cast<int64_t>(node.timers.size()));
            EventId& timer = node.timers[static_cast<std::size_t>(n)];
            node.log << ' ' << n << (timer.IsExpired() ? " expired " : " waits ")
                     << Simulator::GetDelayLeft(timer).GetTimeStep();
            switch (Draw(node.random, 6))
            {
            case 0:
                timer.Cancel();
                break;
            case 1:
                timer.Remove();
                break;
            default:
                break;
            }
        }
        node.log << '\n';
    }

    /// Write down what all nodes have done so far, again and again.
    void Sample()
    {
        m_log << Simulator::Now().GetTimeStep() << ' ' << Simulator::GetContext();
        for (const auto& node : m_nodes)
        {
            m_log << ' ' << node.actions;
        }
        m_log << '\n';
        if (++m_nSamples < 300)
        {
            Simulator::Schedule(NanoSeconds(100), &RandomNodes::Sample, this);
        }
    }

    /// Do something to a node at random; an event without a node.
    void Disturb()
    {
        const auto id = static_cast<uint32_t>(Draw(m_random, N_NODES));
        m_nodes[id].log << Simulator::Now().GetTimeStep() << " disturbed";
        Look(m_nodes[id]);
        Simulator::ScheduleWithContext(id, NanoSeconds(100 * Draw(m_random, 4)), [this, id] {
            Act(id, "disturbance");
        });
        m_timers.push_back(Simulator::Schedule(NanoSeconds(100 * Draw(m_random, 30)), [this] {
            m_log << "global timer " << Simulator::Now().GetTimeStep() << '\n';
        }));
        m_timers[static_cast<std::size_t>(Draw(m_random, static_cast<int64_t>(m_timers.size())))]
            .Cancel();
    }

    RandomSetting m_setting;       //!< what is made
    std::vector<State> m_nodes;    //!< the nodes, by id
    std::mt19937 m_random;         //!< random numbers of events without a node
    std::ostringstream m_log;      //!< what these have seen
    std::vector<EventId> m_timers; //!< what these have scheduled
    int m_nSamples{0};             //!< how often they have looked
};

/// Run a random simulation, with stops in between.
std::string
RunRandom(Simulation simulation, const RandomSetting& setting)
{
    return RunWith(simulation, [&setting](std::ostream& log) {
        RandomNodes nodes(setting);
        RunFor(NanoSeconds(777));
        log << Simulator::Now().GetTimeStep() << ' ' << Simulator::GetEventCount() << '\n';
        RunFor(NanoSeconds(5000));
        Simulator::Run();
        log << nodes.GetLog();
    });
}

struct Random
{
    std::string name;
    int64_t lookahead;     //!< ns of the links
    bool hasGlobals;       //!< whether there are events without a node
    bool isRing{false};    //!< whether the nodes are linked in a ring
    bool hasGroups{false}; //!< whether there are groups of nodes
};

// Nodes see what they see in ns-3's default simulator.
AIDC_TEST_CASES(Random,
                row,
                row.name,
                ({{"Nodes see what they see by default", 1000, true},
                  {"... without events that have no node", 1000, false},
                  {"... in short windows", 10, true},
                  {"... in the order of time", 0, true},
                  {"... where nodes are not on two sides", 1000, true, true},
                  {"... in groups", 1000, true, false, true},
                  {"... in groups that are not on two sides", 1000, true, true, true}}))
{
    const CapturedStream quiet(std::cerr); // without a lookahead, each simulation says so
    for (uint32_t seed = 1; seed <= 60; ++seed)
    {
        RandomSetting setting{seed, row.lookahead, 0, false, row.hasGlobals, row.isRing};
        setting.hasGroups = row.hasGroups;
        const auto expected = RunRandom(Simulation::DEFAULT, setting);
        const auto found = RunRandom(Simulation::WINDOWS, setting);
        AIDC_ASSERT(found == expected, "seed " << seed);
        NS_TEST_ASSERT_MSG_GT(expected.size(), 5000, "much happens, seed " << seed);
    }
}

// The length of a window is a matter of speed only.
AIDC_TEST_CASE("What nodes see does not depend on the window")
{
    for (uint32_t seed = 1; seed <= 20; ++seed)
    {
        for (const bool isLate : {false, true})
        {
            RandomSetting setting{seed, 1000, 5000, isLate};
            const auto expected = RunRandom(Simulation::WINDOWS, setting);
            for (const int64_t window : {999, 300, 100, 7, 1})
            {
                setting.idleLink = window;
                const auto found = RunRandom(Simulation::WINDOWS, setting);
                AIDC_ASSERT(found == expected, seed << ", " << window << " ns, " << isLate);
            }
        }
    }
}

// SPDX-License-Identifier: GPL-2.0-only

#include "simulator-scripts.h"
#include "test/test-case.h"

#include "ns3/event-id.h"
#include "ns3/make-event.h"
#include "ns3/time-window-simulator-impl.h"

#include <thread>

// The simulator that goes node by node.
AIDC_TEST_SUITE("aidc-time-window-simulator", UNIT);

/// Something that a program does with the simulator, and what it sees of it.
struct Script
{
    std::string name;                       //!< what ns3::Simulator promises
    std::function<void(std::ostream&)> run; //!< what is done
};

/// Write down when and where an event is.
void
Note(std::ostream& log, const std::string& text)
{
    log << text << ' ' << Simulator::Now().GetTimeStep() << ' ' << Simulator::GetContext() << '\n';
}

void
SeeContexts(std::ostream& log)
{
    MakeRow(2, MicroSeconds(1));
    Note(log, "before");
    Simulator::Schedule(NanoSeconds(2500), [&log] {
        Note(log, "global");
        Simulator::ScheduleNow([&log] { Note(log, "global now"); });
        At(1, 0, [&log] { Note(log, "node now"); });
    });
    At(1, 2500, [&log] {
        Note(log, "node");
        Simulator::Schedule(NanoSeconds(10), [&log] { Note(log, "inherited"); });
        At(0, 1000, [&log] { Note(log, "other"); });
        At(Simulator::NO_CONTEXT, 1000, [&log] { Note(log, "none"); });
    });
    Simulator::Run();
    Note(log, "after");
    log << Simulator::GetEventCount() << ' ' << Simulator::IsFinished() << ' '
        << Simulator::GetSystemId() << ' ' << Simulator::GetMaximumSimulationTime().GetTimeStep();
}

void
SeeCancelled(std::ostream& log)
{
    MakeRow(2, MicroSeconds(1));
    const auto see = [&log](const std::string& name, const EventId& id) {
        log << name << (id.IsExpired() ? " expired" : " waits") << ' '
            << Simulator::GetDelayLeft(id).GetTimeStep() << '\n';
    };
    const EventId never;
    see("none", never);
    const auto own = std::make_shared<EventId>();
    const auto same = std::make_shared<EventId>();
    EventId far = Simulator::Schedule(Seconds(3), [&log] { Note(log, "far"); });
    EventId early = Simulator::Schedule(NanoSeconds(100), [&log] { Note(log, "early"); });
    At(0, 3100, [=, &log] {
        *own = Simulator::Schedule(NanoSeconds(50), [=, &log] {
            Note(log, "own");
            see("itself", *own);
            see("same time", *same);
            same->Cancel();
            see("cancelled", *same);
        });
        *same = Simulator::Schedule(NanoSeconds(50), [&log] { Note(log, "same time"); });
        EventId gone = Simulator::Schedule(NanoSeconds(60), [&log] { Note(log, "gone"); });
        EventId removed = Simulator::Schedule(NanoSeconds(70), [&log] { Note(log, "removed"); });
        EventId later = Simulator::Schedule(MicroSeconds(700), [&log] { Note(log, "later"); });
        see("own", *own);
        see("far", far);
        see("early", early);
        gone.Cancel();
        removed.Remove();
        later.Remove();
        see("gone", gone);
        see("removed", removed);
        see("later", later);
    });
    // An event without a node cancels events of nodes, and vice versa.
    At(1, 3400, [=, &log] { see("far", far); });
    const auto timer = std::make_shared<EventId>();
    At(1, 3300, [=, &log] {
        *timer = Simulator::Schedule(NanoSeconds(300), [&log] { Note(log, "timer"); });
    });
    Simulator::Schedule(NanoSeconds(3500), [=, &log] {
        see("timer", *timer);
        timer->Cancel();
        see("timer", *timer);
    });
    At(1, 5000, [=]() mutable { far.Cancel(); });
    Simulator::Run();
    see("far", far);
    Note(log, "after");
    log << Simulator::GetEventCount();
}

void
SeeStops(std::ostream& log)
{
    MakeRow(3, MicroSeconds(1));
    for (uint32_t node = 0; node < 3; ++node)
    {
        for (int64_t ns = 0; ns < 10000; ns += 250)
        {
            At(node, ns, [] {});
        }
    }
    Simulator::Stop(NanoSeconds(2250));
    Simulator::Stop(NanoSeconds(7100));
    Simulator::Schedule(NanoSeconds(5300), [] { Simulator::Stop(); });
    for (int run = 0; run < 4; ++run)
    {
        Simulator::Run();
        log << "stopped " << Simulator::Now().GetTimeStep() << ' ' << Simulator::GetEventCount()
            << ' ' << Simulator::IsFinished() << '\n';
        At(1, 100, [&log] { Note(log, "in between"); });
    }
    Simulator::Run();
    log << "over " << Simulator::Now().GetTimeStep();
}

void
SeeDestroyed(std::ostream& log)
{
    MakeRow(2, MicroSeconds(1));
    At(0, 100, [&log] {
        Simulator::ScheduleDestroy([&log] { log << "destroyed\n"; });
        const EventId cancelled = Simulator::ScheduleDestroy([&log] { log << "cancelled\n"; });
        const EventId removed = Simulator::ScheduleDestroy([&log] { log << "removed\n"; });
        log << Simulator::IsExpired(cancelled) << Simulator::IsExpired(removed) << '\n';
        Simulator::Cancel(cancelled);
        Simulator::Remove(removed);
        log << Simulator::IsExpired(cancelled) << Simulator::IsExpired(removed) << '\n';
    });
    At(1, 5000000, [&log] { log << "never\n"; });
    RunFor(MicroSeconds(3));
    Simulator::Destroy();
    log << "new " << Simulator::Now().GetTimeStep() << ' ' << Simulator::GetEventCount();
}

void
SeeThreads(std::ostream& log)
{
    MakeRow(2, MicroSeconds(1));
    // The thread has done so before the simulation goes on, so that the result is always the same.
    const auto schedule = [&log](const std::string& text) {
        std::thread([&log, text] {
            Simulator::ScheduleWithContext(1, MicroSeconds(5), [&log, text] { log << text; });
        }).join();
    };
    schedule("before the simulation\n");
    Simulator::Schedule(MicroSeconds(2), [schedule] { schedule("by a barrier\n"); });
    At(0, 3500, [schedule] { schedule("by a node\n"); });
    Simulator::Run();
    log << Simulator::GetEventCount();
}

/// Do something again and again. action: what; it is done at once.
void
Repeat(const std::function<void()>& action, Time gap, int n)
{
    action();
    if (n > 0)
    {
        Simulator::Schedule(gap, [=] { Repeat(action, gap, n - 1); });
    }
}

void
SeeInstants(std::ostream& log)
{
    // Events of one instant, with and without nodes, in the order of scheduling
    MakeRow(2, MicroSeconds(1));
    const auto tick = [&log] { Repeat([&log] { Note(log, "tick"); }, NanoSeconds(400), 20); };
    At(0, 0, tick);
    Simulator::Schedule(NanoSeconds(0),
                        [&log] { Repeat([&log] { Note(log, "sample"); }, NanoSeconds(400), 20); });
    At(0, 0, tick);
    Simulator::Schedule(NanoSeconds(800), [&log] {
        Note(log, "late");
        At(0, 800, [&log] { Note(log, "by late"); });
        At(0, 0, [&log] { Note(log, "now"); });
    });
    Simulator::Run();
}

void
SeeIdle(std::ostream& log)
{
    MakeRow(2, NanoSeconds(10));
    int ticks = 0;
    At(1, 0, [&ticks] { Repeat([&ticks] { ++ticks; }, Seconds(1), 3600); });
    Simulator::Run(); // 360,000,000,000 windows, if each had to be looked at
    log << Simulator::Now().GetTimeStep() << ' ' << ticks;
}

/// A simulator that sees events before they are run.
class SeeingSimulatorImpl : public TimeWindowSimulatorImpl
{
  public:
    /// What it has seen: node and time of each event.
    std::vector<std::pair<uint32_t, uint64_t>> seen;

  private:
    void PreEventHook(const EventId& id) override
    {
        if (id.GetTs() > 0) // else nodes and channels are initialized
        {
            seen.emplace_back(id.GetContext(), id.GetTs());
        }
    }
};

// Every event is announced to PreEventHook(), in the order in which it is run.
AIDC_TEST_CASE("PreEventHook() sees each event, node by node within a window")
{
    const auto impl = CreateObject<SeeingSimulatorImpl>();
    Simulator::Destroy();
    Simulator::SetImplementation(impl);
    MakeRow(2, MicroSeconds(1));
    for (const int64_t ns : {1100, 1300})
    {
        At(1, ns, [] {});
        At(0, ns + 50, [] {});
    }
    Simulator::Schedule(NanoSeconds(1200), [] {});
    Simulator::Run();
    const uint32_t none = Simulator::NO_CONTEXT;
    // Up to the barrier at 1200 node 0 has one event, node 1 another one.
    const decltype(impl->seen) expected{{0, 1150}, {1, 1100}, {none, 1200}, {0, 1350}, {1, 1300}};
    std::ostringstream text;
    for (const auto& [node, time] : impl->seen)
    {
        text << node << " at " << time << ", ";
    }
    AIDC_EXPECT(impl->seen == expected, text.str());
    NS_TEST_EXPECT_MSG_EQ(impl->GetLookahead(), MicroSeconds(1), "the delay");
    NS_TEST_EXPECT_MSG_EQ(impl->GetWindow(), MicroSeconds(2), "two sides");
}

/// Stop three nodes.
void
Try(uint32_t stopper, bool isRing)
{
    const int64_t window = isRing ? 1000 : 2000;
    TimeWindowHelper::Enable();
    isRing ? MakeRing(3, NanoSeconds(1000)) : MakeRow(3, NanoSeconds(1000));
    std::vector<int> ticks(3);
    for (uint32_t node = 0; node < 3; ++node)
    {
        At(node, 100, [&ticks, node] {
            Repeat([&ticks, node] { ++ticks[node]; }, NanoSeconds(100), 1000);
        });
    }
    At(stopper, 3500, [] { Simulator::Stop(); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), NanoSeconds(3500 + window), "a window later");
    for (uint32_t node = 0; node < 3; ++node)
    {
        // At 100, 200, ...; the tick of the last instant was scheduled after the stop.
        NS_TEST_EXPECT_MSG_EQ(ticks[node], (3400 + window) / 100, "node " << node);
    }
    // A delay shorter than a window is a window.
    At(stopper, 1, [] { Simulator::Stop(NanoSeconds(3)); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), NanoSeconds(3501 + 2 * window), "a window later");
    At(stopper, 1, [] { Simulator::Stop(NanoSeconds(2000)); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), NanoSeconds(5502 + 2 * window), "2000 later");
    Simulator::Destroy();
    TimeWindowHelper::Disable();
}

// Stop() from a node is a time that all nodes agree on.
AIDC_TEST_CASE("Stop() from a node at t stops all nodes at t plus a window")
{
    for (const uint32_t stopper : {0, 2})
    {
        Try(stopper, false); // two sides: a window is twice the lookahead
        Try(stopper, true);
    }
}

/// Returns the simulator, null if it has no time windows.
TimeWindowSimulatorImpl*
GetWindows()
{
    return dynamic_cast<TimeWindowSimulatorImpl*>(PeekPointer(Simulator::GetImplementation()));
}

/// Something that happens beside the event of node 0.
using Other = std::function<void(std::ostream&)>;

/// Have node 0 go on, and compare with what happens where it schedules the rest.
void
Expect(
    bool isFree,
    const std::string& name,
    int64_t ns,
    const Other& others,
    const Other& first = [](std::ostream&) {})
{
    const auto run = [&](bool asks) {
        return RunWith(Simulation::WINDOWS, [&](std::ostream& log) {
            MakeRing(3, MicroSeconds(1));
            At(0, 3300, [&, asks] {
                first(log);
                const auto rest = [&log] { Note(log, "rest"); };
                const uint64_t before = Simulator::GetEventCount();
                if (!asks || !GetWindows()->TryAdvance(NanoSeconds(ns)))
                {
                    AIDC_EXPECT(!(asks && isFree), name);
                    NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), NanoSeconds(3300), name);
                    NS_TEST_EXPECT_MSG_EQ(Simulator::GetEventCount(), before, name);
                    Simulator::Schedule(NanoSeconds(ns), rest);
                    return;
                }
                AIDC_EXPECT(isFree, name);
                NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), NanoSeconds(3300 + ns), name);
                NS_TEST_EXPECT_MSG_EQ(Simulator::GetEventCount(), before + 1, name);
                rest();
            });
            others(log);
            Simulator::Run();
            Note(log, "over");
            log << Simulator::GetEventCount();
        });
    };
    NS_TEST_EXPECT_MSG_EQ(run(true), run(false), name);
}

/// What is scheduled after time has gone on has its place as of then: behind what another node
/// has scheduled before that time.
void
ExpectPlace()
{
    const auto text = RunWith(Simulation::WINDOWS, [](std::ostream& log) {
        MakeRing(3, MicroSeconds(1));
        At(0, 3300, [&] {
            for (int i = 0; i < 3; ++i) // 3400, 3500, 3600
            {
                AIDC_EXPECT(GetWindows()->TryAdvance(NanoSeconds(100)), i);
            }
            At(0, 1400, [&log] { Note(log, "own"); });
        });
        At(1, 3450, [&log] { At(0, 1550, [&log] { Note(log, "foreign"); }); });
        Simulator::Run();
    });
    NS_TEST_EXPECT_MSG_EQ(text, "foreign 5000 0\nown 5000 0\n", "as scheduled at 3600");
}

/// Nobody goes on where there is no turn of a node, or somebody sees each event.
void
ExpectNever()
{
    const auto expect = [](const std::string& name) {
        AIDC_EXPECT(!GetWindows()->TryAdvance(NanoSeconds(1)), name);
    };
    RunWith(Simulation::WINDOWS, [&](std::ostream&) {
        MakeRow(2, MicroSeconds(1));
        expect("before the simulation");
        Simulator::Schedule(NanoSeconds(3300), [&] { expect("an event without a node"); });
        Simulator::Run();
        expect("after the simulation");
    });
    RunWith(Simulation::WINDOWS, [&](std::ostream&) {
        const CapturedStream quiet(std::cerr); // it says that there is no lookahead
        NodeContainer(2);
        At(0, 3300, [&] { expect("in the order of time"); });
        Simulator::Run();
    });
    Simulator::Destroy();
    Simulator::SetImplementation(CreateObject<SeeingSimulatorImpl>());
    MakeRow(2, MicroSeconds(1));
    At(0, 3300, [&] { expect("there is a PreEventHook()"); });
    Simulator::Run();
    Simulator::Destroy();
}

// A node's event goes on at once where it would schedule the rest, and nothing can tell. Three
// nodes in a ring of 1 us have windows of 1 us, which begin at multiples of that. Node 0 has an
// event at 3300 ns, the rest of which is for some time later. Expected results: it may go on if it
// has no other event until then, that time included, and if the window and all that comes before
// the next event without a node last longer. Whether or not it asks, the same happens at the same
// times in the same order, and the number of events is the same.
AIDC_TEST_CASE("TryAdvance() goes on where nothing else happens, as if it had scheduled")
{
    const Other nothing = [](std::ostream&) {};
    const auto other = [](uint32_t node, int64_t ns) -> Other {
        return [=](std::ostream& log) { At(node, ns, [&log] { Note(log, "other"); }); };
    };
    const auto stop = [](int64_t ns) -> Other {
        return [=](std::ostream&) { Simulator::Stop(NanoSeconds(ns)); };
    };
    const uint32_t none = Simulator::NO_CONTEXT;
    Expect(true, "alone", 100, nothing);
    Expect(false, "an event at 3300, after this one", 100, other(0, 3300));
    Expect(false, "an event in between", 100, other(0, 3350));
    Expect(false, "an event at that time, scheduled before", 100, other(0, 3400));
    Expect(true, "an event 1 ns later", 100, other(0, 3401));
    Expect(true, "an event of another node in between", 100, other(1, 3350));
    Expect(true, "the last time step of the window", 699, nothing);
    Expect(false, "the first time step of the next window", 700, nothing);
    Expect(false, "windows later", 5000, nothing);
    Expect(false, "an event without a node in between", 100, other(none, 3350));
    Expect(false, "an event without a node at that time", 100, other(none, 3400));
    Expect(true, "an event without a node 1 ns later", 100, other(none, 3401));
    Expect(false, "the end in between", 100, stop(3350));
    Expect(false, "the end at that time", 100, stop(3400));
    Expect(true, "the end 1 ns later", 100, stop(3401));
    // What the event itself does first; times are from 3300 on.
    Expect(false, "its own event at once", 100, nothing, other(0, 0));
    Expect(false, "its own event in between", 100, nothing, other(0, 50));
    Expect(false, "its own event at that time", 100, nothing, other(0, 100));
    Expect(true, "its own event 1 ns later", 100, nothing, other(0, 101));
    Expect(true, "its own event for another node", 100, nothing, other(1, 1000));
    // All nodes stop at 4300, a window later.
    Expect(true, "its own end", 100, nothing, [](std::ostream&) { Simulator::Stop(); });
    ExpectPlace();
    ExpectNever();
}

// The simulator is chosen before it is used.
AIDC_TEST_CASE("A simulator that is in use cannot be changed")
{
    ExpectRefusal("already has ns3::DefaultSimulatorImpl", [] {
        Simulator::Schedule(Seconds(1), [] {});
        TimeWindowHelper::Enable();
    });
    NS_TEST_EXPECT_MSG_EQ(TimeWindowHelper::GetLookahead(), Seconds(0), "the default one's");
}

// A script does the same by windows as by ns-3's simulator.
AIDC_TEST_CASES(Script,
                script,
                script.name,
                ({{"Events have the context that they are scheduled with", &SeeContexts},
                  {"Events are cancelled, removed, and asked about", &SeeCancelled},
                  {"The simulation stops at given times, and goes on", &SeeStops},
                  {"Events are run when the simulation is destroyed", &SeeDestroyed},
                  {"Other threads schedule events", &SeeThreads},
                  {"Events of one instant come in the order of scheduling", &SeeInstants},
                  {"An hour with an event a second has 3600 events", &SeeIdle}}))
{
    const auto expected = RunWith(Simulation::DEFAULT, script.run);
    NS_TEST_EXPECT_MSG_NE(expected, "", "something is seen");
    NS_TEST_EXPECT_MSG_EQ(RunWith(Simulation::WINDOWS, script.run), expected, "by windows");
}

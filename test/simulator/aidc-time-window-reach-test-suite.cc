// SPDX-License-Identifier: GPL-2.0-only

#include "model/simulator/network-lookahead.h"
#include "simulator-scripts.h"
#include "test/test-case.h"

// What reaches another node within a window.
AIDC_TEST_SUITE("aidc-time-window-reach", UNIT);

// What nodes must not do to each other within a window ends the program.
AIDC_TEST_CASE("What reaches another node within the window is an error that names both")
{
    ExpectRefusal("node 2, at +5300ns, schedules an event for node 1 at "
                  "+5950ns, within the window from +4000ns to +6000ns",
                  [] {
                      TimeWindowHelper::Enable();
                      MakeRow(3, NanoSeconds(1000));
                      At(2, 5300, [] { At(1, 650, [] {}); });
                      Simulator::Run();
                  });
    ExpectRefusal("node 1, at +5300ns, schedules an event for no node", [] {
        TimeWindowHelper::Enable();
        MakeRow(2, NanoSeconds(1000));
        At(1, 5300, [] { At(Simulator::NO_CONTEXT, 0, [] {}); });
        Simulator::Run();
    });
    ExpectRefusal("node 0, at +5300ns, cancels an event of node 1 at +5700ns", [] {
        TimeWindowHelper::Enable();
        MakeRow(2, NanoSeconds(1000));
        EventId timer;
        At(1, 100, [&timer] { timer = Simulator::Schedule(NanoSeconds(5600), [] {}); });
        At(0, 5300, [&timer] { timer.Cancel(); });
        Simulator::Run();
    });
    // From the next window on, it is allowed.
    const auto allowed = RunInChild([] {
        TimeWindowHelper::Enable();
        MakeRow(2, NanoSeconds(1000));
        At(1, 6999, [] { At(0, 1, [] {}); });
        Simulator::Run();
    });
    AIDC_EXPECT(!allowed.died, allowed.errors);
    // In a group, too, but not beyond.
    ExpectRefusal(
        "node 3, at +5400ns, schedules an event for node 2 at "
        "+5401ns",
        [] {
            TimeWindowHelper::Enable();
            const auto row = MakeRow(4, NanoSeconds(1000));
            NodeGroup::Join(row.Get(1), row.Get(3));
            EventId timer;
            At(3, 5300, [&timer] { timer = Simulator::Schedule(NanoSeconds(200), [] {}); });
            At(1, 5400, [&timer] {
                timer.Cancel();
                At(3, 0, [] { At(2, 1, [] {}); });
            });
            Simulator::Run();
        });
}

// A lookahead that an event of a node makes shorter holds from where all nodes have come to.
AIDC_TEST_CASE("A lookahead becomes shorter when all nodes are at the same time")
{
    // Node 0 has come to 6000 when the links are looked at, node 1 to 5000.
    const auto run = [](int64_t when) {
        return RunInChild([when] {
            TimeWindowHelper::Enable();
            auto nodes = MakeRow(2, NanoSeconds(1000));
            NodeContainer idle;
            idle.Create(2);
            Link(idle.Get(0), idle.Get(1), NanoSeconds(1000));
            const auto channel = idle.Get(0)->GetDevice(0)->GetChannel();
            At(0, 4300, [channel] {
                channel->SetAttribute("Delay", StringValue("300ns"));
                CreateObject<SimpleChannel>();
            });
            Simulator::ScheduleWithContext(1, NanoSeconds(when), [] {
                Simulator::ScheduleWithContext(0, NanoSeconds(400), [] {});
            });
            Simulator::Run();
        });
    };
    const auto early = run(5500);
    AIDC_EXPECT(early.Says("node 1, at +5500ns, schedules an event for node 0 at "
                           "+5900ns"),
                early.errors);
    const auto late = run(6100);
    AIDC_EXPECT(!late.died, late.errors);
}

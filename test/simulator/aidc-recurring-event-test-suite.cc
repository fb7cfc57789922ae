// SPDX-License-Identifier: GPL-2.0-only

#include "model/simulator/event-clock.h"
#include "test/test-case.h"

// Events that are made once.
AIDC_TEST_SUITE("aidc-recurring-event", UNIT);

/// Something that is called.
class Listener
{
  public:
    /// Have Note() called. delay: the time until then, in ns.
    void Schedule(uint32_t node, int64_t delay)
    {
        m_event.Schedule(node, NanoSeconds(delay));
    }

    /// Forget all calls that are scheduled.
    void Cancel()
    {
        m_event.Cancel();
    }

    std::vector<std::pair<int64_t, uint32_t>> calls; //!< the times, in ns, and nodes of calls
    uint32_t repetitions{0};                         //!< how often a call leads to the next one

  private:
    void Note()
    {
        calls.emplace_back(Simulator::Now().GetNanoSeconds(), Simulator::GetContext());
        if (repetitions > 0)
        {
            --repetitions;
            Schedule(Simulator::GetContext(), 3);
        }
    }

    RecurringEvent<&Listener::Note> m_event{this}; //!< calls Note()
};

// One event is scheduled several times.
AIDC_TEST_CASES(bool,
                hasWindows,
                hasWindows ? "Time windows" : "Default simulator",
                ({false, true}))
{
    if (hasWindows)
    {
        TimeWindowHelper::Enable();
    }
    using Calls = std::vector<std::pair<int64_t, uint32_t>>;
    Listener listener;
    // The later one first, two at a time, and one of another node.
    listener.Schedule(4, 20);
    listener.Schedule(4, 10);
    listener.Schedule(4, 10);
    listener.Schedule(5, 30);
    Simulator::Run();
    AIDC_EXPECT((listener.calls == Calls{{10, 4}, {10, 4}, {20, 4}, {30, 5}}),
                "Each call of Schedule() leads to one call, at its time and node");

    // From its own call, when the event that runs is still the same one.
    listener.calls.clear();
    listener.repetitions = 2;
    listener.Schedule(4, 0);
    Simulator::Run();
    AIDC_EXPECT((listener.calls == Calls{{30, 4}, {33, 4}, {36, 4}}), "It schedules itself");

    // It is forgotten, however often it was scheduled, and can be scheduled again.
    listener.calls.clear();
    listener.Schedule(4, 10);
    listener.Schedule(5, 20);
    listener.Cancel();
    listener.Schedule(4, 15);
    Simulator::Run();
    AIDC_EXPECT((listener.calls == Calls{{51, 4}}),
                "Only what was scheduled after Cancel() is called");

    // What still waits when the simulator goes is not called.
    listener.calls.clear();
    listener.Schedule(4, 10);
    Simulator::Destroy();
    AIDC_EXPECT(listener.calls.empty(), "Nothing is called at the end");
    TimeWindowHelper::Disable();
}

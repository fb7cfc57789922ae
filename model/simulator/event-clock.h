// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_EVENT_CLOCK_H
#define AIDC_EVENT_CLOCK_H

#include "time-window-simulator-impl.h"

#include "ns3/event-impl.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/simulator.h"

#include <cstdint>

/// @file
/// The functions of the simulator that each hop of a packet calls. While time windows run, they
/// call TimeWindowSimulatorImpl directly. ns3::Simulator would look up its implementation and make
/// a Time first, which takes more instructions than the function itself.

namespace ns3::aidc
{

/// Get Simulator::Now() in time steps.
inline int64_t
GetTimeStepNow()
{
    const auto* windows = TimeWindowSimulatorImpl::GetRunning();
    return windows ? windows->GetTimeStep() : Simulator::Now().GetTimeStep();
}

/// Get Simulator::Now().
inline Time
GetTimeNow()
{
    return TimeStep(static_cast<uint64_t>(GetTimeStepNow()));
}

/// Schedule an event, as Simulator::ScheduleWithContext() does. node: the node whose event it is;
/// delay: the time until then.
inline void
ScheduleOnNode(uint32_t node, const Time& delay, EventImpl* event)
{
    if (auto* windows = TimeWindowSimulatorImpl::GetRunning())
    {
        windows->ScheduleWithContext(node, delay, event);
    }
    else
    {
        Simulator::ScheduleWithContext(node, delay, event);
    }
}

/// Calls a member function of an object each time that it is scheduled.
///
/// Simulator::Schedule() makes an event and an EventId each time, with three allocations. This
/// event is made once, and once more after each Cancel(). The object has to live as long as
/// simulations run.
/// @tparam METHOD the function, a pointer to member
template <auto METHOD>
class RecurringEvent;

/// The implementation, which knows the class of the object.
/// @tparam T the class of the object
/// @tparam METHOD the function
template <typename T, void (T::*METHOD)()>
class RecurringEvent<METHOD>
{
  public:
    /// Constructor.
    explicit RecurringEvent(T* object)
        : m_event(new Call(object), false)
    {
    }

    /// Have the function called once. More calls can be scheduled before that. node: the node whose
    /// event it is; delay: the time until then.
    void Schedule(uint32_t node, const Time& delay) const
    {
        ScheduleOnNode(node, delay, GetPointer(m_event));
    }

    /// Cancel all scheduled calls.
    void Cancel()
    {
        m_event->Cancel();
        m_event = Ptr<Call>(new Call(m_event->object), false);
    }

  private:
    /// The event that the simulator runs.
    class Call final : public EventImpl
    {
      public:
        explicit Call(T* object)
            : object(object)
        {
        }

        T* const object; //!< the object

      private:
        void Notify() override
        {
            (object->*METHOD)();
        }
    };

    Ptr<Call> m_event; //!< the event
};

} // namespace ns3::aidc

#endif // AIDC_EVENT_CLOCK_H

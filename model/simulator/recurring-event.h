/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_RECURRING_EVENT_H
#define AIDC_RECURRING_EVENT_H

#include "event-clock.h"

#include "ns3/event-impl.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief Calls a member function of an object each time that it is scheduled.
 *
 * Simulator::Schedule() makes an event and an EventId each time, with three allocations. This event
 * is made once, and once more after each Cancel(). The object has to live as long as simulations
 * run.
 *
 * @tparam METHOD the function, a pointer to member
 */
template <auto METHOD>
class RecurringEvent;

/**
 * @brief The implementation, which knows the class of the object.
 * @tparam T the class of the object
 * @tparam METHOD the function
 */
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
        /// Constructor.
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

#endif // AIDC_RECURRING_EVENT_H

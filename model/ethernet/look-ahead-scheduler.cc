/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "look-ahead-scheduler.h"

#include "frame-arrival.h"

#include "ns3/assert.h"
#include "ns3/log.h"
#include "ns3/ptr.h"
#include "ns3/simulator.h"

#include <typeinfo>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcLookAheadScheduler");

NS_OBJECT_ENSURE_REGISTERED(LookAheadScheduler);

TypeId
LookAheadScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::LookAheadScheduler")
                            .SetParent<Scheduler>()
                            .SetGroupName("Aidc")
                            .AddConstructor<LookAheadScheduler>();
    return tid;
}

LookAheadScheduler::LookAheadScheduler()
{
    NS_LOG_FUNCTION(this);
}

LookAheadScheduler::~LookAheadScheduler()
{
    NS_LOG_FUNCTION(this);
}

void
LookAheadScheduler::NotifyConstructionCompleted()
{
    Scheduler::NotifyConstructionCompleted();
    Simulator::ScheduleDestroy(&LookAheadScheduler::Stop, Ptr<LookAheadScheduler>(this));
}

void
LookAheadScheduler::Stop()
{
    m_isStopped = true;
}

void
LookAheadScheduler::Insert(const Event& event)
{
    const EventImpl& impl = *event.impl;
    const bool isArrival = typeid(impl) == typeid(FrameArrival);
    [[maybe_unused]] const bool isNew = m_events.Insert(
        event.key,
        {event.impl, isArrival ? static_cast<const FrameArrival*>(event.impl) : nullptr});
    NS_ASSERT_MSG(isNew, "There is an event of this key already");
}

bool
LookAheadScheduler::IsEmpty() const
{
    return m_events.IsEmpty();
}

Scheduler::Event
LookAheadScheduler::PeekNext() const
{
    NS_ASSERT(!m_events.IsEmpty());
    const auto& [key, waiting] = m_events.GetFront();
    return {waiting.impl, key};
}

Scheduler::Event
LookAheadScheduler::RemoveNext()
{
    const Event event = PeekNext();
    m_events.PopFront();
    if (!m_isStopped)
    {
        m_events.VisitFirst(FrameArrival::N_STEPS, [](std::size_t place, const Waiting& waiting) {
            const auto step = static_cast<uint32_t>(FrameArrival::N_STEPS - 1 - place);
            if (waiting.arrival)
            {
                waiting.arrival->Prefetch(step);
            }
            else if (step == 0)
            {
                Prefetch(waiting.impl, CACHE_LINE);
            }
        });
    }
    return event;
}

void
LookAheadScheduler::Remove(const Event& event)
{
    [[maybe_unused]] const bool isKnown = m_events.Remove(event.key);
    NS_ASSERT_MSG(isKnown, "There is no event of this key");
}

} // namespace ns3::aidc

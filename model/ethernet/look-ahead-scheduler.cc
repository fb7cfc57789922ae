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
    const auto result = m_events.insert(
        {event.key,
         {event.impl, isArrival ? static_cast<const FrameArrival*>(event.impl) : nullptr}});
    NS_ASSERT_MSG(result.second, "There is an event of this key already");
}

bool
LookAheadScheduler::IsEmpty() const
{
    return m_events.empty();
}

Scheduler::Event
LookAheadScheduler::PeekNext() const
{
    NS_ASSERT(!m_events.empty());
    const auto& [key, waiting] = *m_events.begin();
    return {waiting.impl, key};
}

Scheduler::Event
LookAheadScheduler::RemoveNext()
{
    const Event event = PeekNext();
    auto next = m_events.erase(m_events.begin());
    for (uint32_t step = FrameArrival::N_STEPS; step > 0 && next != m_events.end() && !m_isStopped;
         ++next)
    {
        --step;
        const auto& [impl, arrival] = next->second;
        if (arrival)
        {
            arrival->Prefetch(step);
        }
        else if (step == 0)
        {
            Prefetch(impl, CACHE_LINE);
        }
    }
    return event;
}

void
LookAheadScheduler::Remove(const Event& event)
{
    m_events.erase(event.key);
}

} // namespace ns3::aidc

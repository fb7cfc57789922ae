/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_LOOK_AHEAD_SCHEDULER_H
#define AIDC_LOOK_AHEAD_SCHEDULER_H

#include "ns3/scheduler.h"
#include "ns3/sorted-blocks.h"

/**
 * @file
 * @ingroup aidc
 * Declaration of class ns3::aidc::LookAheadScheduler.
 */

namespace ns3::aidc
{

class FrameArrival;

/**
 * @ingroup aidc
 * @brief An event scheduler for networks that are larger than the caches of the processor.
 *
 * Events come in the order of ns-3's MapScheduler, so that results are the same. While an event is
 * processed, memory is fetched for the next ones, if these are frames that arrive over an
 * EthernetChannel: for the farthest the event itself, for the nearer ones the port, what works on
 * its frames, and in the end the port by which the frame is going to leave. With a few ports,
 * which stay in the caches anyway, it takes some more time than MapScheduler; with thousands it
 * saves a quarter.
 *
 * To insert and to remove an event takes the logarithm of their number, as with MapScheduler.
 *
 * It is used as any scheduler of ns-3:
 *
 *     ObjectFactory factory("ns3::aidc::LookAheadScheduler");
 *     Simulator::SetScheduler(factory);
 */
class LookAheadScheduler : public Scheduler
{
  public:
    /**
     * @brief Get the TypeId.
     * @return the TypeId
     */
    static TypeId GetTypeId();

    LookAheadScheduler();
    ~LookAheadScheduler() override;

    // From Scheduler
    void Insert(const Event& event) override;
    bool IsEmpty() const override;
    Event PeekNext() const override;
    Event RemoveNext() override;
    void Remove(const Event& event) override;

  protected:
    void NotifyConstructionCompleted() override;

  private:
    /// An event that waits.
    struct Waiting
    {
        EventImpl* impl;             //!< the event
        const FrameArrival* arrival; //!< the same, if it is the arrival of a frame
    };

    /// Look no further: the nodes are gone, and their events will not be processed.
    void Stop();

    SortedBlocks<EventKey, Waiting> m_events; //!< the events
    bool m_isStopped{false};                  //!< whether the simulation is over
};

} // namespace ns3::aidc

#endif // AIDC_LOOK_AHEAD_SCHEDULER_H

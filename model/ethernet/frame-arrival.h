/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FRAME_ARRIVAL_H
#define AIDC_FRAME_ARRIVAL_H

#include "ethernet-net-device.h"
#include "object-pool.h"

#include "ns3/event-impl.h"
#include "ns3/hot-memory.h"

#include <cstddef>
#include <cstdint>
#include <utility>

/**
 * @file
 * @ingroup aidc
 * Declaration of class ns3::aidc::FrameArrival.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The arrival of a frame at the end of a link.
 */
class FrameArrival final : public EventImpl
{
  public:
    /**
     * @brief Constructor.
     * @param receiver the receiving device, which its link keeps
     * @param epoch the state of the link
     * @param frame the frame
     */
    FrameArrival(EthernetNetDevice& receiver, uint32_t epoch, EthernetFrame&& frame)
        : m_receiver(receiver),
          m_epoch(epoch),
          m_frame(std::move(frame))
    {
    }

    static void* operator new(std::size_t)
    {
        return ObjectPool<FrameArrival>::Allocate();
    }

    static void operator delete(void* memory)
    {
        ObjectPool<FrameArrival>::Free(memory);
    }

    /// The number of steps of Prefetch(): two here, one for the frame handler, and its own.
    static constexpr uint32_t N_STEPS = 3 + EthernetFrameHandler::N_PREFETCH_STEPS;

    /**
     * @brief Bring what the arrival needs into the caches, and change nothing.
     * @param step which part of it: each one is found through the one before it
     */
    void Prefetch(uint32_t step) const
    {
        if (step == 0)
        {
            aidc::Prefetch(this, sizeof(*this));
        }
        else if (step == 1)
        {
            aidc::Prefetch(PeekPointer(m_frame.packet), CACHE_LINE);
            m_receiver.PrefetchHot();
        }
        else
        {
            m_receiver.PrefetchArrival(step - 2, m_frame, m_found);
        }
    }

  private:
    void Notify() override
    {
        m_receiver.Receive(m_frame, m_epoch);
    }

    EthernetNetDevice& m_receiver; //!< the receiving device
    uint32_t m_epoch;              //!< the state of the link when the frame was sent
    mutable uint32_t m_found{0};   //!< what a step of Prefetch() leaves to the next ones
    EthernetFrame m_frame;         //!< the frame
};

} // namespace ns3::aidc

#endif // AIDC_FRAME_ARRIVAL_H

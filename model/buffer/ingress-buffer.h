/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_INGRESS_BUFFER_H
#define AIDC_INGRESS_BUFFER_H

#include "../core/buffer/ingress-pool.h"

#include "ns3/callback.h"
#include "ns3/object.h"
#include "ns3/queue-size.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief What came in by one port with one priority, and is still in the switch: its limits in the
 *        SharedBuffer, and whether the peer has been told to stop.
 *
 * Its attributes may change while the simulation runs. Its arithmetic is that of IngressPool.
 */
class IngressBuffer : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Open the account; SharedBuffer::AddIngress() does so.
     *
     * It is an error if it is open already.
     *
     * @param pool the accounts of the switch
     * @return false if what it sets aside does not fit
     */
    bool Open(IngressPool& pool);

    /// Told when the peer is to stop (true) or may go on (false).
    using PauseCallback = Callback<void, bool>;

    /**
     * @brief Set who tells the peer.
     *
     * Called while a packet is being queued or taken from a queue: it must do neither.
     *
     * @param callback the callback; null if nobody does, so that what exceeds the limits is lost
     */
    void SetPauseCallback(PauseCallback callback)
    {
        m_pause = callback;
    }

    /// Charge for an arriving packet, if it may be had. @param bytes the size of the packet
    /// @return the outcome; nothing is charged when it is a refusal
    Admission Admit(uint32_t bytes);

    /// Credit for a packet that leaves. @param bytes the size of the packet
    void Release(uint32_t bytes);

    /// Tell whether the peer has been told to stop. @return true from XOFF to XON
    bool IsXoff() const
    {
        return m_pool->IsXoff(m_account);
    }

    /// @return the limits
    const IngressLimits& GetLimits() const
    {
        return m_limits;
    }

    /// Get what there is, in the headroom too. @return bytes
    uint64_t GetOccupancy() const
    {
        return m_pool->GetOccupancy(m_account);
    }

    /// Get what there may be before the peer is told to stop. @return XOFF in bytes
    uint64_t GetXoffThreshold() const
    {
        return m_pool->GetXoffThreshold(m_account);
    }

    /// Get the most that has been in the headroom at once. @return bytes
    uint64_t GetHeadroomPeak() const
    {
        return m_headroomPeak;
    }

    /// @return the number of packets that were refused
    uint64_t GetRefused() const
    {
        return m_refused;
    }

    /// TracedCallback signature for the peer being told to stop or to go on.
    /// @param [in] xoff true if it is to stop
    typedef void (*XoffTracedCallback)(bool xoff);

    /// Reason of a drop: the packet came in after the peer had been told to stop, and there was no
    /// headroom left for it.
    static constexpr const char* INGRESS_DROP = "Beyond the ingress port's headroom";

  private:
    /// Change one of the limits. @param change sets the new value
    /// @return false if the limits would be impossible
    template <typename Change>
    bool ChangeLimits(Change change);

    /// Set the factor of the threshold XOFF. @return false if the factor is not allowed
    bool SetXoffAlpha(double alpha);

    /// @return the factor of the threshold XOFF
    double GetXoffAlpha() const;

    /**
     * @brief Set a limit in bytes.
     * @tparam FIELD the limit
     * @param bytes the bytes
     * @return false if they are in packets or cannot be had
     */
    template <uint64_t IngressLimits::* FIELD>
    bool SetBytes(QueueSize bytes);

    /// Get a limit in bytes. @tparam FIELD the limit @return the bytes
    template <uint64_t IngressLimits::* FIELD>
    QueueSize GetBytesOf() const;

    /// Tell the peer. @param xoff true if it is to stop
    void Signal(bool xoff);

    IngressPool* m_pool{nullptr};                        //!< the accounts of the switch
    IngressPool::AccountId m_account{0};                 //!< the account
    PauseCallback m_pause;                               //!< tells the peer
    uint64_t m_headroomPeak{0};                          //!< the most in the headroom
    uint64_t m_refused{0};                               //!< packets refused
    IngressLimits m_limits;                              //!< the limits
    TracedCallback<bool> m_xoffTrace;                    //!< trace of what the peer is told
    TracedCallback<uint64_t, uint64_t> m_occupancyTrace; //!< trace of the occupancy
};

} // namespace ns3::aidc

#endif // AIDC_INGRESS_BUFFER_H

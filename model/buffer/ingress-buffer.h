// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_INGRESS_BUFFER_H
#define AIDC_INGRESS_BUFFER_H

#include "../core/buffer/ingress-pool.h"

#include "ns3/callback.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3::aidc
{

/// The account of one ingress port and priority in the SharedBuffer: counts the bytes that
/// arrived there and are still in the switch, and pauses the peer.
///
/// Its attributes may change while the simulation runs. Its arithmetic is IngressPool's.
class IngressBuffer : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Open the account; SharedBuffer::AddIngress() does so. It is an error if it is open already.
    /// pool: the accounts of the switch; group: its port's group in the switch's memory, which
    /// limits the account, too. @return false if its reserved bytes and headroom do not fit
    bool Open(IngressPool& pool, BufferPool::GroupId group);

    /// Called to pause (true) or resume (false) the peer.
    using PauseCallback = Callback<void, bool>;

    /// Set the callback that pauses the peer. It is called while a packet is being enqueued or
    /// dequeued. It must do neither itself. With null nobody is paused, so that packets beyond the
    /// limits are lost.
    void SetPauseCallback(PauseCallback callback)
    {
        m_pause = callback;
    }

    /// Charge for an arriving packet, if the limits allow. @param size the size of the packet
    /// @return the outcome; nothing is charged when it is a refusal
    Admission Admit(uint32_t size);

    /// Credit for a packet that leaves. @param size the size of the packet
    void Release(uint32_t size);

    /// @return whether the peer is paused: true from XOFF to XON
    bool IsXoff() const
    {
        return m_pool->IsXoff(m_account);
    }

    /// @return the limits
    const IngressLimits& GetLimits() const
    {
        return m_limits;
    }

    /// Get the occupancy, including the headroom. @return bytes
    uint64_t GetOccupancy() const
    {
        return m_pool->GetOccupancy(m_account);
    }

    /// Get the occupancy at which the peer is paused. @return XOFF in bytes
    uint64_t GetXoffThreshold() const
    {
        return m_pool->GetXoffThreshold(m_account);
    }

    /// Get the peak occupancy of the headroom. @return bytes
    uint64_t GetHeadroomPeak() const
    {
        return m_headroomPeak;
    }

    /// @return the number of packets that were refused
    uint64_t GetRefused() const
    {
        return m_refused;
    }

    /// Get the reason for the drop of a packet. @param admission what Admit() has returned
    /// @return INGRESS_DROP; null if the packet was not refused
    static const char* GetDropReason(Admission admission)
    {
        const bool isTaken = admission == Admission::ADMITTED || admission == Admission::HEADROOM;
        return isTaken ? nullptr : INGRESS_DROP;
    }

    /// TracedCallback signature for pausing and resuming the peer.
    /// @param [in] xoff true to pause it
    typedef void (*XoffTracedCallback)(bool xoff);

    /// Reason of a drop: the packet arrived after the peer had been paused, and no headroom was
    /// left for it.
    static constexpr const char* INGRESS_DROP = "Beyond the ingress port's headroom";

  private:
    /// Change the limits. @throws std::invalid_argument if they are impossible; nothing changes
    /// then
    void ChangeLimits(const IngressLimits& limits);

    /// Pause or resume the peer. @param xoff true to pause it
    void Signal(bool xoff);

    IngressPool* m_pool{nullptr};                        //!< the accounts of the switch
    IngressPool::AccountId m_account{0};                 //!< the account
    PauseCallback m_pause;                               //!< pauses the peer
    uint64_t m_headroomPeak{0};                          //!< the most in the headroom
    uint64_t m_refused{0};                               //!< packets refused
    IngressLimits m_limits;                              //!< the limits
    TracedCallback<bool> m_xoffTrace;                    //!< trace of pausing and resuming
    TracedCallback<uint64_t, uint64_t> m_occupancyTrace; //!< trace of the occupancy
};

} // namespace ns3::aidc

#endif // AIDC_INGRESS_BUFFER_H

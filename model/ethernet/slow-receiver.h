/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SLOW_RECEIVER_H
#define AIDC_SLOW_RECEIVER_H

#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3::aidc
{

class EthernetNetDevice;
class PriorityFlowControl;

/**
 * @ingroup aidc
 * @brief The receive buffer of a host's port, which the host empties more slowly than the link
 *        fills it: the source of pauses, and of a storm of them if the host stops.
 *
 * It has what arrives for the node, of any priority. From Xoff bytes on the peer is told to stop
 * one priority, and at Xon bytes it may go on. Packets go to the node as they arrive: the buffer
 * says how much the host has not taken yet, and delays nothing. It loses nothing.
 */
class SlowReceiver : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Become part of a port, which has PriorityFlowControl; else the program ends.
    /// @param device the port
    void Install(Ptr<EthernetNetDevice> device);

    /// Get what the host has not taken yet. @return bytes, of frames without their check sequences
    uint64_t GetOccupancy() const;

    /// Tell whether the peer has been told to stop. @return true from Xoff to Xon
    bool IsXoff() const
    {
        return m_isXoff;
    }

    /// TracedCallback signature for the peer being told to stop or to go on.
    /// @param [in] isXoff true if it is to stop
    typedef void (*XoffTracedCallback)(bool isXoff);

  protected:
    void DoDispose() override;

  private:
    /// Set the rate at which the host takes bytes, from now on. @param rate the rate
    void SetRate(DataRate rate);

    /// @return the rate at which the host takes bytes
    DataRate GetRate() const
    {
        return m_rate;
    }

    /// Take in a frame. @param frame the frame
    void Receive(Ptr<const Packet> frame);

    /// Compute what the host has not taken yet. @return bytes
    double ComputeLevel() const;

    /// Have the peer told to go on when the host will have taken enough.
    void ScheduleXon();

    /// Have the peer stopped, or let it go on. @param isXoff true if it is to stop
    void SetXoff(bool isXoff);

    DataRate m_rate;                         //!< attribute Rate
    uint64_t m_xoffBytes;                    //!< attribute Xoff
    uint64_t m_xonBytes;                     //!< attribute Xon
    uint32_t m_priority;                     //!< attribute Priority
    double m_level{0};                       //!< bytes that the host had not taken at m_since
    Time m_since;                            //!< when that was
    bool m_isXoff{false};                    //!< whether the peer is to stop
    EventId m_xon;                           //!< when it may go on
    PriorityFlowControl* m_control{nullptr}; //!< tells the peer; part of the same port
    TracedCallback<bool> m_xoffTrace;        //!< trace Xoff
};

} // namespace ns3::aidc

#endif // AIDC_SLOW_RECEIVER_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_JUMP_START_CONTROL_H
#define AIDC_JUMP_START_CONTROL_H

#include "../core/transport/jump-start.h"
#include "congestion-control.h"

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A congestion control that can jump to the bandwidth left over by CSIG's min(ABW).
 *
 * Attributes are read when the connection starts.
 */
class JumpStartControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void Start(Time now, const Connection& connection) override;
    void NotifySent(Time now, uint32_t nBytes) override;

  protected:
    /// The initial window of a connection with jump start, in packets: that of RFC 6928.
    static constexpr double FEW_PACKETS = 10;

    /// @return attribute JumpStart: whether the connection begins with few packets and jumps
    bool HasJumpStart() const
    {
        return m_hasJumpStart;
    }

    /// Note min(ABW).
    /// @param reading the signal
    /// @param baseRtt the round-trip time of the idle path in ns; 0 if it is not known yet,
    ///        then the jump waits for a later signal
    /// @return the window to jump to in bytes, 0 for no jump
    double Jump(const CsigReading& reading, int64_t baseRtt);

  private:
    /// Reduce the window to the initial window.
    virtual void BeginAnew() = 0;

    bool m_hasJumpStart;      //!< JumpStart
    Time m_jumpStartIdleTime; //!< JumpStartIdleTime
    JumpStart m_jumpStart;    //!< waits for the first min(ABW)
};

} // namespace ns3::aidc

#endif // AIDC_JUMP_START_CONTROL_H

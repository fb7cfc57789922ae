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
 * @brief A congestion control that can jump to what CSIG's min(ABW) says is left.
 *
 * Attributes are read when the connection starts.
 */
class JumpStartControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    JumpStartControl();
    ~JumpStartControl() override;

    void Start(Time now, const Connection& connection) override;
    void NotifySent(Time now, uint32_t nBytes) override;

  protected:
    /// Packets that a connection begins with where its bandwidth-delay product is no measure: RFC
    /// 6928.
    static constexpr double FEW_PACKETS = 10;

    /// @return attribute JumpStart: whether the connection begins with few packets and jumps
    bool HasJumpStart() const
    {
        return m_hasJumpStart;
    }

    /// Take note of min(ABW).
    /// @param reading what it says
    /// @param baseRtt the round-trip time of the idle path in ns; if it is 0, a later one is
    ///        awaited
    /// @return the window to jump to in bytes, 0 for no jump
    double Jump(const CsigReading& reading, int64_t baseRtt);

  private:
    /// Lower the window to that of a beginning.
    virtual void BeginAnew() = 0;

    bool m_hasJumpStart;      //!< JumpStart
    Time m_jumpStartIdleTime; //!< JumpStartIdleTime
    JumpStart m_jumpStart;    //!< whether the first min(ABW) is awaited
};

} // namespace ns3::aidc

#endif // AIDC_JUMP_START_CONTROL_H

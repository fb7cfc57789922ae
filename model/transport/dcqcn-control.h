/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_DCQCN_CONTROL_H
#define AIDC_DCQCN_CONTROL_H

#include "../core/transport/dcqcn-reaction-point.h"
#include "congestion-control.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief DCQCN: rates that congestion notification packets cut and timers raise.
 *
 * Attributes are read when the connection starts. The value 0 of an attribute stands for the
 * variant's value, whose source is in the attribute's help.
 */
class DcqcnControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void Start(Time now, const Connection& connection) override;
    void NotifySent(Time now, uint32_t nBytes) override;
    void NotifyCnp(Time now) override;
    uint64_t GetRate(Time now) override;
    Time GetNextChange() const override;

    /// @param now the time
    /// @return R_T, the rate to return to, in bit/s
    uint64_t GetTargetRate(Time now);

    /// @param now the time
    /// @return alpha, the estimate of congestion, from 0 to 1
    double GetAlpha(Time now) const;

  private:
    DcqcnSettings m_settings;   //!< attributes, 0 for a value of the variant
    DcqcnReactionPoint m_point; //!< alpha, the rates and the timers
};

} // namespace ns3::aidc

#endif // AIDC_DCQCN_CONTROL_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FIXED_WINDOW_CONTROL_H
#define AIDC_FIXED_WINDOW_CONTROL_H

#include "congestion-control.h"

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A window that never changes, by default one bandwidth-delay product of the line.
 *
 * The attribute is read when the connection starts.
 */
class FixedWindowControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void Start(Time now, const Connection& connection) override;

  private:
    uint64_t m_size; //!< Window
};

} // namespace ns3::aidc

#endif // AIDC_FIXED_WINDOW_CONTROL_H

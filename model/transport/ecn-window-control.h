/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ECN_WINDOW_CONTROL_H
#define AIDC_ECN_WINDOW_CONTROL_H

#include "../core/transport/ecn-window.h"
#include "congestion-control.h"

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief DCTCP's window, by the marks that acknowledgments echo.
 *
 * Attributes are read when the connection starts.
 */
class EcnWindowControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void Start(Time now, const Connection& connection) override;
    void NotifyAcknowledgment(Time now, const Acknowledgment& acknowledgment) override;
    void NotifyLoss(Time now, bool isTimeout) override;
    bool WantsEcnEcho() const override;

    /// @return the window, alpha and the slow-start threshold; in bytes
    const EcnWindow& GetEcnWindow() const
    {
        return m_law;
    }

  private:
    EcnWindow::Settings m_settings; //!< EwmaGain, InitialAlpha
    double m_initialWindow;         //!< InitialWindow
    double m_minWindow;             //!< MinWindow
    EcnWindow m_law;                //!< the window
};

} // namespace ns3::aidc

#endif // AIDC_ECN_WINDOW_CONTROL_H

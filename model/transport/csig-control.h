/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_CONTROL_H
#define AIDC_CSIG_CONTROL_H

#include "../core/transport/utilization-window.h"
#include "jump-start-control.h"

#include "ns3/data-rate.h"

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief HPCC's window and rate by CSIG's signals instead of in-band telemetry: min(ABW/C) for the
 * busiest link, max(nQD) or max(PD) for its queue, with jump start from min(ABW).
 *
 * Attributes are read when the connection starts.
 */
class CsigControl : public JumpStartControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void Start(Time now, const Connection& connection) override;
    void NotifyAcknowledgment(Time now, const Acknowledgment& acknowledgment) override;
    void NotifySignal(Time now, const CsigReading& reading) override;

  private:
    void BeginAnew() override;

    /// Set the first window, once the round-trip time is known.
    /// @param baseRtt the round-trip time of the idle path, in ns, > 0
    void Begin(int64_t baseRtt);

    UtilizationWindow::Settings m_settings; //!< Eta, MaxStage, AdditiveIncrease
    DataRate m_minRate;                     //!< MinRate
    bool m_usesQueueDelay;                  //!< UseQueueDelay
    double m_initialWindow;                 //!< InitialWindow

    UtilizationWindow m_utilization; //!< the windows
    int64_t m_baseRtt{0};            //!< T in ns, 0 until it is known
    int64_t m_rtt{0};                //!< the last round-trip time in ns
    double m_queueDelay{0};          //!< the lesser of that queue's last two delays in ns
    double m_lastQueueDelay{0};      //!< the last delay of the busiest queue in ns
    double m_firstWindow{0};         //!< the initial window in bytes
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_CONTROL_H

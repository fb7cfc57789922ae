/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_HPCC_CONTROL_H
#define AIDC_HPCC_CONTROL_H

#include "../core/transport/hpcc-window.h"
#include "congestion-control.h"

#include "ns3/data-rate.h"

#include <array>
#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief HPCC: window and rate by in-band telemetry, which the switches of the path write into each
 *        packet (IntPort).
 *
 * Attributes are read when the connection starts.
 */
class HpccControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void Start(Time now, const Connection& connection) override;
    void NotifyAcknowledgment(Time now, const Acknowledgment& acknowledgment) override;
    void NotifyTelemetry(Time now, const Telemetry& telemetry) override;
    bool WantsTelemetry() const override;

    /// @return the windows W and Wc, U and the stage
    const UtilizationWindow& GetWindows() const
    {
        return m_hpcc.GetWindows();
    }

    /// @param outcome what can come of telemetry
    /// @return how many acknowledgments it has come of
    uint64_t GetCount(HpccWindow::Outcome outcome) const
    {
        return m_counts[static_cast<std::size_t>(outcome)];
    }

  private:
    /// Set the first window, once the round-trip time is known.
    /// @param baseRtt the round-trip time of the idle path, in ns, > 0
    void Begin(int64_t baseRtt);

    UtilizationWindow::Settings m_settings; //!< Eta, MaxStage, AdditiveIncrease
    DataRate m_minRate;                     //!< MinRate
    uint32_t m_nFlows;                      //!< Flows

    HpccWindow m_hpcc;    //!< the windows
    int64_t m_baseRtt{0}; //!< T in ns, 0 until it is known
    /// What has come of telemetry, by outcome.
    std::array<uint64_t, static_cast<std::size_t>(HpccWindow::Outcome::N_OUTCOMES)> m_counts{};
};

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

#endif // AIDC_HPCC_CONTROL_H

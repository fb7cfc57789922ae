// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_WINDOW_CONTROLS_H
#define AIDC_WINDOW_CONTROLS_H

#include "../core/transport/ecn-window.h"
#include "../core/transport/hpcc-window.h"
#include "../core/transport/swift-window.h"
#include "congestion-control.h"

#include "ns3/data-rate.h"

#include <array>
#include <cstdint>

namespace ns3::aidc
{

/// Swift: windows that keep a delay at its target, either of the round trip, or of the
/// slowest router by CSIG's max(PD). Connections may jump-start from CSIG's min(ABW).
///
/// A window below one packet is a rate: a packet each rtt / window. Attributes are read when the
/// connection starts.
class SwiftControl : public JumpStartControl
{
  public:
    /// The delay that governs the fabric's window.
    enum Delay
    {
        ROUND_TRIP, //!< the round-trip time without the end hosts' part
        HOP_DELAY   //!< max(PD); ROUND_TRIP until there is a signal
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    void Start(Time now, const Connection& connection) override;
    void NotifyAcknowledgment(Time now, const Acknowledgment& acknowledgment) override;
    void NotifySignal(Time now, const CsigReading& reading) override;
    void NotifyLoss(Time now, bool isTimeout) override;

    /// @return Swift's windows in packets
    const SwiftWindow& GetSwiftWindow() const
    {
        return m_swift;
    }

  private:
    void BeginAnew() override;

    /// @param duration the time in ns @return how many packets the line rate sends in that time
    double GetLinePackets(double duration) const;

    /// Compute rate and window from Swift's window.
    void Refresh();

    Delay m_delay;                    //!< GoverningDelay
    SwiftWindow::Settings m_settings; //!< attributes, 0 for derived values
    double m_initialWindow;           //!< InitialWindow

    SwiftWindow m_swift;     //!< the windows
    double m_firstWindow{0}; //!< the initial window in packets
};

/// DCTCP's window, by the marks that acknowledgments echo.
///
/// Attributes are read when the connection starts.
class EcnWindowControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void Start(Time now, const Connection& connection) override;
    void NotifyAcknowledgment(Time now, const Acknowledgment& acknowledgment) override;
    void NotifyLoss(Time now, bool isTimeout) override;

    bool WantsEcnEcho() const override
    {
        return true;
    }

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

/// A window that never changes, by default one bandwidth-delay product of the line.
///
/// The attribute is read when the connection starts.
class FixedWindowControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void Start(Time now, const Connection& connection) override;

  private:
    uint64_t m_size; //!< Window
};

/// HPCC: window and rate by in-band telemetry, which the switches of the path write into each
/// packet (IntPort).
///
/// Attributes are read when the connection starts.
class HpccControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void Start(Time now, const Connection& connection) override;
    void NotifyAcknowledgment(Time now, const Acknowledgment& acknowledgment) override;
    void NotifyTelemetry(Time now, const Telemetry& telemetry) override;

    bool WantsTelemetry() const override
    {
        return true;
    }

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
    /// Set the first window, with the round-trip time of the idle path, in ns, > 0.
    void Begin(int64_t baseRtt);

    UtilizationWindow::Settings m_settings; //!< Eta, MaxStage, AdditiveIncrease
    DataRate m_minRate;                     //!< MinRate
    uint32_t m_nFlows;                      //!< Flows

    HpccWindow m_hpcc;    //!< the windows
    int64_t m_baseRtt{0}; //!< T in ns, 0 until it is known
    /// What has come of telemetry, by outcome.
    std::array<uint64_t, static_cast<std::size_t>(HpccWindow::Outcome::N_OUTCOMES)> m_counts{};
};

/// HPCC's window and rate by CSIG's signals instead of in-band telemetry: min(ABW/C) for the
/// busiest link, max(nQD) or max(PD) for its queue, with jump start from min(ABW).
///
/// Attributes are read when the connection starts.
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

    /// Set the first window, with the round-trip time of the idle path, in ns, > 0.
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

#endif // AIDC_WINDOW_CONTROLS_H

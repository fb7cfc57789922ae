/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SWIFT_CONTROL_H
#define AIDC_SWIFT_CONTROL_H

#include "../core/transport/swift-window.h"
#include "jump-start-control.h"

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Swift: windows that keep the delay at its target, of the round trip or of the slowest
 * router by CSIG's max(PD), with jump start from CSIG's min(ABW).
 *
 * A window below one packet is a rate: a packet each rtt / window. Attributes are read when the
 * connection starts.
 */
class SwiftControl : public JumpStartControl
{
  public:
    /// Which delay governs the fabric's window.
    enum Delay
    {
        ROUND_TRIP, //!< of the round trip less the end hosts' part
        HOP_DELAY   //!< max(PD); that of the round trip until there is a signal
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    SwiftControl();
    ~SwiftControl() override;

    void Start(Time now, const Connection& connection) override;
    void NotifyAcknowledgment(Time now, const Acknowledgment& acknowledgment) override;
    void NotifySignal(Time now, const CsigReading& reading) override;
    void NotifyLoss(Time now, bool isTimeout) override;
    uint64_t GetRate(Time now) override;
    uint64_t GetWindow(Time now) override;

    /// @return Swift's windows in packets
    const SwiftWindow& GetSwiftWindow() const
    {
        return m_swift;
    }

  private:
    void BeginAnew() override;

    /// @param duration the time in ns
    /// @return how many packets the line rate sends in that time
    double GetLinePackets(double duration) const;

    /// Compute rate and window from Swift's window.
    void Refresh();

    Delay m_delay;                    //!< GoverningDelay
    SwiftWindow::Settings m_settings; //!< attributes, 0 for what is derived
    double m_initialWindow;           //!< InitialWindow

    SwiftWindow m_swift;     //!< the windows
    double m_firstWindow{0}; //!< the window of a beginning, in packets
    uint64_t m_rate{0};      //!< bit/s
    uint64_t m_window{0};    //!< bytes
};

} // namespace ns3::aidc

#endif // AIDC_SWIFT_CONTROL_H

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_TCP_CONTROL_H
#define AIDC_CSIG_TCP_CONTROL_H

#include "csig-host.h"

#include "ns3/flow-key.h"
#include "ns3/nstime.h"
#include "ns3/tcp-congestion-ops.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::aidc
{

/// A congestion control for ns-3's TCP whose window follows CSIG's max(PD): section 8.1.1 of
/// draft-ravi-ippm-csig-01, with NewReno's increase.
///
/// While max(PD) is below its target, the window grows as in NewReno. Above, it is cut once in a
/// round trip:
///
///     cwnd = (1 - min(beta (max(PD) - target) / max(PD), maxDecrease)) cwnd
///
/// The reaction to losses is NewReno's, and so is every reaction if there are no signals. The host
/// needs a CsigHost that asks for max(PD). The congestion control finds its connection there by
/// itself, so that it is installed like any other congestion control of TCP.
class CsigTcpControl : public TcpNewReno
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CsigTcpControl() = default;

    /// Copy the settings for a new connection, which finds its signals by itself.
    /// @param other the object to copy
    CsigTcpControl(const CsigTcpControl& other);

    // From TcpCongestionOps
    std::string GetName() const override
    {
        return "CsigTcpControl";
    }

    void PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override;
    void IncreaseWindow(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked) override;
    Ptr<TcpCongestionOps> Fork() override;

  protected:
    void DoDispose() override;

  private:
    Time m_target;                 //!< attribute TargetDelay
    double m_beta{0.8};            //!< attribute Beta
    double m_maxDecrease{0.5};     //!< attribute MaxDecrease
    uint32_t m_minWindow{2};       //!< attribute MinWindow, in segments
    Ptr<CsigHost> m_host;          //!< has the signals; null until it is known
    FlowKey m_flow;                //!< the connection, local to remote
    std::optional<Time> m_delay;   //!< the newest max(PD)
    std::optional<Time> m_lastCut; //!< when the window was cut
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_TCP_CONTROL_H

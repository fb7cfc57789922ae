// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FLOORED_DCTCP_H
#define AIDC_FLOORED_DCTCP_H

#include "ns3/tcp-dctcp.h"

#include <cstdint>

namespace ns3::aidc
{

/// ns-3's DCTCP with a floor: marks do not reduce the congestion window below MinWindow.
///
/// A mark multiplies the window by 1 - alpha / 2 (RFC 8257, section 3.3). In ns-3, the result may
/// be less than one segment. ns-3 sends only whole segments, so that the sender then waits for its
/// retransmission timer although nothing was lost. The floor of deployed congestion controls is two
/// segments (dctcp_ssthresh() of Linux); the floor of RFC 3168, section 6.1.2, is one.
class FlooredDctcp : public TcpDctcp
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Get the window after a mark.
    /// @param tcb the state of the connection
    /// @param bytesInFlight the bytes in flight
    /// @return DCTCP's window in bytes, at least MinWindow segments
    uint32_t GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight) override;

    Ptr<TcpCongestionOps> Fork() override;

  private:
    uint32_t m_minWindow{2}; //!< attribute MinWindow, in segments
};

} // namespace ns3::aidc

#endif // AIDC_FLOORED_DCTCP_H

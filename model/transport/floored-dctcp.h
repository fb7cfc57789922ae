/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FLOORED_DCTCP_H
#define AIDC_FLOORED_DCTCP_H

#include "ns3/tcp-dctcp.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief ns-3's DCTCP, with a congestion window that marks do not reduce below some segments.
 *
 * A mark multiplies the window by 1 - alpha / 2 (RFC 8257, section 3.3). In ns-3 that may end below
 * one segment; ns-3 sends no part of a segment, so that the sender then waits for its
 * retransmission timer although nothing was lost. Congestion control in use ends at two segments
 * (dctcp_ssthresh() of Linux), RFC 3168, section 6.1.2, at one.
 */
class FlooredDctcp : public TcpDctcp
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Get the window after a mark.
    /// @param tcb the state of the connection
    /// @param bytesInFlight the bytes in flight
    /// @return what DCTCP says in bytes, at least MinWindow segments
    uint32_t GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight) override;

    Ptr<TcpCongestionOps> Fork() override;

  private:
    uint32_t m_minWindow{2}; //!< attribute MinWindow, in segments
};

} // namespace ns3::aidc

#endif // AIDC_FLOORED_DCTCP_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EDGE_TUNNEL_RATES_H
#define AIDC_EDGE_TUNNEL_RATES_H

#include "../core/pre-ecn/edge-rate-law.h"
#include "edge-tunnels.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief What new flows of an ingress PE's tunnels begin with: the rate that a router has told
 *        another flow of the tunnel.
 */
class EdgeTunnelRates
{
  public:
    /// The rate that a new flow of a tunnel begins with.
    struct Beginning
    {
        EdgeTunnel* tunnel;     //!< the tunnel
        EdgeRateLaw::Told told; //!< what a router has told of another flow of the tunnel
        int64_t end;            //!< until when it is valid
    };

    /// Note a rate that a router tells, for flows that begin. now: the time in ns.
    void NoteTold(EdgeTunnel& tunnel, int64_t now, const EdgeRateLaw::Told& told);

    /// Find the rate that a new flow begins with. now: the time in ns. @return the rate, null if it
    /// has no limit
    const Beginning* FindBeginning(const IpTunnelNetDevice& device, int64_t now);

  private:
    std::vector<Beginning> m_beginnings; //!< rates of new flows, by tunnel
};

} // namespace ns3::aidc

#endif // AIDC_EDGE_TUNNEL_RATES_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EDGE_TUNNEL_RATES_H
#define AIDC_EDGE_TUNNEL_RATES_H

#include "../core/wan/edge-rate-law.h"
#include "../core/wan/port-shares.h"
#include "edge-tunnels.h"

#include "ns3/flow-key.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The rates of an ingress PE's tunnels: what new flows begin with, which is what a router
 *        has told other flows of the tunnel, and the limits of all flows of tunnels together.
 *
 * The flows of a limit share it max-min fairly, as the flows of a router's port do (PortShares). So
 * their packets wait in queues of the flows. What waits in one queue for all would still leave when
 * a router tells the flows to slow down.
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

    /// Note a rate that a router tells, for flows that begin.
    /// @param tunnel the tunnel
    /// @param now the time in ns
    /// @param told the rate of a flow of the tunnel
    void NoteTold(EdgeTunnel& tunnel, int64_t now, const EdgeRateLaw::Told& told);

    /// Find the rate that a new flow begins with.
    /// @param device its tunnel
    /// @param now the time in ns
    /// @return the rate, null if it has no limit
    const Beginning* FindBeginning(const IpTunnelNetDevice& device, int64_t now);

    /// Limit all flows of tunnels together.
    /// @param tunnels the tunnels, which have no limit
    /// @param queue the queue of EdgeShaper that all packets pass
    /// @param rate the rate in bit/s, at least 1
    /// @param overhead bytes that each packet takes on a link besides its own
    void AddLimit(const std::vector<EdgeTunnel*>& tunnels,
                  uint32_t queue,
                  uint64_t rate,
                  uint32_t overhead);

    /// @return whether there is a limit
    bool HasLimits() const
    {
        return !m_limits.empty();
    }

    /// @param tunnel a tunnel that has a limit
    /// @return the queue of the limit
    uint32_t GetQueue(const EdgeTunnel& tunnel) const
    {
        return m_limits[*tunnel.limit].queue;
    }

    /// Count a packet that is about to pass the queue of a limit.
    /// @param tunnel its tunnel, which has a limit
    /// @param key its flow
    /// @param bytes its size
    /// @param waiting bytes that wait in the queue
    /// @param now the time in ns
    /// @return the rate that the flow has from now on, if it is told one
    std::optional<EdgeRateLaw::Told> Count(const EdgeTunnel& tunnel,
                                           const FlowKey& key,
                                           uint32_t bytes,
                                           uint64_t waiting,
                                           int64_t now);

  private:
    /// A limit of all flows of tunnels.
    struct Limit
    {
        uint32_t queue{0};             //!< the queue in the shaper
        uint32_t overhead{0};          //!< bytes that a packet takes on a link besides its own
        double threshold{0};           //!< bytes that wait there before flows are limited
        PortShares shares;             //!< the shares of the flows
        PortShares::Settings settings; //!< how these are computed
    };

    std::vector<Beginning> m_beginnings; //!< rates of new flows, by tunnel
    std::deque<Limit> m_limits;          //!< the limits
};

} // namespace ns3::aidc

#endif // AIDC_EDGE_TUNNEL_RATES_H

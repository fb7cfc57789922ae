/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_WAN_SESSIONS_H
#define AIDC_BGP_WAN_SESSIONS_H

#include "../model/core/fare/path-bandwidth.h"

#include "ns3/bgp-policy.h"
#include "ns3/bgp-speaker.h"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/ptr.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::aidc
{

/// @brief Makes the sessions of provider edge routers (PEs) over links and tunnels, each of which
///        gets two addresses.
///
/// Of several ranks (MpiRanks), each one makes all sessions in the same order, and those ends whose
/// nodes it simulates.
class BgpWanSessions
{
  public:
    /// One end of a session.
    struct End
    {
        Ptr<BgpSpeaker> speaker;                         //!< the speaker, null of another rank
        Ptr<Node> node;                                  //!< its node
        uint32_t interface{0};                           //!< its IPv4 interface, if of this rank
        double bandwidth{0};                             //!< of the link, bytes a second
        PathBandwidthTier tier{PathBandwidthTier::EDGE}; //!< its place
        uint32_t as{0};                                  //!< its AS
        std::shared_ptr<const BgpPolicy> importPolicy;   //!< for routes from the other end
        std::shared_ptr<const BgpPolicy> exportPolicy;   //!< for routes to the other end
        uint32_t peer{0};                                //!< the number of the peer
    };

    /// Constructor. first: the first address of links and tunnels; end: the first address after
    /// them.
    BgpWanSessions(Ipv4Address first, Ipv4Address end)
        : m_first(first.Get()),
          m_end(end.Get())
    {
    }

    /// Make a session. It is an error if there is no address left. exchangesNonTransitive: whether
    /// they exchange non-transitive bandwidths.
    void Connect(End a, End b, bool exchangesNonTransitive);

    /// Tell whether all sessions whose links are up are established, and no speaker has changes to
    /// send over them. Each rank asks at the same point. @return whether this holds
    bool AreSettled() const;

  private:
    /// What one end of a session knows of it.
    struct EndState
    {
        uint32_t session;   //!< the number of the session
        bool isUp;          //!< whether its interface and its link are up
        bool isEstablished; //!< whether the session is
        bool isDone;        //!< whether it has sent all changes
    };

    /// @return what the ends of all ranks know
    std::vector<EndState> GatherStates() const;

    uint32_t m_first;                           //!< the first address
    uint32_t m_end;                             //!< the first address after them
    std::vector<std::array<End, 2>> m_sessions; //!< the sessions
};

} // namespace ns3::aidc

#endif // AIDC_BGP_WAN_SESSIONS_H

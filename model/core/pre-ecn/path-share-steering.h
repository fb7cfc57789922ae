/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PATH_SHARE_STEERING_H
#define AIDC_PATH_SHARE_STEERING_H

#include "domain-message.h"
#include "flow-set-paths.h"
#include "path-share-law.h"

#include "ns3/flow-key.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// A link in one direction: the address of the router that sends into it, and its port.
using LinkKey = std::pair<uint32_t, uint16_t>;

/// A tunnel whose load is spread over its paths.
struct SharedTunnel
{
    FlowKey ends;                            //!< its ends
    FlowSetPaths sets;                       //!< its flow sets
    std::vector<FlowSetPaths::Path> paths;   //!< its paths
    std::vector<std::vector<LinkKey>> links; //!< the links of each path
    uint64_t decidedOf{0};                   //!< the time of the last reports that were used, ns
    int64_t decidedAt{0};                    //!< when a part of its load was last told to move, ns
};

/**
 * @brief Moves shares of an ingress PE's tunnels by reports of the load of links.
 *
 * The load of a path is that of its tightest link: the one with the highest utilization, or with
 * the least capacity if none has more than the least load. So a distant link, whose reports are
 * late, has no effect unless it is the bottleneck. A decision follows the reports of the tightest
 * link of each path of a tunnel, once each was measured after this PE has last moved a set to or
 * from the link, and the time that the report took: the move takes as long to the link. It waits as
 * long after a decision by which no set has moved, since another PE may have moved one by the same
 * reports. Otherwise it would move one, too, before it could know. What does
 * not fit whole sets of a tunnel is left to the next one between the same links. If the rest is
 * smaller than a set, one set moves by chance, unless more than half of the difference would be
 * left in the other direction.
 *
 * There are no events: each call gives the time in ns, which never goes back.
 */
class PathShareSteering
{
  public:
    /// Know a link of a path. Reports of other links are not used.
    void AddLink(const LinkKey& link)
    {
        m_links[link];
    }

    /// React to a report: sets of tunnels may be told to move. tunnels: the PE's tunnels.
    /// @return the number of tunnels with a share that is to move; none if the link is not known
    std::optional<uint32_t> React(const PathShareLaw::Settings& settings,
                                  const LinkLoadReport& report,
                                  int64_t now,
                                  const std::vector<SharedTunnel*>& tunnels);

    /// Note that a set has gone to another path. before: the path before.
    void NoteMove(const SharedTunnel& tunnel, uint32_t before, uint32_t path, int64_t now);

  private:
    /// What is known of a link.
    struct LinkState
    {
        std::optional<LinkLoadReport> report; //!< the last report
        int64_t delay{0};                     //!< how long it took, ns
        int64_t lastMove{0};                  //!< when a set last moved to or from the link, ns
    };

    /// A part of a tunnel's load that is to move from link to link.
    struct Job
    {
        SharedTunnel* tunnel;                //!< the tunnel
        PathShift shift;                     //!< the part
        std::pair<LinkKey, LinkKey> between; //!< the tightest links of both paths
    };

    /// Find the tightest link of a path. leastLoad: utilization up to which nothing leaves a path.
    /// @return the one with the highest utilization above this; otherwise the first one with the
    /// least capacity; none if there is no report of any
    std::optional<LinkKey> FindTightest(const std::vector<LinkKey>& links, double leastLoad) const;

    /// Decide on a tunnel, if all reports are there and were measured after the last moves.
    /// @return whether something is
    bool Decide(const PathShareLaw::Settings& settings,
                SharedTunnel& tunnel,
                int64_t now,
                std::vector<Job>& jobs);

    /// Choose the sets that move.
    static void Move(const std::vector<Job>& jobs, int64_t now);

    std::map<LinkKey, LinkState> m_links; //!< the links of all paths
};

} // namespace ns3::aidc

#endif // AIDC_PATH_SHARE_STEERING_H

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PATH_SHARE_STEERING_H
#define AIDC_PATH_SHARE_STEERING_H

#include "domain-message.h"
#include "flow-set-paths.h"

#include "ns3/flow-key.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// The load of a tunnel's path, in one direction.
struct PathLoad
{
    double capacity{0}; //!< of the path's tightest link, bit/s, > 0
    double load{0};     //!< all that arrives at this link, bit/s, at least 0
    double own{0};      //!< the tunnel's load on the path, bit/s, at least 0
    bool isUp{true};    //!< whether the path may be used
};

/// A part of a tunnel's load that is to take another path.
struct PathShift
{
    uint32_t from{0}; //!< the path that it leaves
    uint32_t to{0};   //!< the path that it takes
    double amount{0}; //!< bit/s
    double excess{0}; //!< to be moved by all tunnels together for equal utilizations, bit/s
};

/// Decides which share of a tunnel's traffic moves from path to path, so that the paths'
/// utilizations become equal.
///
/// The level is the utilization that all paths would have if their load were spread by capacity. A
/// path above the level gives away a part of the tunnel's traffic, to the paths below in proportion
/// to the load that they lack:
///
///     amount = Gain * own * (load - level * capacity) / load
///
/// The excess is a part of the link's load, and each tunnel moves this part of its own load. So all
/// tunnels together, of any number of edges that act at once, move Gain times the excess and no
/// more. Where all traffic is steered, each decision multiplies the difference of two paths by
/// 1 - Gain: it vanishes at Gain 1, and without further delay there is no swing up to 1. If
/// decisions come one decision late, they are stable below 1, and without a swing up to 1/4.
///
/// Hysteresis: nothing moves unless the utilizations of a path that is used and of another one
/// differ by more than a dead band, and the first one is above a least load.
///
/// A path above the level that carries nothing of the tunnel is left out, as the tunnel cannot
/// change it.
class PathShareLaw
{
  public:
    /// The settings.
    struct Settings
    {
        double gain{1};        //!< the part of the excess that moves at a decision, > 0, at most 1
        double deadBand{0.1};  //!< difference of utilizations at which nothing moves, at least 0
        double leastLoad{0.5}; //!< utilization of a path up to which nothing leaves it, at least 0
    };

    /// Decide. @return what is to move; empty for nothing
    static std::vector<PathShift> Decide(const Settings& settings,
                                         const std::vector<PathLoad>& paths);

    /// Compute the level. @return the common utilization of these paths; 0 if there are none
    static double ComputeLevel(const std::vector<PathLoad>& paths, std::vector<bool>& isPart);
};

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

/// Moves shares of an ingress PE's tunnels by reports of the load of links.
///
/// The load of a path is the load of its tightest link: the link with the highest utilization, or
/// with the least capacity if none has more than the least load. So a distant link, whose reports
/// are late, has no effect unless it is the bottleneck. A decision follows the reports of the
/// tightest link of each path of a tunnel. Each has to be measured after this PE last moved a set
/// to or from the link, plus the time that the report took: the move takes as long to reach the
/// link. The PE waits as long after a decision by which no set has moved, since another PE may have
/// moved a set by the same reports. Otherwise this PE would move one, too, before it could know. An
/// amount that does not fit whole sets of a tunnel is left to the next tunnel between the same
/// links. If the rest is smaller than a set, one set moves by chance, unless more than half of the
/// difference would be left in the other direction.
///
/// There are no events: each call gives the time in ns, which never goes back.
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
    /// The state of a link.
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
    /// @return the link with the highest utilization above this; otherwise the first link with the
    /// least capacity; none if there is no report of any
    std::optional<LinkKey> FindTightest(const std::vector<LinkKey>& links, double leastLoad) const;

    /// Decide on a tunnel, if all reports were measured after the last moves. @return whether so
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

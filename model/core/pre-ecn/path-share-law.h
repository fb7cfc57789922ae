/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PATH_SHARE_LAW_H
#define AIDC_PATH_SHARE_LAW_H

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// The load of a tunnel's path, in one direction.
struct PathLoad
{
    double capacity{0}; //!< of the path's tightest link, bit/s, > 0
    double load{0};     //!< all that arrives at this link, bit/s, at least 0
    double own{0};      //!< what the tunnel puts on the path, bit/s, at least 0
    bool isUp{true};    //!< whether the path may be used
};

/// A part of a tunnel's load that is to take another path.
struct PathShift
{
    uint32_t from{0}; //!< the path that it leaves
    uint32_t to{0};   //!< the path that it takes
    double amount{0}; //!< bit/s
    double excess{
        0}; //!< what all tunnels together would have to move for equal utilizations, bit/s
};

/**
 * @brief Decides which share of a tunnel's traffic moves from path to path, so that the paths'
 *        utilizations become equal.
 *
 * The level is the utilization that all paths would have if their load was spread by capacity. A
 * path above the level gives away a part of the tunnel's traffic, to the paths below in proportion
 * to what they lack:
 *
 *     amount = Gain * own * (load - level * capacity) / load
 *
 * The excess is a part of all that is told of the link, and each tunnel moves this part of its own.
 * So all tunnels together, of any number of edges that act at once, move Gain times the excess and
 * no more. Where all traffic is steered, the difference of two paths is multiplied by 1 - Gain at
 * each decision: it vanishes at Gain 1, and without further delay there is no swing up to 1. If
 * decisions come one decision late, they are stable below 1, and without a swing up to 1/4.
 *
 * Hysteresis: nothing moves unless the utilizations of a path that is used and of another one
 * differ by more than a dead band, and the first one is above a least load.
 *
 * A path above the level that carries nothing of the tunnel is left out, as the tunnel cannot
 * change it.
 */
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

} // namespace ns3::aidc

#endif // AIDC_PATH_SHARE_LAW_H

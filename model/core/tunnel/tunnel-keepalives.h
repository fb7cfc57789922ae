/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TUNNEL_KEEPALIVES_H
#define AIDC_TUNNEL_KEEPALIVES_H

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// Counts the keepalives of a tunnel's paths that do not return, and tells which paths are silent.
class TunnelKeepalives
{
  public:
    /// Start with paths that are not silent. @param n their number
    void Reset(uint32_t n)
    {
        m_paths.assign(n, {});
    }

    /// Count again from 0. @param isOn whether keepalives go on; without them no path is silent
    void Restart(bool isOn);

    /// Begin a round: paths with too many keepalives that have not returned are silent now.
    /// @param misses so many of them
    void Begin(uint32_t misses);

    /// A keepalive is sent. @param path the index of its path
    void NotifySent(uint32_t path)
    {
        ++m_paths[path].unanswered;
    }

    /// A keepalive has returned. @param path the index of its path @return whether the path was
    /// silent
    bool NotifyReturned(uint32_t path);

    /// @param path the index of a path @return whether its keepalives do not return
    bool IsSilent(uint32_t path) const
    {
        return m_paths[path].isSilent;
    }

  private:
    /// A path.
    struct Path
    {
        uint32_t unanswered{0}; //!< keepalives since the last one that returned
        bool isSilent{false};   //!< whether they do not return
    };

    std::vector<Path> m_paths; //!< the paths
};

} // namespace ns3::aidc

#endif // AIDC_TUNNEL_KEEPALIVES_H

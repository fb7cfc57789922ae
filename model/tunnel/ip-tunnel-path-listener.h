/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_IP_TUNNEL_PATH_LISTENER_H
#define AIDC_IP_TUNNEL_PATH_LISTENER_H

#include <cstdint>

namespace ns3::aidc
{

/// @ingroup aidc
/// A tunnel that is notified of changes of its paths.
class IpTunnelPathListener
{
  public:
    virtual ~IpTunnelPathListener() = default;

    /// A path has gone up or down. path: the index of the path.
    virtual void NotifyPathState(uint32_t path, bool isUp) = 0;

    /// The default path has changed. before: the index of the path, TunnelPathChoice::NONE for
    /// none; after: the index of the path, TunnelPathChoice::NONE for none.
    virtual void NotifyDefaultPath(uint32_t before, uint32_t after) = 0;

    /// Paths have gone up or down, or the default path was chosen again.
    virtual void NotifyPaths() = 0;

    /// A keepalive is due. @param path the index of its path
    virtual void SendKeepalive(uint32_t path) = 0;
};

} // namespace ns3::aidc

#endif // AIDC_IP_TUNNEL_PATH_LISTENER_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_REMOTE_LINK_H
#define AIDC_REMOTE_LINK_H

#include <cstddef>
#include <cstdint>

namespace ns3::aidc
{

/// A channel of two devices whose nodes are simulated by two processes (MpiProcesses). Each process
/// has the channel and both devices. What one process sends by TimeWindowSimulatorImpl::Send(), the
/// channel of the other process reads.
class RemoteLink
{
  public:
    virtual ~RemoteLink() = default;

    /// Read an arrival, and have it happen. Called at its time, for the node that receives.
    /// @param end the end of the link that receives, 0 or 1
    /// @param bytes the bytes
    /// @param size the number of bytes
    /// @throws std::runtime_error if they are not those of an arrival
    virtual void Receive(uint32_t end, const uint8_t* bytes, std::size_t size) = 0;
};

} // namespace ns3::aidc

#endif // AIDC_REMOTE_LINK_H

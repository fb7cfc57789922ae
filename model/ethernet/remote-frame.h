/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_REMOTE_FRAME_H
#define AIDC_REMOTE_FRAME_H

#include "ethernet-frame.h"

#include <cstddef>
#include <cstdint>
#include <vector>

/**
 * @file
 * A frame on its way to another process, in the order of bytes of this machine: its parsed headers
 * as they are, and its ns-3 packet by Packet::Serialize(), with all tags. Payload of zeros takes no
 * bytes.
 */

namespace ns3::aidc
{

/// A frame that crosses a link between processes.
struct RemoteFrame
{
    uint32_t epoch;      //!< the epoch of the link in which it was sent
    EthernetFrame frame; //!< the frame
};

/// @brief Write a frame.
/// @param epoch the epoch of the link in which it is sent
/// @param frame the frame
/// @param [out] bytes the bytes
void WriteRemoteFrame(uint32_t epoch, const EthernetFrame& frame, std::vector<uint8_t>& bytes);

/// @brief Read a frame.
/// @param bytes the bytes
/// @param size the number of bytes
/// @return the frame
/// @throws std::runtime_error if they are not those of a frame
RemoteFrame ReadRemoteFrame(const uint8_t* bytes, std::size_t size);

} // namespace ns3::aidc

#endif // AIDC_REMOTE_FRAME_H

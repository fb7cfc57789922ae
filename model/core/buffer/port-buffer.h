/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PORT_BUFFER_H
#define AIDC_PORT_BUFFER_H

#include <cstdint>

namespace ns3::aidc
{

/// How much of the switch's memory a port uses.
struct PortBufferUse
{
    uint64_t held{0};  //!< occupancy of the port's fullest queue in bytes
    uint64_t limit{0}; //!< the most that this queue may occupy now, in bytes
    uint64_t share{0}; //!< part of a queue if all queues of the switch had equal parts, in bytes
};

/// The buffer of an egress port, as forwarding sees it.
class PortBuffer
{
  public:
    virtual ~PortBuffer() = default;

    /**
     * @brief Get the port's present use of the memory.
     *
     * The fullest queue is the one whose occupancy is the largest part of its limit.
     *
     * @return the use
     */
    virtual PortBufferUse GetBufferUse() const = 0;
};

} // namespace ns3::aidc

#endif // AIDC_PORT_BUFFER_H

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

/**
 * @ingroup aidc
 * @brief What a port's queues have of the memory of their switch.
 */
struct PortBufferUse
{
    uint64_t held{0};  //!< bytes that the port's fullest queue holds
    uint64_t limit{0}; //!< bytes that that queue may hold now
    uint64_t share{0}; //!< bytes of the memory if all queues of the switch had equal parts of it
};

/**
 * @ingroup aidc
 * @brief An egress port that draws on the memory of a switch, as those see it who forward to it.
 */
class PortBuffer
{
  public:
    virtual ~PortBuffer() = default;

    /**
     * @brief Get what the port has of the memory now.
     *
     * The fullest queue is the one that has the largest part of what it may hold.
     *
     * @return the use
     */
    virtual PortBufferUse GetBufferUse() const = 0;
};

} // namespace ns3::aidc

#endif // AIDC_PORT_BUFFER_H

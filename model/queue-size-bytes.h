/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_QUEUE_SIZE_BYTES_H
#define AIDC_QUEUE_SIZE_BYTES_H

#include "ns3/queue-size.h"

#include <cstdint>

/**
 * @file
 * Helpers for attributes of ns-3's type QueueSize that are sizes in bytes.
 */

namespace ns3::aidc
{

/**
 * @brief Get a size in bytes from a QueueSize, which could also be in packets.
 * @param size the size
 * @return the bytes
 * @throws std::invalid_argument if the size is in packets
 */
uint64_t GetBytes(QueueSize size);

/**
 * @brief Make a size in bytes.
 * @param bytes the bytes
 * @return the size
 */
QueueSize ToQueueSize(uint64_t bytes);

/**
 * @brief Make the checker of an attribute that is a size in bytes.
 * @param least the least size in bytes
 * @return the checker
 */
Ptr<const AttributeChecker> MakeByteSizeChecker(uint64_t least = 0);

} // namespace ns3::aidc

#endif // AIDC_QUEUE_SIZE_BYTES_H

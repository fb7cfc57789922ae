/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-size-bytes.h"

#include "ns3/log.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcQueueSizeBytes");

QueueSize
ToQueueSize(uint64_t bytes)
{
    return QueueSize(QueueSizeUnit::BYTES, static_cast<uint32_t>(bytes));
}

bool
GetBytes(QueueSize size, uint64_t& bytes)
{
    if (size.GetUnit() != QueueSizeUnit::BYTES)
    {
        NS_LOG_ERROR("Expected a size in bytes, such as 100kB, found " << size);
        return false;
    }
    bytes = size.GetValue();
    return true;
}

} // namespace ns3::aidc

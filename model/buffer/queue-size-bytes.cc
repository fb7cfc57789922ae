/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-size-bytes.h"

#include <sstream>
#include <stdexcept>

namespace ns3::aidc
{

QueueSize
ToQueueSize(uint64_t bytes)
{
    return QueueSize(QueueSizeUnit::BYTES, static_cast<uint32_t>(bytes));
}

uint64_t
GetBytes(QueueSize size)
{
    if (size.GetUnit() != QueueSizeUnit::BYTES)
    {
        std::ostringstream text;
        text << "Expected a size in bytes, such as 100kB, found " << size;
        throw std::invalid_argument(text.str());
    }
    return size.GetValue();
}

} // namespace ns3::aidc

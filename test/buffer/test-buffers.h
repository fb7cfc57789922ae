// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TEST_BUFFERS_H
#define AIDC_TEST_BUFFERS_H

#include "test/test-case.h"

#include "ns3/shared-buffer.h"

// Shared buffers and what traces of queues tell, for the test suites.

namespace aidctest
{

/// What a trace of bytes has told: old and new values.
using Changes = std::vector<std::pair<uint64_t, uint64_t>>;

/// Note what a trace tells. oldValue: bytes before. newValue: bytes after.
inline void
Note(Changes* changes, uint64_t oldValue, uint64_t newValue)
{
    changes->emplace_back(oldValue, newValue);
}

inline void
NoteReconfiguration(std::vector<std::pair<std::string, std::string>>* texts,
                    const std::string& before,
                    const std::string& after)
{
    texts->emplace_back(before, after);
}

inline Ptr<SharedBuffer>
MakeBuffer(uint32_t size)
{
    return CreateObjectWithAttributes<SharedBuffer>(
        "Size",
        QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, size)));
}

inline Ptr<SharedBufferQueue>
AddQueue(Ptr<SharedBuffer> buffer,
         double alpha,
         const std::string& reserved = "0B",
         const std::string& cap = "0B",
         const std::string& headroom = "0B")
{
    auto queue = CreateObject<SharedBufferQueue>();
    queue->SetAttribute("Alpha", DoubleValue(alpha));
    queue->SetAttribute("Reserved", StringValue(reserved));
    queue->SetAttribute("Cap", StringValue(cap));
    queue->SetAttribute("Headroom", StringValue(headroom));
    buffer->AddQueue(queue);
    return queue;
}

} // namespace aidctest

#endif // AIDC_TEST_BUFFERS_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What is doubtful about the configuration of a queue: sections 1, 7 and 9 of the draft.

#include "coupled-ecn-queue.h"

#include "ns3/ecn-before-pause.h"
#include "ns3/ecn-threshold.h"
#include "ns3/shared-buffer.h"
#include "ns3/warning.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace ns3::aidc
{

void
CoupledEcnQueue::Warn()
{
    for (const auto& warning : {FindLargeOffset(), FindHighFloor(), FindEarlyPause()})
    {
        if (!warning.empty())
        {
            WarnOnce(warning);
        }
    }
}

uint64_t
CoupledEcnQueue::GetTypicalAllocation() const
{
    const auto& limits = GetLimits();
    return ComputeTypicalAllocation(GetSharedBuffer()->GetSize(),
                                    limits.alpha,
                                    limits.reserved,
                                    limits.cap);
}

std::string
CoupledEcnQueue::FindLargeOffset() const
{
    if (m_mode != COUPLED)
    {
        return "";
    }
    // As if nobody else had bytes set aside, for these come queue by queue, and the warning once.
    auto queue = DescribeFilling();
    queue.shared = GetSharedBuffer()->GetSize() - queue.reserved;
    return CheckEcnOffset(m_effectiveOffset, GetTypicalAllocation(), ComputeFirstMark(queue, 1));
}

std::string
CoupledEcnQueue::FindHighFloor() const
{
    return m_mode == COUPLED ? CheckEcnFloorWithin(m_ecnFloor.GetValue(), GetTypicalAllocation())
                             : "";
}

FillingQueue
CoupledEcnQueue::DescribeFilling() const
{
    const auto& limits = GetLimits();
    FillingQueue queue;
    queue.alpha = limits.alpha;
    queue.reserved = limits.reserved;
    queue.ingressReserved = limits.reserved; // where the queue itself is charged
    queue.cap = limits.cap;
    switch (m_mode)
    {
    case STATIC_STEP:
        queue.fixedBy = "Threshold";
        queue.ecnThrd = [bytes = m_threshold.GetValue()](uint64_t) { return bytes; };
        break;
    case STATIC_RED:
        queue.fixedBy = "Kmin";
        queue.ecnThrd = [bytes = m_kmin.GetValue()](uint64_t) { return bytes; };
        break;
    case PROPORTIONAL:
        queue.ecnThrd = [share = m_share](uint64_t bufThrd) {
            return static_cast<uint64_t>(share * static_cast<double>(bufThrd));
        };
        break;
    default:
        queue.ecnThrd = [offset = m_effectiveOffset,
                         floor = m_ecnFloor.GetValue()](uint64_t bufThrd) {
            return ComputeEcnThreshold(bufThrd, offset, floor).bytes;
        };
    }
    return queue;
}

std::string
CoupledEcnQueue::FindEarlyPause() const
{
    const auto accounts = GetSharedBuffer()->GetIngressLimits(GetPriority());
    if (!GetLimits().chargedElsewhere || accounts.empty())
    {
        return "";
    }
    // Of those that are paused first.
    const auto& account =
        *std::min_element(accounts.begin(), accounts.end(), [](const auto& a, const auto& b) {
            return a.xoffAlpha < b.xoffAlpha;
        });
    auto queue = DescribeFilling();
    if (!queue.fixedBy.empty() && queue.ecnThrd(0) > GetSharedBuffer()->GetSize())
    {
        return ""; // marks are switched off
    }
    queue.shared = GetSharedBuffer()->GetShared();
    queue.xoffAlpha = account.xoffAlpha;
    queue.ingressReserved = account.reserved;
    return CheckEcnBeforePause(queue, static_cast<uint32_t>(accounts.size()));
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-bandwidth.h"

namespace ns3::aidc
{

double
GetBusFactor(CollectiveKind kind, uint32_t nMembers)
{
    const double share = (nMembers - 1.0) / nMembers;
    switch (kind)
    {
    case CollectiveKind::ALL_REDUCE:
        return 2 * share;
    case CollectiveKind::ALL_GATHER:
    case CollectiveKind::REDUCE_SCATTER:
    case CollectiveKind::ALL_TO_ALL:
        return share;
    case CollectiveKind::BROADCAST:
        break;
    }
    return 1;
}

CollectiveBandwidth
GetCollectiveBandwidth(CollectiveKind kind, uint32_t nMembers, uint64_t bytes, double seconds)
{
    const double algorithm = static_cast<double>(bytes) / seconds;
    return {algorithm, algorithm * GetBusFactor(kind, nMembers)};
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ECN_REMARK_H
#define AIDC_ECN_REMARK_H

#include "../core/tunnel/tunnel-ecn.h"

#include "ns3/ptr.h"
#include "ns3/queue-item.h"

namespace ns3::aidc
{

/// @ingroup aidc
/// Get the ECN codepoint of a queued packet.
/// @param item the packet
/// @return the codepoint of its outermost header, NOT_ECT if it is not IP
EcnCodepoint GetEcn(const QueueDiscItem& item);

/**
 * @ingroup aidc
 * @brief Make a copy of a queued packet with another ECN codepoint.
 *
 * ns-3's items can only be changed by Mark(), which only sets CE. So the packet gets a new item:
 * one of ns-3's for IPv4 or IPv6, or an EthernetQueueItem. The header is written, with its
 * checksum, when the packet leaves.
 *
 * @param item the packet, before its header is added
 * @param codepoint the codepoint of its outermost header
 * @return an item with the same packet and the same DSCP, to be queued in its place; null if that
 *         is impossible, for an item of another kind or one whose header has been added
 */
Ptr<QueueDiscItem> CopyWithEcn(const Ptr<QueueDiscItem>& item, EcnCodepoint codepoint);

} // namespace ns3::aidc

#endif // AIDC_ECN_REMARK_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_NEEDLESS_REPEATS_H
#define AIDC_NEEDLESS_REPEATS_H

#include "ns3/node.h"
#include "ns3/ptr.h"

#include <string>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// Find out, at the end of a simulation, whether the RoceNics of a network have waited for timeouts
/// or repeated packets although none of their packets was lost: a timeout is too short then, or
/// something holds packets up. Where packets overtake others, receivers refuse or drop them and ask
/// for repeats, so that nothing is told. Of several ranks (MpiRanks), each one calls it with the
/// same nodes at the same point.
/// @param nodes the nodes of the network
/// @return the numbers, in a sentence; empty if there is nothing to tell
std::string FindNeedlessRepeats(const std::vector<Ptr<Node>>& nodes);

} // namespace ns3::aidc

#endif // AIDC_NEEDLESS_REPEATS_H

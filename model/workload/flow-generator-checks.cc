/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-generator-checks.h"

#include "aidc-input-error.h"

#include <string>

namespace ns3::aidc
{

void
CheckFlowGenerator(const std::vector<NodeIndex>& hosts, const FlowSizeDistribution& sizes)
{
    if (hosts.size() < 2)
    {
        throw AidcInputError("hosts of the flows", 0, "at least 2", std::to_string(hosts.size()));
    }
    if (sizes.GetPoints().empty())
    {
        throw AidcInputError("flow sizes", 0, "a distribution", "none");
    }
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SWITCH_DATAPATH_HELPER_H
#define AIDC_SWITCH_DATAPATH_HELPER_H

#include "ns3/node.h"
#include "ns3/ptr.h"
#include "ns3/switch-datapath.h"

#include <optional>

namespace ns3::aidc
{

/// Installs the SwitchDatapath of nodes that pass packets on.
struct SwitchDatapathHelper
{
    std::optional<SwitchDatapath::Mode> mode; //!< if it is not what the attribute says

    /// Whether packets that arrive at once are served in the order of the ports; by default what a
    /// user says, or else true.
    std::optional<bool> isOrdered;

    /// Install the datapath of a node, which has its protocol stack and all of its ports.
    void Install(Ptr<Node> node) const;
};

} // namespace ns3::aidc

#endif // AIDC_SWITCH_DATAPATH_HELPER_H

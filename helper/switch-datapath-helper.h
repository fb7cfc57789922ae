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
class SwitchDatapathHelper
{
  public:
    /// @param mode how packets get through; by default what the attribute says
    void SetMode(SwitchDatapath::Mode mode)
    {
        m_mode = mode;
    }

    /// @param isOrdered whether packets that arrive at once are served in the order of the ports;
    ///                  by default what a user says, or else true
    void SetOrderedArrivals(bool isOrdered)
    {
        m_isOrdered = isOrdered;
    }

    /// @return whether arrivals are to be ordered
    bool HasOrderedArrivals() const
    {
        return m_isOrdered.value_or(true);
    }

    /// @param node the node, which has its protocol stack and all of its ports
    void Install(Ptr<Node> node) const
    {
        Install(node, m_mode);
    }

    /// Install the datapath of a node in a mode of its own. node: the node, which has its protocol
    /// stack and all of its ports; mode: how packets get through; none for what the attribute says.
    void Install(Ptr<Node> node, std::optional<SwitchDatapath::Mode> mode) const;

  private:
    std::optional<SwitchDatapath::Mode> m_mode; //!< SetMode()
    std::optional<bool> m_isOrdered;            //!< SetOrderedArrivals()
};

} // namespace ns3::aidc

#endif // AIDC_SWITCH_DATAPATH_HELPER_H

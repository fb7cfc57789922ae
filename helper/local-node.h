// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_LOCAL_NODE_H
#define AIDC_LOCAL_NODE_H

#include "ns3/node.h"
#include "ns3/ptr.h"
#include "ns3/simulator.h"

namespace ns3::aidc
{

/// @return whether this process (MpiProcesses) simulates it; otherwise it is empty here
inline bool
IsLocalNode(const Ptr<Node>& node)
{
    return node->GetSystemId() == Simulator::GetSystemId();
}

} // namespace ns3::aidc

#endif // AIDC_LOCAL_NODE_H

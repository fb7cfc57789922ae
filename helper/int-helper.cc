/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "int-helper.h"

#include "fabric-role.h"

#include "ns3/ethernet-net-device.h"
#include "ns3/int-port.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

namespace ns3::aidc
{

void
IntHelper::Install(const NodeContainer& switches)
{
    for (auto it = switches.Begin(); it != switches.End(); ++it)
    {
        FabricRole::Check(*it, FabricRole::SWITCH, "IntHelper");
        if ((*it)->GetSystemId() != Simulator::GetSystemId())
        {
            continue;
        }
        for (uint32_t i = 0; i < (*it)->GetNDevices(); ++i)
        {
            if (const auto device = DynamicCast<EthernetNetDevice>((*it)->GetDevice(i)))
            {
                CreateObject<IntPort>()->Install(device);
            }
        }
    }
}

} // namespace ns3::aidc

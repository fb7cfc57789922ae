// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FABRIC_INTERFACE_H
#define AIDC_FABRIC_INTERFACE_H

#include "../model/core/fabric/fabric-elements.h"

#include <cstdint>

/// @file
/// The IPv4 interfaces of nodes that a FabricHelper builds.

namespace ns3::aidc
{

/// The IPv4 interface of a node's loopback device.
constexpr uint32_t LOOPBACK_INTERFACE = 0;

/// Get the IPv4 interface of a port: LOOPBACK_INTERFACE comes first.
/// @return the index of the interface
constexpr uint32_t
GetInterfaceOfPort(PortIndex port)
{
    return port.value + 1;
}

} // namespace ns3::aidc

#endif // AIDC_FABRIC_INTERFACE_H

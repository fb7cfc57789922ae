/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transit-tunnel.h"

namespace ns3::aidc
{

NS_OBJECT_ENSURE_REGISTERED(TransitTunnelEnd);

TypeId
TransitTunnelEnd::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::TransitTunnelEnd").SetParent<Object>().SetGroupName("Aidc");
    return tid;
}

} // namespace ns3::aidc

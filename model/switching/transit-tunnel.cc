/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transit-tunnel.h"

#include "ns3/log.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcTransitTunnelEnd");

NS_OBJECT_ENSURE_REGISTERED(TransitTunnelEnd);

TypeId
TransitTunnelEnd::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::TransitTunnelEnd").SetParent<Object>().SetGroupName("Aidc");
    return tid;
}

TransitTunnelEnd::~TransitTunnelEnd()
{
    NS_LOG_FUNCTION(this);
}

} // namespace ns3::aidc

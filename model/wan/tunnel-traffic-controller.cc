/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tunnel-traffic-controller.h"

namespace ns3::aidc
{

NS_OBJECT_ENSURE_REGISTERED(TunnelTrafficController);

TypeId
TunnelTrafficController::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::TunnelTrafficController").SetParent<Object>().SetGroupName("Aidc");
    return tid;
}

} // namespace ns3::aidc

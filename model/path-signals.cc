/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-signals.h"

namespace ns3::aidc
{

NS_OBJECT_ENSURE_REGISTERED(PathSignals);

TypeId
PathSignals::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::PathSignals").SetParent<Object>().SetGroupName("Aidc");
    return tid;
}

} // namespace ns3::aidc

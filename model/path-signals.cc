/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-signals.h"

#include "ns3/log.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcPathSignals");

NS_OBJECT_ENSURE_REGISTERED(PathSignals);

TypeId
PathSignals::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::PathSignals").SetParent<Object>().SetGroupName("Aidc");
    return tid;
}

PathSignals::~PathSignals()
{
    NS_LOG_FUNCTION(this);
}

} // namespace ns3::aidc

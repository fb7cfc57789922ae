/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-endpoint.h"

namespace ns3::aidc
{

NS_OBJECT_ENSURE_REGISTERED(MessageEndpoint);

TypeId
MessageEndpoint::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::MessageEndpoint").SetParent<Object>().SetGroupName("Aidc");
    return tid;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pre-ecn-queue-disc.h"

#include "ns3/log.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcPreEcnQueueDisc");

NS_OBJECT_ENSURE_REGISTERED(PreEcnQueueDisc);

TypeId
PreEcnQueueDisc::GetTypeId()
{
    static TypeId tid = MirrorQueue(TypeId("ns3::aidc::PreEcnQueueDisc")
                                        .SetParent<SharedBufferQueueDisc>()
                                        .SetGroupName("Aidc")
                                        .AddConstructor<PreEcnQueueDisc>(),
                                    PreEcnQueue::GetTypeId());
    return tid;
}

PreEcnQueueDisc::PreEcnQueueDisc()
    : SharedBufferQueueDisc(CreateObject<PreEcnQueue>())
{
    NS_LOG_FUNCTION(this);
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "coupled-ecn-queue-disc.h"

#include "ns3/log.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCoupledEcnQueueDisc");

NS_OBJECT_ENSURE_REGISTERED(CoupledEcnQueueDisc);

TypeId
CoupledEcnQueueDisc::GetTypeId()
{
    static TypeId tid = MirrorQueue(TypeId("ns3::aidc::CoupledEcnQueueDisc")
                                        .SetParent<SharedBufferQueueDisc>()
                                        .SetGroupName("Aidc")
                                        .AddConstructor<CoupledEcnQueueDisc>(),
                                    CoupledEcnQueue::GetTypeId());
    return tid;
}

CoupledEcnQueueDisc::CoupledEcnQueueDisc()
    : SharedBufferQueueDisc(CreateObject<CoupledEcnQueue>())
{
    NS_LOG_FUNCTION(this);
}

Ptr<CoupledEcnQueue>
CoupledEcnQueueDisc::GetQueue() const
{
    return StaticCast<CoupledEcnQueue>(GetBufferQueue());
}

} // namespace ns3::aidc

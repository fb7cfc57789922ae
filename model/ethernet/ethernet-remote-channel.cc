/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-remote-channel.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#ifdef NS3_MPI
#include "ns3/mpi-interface.h"
#include "ns3/node.h"
#endif

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcEthernetRemoteChannel");

NS_OBJECT_ENSURE_REGISTERED(EthernetRemoteChannel);

TypeId
EthernetRemoteChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::EthernetRemoteChannel")
                            .SetParent<EthernetChannel>()
                            .SetGroupName("Aidc")
                            .AddConstructor<EthernetRemoteChannel>();
    return tid;
}

void
EthernetRemoteChannel::Carry([[maybe_unused]] EthernetFrame& frame,
                             [[maybe_unused]] uint32_t end,
                             uint32_t /* epoch */,
                             [[maybe_unused]] Time duration)
{
    NS_LOG_FUNCTION(this << end << duration);
#ifdef NS3_MPI
    const auto receiver = GetEnd(1 - end);
    MpiInterface::SendPacket(frame.Write(),
                             Simulator::Now() + duration + GetDelay(),
                             receiver->GetNode()->GetId(),
                             receiver->GetIfIndex());
#else
    NS_ABORT_MSG("EthernetRemoteChannel: this ns-3 was built without MPI");
#endif
}

} // namespace ns3::aidc

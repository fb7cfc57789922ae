/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-remote-channel.h"

#include "../core/require-argument.h"
#include "remote-frame.h"

#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/time-window-simulator-impl.h"

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
EthernetRemoteChannel::Deliver(uint32_t end, uint32_t epoch, EthernetFrame& frame, Time delay)
{
    NS_LOG_FUNCTION(this << end << epoch << delay);
    if (GetEnd(1 - end)->GetNode()->GetSystemId() != Simulator::GetSystemId())
    {
        return; // the other process sends it, too
    }
    auto* windows = TimeWindowSimulatorImpl::GetRunning();
    AIDC_REFUSED_UNLESS(windows,
                        "EthernetRemoteChannel: expected time windows, which join the processes; "
                        "TimeWindowHelper::Enable() chooses them");
    WriteRemoteFrame(epoch, frame, m_bytes);
    windows->Send(*GetEnd(end), delay, m_bytes.data(), m_bytes.size());
}

void
EthernetRemoteChannel::Receive(uint32_t end, const uint8_t* bytes, std::size_t size)
{
    auto read = ReadRemoteFrame(bytes, size);
    GetEnd(end)->Receive(read.frame, read.epoch);
}

} // namespace ns3::aidc

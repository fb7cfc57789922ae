// SPDX-License-Identifier: GPL-2.0-only

#include "point-to-point-process-channel.h"

#include "../core/require-argument.h"
#include "time-window-simulator-impl.h"

#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/socket.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcPointToPointProcessChannel");

NS_OBJECT_ENSURE_REGISTERED(PointToPointProcessChannel);

TypeId
PointToPointProcessChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::PointToPointProcessChannel")
                            .SetParent<PointToPointChannel>()
                            .SetGroupName("Aidc")
                            .AddConstructor<PointToPointProcessChannel>();
    return tid;
}

PointToPointProcessChannel::PointToPointProcessChannel()
{
    // ns-3 knows these tags from their first use in a process on. A packet of another process may
    // have them before.
    SocketIpTosTag::GetTypeId();
    SocketIpv6TclassTag::GetTypeId();
    SocketPriorityTag::GetTypeId();
}

bool
PointToPointProcessChannel::TransmitStart(Ptr<const Packet> packet,
                                          Ptr<PointToPointNetDevice> sender,
                                          Time duration)
{
    NS_LOG_FUNCTION(this << packet << sender << duration);
    auto* windows = TimeWindowSimulatorImpl::GetRunning();
    AIDC_REFUSED_UNLESS(
        windows,
        "PointToPointProcessChannel: expected time windows, which join the processes; "
        "TimeWindowHelper::Enable() chooses them");
    const uint32_t size = packet->GetSerializedSize();
    m_bytes.resize(size);
    packet->Serialize(m_bytes.data(), size);
    const auto receiver = GetDevice(GetDevice(0) == sender ? 1 : 0);
    windows->Send(*receiver, duration + GetDelay(), m_bytes.data(), size);
    return true;
}

void
PointToPointProcessChannel::Receive(uint32_t end, const uint8_t* bytes, std::size_t size)
{
    GetPointToPointDevice(end)->Receive(Create<Packet>(bytes, static_cast<uint32_t>(size), true));
}

} // namespace ns3::aidc

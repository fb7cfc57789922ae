// SPDX-License-Identifier: GPL-2.0-only

#include "floored-dctcp.h"

#include "ns3/log.h"
#include "ns3/tcp-socket-state.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcFlooredDctcp");

NS_OBJECT_ENSURE_REGISTERED(FlooredDctcp);

TypeId
FlooredDctcp::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::FlooredDctcp")
                            .SetParent<TcpDctcp>()
                            .SetGroupName("Aidc")
                            .AddConstructor<FlooredDctcp>()
                            .AddAttribute("MinWindow",
                                          "Least congestion window after a mark, in segments",
                                          UintegerValue(2),
                                          MakeUintegerAccessor(&FlooredDctcp::m_minWindow),
                                          MakeUintegerChecker<uint32_t>(1, 65535));
    return tid;
}

uint32_t
FlooredDctcp::GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight)
{
    NS_LOG_FUNCTION(this << bytesInFlight);
    return std::max(TcpDctcp::GetSsThresh(tcb, bytesInFlight), m_minWindow * tcb->m_segmentSize);
}

Ptr<TcpCongestionOps>
FlooredDctcp::Fork()
{
    return CopyObject<FlooredDctcp>(this);
}

} // namespace ns3::aidc

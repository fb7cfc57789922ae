// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-speaker-settings.h"

#include "../core/require-argument.h"

#include "ns3/node.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace ns3::aidc
{

/// The most bytes of headers that a segment has: 20 of IPv4, 60 of TCP with options.
constexpr uint32_t MAX_HEADERS = 80;

/// The largest packet that fits in all Ethernet links, bytes.
constexpr uint32_t ETHERNET_MTU = 1500;

void
BgpSpeakerSettings::CheckHoldTime(const Time& time)
{
    const int64_t seconds = time.GetTimeStep() / Seconds(1).GetTimeStep();
    if (Seconds(seconds) != time || seconds == 1 || seconds == 2)
    {
        std::ostringstream text;
        text << "HoldTime: expected whole seconds, 0 or at least 3, found " << time.As(Time::S);
        throw std::invalid_argument(text.str());
    }
}

void
BgpSpeakerSettings::Complete(Ptr<Ipv4> ipv4)
{
    AIDC_REFUSED_IF(as == 0, "BgpSpeaker: expected an As from 1 on");
    AIDC_REFUSED_IF(sendHoldTime.IsStrictlyPositive() && sendHoldTime <= holdTime,
                    "BgpSpeaker: expected a SendHoldTime of 0 or above the HoldTime of "
                        << holdTime.As(Time::S) << ", found " << sendHoldTime.As(Time::S));
    if (routerId != Ipv4Address::GetAny())
    {
        return;
    }
    for (uint32_t i = 0; i < ipv4->GetNInterfaces(); ++i)
    {
        for (uint32_t j = 0; j < ipv4->GetNAddresses(i); ++j)
        {
            const Ipv4Address address = ipv4->GetAddress(i, j).GetLocal();
            if (!address.IsLocalhost() && routerId < address)
            {
                routerId = address;
            }
        }
    }
    AIDC_REFUSED_IF(routerId == Ipv4Address::GetAny(),
                    "BgpSpeaker: expected a RouterId, or node " << ipv4->GetObject<Node>()->GetId()
                                                                << " to have an address");
}

Time
BgpSpeakerSettings::GetSendHoldTime(int64_t agreed) const
{
    constexpr int64_t LEAST = 480;
    if (agreed == 0)
    {
        return Time(0);
    }
    return sendHoldTime.IsStrictlyNegative() ? Seconds(std::max(LEAST, 2 * agreed)) : sendHoldTime;
}

std::shared_ptr<const BgpSessionSettings>
BgpSpeakerSettings::MakeSession(const BgpPeerSettings& peer) const
{
    const auto getMilliseconds = [](const Time& time) {
        return static_cast<uint32_t>(time.GetMilliSeconds());
    };
    const auto session = std::make_shared<BgpSessionSettings>();
    session->open = MakeBgpOpen(as, static_cast<uint16_t>(holdTime.GetSeconds()), routerId.Get());
    if (graceful.offersRestart)
    {
        session->open.capabilities.gracefulRestart =
            BgpGracefulRestart{false,
                               true,
                               static_cast<uint16_t>(graceful.restartTime.GetSeconds()),
                               {{BGP_IPV4_UNICAST, false}}};
    }
    session->peerAs = peer.as;
    session->connectRetryTime = getMilliseconds(connectRetryTime);
    session->keepaliveTime = getMilliseconds(keepaliveTime);
    session->idleHoldTime = getMilliseconds(idleHoldTime);
    session->isPassive = peer.isPassive;
    return session;
}

BgpTcpSettings
BgpSpeakerSettings::MakeTcp() const
{
    BgpTcpSettings tcp;
    tcp.port = port;
    tcp.typeOfService = static_cast<uint8_t>(dscp << 2);
    tcp.ttl = 255; // of answers before the peer is known; peers may ask for it
    tcp.bufferSize = tcpBufferSize;
    return tcp;
}

BgpTcpSettings
BgpSpeakerSettings::MakeTcp(const BgpPeerSettings& peer, uint32_t mtu) const
{
    BgpTcpSettings tcp = MakeTcp();
    const bool isExternal = peer.as != as;
    tcp.ttl = peer.ttl > 0 ? peer.ttl : peer.minTtl > 0 ? 255 : isExternal ? 1 : 0;
    if (mtu > 0)
    {
        tcp.segmentSize = std::max(std::min(mtu, ETHERNET_MTU), 2 * MAX_HEADERS) - MAX_HEADERS;
    }
    return tcp;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bfd-speaker-session.h"

#include "../core/bfd/bfd-session-table.h"
#include "../core/require-argument.h"

#include "ns3/ipv4-route.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/udp-l4-protocol.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBfdSpeakerSession");

BfdSpeakerSession::BfdSpeakerSession(const BfdSpeakerContext& context,
                                     const BfdSessionSettings& settings,
                                     uint32_t number,
                                     uint32_t interface,
                                     Ipv4Address neighbor)
    : m_context(context),
      m_number(number),
      m_interface(interface),
      m_neighbor(neighbor),
      m_machine(settings, BfdSessionTable::GetDiscriminator(number)),
      m_transmission([this] {
          BfdActions actions;
          m_machine.ExpireTransmission(actions);
          Perform(actions);
      }),
      m_detection([this] {
          BfdActions actions;
          m_machine.ExpireDetection(actions);
          Perform(actions);
      })
{
}

void
BfdSpeakerSession::Start()
{
    BfdActions actions;
    m_machine.Start(actions);
    Perform(actions);
}

void
BfdSpeakerSession::Stop()
{
    SetAdminDown(true);
    m_transmission.Cancel();
    m_detection.Cancel();
}

void
BfdSpeakerSession::Dispose()
{
    m_transmission.Cancel();
    m_detection.Cancel();
    m_clients.clear();
}

BfdDiscard
BfdSpeakerSession::Receive(const BfdPacket& packet)
{
    BfdActions actions;
    const BfdDiscard discard = m_machine.Receive(packet, actions);
    if (discard == BfdDiscard::NONE)
    {
        m_lastReceived = Simulator::Now();
    }
    Perform(actions);
    return discard;
}

void
BfdSpeakerSession::SetAdminDown(bool isAdminDown)
{
    BfdActions actions;
    m_machine.SetAdminDown(isAdminDown, actions);
    Perform(actions);
}

void
BfdSpeakerSession::UpdateSettings(const BfdSessionSettings& settings)
{
    BfdActions actions;
    m_machine.SetSettings(settings, actions);
    Perform(actions);
}

void
BfdSpeakerSession::Perform(const BfdActions& actions)
{
    for (const BfdAction& action : actions)
    {
        Perform(action);
    }
    const bool hasFailed = m_machine.HasFailed();
    if (hasFailed == m_hasFailed)
    {
        return;
    }
    m_hasFailed = hasFailed;
    m_context.statistics.failed += hasFailed;
    m_context.failureTrace(m_number, hasFailed);
    m_context.notifyFailure(m_interface, hasFailed);
    for (const auto& notify : m_clients)
    {
        notify(hasFailed);
    }
}

/// Set a timer.
/// @param timer the timer
/// @param from when its time has begun
/// @param microseconds its time; 0 to stop it
/// @param factor of the time
static void
SetTimer(DeadlineTimer& timer, const Time& from, uint64_t microseconds, double factor)
{
    if (microseconds == 0)
    {
        timer.Stop();
        return;
    }
    const auto time =
        NanoSeconds(static_cast<int64_t>(factor * 1000 * static_cast<double>(microseconds)));
    timer.Start(std::max(Time(0), from + time - Simulator::Now()));
}

void
BfdSpeakerSession::Perform(const BfdAction& action)
{
    switch (action.type)
    {
    case BfdActionType::SEND:
        if (action.isPeriodic)
        {
            m_lastSent = Simulator::Now();
        }
        Send(action.packet);
        break;
    case BfdActionType::SET_TRANSMISSION: {
        const double max = GetBfdMaxJitter(m_machine.GetSettings().detectMultiplier);
        SetTimer(m_transmission,
                 m_lastSent,
                 action.microseconds,
                 m_context.drawJitter(BFD_MIN_JITTER, max));
        break;
    }
    case BfdActionType::SET_DETECTION:
        SetTimer(m_detection, m_lastReceived, action.microseconds, 1);
        break;
    case BfdActionType::CHANGE_STATE: {
        const BfdState state = m_machine.GetState();
        NS_LOG_INFO("neighbor " << m_neighbor << ": " << GetBfdStateName(state));
        m_context.statistics.established += state == BfdState::UP;
        m_context.stateTrace(m_number, action.before, state, m_machine.GetDiagnostic());
        break;
    }
    }
}

Ipv4Address
BfdSpeakerSession::GetSource() const
{
    const Ipv4& ipv4 = *m_context.ipv4;
    for (uint32_t i = 0; i < ipv4.GetNAddresses(m_interface); ++i)
    {
        const auto own = ipv4.GetAddress(m_interface, i);
        if (own.GetMask().IsMatch(own.GetLocal(), m_neighbor))
        {
            return own.GetLocal();
        }
    }
    if (ipv4.GetNAddresses(m_interface) > 0)
    {
        return ipv4.GetAddress(m_interface, 0).GetLocal();
    }
    for (uint32_t i = 0; i < ipv4.GetNAddresses(0); ++i)
    {
        const auto own = ipv4.GetAddress(0, i).GetLocal();
        if (!own.IsLocalhost())
        {
            return own;
        }
    }
    AIDC_REFUSE("BfdSpeaker: expected an address of interface "
                << m_interface << ", or of the loopback device, to send to " << m_neighbor);
    return {};
}

void
BfdSpeakerSession::Send(const BfdPacket& packet) const
{
    const auto bytes = EncodeBfdPacket(packet);
    const auto datagram = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    SocketIpTtlTag ttl;
    ttl.SetTtl(BFD_TTL);
    datagram->AddPacketTag(ttl);
    const auto octet = static_cast<uint8_t>(m_context.dscp << 2);
    SocketIpTosTag tos;
    tos.SetTos(octet);
    datagram->AddPacketTag(tos);
    SocketPriorityTag priority;
    priority.SetPriority(Socket::IpTos2Priority(octet));
    datagram->AddPacketTag(priority);
    const auto route = Create<Ipv4Route>();
    route->SetSource(GetSource());
    route->SetDestination(m_neighbor);
    route->SetGateway(m_neighbor);
    route->SetOutputDevice(m_context.ipv4->GetNetDevice(m_interface));
    constexpr uint32_t N_SOURCE_PORTS = 65536 - BFD_MIN_SOURCE_PORT;
    const auto port = static_cast<uint16_t>(BFD_MIN_SOURCE_PORT + m_number % N_SOURCE_PORTS);
    ++m_context.statistics.sent;
    const auto udp = m_context.ipv4->GetObject<UdpL4Protocol>();
    udp->Send(datagram, route->GetSource(), m_neighbor, port, BFD_PORT, route);
}

} // namespace ns3::aidc

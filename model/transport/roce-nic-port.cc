/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-nic-port.h"

#include "roce-header.h"
#include "roce-trailer.h"

#include "ns3/invariant-crc.h"
#include "ns3/ipv4-bytes.h"
#include "ns3/packet.h"
#include "ns3/roce-datagram.h"
#include "ns3/roce-opcode.h"
#include "ns3/simulator.h"
#include "ns3/udp-header.h"
#include "ns3/written-header.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace ns3::aidc
{

NS_OBJECT_ENSURE_REGISTERED(RoceNicPort);

namespace
{

/// The codepoint of all packets: congestion marks may replace it.
constexpr uint8_t ECT_0 = 2;

/// Bytes of UDP's header.

/**
 * @brief Get the time.
 * @return ns
 */
double
GetNow()
{
    return static_cast<double>(Simulator::Now().GetNanoSeconds());
}

} // namespace

TypeId
RoceNicPort::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::RoceNicPort")
                            .SetParent<EthernetFrameSource>()
                            .SetGroupName("Aidc")
                            .AddConstructor<RoceNicPort>();
    return tid;
}

RoceNicPort::RoceNicPort() = default;

RoceNicPort::~RoceNicPort() = default;

void
RoceNicPort::DoDispose()
{
    m_wake.Cancel();
    if (m_device)
    {
        m_device->SetFrameSource(nullptr);
        m_device = nullptr;
    }
    m_classes = {};
    m_settings = nullptr;
    EthernetFrameSource::DoDispose();
}

void
RoceNicPort::Install(Ptr<EthernetNetDevice> device, uint32_t address, RoceNicSettings& settings)
{
    m_device = device;
    m_address = address;
    m_settings = &settings;
    device->SetFrameSource(this);
}

Ptr<EthernetNetDevice>
RoceNicPort::GetDevice() const
{
    return m_device;
}

uint32_t
RoceNicPort::GetAddress() const
{
    return m_address;
}

// Turns

double
RoceNicPort::GetPaused(const Class& trafficClass, double now)
{
    return trafficClass.paused +
           (trafficClass.pausedSince < 0 ? 0 : now - trafficClass.pausedSince);
}

void
RoceNicPort::PushReady(RoceQueuePair& pair, double now)
{
    Class& trafficClass = m_classes[pair.trafficClass];
    pair.state = RoceQueuePair::State::READY;
    pair.next = nullptr;
    pair.readySince = GetPaused(trafficClass, now);
    (trafficClass.first ? trafficClass.last->next : trafficClass.first) = &pair;
    trafficClass.last = &pair;
    m_dataClasses |= 1U << pair.trafficClass;
}

RoceQueuePair&
RoceNicPort::PopReady(uint32_t index, double now)
{
    Class& trafficClass = m_classes[index];
    RoceQueuePair& pair = *trafficClass.first;
    trafficClass.first = pair.next;
    if (!trafficClass.first)
    {
        m_dataClasses &= ~(1U << index);
    }
    pair.state = RoceQueuePair::State::IDLE;
    pair.waits.pause += GetPaused(trafficClass, now) - pair.readySince;
    return pair;
}

void
RoceNicPort::Activate(RoceQueuePair& pair)
{
    if (pair.state != RoceQueuePair::State::IDLE)
    {
        return;
    }
    const Time time = Simulator::Now();
    const auto now = static_cast<double>(time.GetNanoSeconds());
    if (!pair.HasPacket(time))
    {
        if (pair.blockedSince < 0 && pair.requester.GetInFlight() > 0 &&
            pair.requester.HasPacket(CongestionControl::NO_WINDOW))
        {
            pair.blockedSince = now;
        }
        return;
    }
    if (pair.blockedSince >= 0)
    {
        pair.waits.window += now - pair.blockedSince;
        pair.blockedSince = NEVER;
    }
    if (pair.nextTime <= now)
    {
        PushReady(pair, now);
        if (HasFrame())
        {
            m_device->RequestFrame();
        }
        return;
    }
    pair.state = RoceQueuePair::State::PACED;
    m_paced.Push({pair.nextTime, m_order++, &pair});
    ArmWake();
}

void
RoceNicPort::MovePaced(double now)
{
    while (!m_paced.IsEmpty() && m_paced.GetFirst().time <= now)
    {
        PushReady(*m_paced.Pop().pair, now);
    }
}

void
RoceNicPort::ArmWake()
{
    if (m_paced.IsEmpty())
    {
        return;
    }
    const double time = std::ceil(m_paced.GetFirst().time);
    if (m_wakeTime != NEVER)
    {
        if (m_wakeTime <= time)
        {
            return; // Wake() looks again
        }
        m_wake.Cancel();
    }
    m_wakeTime = time;
    m_wake = Simulator::Schedule(NanoSeconds(static_cast<int64_t>(time)) - Simulator::Now(),
                                 &RoceNicPort::Wake,
                                 this);
}

void
RoceNicPort::Wake()
{
    m_wakeTime = NEVER;
    MovePaced(GetNow());
    if (HasFrame())
    {
        m_device->PullFrame();
    }
    ArmWake();
}

void
RoceNicPort::SendControl(RoceQueuePair& pair, RocePacket packet)
{
    const bool isCnp = packet.opcode == RoceOpcode::CNP;
    const uint32_t index =
        isCnp ? m_settings->classes.GetClassOfTos(static_cast<uint8_t>(m_settings->cnpDscp << 2))
              : pair.trafficClass;
    if (!isCnp)
    {
        const auto kind = GetRoceSyndrome(packet.syndrome);
        ++(kind == RoceSyndrome::NAK   ? m_settings->counted.sentNaks
           : kind == RoceSyndrome::RNR ? m_settings->counted.sentRnrNaks
                                       : m_settings->counted.sentAcks);
        packet.becn = pair.hasSeenMark && pair.control->WantsEcnEcho();
        packet.reflection = pair.reflection;
        packet.reflectionSize = pair.reflectionSize;
        pair.hasSeenMark = false;
        pair.reflectionSize = 0;
    }
    m_classes[index].control.Push({packet, &pair});
    m_controlClasses |= 1U << index;
    if (HasFrame())
    {
        m_device->RequestFrame();
    }
}

bool
RoceNicPort::HasFrame() const
{
    return ((m_controlClasses | m_dataClasses) & ~m_pausedClasses) != 0;
}

bool
RoceNicPort::TakeFrame(EthernetNetDevice&, EthernetFrame& frame, FrameContext& context)
{
    return TakeControl(frame) || TakeData(frame, context);
}

bool
RoceNicPort::TakeControl(EthernetFrame& frame)
{
    const uint32_t classes = m_controlClasses & ~m_pausedClasses;
    if (classes == 0)
    {
        return false;
    }
    uint32_t index = N_CLASSES - 1;
    while (((classes >> index) & 1U) == 0)
    {
        --index;
    }
    Class& trafficClass = m_classes[index];
    const Control control = trafficClass.control[0];
    trafficClass.control.Pop();
    if (trafficClass.control.IsEmpty())
    {
        m_controlClasses &= ~(1U << index);
    }
    ++trafficClass.sent;
    const bool isCnp = control.packet.opcode == RoceOpcode::CNP;
    Build(*control.pair,
          control.packet,
          isCnp ? m_settings->cnpDscp : control.pair->connection.dscp,
          frame);
    return true;
}

bool
RoceNicPort::TakeData(EthernetFrame& frame, FrameContext& context)
{
    const Time time = Simulator::Now();
    const auto now = static_cast<double>(time.GetNanoSeconds());
    MovePaced(now);
    while (const uint32_t classes = m_dataClasses & ~m_pausedClasses)
    {
        do
        {
            m_lastClass = (m_lastClass + 1) % N_CLASSES;
        } while (((classes >> m_lastClass) & 1U) == 0);
        RoceQueuePair& pair = PopReady(m_lastClass, now);
        if (!pair.HasPacket(time))
        {
            Activate(pair); // its window has closed meanwhile
            continue;
        }
        const bool wasOutstanding = pair.requester.HasOutstanding();
        const auto outgoing = pair.TakePacket(time, m_settings->counted);
        const RocePacket& packet = outgoing.packet;
        Build(pair, packet, pair.connection.dscp, frame);
        if (m_settings->signals)
        {
            PathSignals::Request request;
            request.flow = pair.connection.localQp;
            request.isRepeat = outgoing.isRetransmission;
            if (!GetRoceOpcodeInfo(packet.opcode).isResponse)
            {
                request.position = GetSignalPosition(packet.psn);
            }
            m_settings->signals->Tag(context, request);
        }
        ++m_classes[m_lastClass].sent;
        const double next = pair.Pace(time,
                                      frame.GetSize() + context.tagSize +
                                          EthernetNetDevice::FCS_SIZE + m_device->GetOverhead());
        if (!wasOutstanding)
        {
            RestartTimer(pair);
        }
        if (const auto answer = pair.responder.TakeDeferred())
        {
            SendControl(pair, *answer);
        }
        if (!m_settings->rate->IsEmpty())
        {
            const uint64_t rate = pair.control->GetRate(time);
            if (rate != pair.lastRate)
            {
                pair.lastRate = rate;
                (*m_settings->rate)(pair.connection.localQp, rate);
            }
        }
        if (next <= now && pair.HasPacket(time))
        {
            PushReady(pair, now); // not by Activate(): the port asks again by itself
        }
        else
        {
            Activate(pair);
        }
        return true;
    }
    return false;
}

void
RoceNicPort::Build(const RoceQueuePair& pair,
                   const RocePacket& packet,
                   uint8_t dscp,
                   EthernetFrame& frame) const
{
    RoceDatagram datagram;
    datagram.source = pair.flow.source;
    datagram.destination = pair.flow.destination;
    datagram.sourcePort = pair.flow.sourcePort;
    datagram.dscp = dscp;
    datagram.ecn = ECT_0;
    datagram.ttl = m_settings->timeToLive;
    std::array<uint8_t, ROCE_MAX_DATAGRAM_HEADER_SIZE> bytes;
    const std::size_t size = EncodeRoceDatagram(datagram, packet, bytes.data());
    RoceTrailer::Bytes crc;
    EncodeRoceTrailer(bytes.data(), size, packet, crc.data());

    // What follows the headers: zeros, which take no memory, and the check sequence.
    frame.packet = Create<Packet>(packet.payloadSize + GetRocePadCount(packet.payloadSize));
    frame.packet->AddHeader(
        WrittenHeader<RoceHeader>(bytes.data() + IPV4_HEADER_SIZE + UDP_HEADER_SIZE,
                                  size - IPV4_HEADER_SIZE - UDP_HEADER_SIZE));
    frame.packet->AddHeader(
        WrittenHeader<UdpHeader>(bytes.data() + IPV4_HEADER_SIZE, UDP_HEADER_SIZE));
    frame.packet->AddTrailer(RoceTrailer(crc));
    std::copy_n(bytes.begin(), IPV4_HEADER_SIZE, frame.transit.bytes.begin());
    frame.transit.flow = pair.flow;
    frame.hasTransit = true;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-nic.h"

#include "ns3/invariant-crc.h"
#include "ns3/protocol-numbers.h"
#include "ns3/roce-datagram.h"
#include "ns3/roce-opcode.h"
#include "ns3/roce-timing.h"
#include "ns3/simulator.h"

#include <boost/endian/conversion.hpp>

/**
 * @file
 * @ingroup aidc
 * What a RoceNic does with the packets that arrive.
 */

namespace ns3::aidc
{

namespace
{

using boost::endian::load_big_u16;
using boost::endian::load_little_u32;

constexpr uint32_t UDP_LENGTH = 4; //!< where UDP's header has the length
constexpr uint8_t ECN_MASK = 3;    //!< the ECN codepoint
constexpr uint8_t CE = 3;          //!< congestion experienced

/// The bit of a partition key that says whether its owner is a full member.
constexpr uint16_t MEMBERSHIP = 0x8000;

} // namespace

bool
RoceNic::Handle(EthernetNetDevice& device, EthernetFrame& frame, const FrameContext& context)
{
    const Served& served = m_served[device.GetIfIndex()];
    return (frame.fields.etherType == ETHERTYPE_IPV4 && TakeFrame(*served.port, frame, context)) ||
           (served.next && served.next->Handle(device, frame, context));
}

bool
RoceNic::TakeFrame(const RoceNicPort& port, EthernetFrame& frame, const FrameContext& context)
{
    TransitHeader read;
    if (!frame.hasTransit && !ReadTransitHeader(*frame.packet, read))
    {
        return false;
    }
    const TransitHeader& header = frame.hasTransit ? frame.transit : read;
    const FlowKey& flow = header.flow;
    // The flow of IP in IP is that of the inner packet.
    if (flow.destinationPort != ROCE_UDP_PORT ||
        header.bytes[Ipv4Offset::PROTOCOL] != PROTOCOL_UDP || flow.destination != port.GetAddress())
    {
        return false;
    }
    // What has come as a value has been written by nobody, so that nobody can have spoilt it.
    const bool isVerified = m_isVerified || !frame.hasTransit;
    if (!frame.hasTransit)
    {
        frame.ReadPayload(read);
    }
    RocePacket packet;
    if (Read(*frame.packet, frame.transit, isVerified, packet))
    {
        const uint32_t index = packet.destinationQp - FIRST_QP; // wraps below FIRST_QP
        RoceQueuePair* pair = index < m_pairs.size() ? m_pairs[index].pair.get() : nullptr;
        if (!pair || flow.source != pair->connection.remoteAddress)
        {
            ++m_common.counted.unknownQueuePairs;
        }
        else
        {
            const uint8_t ttl = frame.transit.bytes[Ipv4Offset::TTL];
            Take(*pair,
                 packet,
                 frame.transit.bytes[Ipv4Offset::TOS],
                 m_timeToLive > ttl ? m_timeToLive - ttl : 0U,
                 context);
        }
    }
    frame.packet = nullptr;
    return true;
}

bool
RoceNic::Read(const Packet& payload,
              const TransitHeader& header,
              bool isVerified,
              RocePacket& packet)
{
    uint8_t bytes[UDP_HEADER_SIZE + ROCE_MAX_HEADER_SIZE];
    const uint32_t nBytes = payload.CopyData(bytes, sizeof(bytes));
    const uint32_t size = load_big_u16(&header.bytes[Ipv4Offset::LENGTH]) -
                          static_cast<uint32_t>(header.bytes.size());
    RoceResult result = RoceResult::TOO_SHORT;
    if (nBytes >= UDP_HEADER_SIZE && size >= UDP_HEADER_SIZE)
    {
        result = load_big_u16(bytes + UDP_LENGTH) != size ? RoceResult::BAD_LENGTH
                                                          : DecodeRoce(bytes + UDP_HEADER_SIZE,
                                                                       nBytes - UDP_HEADER_SIZE,
                                                                       size - UDP_HEADER_SIZE,
                                                                       packet);
    }
    if (result != RoceResult::OK)
    {
        ++m_common.counted.malformed[static_cast<std::size_t>(result)];
        return false;
    }
    if (isVerified)
    {
        std::vector<uint8_t> whole(header.bytes.begin(), header.bytes.end());
        whole.resize(header.bytes.size() + size);
        payload.CopyData(whole.data() + header.bytes.size(), size);
        const std::size_t end = whole.size() - INVARIANT_CRC_SIZE;
        if (load_little_u32(&whole[end]) != ComputeInvariantCrc(whole.data(), end, 0))
        {
            ++m_common.counted.badInvariantCrcs;
            return false;
        }
    }
    if (((packet.pKey ^ DEFAULT_PARTITION) & ~MEMBERSHIP) != 0)
    {
        ++m_common.counted.badPartitions;
        return false;
    }
    return true;
}

void
RoceNic::Take(RoceQueuePair& pair,
              const RocePacket& packet,
              uint8_t tos,
              uint32_t nHops,
              const FrameContext& context)
{
    m_rxTrace(pair.connection.localQp, packet);
    if (packet.opcode == RoceOpcode::CNP)
    {
        ++m_common.counted.receivedCnps;
        pair.control->NotifyCnp(Simulator::Now());
        return;
    }
    if (packet.opcode == RoceOpcode::ACKNOWLEDGE)
    {
        TakeAnswer(pair, packet, nHops);
        return;
    }
    ++m_common.counted.receivedPackets;
    m_common.counted.receivedBytes += packet.payloadSize;
    if ((tos & ECN_MASK) == CE)
    {
        TakeMark(pair);
    }
    if (m_common.signals)
    {
        const std::size_t size =
            m_common.signals->Reflect(context, pair.reflection.data(), pair.reflection.size());
        pair.reflectionSize = size > 0 ? static_cast<uint8_t>(size) : pair.reflectionSize;
    }
    if (GetRoceOpcodeInfo(packet.opcode).isResponse)
    {
        TakeAnswer(pair, packet, nHops);
    }
    else
    {
        TakeRequest(pair, packet);
    }
}

void
RoceNic::TakeMark(RoceQueuePair& pair)
{
    ++m_common.counted.ceReceived;
    pair.hasSeenMark = true;
    if (!m_cnpInterval.IsZero() &&
        pair.cnpGate.Pass(Simulator::Now().GetNanoSeconds(), m_cnpInterval.GetNanoSeconds()))
    {
        RocePacket cnp;
        cnp.opcode = RoceOpcode::CNP;
        cnp.becn = true;
        cnp.destinationQp = pair.connection.remoteQp;
        ++m_common.counted.sentCnps;
        SendControl(pair, cnp, m_cnpDelay);
    }
}

void
RoceNic::TakeAnswer(RoceQueuePair& pair, const RocePacket& packet, uint32_t nHops)
{
    const Time now = Simulator::Now();
    const bool isAcknowledgment = packet.opcode == RoceOpcode::ACKNOWLEDGE;
    if (isAcknowledgment)
    {
        const auto kind = GetRoceSyndrome(packet.syndrome);
        ++(kind == RoceSyndrome::NAK   ? m_common.counted.receivedNaks
           : kind == RoceSyndrome::RNR ? m_common.counted.receivedRnrNaks
                                       : m_common.counted.receivedAcks);
        if (m_common.signals)
        {
            PathSignals::Answer answer;
            answer.flow = pair.connection.localQp;
            // A negative one has the number of the packet that the receiver waits for.
            answer.acknowledged =
                GetSignalPosition(packet.psn - (kind == RoceSyndrome::ACK ? 0 : 1));
            if (const auto reading =
                    m_common.signals->Read(answer, packet.reflection.data(), packet.reflectionSize))
            {
                pair.control->NotifySignal(now, *reading);
            }
        }
    }
    const bool hadFailed = pair.requester.HasFailed();
    const bool wasRecovering = pair.requester.IsRecovering();
    const auto progress = isAcknowledgment
                              ? pair.requester.HandleAcknowledgment(packet, pair.completions)
                              : pair.requester.HandleReadResponse(packet, pair.completions);
    m_common.counted.ignoredAnswers += progress.isValid ? 0 : 1;
    if (progress.nPackets > 0)
    {
        CongestionControl::Acknowledgment acknowledgment;
        acknowledgment.rtt = pair.TakeRtt(now);
        if (pair.timeout)
        {
            if (acknowledgment.rtt.IsStrictlyPositive())
            {
                pair.timeout->NotifyRtt(acknowledgment.rtt.GetNanoSeconds());
            }
            pair.timeout->NotifyProgress(pair.requester.GetUnacknowledged());
        }
        acknowledgment.endpointDelay = m_ackDelay;
        acknowledgment.nPackets = static_cast<uint32_t>(progress.nPackets);
        acknowledgment.nBytes = progress.nBytes;
        acknowledgment.isMarked = packet.becn;
        acknowledgment.nHops = nHops;
        acknowledgment.nInFlight = pair.requester.GetInFlight();
        pair.control->NotifyAcknowledgment(now, acknowledgment);
    }
    RoceNicPort& port = GetPortOf(pair);
    if (pair.requester.HasFailed() && !hadFailed)
    {
        port.NoteError(pair);
    }
    else if (progress.isLoss)
    {
        m_retransmissionTrace(pair.connection.localQp, packet.psn, false);
        pair.ForgetSamples();
        pair.control->NotifyLoss(now, false);
    }
    if (!progress.isReceiverReady)
    {
        pair.ForgetSamples();
        Simulator::Schedule(MicroSeconds(GetRnrTimerMicroseconds(progress.waitCode)),
                            &RoceNic::Resume,
                            this,
                            &pair);
    }
    else if (progress.nPackets > 0 || (progress.isLoss && !wasRecovering))
    {
        // More losses do not put off the time of a repeat that was lost.
        port.RestartTimer(pair);
    }
    port.Activate(pair);
    port.Report(pair);
}

void
RoceNic::Resume(RoceQueuePair* pair)
{
    if (!pair->isGone)
    {
        pair->requester.Resume();
        GetPortOf(*pair).Activate(*pair);
    }
}

void
RoceNic::TakeRequest(RoceQueuePair& pair, const RocePacket& packet)
{
    if (pair.requester.HasFailed())
    {
        ++m_common.counted.failedQueuePairs;
        return;
    }
    RoceNicPort& port = GetPortOf(pair);
    const auto answer = pair.responder.HandleRequest(packet, pair.deliveries);
    if (answer)
    {
        SendControl(pair, *answer, m_ackDelay);
    }
    if (pair.responder.HasFailed())
    {
        // InfiniBand, section 10.3.1.5: the queue pair as a whole is in the error state.
        port.NoteError(pair);
        pair.requester.Flush(pair.completions);
    }
    if (pair.responder.HasReadResponse())
    {
        port.Activate(pair);
    }
    port.Report(pair);
}

void
RoceNic::SendControl(RoceQueuePair& pair, const RocePacket& packet, Time delay)
{
    if (delay.IsZero())
    {
        GetPortOf(pair).SendControl(pair, packet);
        return;
    }
    Simulator::Schedule(delay, [this, &pair, packet] {
        if (!pair.isGone)
        {
            GetPortOf(pair).SendControl(pair, packet);
        }
    });
}

} // namespace ns3::aidc

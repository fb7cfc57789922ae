// SPDX-License-Identifier: GPL-2.0-only

#include "roce-responder.h"

#include "roce-timeout.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

RoceResponder::RoceResponder(const RoceSettings& settings,
                             uint32_t destinationQp,
                             uint32_t firstPsn,
                             const RoceMemoryRegions& regions)
    : m_settings(settings),
      m_regions(&regions),
      m_destinationQp(destinationQp),
      m_expected(uint64_t{PSN_MASK} + 1 + firstPsn)
{
}

std::optional<RocePacket>
RoceResponder::HandleRequest(const RocePacket& packet, std::vector<RoceDelivery>& deliveries)
{
    if (m_hasFailed)
    {
        return std::nullopt;
    }
    const int64_t distance = SubtractPsn(packet.psn, static_cast<uint32_t>(m_expected & PSN_MASK));
    if (distance < 0)
    {
        return HandleDuplicate(packet, m_expected - static_cast<uint64_t>(-distance));
    }
    if (distance > 0)
    {
        return HandleEarly(packet, static_cast<uint64_t>(distance));
    }
    auto answer = Execute(packet, deliveries);
    bool hasFollowed = false;
    for (auto early = m_early.begin();
         early != m_early.end() && early->first <= m_expected && !m_hasFailed;
         early = m_early.begin())
    {
        const RocePacket next = early->second;
        const bool isNext = early->first == m_expected;
        m_early.erase(early);
        if (!isNext)
        {
            continue; // it has come again meanwhile
        }
        if (auto newer = Execute(next, deliveries))
        {
            answer = newer;
        }
        if (m_isNakSent)
        {
            break; // the receiver is not ready; the peer will send this packet again
        }
        hasFollowed = true;
    }
    if (hasFollowed && (answer || m_deferred) && !m_isNakSent && !m_hasFailed)
    {
        // The acknowledgment includes early packets that now follow, so that the peer only repeats
        // missing packets.
        return Answer(m_expected - 1, ROCE_NO_CREDITS);
    }
    return answer;
}

std::optional<RocePacket>
RoceResponder::HandleEarly(const RocePacket& packet, uint64_t distance)
{
    const bool isKept =
        m_settings.recovery == RoceSettings::SELECTIVE_REPEAT && distance < m_settings.maxPackets;
    if (isKept)
    {
        const bool isNew = m_early.insert_or_assign(m_expected + distance, packet).second;
        m_duplicates += isNew ? 0 : 1;
        if (distance <= m_settings.reorderWindow)
        {
            return std::nullopt; // what is missing may still come
        }
    }
    else if (m_isNakSent)
    {
        return std::nullopt; // once, until what is missing has arrived
    }
    m_isNakSent = true;
    auto answer = Answer(
        m_expected,
        MakeRoceSyndrome(RoceSyndrome::NAK, static_cast<uint8_t>(RoceNakCode::PSN_SEQUENCE_ERROR)));
    if (isKept && answer)
    {
        answer->hasSelective = true;
        answer->selectivePsn = packet.psn;
    }
    return answer;
}

std::optional<RocePacket>
RoceResponder::HandleDuplicate(const RocePacket& packet, uint64_t sequence)
{
    if (packet.opcode != RoceOpcode::READ_REQUEST)
    {
        const RoceOpcodeInfo& info = GetRoceOpcodeInfo(packet.opcode);
        ++m_duplicates;
        return info.isRequest && info.hasPayload
                   ? Answer(m_expected - 1, ROCE_NO_CREDITS) // whether it asks for it or not
                   : std::nullopt;
    }
    for (std::size_t i = m_formerReads.GetSize(); i > 0; --i)
    {
        const Read& former = m_formerReads[i - 1];
        if (sequence < former.sequence || sequence >= former.end)
        {
            continue;
        }
        const uint64_t offset = (sequence - former.sequence) * m_settings.pathMtu;
        if (packet.remoteKey != former.key || packet.virtualAddress != former.address + offset ||
            packet.dmaLength != former.nBytes - offset)
        {
            return std::nullopt;
        }
        // What is left of it, and of all after it, is asked for again too.
        while (!m_reads.IsEmpty() && m_reads[m_reads.GetSize() - 1].end > sequence)
        {
            m_reads.PopNewest();
        }
        Read again = former;
        again.sequence = sequence;
        again.address += offset;
        again.nBytes -= offset;
        m_reads.Push(again);
        return std::nullopt;
    }
    return std::nullopt;
}

bool
RoceResponder::IsValid(const RocePacket& packet,
                       bool isFirst,
                       bool isLast,
                       RoceOperation operation) const
{
    const uint32_t mtu = m_settings.pathMtu;
    if (isFirst == m_isOpen || (!isFirst && operation != m_operation))
    {
        return false;
    }
    if (isLast ? packet.payloadSize > mtu || (!isFirst && packet.payloadSize == 0)
               : packet.payloadSize != mtu)
    {
        return false;
    }
    const uint64_t nBytes = (isFirst ? 0 : m_nBytes) + packet.payloadSize;
    if (operation == RoceOperation::SEND)
    {
        return nBytes <= ROCE_MAX_MESSAGE;
    }
    const uint64_t announced = isFirst ? packet.dmaLength : m_dmaLength;
    return announced <= ROCE_MAX_MESSAGE && (isLast ? nBytes == announced : nBytes < announced);
}

std::optional<RocePacket>
RoceResponder::Execute(const RocePacket& packet, std::vector<RoceDelivery>& deliveries)
{
    if (packet.opcode == RoceOpcode::READ_REQUEST)
    {
        return ExecuteRead(packet);
    }
    const RoceOpcodeInfo& info = GetRoceOpcodeInfo(packet.opcode);
    const bool isSend = packet.opcode < RoceOpcode::WRITE_FIRST;
    const RoceOperation operation = isSend ? RoceOperation::SEND : RoceOperation::WRITE;
    if (!info.isRequest || !info.hasPayload ||
        !IsValid(packet, info.startsMessage, info.endsMessage, operation))
    {
        return Refuse(RoceNakCode::INVALID_REQUEST);
    }
    // A message that is sent takes its receive request when it begins, immediate data of one that
    // is written when it ends.
    const bool takesReceive = isSend ? info.startsMessage : info.hasImmediate;
    if (takesReceive && m_isLimited && m_nReceives == 0)
    {
        // What follows is out of order and not to be answered: the peer goes back anyway.
        m_isNakSent = true;
        return Answer(m_expected, MakeRoceSyndrome(RoceSyndrome::RNR, m_settings.rnrTimer));
    }
    if (info.startsMessage)
    {
        if (!isSend &&
            !m_regions->IsAccessible(packet.remoteKey, packet.virtualAddress, packet.dmaLength))
        {
            return Refuse(RoceNakCode::REMOTE_ACCESS_ERROR);
        }
        m_operation = operation;
        m_nBytes = 0;
        m_dmaLength = packet.dmaLength;
    }
    m_nReceives -= takesReceive && m_isLimited ? 1 : 0;
    m_isOpen = !info.endsMessage;
    m_nBytes += packet.payloadSize;
    ++m_expected;
    m_isNakSent = false;
    if (info.endsMessage)
    {
        m_msn = (m_msn + 1) & PSN_MASK;
        deliveries.push_back({m_nBytes, packet.immediate, info.hasImmediate, operation});
    }
    return packet.isAckRequested ? Answer(m_expected - 1, ROCE_NO_CREDITS) : std::nullopt;
}

std::optional<RocePacket>
RoceResponder::ExecuteRead(const RocePacket& packet)
{
    if (m_isOpen || packet.dmaLength > ROCE_MAX_MESSAGE)
    {
        return Refuse(RoceNakCode::INVALID_REQUEST);
    }
    if (!m_regions->IsAccessible(packet.remoteKey, packet.virtualAddress, packet.dmaLength))
    {
        return Refuse(RoceNakCode::REMOTE_ACCESS_ERROR);
    }
    m_msn = (m_msn + 1) & PSN_MASK;
    Read read;
    read.sequence = m_expected;
    read.end = m_expected + GetRocePackets(packet.dmaLength, m_settings.pathMtu);
    read.nBytes = packet.dmaLength;
    read.address = packet.virtualAddress;
    read.key = packet.remoteKey;
    read.msn = m_msn;
    // Its responses acknowledge the requests before it.
    m_deferred.reset();
    m_reads.Push(read);
    m_formerReads.Push(read);
    if (m_formerReads.GetSize() > m_settings.maxReads)
    {
        m_formerReads.Pop();
    }
    m_expected = read.end;
    m_isNakSent = false;
    return std::nullopt;
}

RocePacket
RoceResponder::TakeReadResponse()
{
    Read& read = m_reads[0];
    RocePacket packet;
    packet.destinationQp = m_destinationQp;
    packet.psn = static_cast<uint32_t>(read.sequence & PSN_MASK);
    packet.payloadSize = static_cast<uint32_t>(std::min<uint64_t>(read.nBytes, m_settings.pathMtu));
    const bool isLast = read.sequence + 1 == read.end;
    packet.opcode =
        read.isFirst ? (isLast ? RoceOpcode::READ_RESPONSE_ONLY : RoceOpcode::READ_RESPONSE_FIRST)
                     : (isLast ? RoceOpcode::READ_RESPONSE_LAST : RoceOpcode::READ_RESPONSE_MIDDLE);
    if (packet.opcode != RoceOpcode::READ_RESPONSE_MIDDLE)
    {
        packet.syndrome = ROCE_NO_CREDITS;
        packet.msn = read.msn;
    }
    read.isFirst = false;
    read.nBytes -= packet.payloadSize;
    ++read.sequence;
    if (isLast)
    {
        m_reads.Pop();
    }
    return packet;
}

std::optional<RocePacket>
RoceResponder::TakeDeferred()
{
    return m_reads.IsEmpty() ? std::exchange(m_deferred, std::nullopt) : std::nullopt;
}

std::optional<RocePacket>
RoceResponder::Answer(uint64_t psn, uint8_t syndrome)
{
    const auto expected = static_cast<uint32_t>(m_expected & PSN_MASK);
    if (m_deferred && m_deferred->syndrome != ROCE_NO_CREDITS && m_deferred->psn == expected)
    {
        return std::nullopt; // what waits is a refusal, and still true
    }
    RocePacket packet;
    packet.opcode = RoceOpcode::ACKNOWLEDGE;
    packet.destinationQp = m_destinationQp;
    packet.psn = static_cast<uint32_t>(psn & PSN_MASK);
    packet.syndrome = syndrome;
    packet.msn = m_msn;
    if (m_reads.IsEmpty())
    {
        return packet;
    }
    m_deferred = packet;
    return std::nullopt;
}

std::optional<RocePacket>
RoceResponder::Refuse(RoceNakCode code)
{
    m_hasFailed = true;
    return Answer(m_expected, MakeRoceSyndrome(RoceSyndrome::NAK, static_cast<uint8_t>(code)));
}

} // namespace ns3::aidc

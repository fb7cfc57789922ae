/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-requester.h"

#include "roce-psn.h"

#include <algorithm>
#include <limits>

namespace ns3::aidc
{

namespace
{

/**
 * @brief Get the opcode of a packet of a message to be sent or written.
 * @param work the message
 * @param isFirst whether it is the first packet
 * @param isLast whether it is the last packet
 * @return the opcode
 */
RoceOpcode
GetDataOpcode(const RoceWork& work, bool isFirst, bool isLast)
{
    const bool isSend = work.operation == RoceOperation::SEND;
    if (!isLast)
    {
        return isFirst ? (isSend ? RoceOpcode::SEND_FIRST : RoceOpcode::WRITE_FIRST)
                       : (isSend ? RoceOpcode::SEND_MIDDLE : RoceOpcode::WRITE_MIDDLE);
    }
    if (work.hasImmediate)
    {
        return isFirst
                   ? (isSend ? RoceOpcode::SEND_ONLY_IMMEDIATE : RoceOpcode::WRITE_ONLY_IMMEDIATE)
                   : (isSend ? RoceOpcode::SEND_LAST_IMMEDIATE : RoceOpcode::WRITE_LAST_IMMEDIATE);
    }
    return isFirst ? (isSend ? RoceOpcode::SEND_ONLY : RoceOpcode::WRITE_ONLY)
                   : (isSend ? RoceOpcode::SEND_LAST : RoceOpcode::WRITE_LAST);
}

} // namespace

RoceRequester::RoceRequester(const RoceSettings& settings,
                             uint32_t destinationQp,
                             uint32_t firstPsn,
                             uint32_t overhead)
    : m_settings(settings),
      m_destinationQp(destinationQp),
      m_overhead(overhead),
      m_retriesLeft(settings.retryCount),
      m_rnrRetriesLeft(settings.rnrRetry),
      m_unacknowledged(firstPsn),
      m_next(firstPsn),
      m_highest(firstPsn),
      m_asked(firstPsn),
      m_end(firstPsn)
{
}

bool
RoceRequester::Post(const RoceWork& work)
{
    if (m_hasFailed)
    {
        return false;
    }
    Entry entry;
    entry.work = work;
    entry.first = m_end;
    entry.nPackets = GetRocePackets(work.nBytes, m_settings.pathMtu);
    entry.offset = m_endOffset;
    m_end += entry.nPackets;
    m_endOffset += GetWireBytes(entry, entry.nPackets);
    m_entries.Push(entry);
    return true;
}

bool
RoceRequester::HasPacket(uint64_t window) const
{
    if (m_hasFailed || m_isWaiting)
    {
        return false;
    }
    if (FindRepeat() < m_highest)
    {
        return true;
    }
    if (m_next >= m_end)
    {
        return false;
    }
    const Entry& entry = m_entries[m_cursor];
    const bool isRead = entry.work.operation == RoceOperation::READ;
    if (isRead && m_next >= m_highest && m_nReads >= m_settings.maxReads)
    {
        return false;
    }
    if (m_next == m_unacknowledged)
    {
        return true;
    }
    if (m_next - m_unacknowledged >= m_settings.maxPackets ||
        (isRead && entry.first + entry.nPackets - m_unacknowledged >= PSN_HALF_TURN))
    {
        return false;
    }
    const uint64_t after = isRead ? m_next : m_next + 1;
    const uint64_t offset = isRead ? m_nextOffset + m_overhead : GetOffset(m_cursor, after);
    return offset - m_unacknowledgedOffset <= window;
}

RoceRequester::Outgoing
RoceRequester::TakePacket(uint64_t window)
{
    Outgoing outgoing;
    const uint64_t repeat = FindRepeat();
    const bool isRepeat = repeat < m_highest;
    outgoing.sequence = isRepeat ? repeat : m_next;
    outgoing.isRetransmission = outgoing.sequence < m_highest;
    const std::size_t place = isRepeat ? Find(repeat) : m_cursor;
    const Entry& entry = m_entries[place];
    const bool isRead = entry.work.operation == RoceOperation::READ;
    const uint64_t behind = isRead ? entry.first + entry.nPackets : outgoing.sequence + 1;
    outgoing.packet = MakePacket(place, outgoing.sequence);

    ++m_sinceRequest;
    // Under a window all packets are acknowledged at once: a window that shrinks while those in
    // flight ask for nothing would never open again.
    if (!isRead &&
        (isRepeat || IsLast(entry, outgoing.sequence) || m_sinceRequest >= m_settings.ackInterval ||
         window != std::numeric_limits<uint64_t>::max()))
    {
        outgoing.packet.isAckRequested = true;
        m_sinceRequest = 0;
    }
    if (outgoing.packet.isAckRequested)
    {
        m_asked = std::max(m_asked, behind);
    }

    if (isRepeat)
    {
        m_repeat = behind;
        return outgoing;
    }
    if (isRead && !outgoing.isRetransmission)
    {
        ++m_nReads;
    }
    m_next = behind;
    m_nextOffset = GetOffset(place, behind);
    if (m_next == entry.first + entry.nPackets)
    {
        ++m_cursor;
    }
    m_highest = std::max(m_highest, m_next);
    return outgoing;
}

RocePacket
RoceRequester::MakePacket(std::size_t place, uint64_t sequence) const
{
    const Entry& entry = m_entries[place];
    const RoceWork& work = entry.work;
    const uint64_t offset = (sequence - entry.first) * m_settings.pathMtu;
    RocePacket packet;
    packet.destinationQp = m_destinationQp;
    packet.psn = static_cast<uint32_t>(sequence & PSN_MASK);
    if (work.operation == RoceOperation::READ)
    {
        packet.opcode = RoceOpcode::READ_REQUEST;
        packet.virtualAddress = work.remoteAddress + offset;
        packet.remoteKey = work.remoteKey;
        packet.dmaLength = static_cast<uint32_t>(work.nBytes - offset);
        packet.isAckRequested = true;
        return packet;
    }
    const bool isFirst = sequence == entry.first;
    const bool isLast = IsLast(entry, sequence);
    packet.opcode = GetDataOpcode(work, isFirst, isLast);
    packet.payloadSize = isLast ? static_cast<uint32_t>(work.nBytes - offset) : m_settings.pathMtu;
    if (isFirst && work.operation == RoceOperation::WRITE)
    {
        packet.virtualAddress = work.remoteAddress;
        packet.remoteKey = work.remoteKey;
        packet.dmaLength = static_cast<uint32_t>(work.nBytes);
    }
    if (isLast && work.hasImmediate)
    {
        packet.immediate = work.immediate;
    }
    return packet;
}

bool
RoceRequester::IsLast(const Entry& entry, uint64_t sequence)
{
    return sequence + 1 == entry.first + entry.nPackets ||
           entry.work.operation == RoceOperation::READ;
}

uint64_t
RoceRequester::FindRepeat() const
{
    if (m_isRecovering)
    {
        for (uint64_t i = std::max(m_repeat, m_unacknowledged); i < m_repeatEnd; ++i)
        {
            // The oldest one counts as missing, even if it had arrived before those that were
            // missing then: its receiver may not have been ready for it.
            if (i == m_unacknowledged || m_hasArrived.empty() ||
                !m_hasArrived[i % m_hasArrived.size()])
            {
                return i;
            }
        }
    }
    return m_highest;
}

// Work requests

std::size_t
RoceRequester::Find(uint64_t sequence) const
{
    std::size_t low = 0;
    std::size_t high = m_entries.GetSize();
    while (low < high)
    {
        const std::size_t middle = (low + high) / 2;
        if (m_entries[middle].first + m_entries[middle].nPackets <= sequence)
        {
            low = middle + 1;
        }
        else
        {
            high = middle;
        }
    }
    return low;
}

std::size_t
RoceRequester::FindRead() const
{
    std::size_t place = 0;
    if (m_nReads == 0)
    {
        return m_entries.GetSize();
    }
    while (m_entries[place].work.operation != RoceOperation::READ)
    {
        ++place;
    }
    return place;
}

uint64_t
RoceRequester::GetWireBytes(const Entry& entry, uint64_t n) const
{
    if (entry.work.operation == RoceOperation::READ)
    {
        return n > 0 ? m_overhead : 0;
    }
    return n * m_overhead + std::min(n * m_settings.pathMtu, entry.work.nBytes);
}

uint64_t
RoceRequester::GetOffset(std::size_t place, uint64_t sequence) const
{
    if (place == m_entries.GetSize())
    {
        return m_endOffset;
    }
    const Entry& entry = m_entries[place];
    return entry.offset + GetWireBytes(entry, sequence - entry.first);
}

} // namespace ns3::aidc

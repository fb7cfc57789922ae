/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-send-queue.h"

#include "roce-psn.h"

namespace ns3::aidc
{

namespace
{

/// Get the opcode of a packet of a message to be sent or written.
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

RoceSendQueue::RoceSendQueue(uint32_t pathMtu,
                             uint32_t overhead,
                             uint32_t destinationQp,
                             uint32_t firstPsn)
    : m_end(firstPsn),
      m_pathMtu(pathMtu),
      m_overhead(overhead),
      m_destinationQp(destinationQp)
{
}

void
RoceSendQueue::Push(const RoceWork& work)
{
    Entry entry;
    entry.work = work;
    entry.first = m_end;
    entry.end = m_end + GetRocePackets(work.nBytes, m_pathMtu);
    entry.offset = m_endOffset;
    m_endOffset += GetWireBytes(work, entry.end - entry.first);
    m_end = entry.end;
    m_entries.Push(entry);
}

uint64_t
RoceSendQueue::Shorten(uint64_t sequence, uint64_t nBytes)
{
    uint64_t nPackets = 0;
    for (std::size_t place = GetSize(); place > 0; --place)
    {
        Entry& entry = m_entries[place - 1];
        const uint64_t first = std::max(sequence, entry.first);
        if (sequence >= entry.end || entry.work.operation != RoceOperation::SEND)
        {
            break;
        }
        const uint64_t most = entry.end - 1 - std::min(first, entry.end - 1);
        const uint64_t n = std::min(nBytes / m_pathMtu - nPackets, most);
        entry.work.nBytes -= n * m_pathMtu;
        entry.end -= n;
        for (std::size_t later = place; later < GetSize(); ++later)
        {
            m_entries[later].first -= n;
            m_entries[later].end -= n;
            m_entries[later].offset -= n * (m_overhead + m_pathMtu);
        }
        nPackets += n;
    }
    m_end -= nPackets;
    m_endOffset -= nPackets * (m_overhead + m_pathMtu);
    return nPackets * m_pathMtu;
}

RoceCompletion
RoceSendQueue::Pop(RoceStatus status)
{
    const RoceWork& work = m_entries[0].work;
    const RoceCompletion completion{work.id, work.nBytes, work.operation, status};
    m_entries.Pop();
    return completion;
}

std::size_t
RoceSendQueue::Find(uint64_t sequence) const
{
    std::size_t low = 0;
    std::size_t high = m_entries.GetSize();
    while (low < high)
    {
        const std::size_t middle = (low + high) / 2;
        if (m_entries[middle].end <= sequence)
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
RoceSendQueue::FindRead() const
{
    std::size_t place = 0;
    while (place < m_entries.GetSize() && !m_entries[place].IsRead())
    {
        ++place;
    }
    return place;
}

RocePacket
RoceSendQueue::MakePacket(std::size_t place, uint64_t sequence) const
{
    const Entry& entry = m_entries[place];
    const RoceWork& work = entry.work;
    const uint64_t offset = (sequence - entry.first) * m_pathMtu;
    RocePacket packet;
    packet.destinationQp = m_destinationQp;
    packet.psn = static_cast<uint32_t>(sequence & PSN_MASK);
    if (entry.IsRead())
    {
        packet.opcode = RoceOpcode::READ_REQUEST;
        packet.virtualAddress = work.remoteAddress + offset;
        packet.remoteKey = work.remoteKey;
        packet.dmaLength = static_cast<uint32_t>(work.nBytes - offset);
        packet.isAckRequested = true;
        return packet;
    }
    const bool isFirst = sequence == entry.first;
    const bool isLast = entry.IsLast(sequence);
    packet.opcode = GetDataOpcode(work, isFirst, isLast);
    packet.payloadSize = isLast ? static_cast<uint32_t>(work.nBytes - offset) : m_pathMtu;
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

} // namespace ns3::aidc

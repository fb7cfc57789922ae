// SPDX-License-Identifier: GPL-2.0-only

#include "roce-requester.h"

#include <array>
#include <limits>

namespace ns3::aidc
{

namespace
{

/// Get the opcode of a packet of a message to be sent or written.
RoceOpcode
GetDataOpcode(const RoceWork& work, bool isFirst, bool isLast)
{
    // Opcodes with immediate data follow opcodes without; opcodes of writes follow opcodes of
    // sends.
    const auto place = isFirst ? (isLast ? RoceOpcode::SEND_ONLY : RoceOpcode::SEND_FIRST)
                               : (isLast ? RoceOpcode::SEND_LAST : RoceOpcode::SEND_MIDDLE);
    const bool isWrite = work.operation == RoceOperation::WRITE;
    return static_cast<RoceOpcode>(static_cast<uint32_t>(place) +
                                   (isLast && work.hasImmediate ? 1 : 0) +
                                   (isWrite ? static_cast<uint32_t>(RoceOpcode::WRITE_FIRST) : 0));
}

/// As many attempts as the receiver wants, while it is not ready.
constexpr uint8_t FOR_EVER = 7;

/// How the oldest request ends by RoceNakCode, from INVALID_REQUEST on.
constexpr std::array REFUSALS{RoceStatus::REMOTE_INVALID_REQUEST,
                              RoceStatus::REMOTE_ACCESS_ERROR,
                              RoceStatus::REMOTE_OPERATIONAL_ERROR};

} // namespace

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

RoceRequester::RoceRequester(const RoceSettings& settings,
                             uint32_t destinationQp,
                             uint32_t firstPsn,
                             uint32_t overhead)
    : m_settings(settings),
      m_retriesLeft(settings.retryCount),
      m_rnrRetriesLeft(settings.rnrRetry),
      m_queue(settings.pathMtu, overhead, destinationQp, firstPsn),
      m_repeat(settings),
      m_unacknowledged(firstPsn),
      m_next(firstPsn),
      m_highest(firstPsn),
      m_asked(firstPsn)
{
}

// What is sent

bool
RoceRequester::HasPacket(uint64_t window) const
{
    if (m_hasFailed || m_isWaiting)
    {
        return false;
    }
    if (m_repeat.GetNext(GetRange()) < m_highest)
    {
        return true;
    }
    if (m_next >= m_queue.GetEnd())
    {
        return false;
    }
    const auto& entry = m_queue[m_cursor];
    const bool isRead = entry.IsRead();
    if (isRead && m_next >= m_highest && m_nReads >= m_settings.maxReads)
    {
        return false;
    }
    if (m_next == m_unacknowledged)
    {
        return true;
    }
    if (m_next - m_unacknowledged >= m_settings.maxPackets ||
        (isRead && entry.end - m_unacknowledged >= PSN_HALF_TURN))
    {
        return false;
    }
    const uint64_t offset =
        isRead ? m_nextOffset + m_queue.GetOverhead() : m_queue.GetOffset(m_cursor, m_next + 1);
    return offset - m_unacknowledgedOffset <= window;
}

RoceRequester::Outgoing
RoceRequester::TakePacket(uint64_t window)
{
    Outgoing outgoing;
    const uint64_t repeat = m_repeat.GetNext(GetRange());
    const bool isRepeat = repeat < m_highest;
    outgoing.sequence = isRepeat ? repeat : m_next;
    outgoing.isRetransmission = outgoing.sequence < m_highest;
    const std::size_t place = isRepeat ? m_queue.Find(repeat) : m_cursor;
    const auto& entry = m_queue[place];
    const uint64_t behind = entry.GetBehind(outgoing.sequence);
    outgoing.packet = m_queue.MakePacket(place, outgoing.sequence);

    ++m_sinceRequest;
    // With a window, each packet asks for its acknowledgment. Otherwise a window that shrinks while
    // the packets in flight ask for none would never open again.
    if (!entry.IsRead() &&
        (isRepeat || entry.IsLast(outgoing.sequence) || m_sinceRequest >= m_settings.ackInterval ||
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
        m_repeat.NotifyRepeated(repeat, behind);
        return outgoing;
    }
    if (entry.IsRead() && !outgoing.isRetransmission)
    {
        ++m_nReads;
    }
    m_next = behind;
    m_nextOffset = m_queue.GetOffset(place, behind);
    if (m_next == entry.end)
    {
        ++m_cursor;
    }
    m_highest = std::max(m_highest, m_next);
    return outgoing;
}

std::size_t
RoceRequester::FindRead() const
{
    return m_nReads == 0 ? m_queue.GetSize() : m_queue.FindRead();
}

// Answers

int64_t
RoceRequester::GetSequence(uint32_t psn) const
{
    const auto oldest = static_cast<uint32_t>(m_unacknowledged & PSN_MASK);
    return static_cast<int64_t>(m_unacknowledged) + SubtractPsn(psn, oldest);
}

RoceRequester::Progress
RoceRequester::HandleAcknowledgment(const RocePacket& packet,
                                    std::vector<RoceCompletion>& completions)
{
    Progress progress;
    progress.wasRecovering = IsRecovering();
    const int64_t signedSequence = GetSequence(packet.psn);
    const auto sequence = static_cast<uint64_t>(signedSequence);
    if (m_hasFailed || signedSequence >= static_cast<int64_t>(m_highest))
    {
        return progress;
    }
    progress.isValid = true;
    if (signedSequence < static_cast<int64_t>(m_unacknowledged))
    {
        return progress; // overtaken by a newer one
    }
    const auto kind = GetRoceSyndrome(packet.syndrome);
    if (kind != RoceSyndrome::ACK && kind != RoceSyndrome::NAK && kind != RoceSyndrome::RNR)
    {
        progress.isValid = false;
        return progress;
    }
    // Refusals name a packet, and acknowledge all that come before it.
    const bool isPositive = kind == RoceSyndrome::ACK;
    if (!Advance(isPositive ? sequence + 1 : sequence, progress, completions))
    {
        AskAgain(progress);
        return progress;
    }
    if (isPositive)
    {
        return progress;
    }
    const bool hasProgress = progress.nPackets > 0;
    const uint8_t value = GetRoceSyndromeValue(packet.syndrome);
    if (kind == RoceSyndrome::RNR)
    {
        if (!hasProgress && m_settings.rnrRetry < FOR_EVER && !UseAttempt(m_rnrRetriesLeft))
        {
            Fail(RoceStatus::RNR_RETRY_EXCEEDED, completions);
            return progress;
        }
        GoBack(sequence);
        m_isWaiting = true;
        progress.isReceiverReady = false;
        progress.waitCode = value;
        return progress;
    }
    if (value != static_cast<uint8_t>(RoceNakCode::PSN_SEQUENCE_ERROR))
    {
        progress.isValid = value <= REFUSALS.size();
        if (progress.isValid)
        {
            Fail(REFUSALS[value - 1], completions);
        }
        return progress;
    }
    if (packet.hasSelective && m_settings.recovery == RoceSettings::SELECTIVE_REPEAT)
    {
        const int32_t ahead = std::max(SubtractPsn(packet.selectivePsn, packet.psn), 0);
        const auto arrival =
            m_repeat.NotifyArrival(sequence + static_cast<uint64_t>(ahead), GetRange());
        progress.isLoss = arrival.isLoss;
        if (arrival.isNew)
        {
            m_retriesLeft = m_settings.retryCount; // the peer gets what is sent
        }
        return progress;
    }
    progress.isLoss = true;
    if (!hasProgress && !UseAttempt(m_retriesLeft))
    {
        Fail(RoceStatus::RETRY_EXCEEDED, completions);
        return progress;
    }
    GoBack(sequence);
    return progress;
}

RoceRequester::Progress
RoceRequester::HandleReadResponse(const RocePacket& packet,
                                  std::vector<RoceCompletion>& completions)
{
    Progress progress;
    progress.wasRecovering = IsRecovering();
    const int64_t signedSequence = GetSequence(packet.psn);
    const std::size_t place = FindRead();
    if (m_hasFailed || signedSequence < 0 || place == m_queue.GetSize())
    {
        return progress;
    }
    const auto& entry = m_queue[place];
    const auto sequence = static_cast<uint64_t>(signedSequence);
    const uint64_t expected = std::max(m_unacknowledged, entry.first);
    if (sequence >= m_highest)
    {
        return progress;
    }
    progress.isValid = true;
    if (sequence < expected)
    {
        return progress; // it has arrived before
    }
    if (sequence > expected)
    {
        AskAgain(progress);
        return progress;
    }
    const uint64_t offset = (sequence - entry.first) * m_settings.pathMtu;
    if (packet.payloadSize != std::min<uint64_t>(m_settings.pathMtu, entry.work.nBytes - offset))
    {
        progress.isValid = false;
        return progress;
    }
    MoveTo(sequence + 1, progress, completions);
    return progress;
}

void
RoceRequester::HandleTimeout(std::vector<RoceCompletion>& completions)
{
    if (!HasOutstanding())
    {
        return;
    }
    m_askedAgain = std::numeric_limits<uint64_t>::max();
    if (!UseAttempt(m_retriesLeft))
    {
        Fail(RoceStatus::RETRY_EXCEEDED, completions);
    }
    else if (m_settings.recovery == RoceSettings::SELECTIVE_REPEAT)
    {
        m_repeat.HandleTimeout(GetRange());
    }
    else
    {
        GoBack(m_unacknowledged);
    }
}

bool
RoceRequester::Advance(uint64_t upTo, Progress& progress, std::vector<RoceCompletion>& completions)
{
    const std::size_t place = FindRead();
    const bool isBarred = place < m_queue.GetSize() && m_queue[place].first < upTo;
    MoveTo(isBarred ? std::max(m_queue[place].first, m_unacknowledged) : upTo,
           progress,
           completions);
    return !isBarred;
}

void
RoceRequester::MoveTo(uint64_t upTo, Progress& progress, std::vector<RoceCompletion>& completions)
{
    if (upTo <= m_unacknowledged)
    {
        return;
    }
    progress.nPackets += upTo - m_unacknowledged;
    m_repeat.NotifyAcknowledged(m_unacknowledged, upTo);
    uint64_t offset = m_unacknowledgedOffset;
    while (m_queue.GetSize() > 0 && m_queue[0].end <= upTo)
    {
        offset = m_queue.GetOffset(0, m_queue[0].end);
        m_nReads -= m_queue[0].IsRead() ? 1 : 0;
        completions.push_back(m_queue.Pop(RoceStatus::SUCCESS));
        m_cursor -= m_cursor > 0 ? 1 : 0;
    }
    if (m_queue.GetSize() > 0 && upTo > m_queue[0].first)
    {
        offset = m_queue.GetOffset(0, upTo);
    }
    progress.nBytes += offset - m_unacknowledgedOffset;
    m_unacknowledged = upTo;
    m_unacknowledgedOffset = offset;
    if (m_next < upTo)
    {
        m_next = upTo;
        m_nextOffset = offset;
        m_cursor = 0;
    }
    m_retriesLeft = m_settings.retryCount;
    m_rnrRetriesLeft = m_settings.rnrRetry;
}

void
RoceRequester::AskAgain(Progress& progress)
{
    const uint64_t missing = std::max(m_unacknowledged, m_queue[FindRead()].first);
    if (m_askedAgain != missing)
    {
        m_askedAgain = missing;
        progress.isLoss = true;
        GoBack(missing);
    }
}

void
RoceRequester::GoBack(uint64_t sequence)
{
    m_next = sequence;
    m_asked = std::min(m_asked, sequence);
    m_cursor = m_queue.Find(sequence);
    m_nextOffset = m_queue.GetOffset(m_cursor, sequence);
    m_sinceRequest = 0;
    m_repeat.Forget();
}

bool
RoceRequester::UseAttempt(uint8_t& left)
{
    if (left == 0)
    {
        return false;
    }
    --left;
    return true;
}

void
RoceRequester::Fail(RoceStatus status, std::vector<RoceCompletion>& completions)
{
    m_hasFailed = true;
    m_isWaiting = false;
    m_repeat.Forget();
    while (m_queue.GetSize() > 0)
    {
        completions.push_back(m_queue.Pop(status));
        status = RoceStatus::FLUSHED;
    }
    m_queue.Restart(m_unacknowledged, m_unacknowledgedOffset);
    m_cursor = 0;
    m_next = m_highest = m_asked = m_unacknowledged;
    m_nextOffset = m_unacknowledgedOffset;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-psn.h"
#include "roce-requester.h"

#include <algorithm>
#include <limits>

/**
 * @file
 * @ingroup aidc
 * What the peer's answers, and that there are none, mean to a RoceRequester.
 */

namespace ns3::aidc
{

namespace
{

/// As many attempts as the receiver wants, while it is not ready.
constexpr uint8_t FOR_EVER = 7;

} // namespace

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
    const uint8_t value = GetRoceSyndromeValue(packet.syndrome);
    if (kind == RoceSyndrome::ACK)
    {
        if (!Advance(sequence + 1, progress, completions))
        {
            AskAgain(progress);
        }
        return progress;
    }
    if (kind != RoceSyndrome::NAK && kind != RoceSyndrome::RNR)
    {
        progress.isValid = false;
        return progress;
    }

    // Both refuse a packet and acknowledge all that come before it.
    if (!Advance(sequence, progress, completions))
    {
        AskAgain(progress);
        return progress;
    }
    const bool hasProgress = progress.nPackets > 0;
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
    switch (static_cast<RoceNakCode>(value))
    {
    case RoceNakCode::PSN_SEQUENCE_ERROR:
        if (packet.hasSelective && m_settings.recovery == RoceSettings::SELECTIVE_REPEAT)
        {
            NoteArrival(sequence + static_cast<uint64_t>(
                                       std::max(SubtractPsn(packet.selectivePsn, packet.psn), 0)),
                        progress);
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
    case RoceNakCode::INVALID_REQUEST:
        Fail(RoceStatus::REMOTE_INVALID_REQUEST, completions);
        return progress;
    case RoceNakCode::REMOTE_ACCESS_ERROR:
        Fail(RoceStatus::REMOTE_ACCESS_ERROR, completions);
        return progress;
    case RoceNakCode::REMOTE_OPERATIONAL_ERROR:
        Fail(RoceStatus::REMOTE_OPERATIONAL_ERROR, completions);
        return progress;
    }
    progress.isValid = false;
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
    if (m_hasFailed || signedSequence < 0 || place == m_entries.GetSize())
    {
        return progress;
    }
    const Entry& entry = m_entries[place];
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
    progress.nRead = packet.payloadSize;
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
        // Nothing of which nobody has heard is under way any more: a tail that is lost as a whole
        // would otherwise take a timeout for each packet.
        BeginRepeat();
        m_repeatEnd = m_highest;
    }
    else
    {
        GoBack(m_unacknowledged);
    }
}

void
RoceRequester::Resume()
{
    m_isWaiting = false;
}

bool
RoceRequester::Advance(uint64_t upTo, Progress& progress, std::vector<RoceCompletion>& completions)
{
    const std::size_t place = FindRead();
    const bool isBarred = place < m_entries.GetSize() && m_entries[place].first < upTo;
    MoveTo(isBarred ? std::max(m_entries[place].first, m_unacknowledged) : upTo,
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
    if (!m_hasArrived.empty())
    {
        for (uint64_t i = m_unacknowledged; i < upTo; ++i)
        {
            m_hasArrived[i % m_hasArrived.size()] = false;
        }
    }
    uint64_t offset = m_unacknowledgedOffset;
    while (!m_entries.IsEmpty() && m_entries[0].first + m_entries[0].nPackets <= upTo)
    {
        const Entry& entry = m_entries[0];
        offset = entry.offset + GetWireBytes(entry, entry.nPackets);
        m_nReads -= entry.work.operation == RoceOperation::READ ? 1 : 0;
        completions.push_back(
            {entry.work.id, entry.work.nBytes, entry.work.operation, RoceStatus::SUCCESS});
        m_entries.Pop();
        m_cursor -= m_cursor > 0 ? 1 : 0;
    }
    if (!m_entries.IsEmpty() && upTo > m_entries[0].first)
    {
        offset = GetOffset(0, upTo);
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
    m_isRecovering = m_isRecovering && upTo <= m_recoveryEnd;
    m_retriesLeft = m_settings.retryCount;
    m_rnrRetriesLeft = m_settings.rnrRetry;
}

void
RoceRequester::AskAgain(Progress& progress)
{
    const uint64_t missing = std::max(m_unacknowledged, m_entries[FindRead()].first);
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
    m_cursor = Find(sequence);
    m_nextOffset = GetOffset(m_cursor, sequence);
    m_sinceRequest = 0;
    ForgetArrivals();
}

void
RoceRequester::NoteArrival(uint64_t sequence, Progress& progress)
{
    if (sequence <= m_unacknowledged || sequence >= m_highest ||
        sequence - m_unacknowledged >= m_settings.maxPackets)
    {
        return;
    }
    if (m_hasArrived.empty())
    {
        m_hasArrived.resize(m_settings.maxPackets);
    }
    if (!m_hasArrived[sequence % m_hasArrived.size()])
    {
        m_hasArrived[sequence % m_hasArrived.size()] = true;
        m_retriesLeft = m_settings.retryCount; // the peer gets what is sent
    }
    if (sequence - m_unacknowledged <= m_settings.reorderWindow)
    {
        return; // what is missing may still come
    }
    const uint64_t end = sequence - m_settings.reorderWindow;
    if (!m_isRecovering)
    {
        progress.isLoss = true;
        BeginRepeat();
    }
    else
    {
        // What is missing of the packets that were first sent meanwhile is repeated now, too: the
        // recovery is over when these repeats have arrived, so that nothing is repeated twice.
        uint64_t i = std::max(m_repeatEnd, m_recoveryEnd + 1);
        while (i < end && m_hasArrived[i % m_hasArrived.size()])
        {
            ++i;
        }
        if (i < end)
        {
            progress.isLoss = true;
            m_recoveryEnd = m_highest - 1;
        }
    }
    m_repeatEnd = std::max(m_repeatEnd, end);
}

void
RoceRequester::BeginRepeat()
{
    m_isRecovering = true;
    m_recoveryEnd = m_highest - 1;
    m_repeat = m_unacknowledged;
    m_repeatEnd = std::max(m_repeatEnd, m_unacknowledged + 1);
}

void
RoceRequester::ForgetArrivals()
{
    m_isRecovering = false;
    m_repeatEnd = 0;
    m_hasArrived.assign(m_hasArrived.size(), false);
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
    ForgetArrivals();
    for (; !m_entries.IsEmpty(); m_entries.Pop())
    {
        const RoceWork& work = m_entries[0].work;
        completions.push_back({work.id, work.nBytes, work.operation, status});
        status = RoceStatus::FLUSHED;
    }
    m_cursor = 0;
    m_next = m_highest = m_asked = m_end = m_unacknowledged;
    m_nextOffset = m_endOffset = m_unacknowledgedOffset;
}

} // namespace ns3::aidc

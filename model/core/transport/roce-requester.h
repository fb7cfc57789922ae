// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ROCE_REQUESTER_H
#define AIDC_ROCE_REQUESTER_H

#include "roce-packet.h"
#include "roce-work.h"
#include "vector-fifo.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// The work requests of a RoceRequester that have not ended, as one sequence of packets.
///
/// Packets have sequence numbers of 64 bits here, of which the wire carries the lower 24. A request
/// to read is one packet, but takes a number for each of its responses. The offset of a packet is
/// the sum of the bytes on the wire of all earlier packets of the connection.
class RoceSendQueue
{
  public:
    /// A work request and the packets that it takes.
    struct Entry
    {
        RoceWork work;      //!< the request
        uint64_t first{0};  //!< number of its first packet
        uint64_t end{0};    //!< number after its last packet
        uint64_t offset{0}; //!< offset of its first packet

        /// @return whether it is a request to read
        bool IsRead() const
        {
            return work.operation == RoceOperation::READ;
        }

        /// @return whether one of its packets is the last one of the message
        bool IsLast(uint64_t sequence) const
        {
            return sequence + 1 == end || IsRead();
        }

        /// @return the number after the last one that one of its packets takes
        uint64_t GetBehind(uint64_t sequence) const
        {
            return IsRead() ? end : sequence + 1;
        }
    };

    /// The arguments are kept as the members that have their names.
    RoceSendQueue(uint32_t pathMtu, uint32_t overhead, uint32_t destinationQp, uint32_t firstPsn)
        : m_end(firstPsn),
          m_pathMtu(pathMtu),
          m_overhead(overhead),
          m_destinationQp(destinationQp)
    {
    }

    /// Add a request at the end.
    void Push(const RoceWork& work);

    /// RoceRequester::Shorten(). sequence: the first packet that may go.
    uint64_t Shorten(uint64_t sequence, uint64_t nBytes);

    /// Remove the oldest request. @param status how it ends
    RoceCompletion Pop(RoceStatus status);

    /// Continue with another packet number. There are no requests. sequence: the number of the next
    /// packet.
    void Restart(uint64_t sequence, uint64_t offset)
    {
        m_end = sequence;
        m_endOffset = offset;
    }

    /// @return bytes of a packet on the wire in addition to its payload
    uint32_t GetOverhead() const
    {
        return m_overhead;
    }

    /// @return the number of requests
    std::size_t GetSize() const
    {
        return m_entries.GetSize();
    }

    /// @param place the place of a request, 0 is the oldest @return the request
    const Entry& operator[](std::size_t place) const
    {
        return m_entries[place];
    }

    /// @return the number after the last packet of all requests
    uint64_t GetEnd() const
    {
        return m_end;
    }

    /// @return the place of the request of a packet, or the number of requests
    std::size_t Find(uint64_t sequence) const;

    /// @return the place of the oldest request to read, or the number of requests
    std::size_t FindRead() const;

    /// place: the place of the packet's request; the number of requests, for the packet after all.
    /// @return the offset of the packet
    uint64_t GetOffset(std::size_t place, uint64_t sequence) const
    {
        return place == m_entries.GetSize()
                   ? m_endOffset
                   : m_entries[place].offset +
                         GetWireBytes(m_entries[place].work, sequence - m_entries[place].first);
    }

    /// place: the place of the packet's request; sequence: for a request to read, the number of the
    /// first response wanted. @return the packet; isAckRequested is set in requests to read only
    RocePacket MakePacket(std::size_t place, uint64_t sequence) const;

  private:
    uint64_t GetWireBytes(const RoceWork& work, uint64_t n) const
    {
        if (work.operation == RoceOperation::READ)
        {
            return n > 0 ? m_overhead : 0;
        }
        return n * m_overhead + std::min(n * m_pathMtu, work.nBytes);
    }

    VectorFifo<Entry> m_entries; //!< the requests
    uint64_t m_end;              //!< GetEnd()
    uint64_t m_endOffset{0};     //!< offset of that packet
    uint32_t m_pathMtu;          //!< the payload of a full packet in bytes
    uint32_t m_overhead;         //!< bytes of a packet on the wire in addition to its payload
    uint32_t m_destinationQp;    //!< the peer's queue pair
};

/// Decides which packets of a RoceRequester are repeated: the missing packets below one that
/// has arrived (IRN, SIGCOMM 2018).
///
/// The requester gives the range of packets in flight, from the oldest packet that is not
/// acknowledged to the newest one that was ever sent.
class RoceSelectiveRepeat
{
  public:
    /// The packets in flight.
    struct Range
    {
        uint64_t oldest; //!< the oldest one that is not acknowledged
        uint64_t end;    //!< after the newest one that was ever sent
    };

    /// The effects of the arrival of a packet.
    struct Arrival
    {
        bool isNew{false};  //!< it was not known to have arrived
        bool isLoss{false}; //!< it says that packets were lost
    };

    /// Repeat nothing yet.
    explicit RoceSelectiveRepeat(const RoceSettings& settings)
        : m_maxPackets(settings.maxPackets),
          m_reorderWindow(settings.reorderWindow)
    {
    }

    /// @return whether missing packets are being repeated
    bool IsRecovering() const
    {
        return m_isRecovering;
    }

    /// @return the next packet to be repeated; the end of the range if there is none
    uint64_t GetNext(const Range& range) const
    {
        const uint64_t missing = m_isRecovering ? FindMissing(range) : range.end;
        return missing == range.end && m_hasProbe ? m_recoveryEnd : missing;
    }

    /// Note a packet that was repeated. behind: the number behind it, or behind the responses that
    /// it asks for.
    void NotifyRepeated(uint64_t sequence, uint64_t behind)
    {
        m_hasProbe = m_hasProbe && sequence < m_recoveryEnd;
        if (sequence < m_end)
        {
            m_next = behind;
        }
    }

    /// Note a packet that the receiver has got out of order. @return the effects of this arrival
    Arrival NotifyArrival(uint64_t sequence, const Range& range)
    {
        Arrival arrival;
        if (sequence <= range.oldest || sequence >= range.end ||
            sequence - range.oldest >= m_maxPackets)
        {
            return arrival;
        }
        if (m_hasArrived.empty())
        {
            m_hasArrived.resize(m_maxPackets);
        }
        arrival.isNew = !m_hasArrived[sequence % m_maxPackets];
        m_hasArrived[sequence % m_maxPackets] = true;
        m_hasNews = m_hasNews || arrival.isNew;
        m_hasProbe = m_hasProbe && sequence < m_recoveryEnd;
        if (sequence - range.oldest <= m_reorderWindow)
        {
            return arrival; // what is missing may still come
        }
        const uint64_t end = sequence - m_reorderWindow;
        if (!m_isRecovering)
        {
            arrival.isLoss = true;
            Begin(range);
        }
        else
        {
            // What is missing of the packets that were first sent meanwhile is repeated now, too:
            // the recovery is over when these repeats have arrived, so that nothing is repeated
            // twice.
            uint64_t i = std::max(m_end, m_recoveryEnd + 1);
            while (i < end && m_hasArrived[i % m_maxPackets])
            {
                ++i;
            }
            if (i < end)
            {
                arrival.isLoss = true;
                m_recoveryEnd = range.end - 1;
            }
        }
        m_end = std::max(m_end, end);
        return arrival;
    }

    /// Repeat what a timeout says is lost: packets that are not known to have arrived,
    /// beginning with the oldest one.
    ///
    /// They are all packets if nothing has arrived since the timer was started. Otherwise only the
    /// repeat of an old packet is lost, and packets after the newest arrival may be under way: only
    /// the newest of these is repeated, as a probe (RFC 8985, section 7). When it arrives, the
    /// others that are missing are known, without another timeout.
    void HandleTimeout(const Range& range)
    {
        if (!m_hasNews)
        {
            m_end = range.end;
        }
        Begin(range);
        m_hasProbe = m_recoveryEnd >= m_end;
    }

    /// Repeat the newest packet as a probe, unless packets are being repeated already.
    void Probe(const Range& range)
    {
        if (!m_isRecovering)
        {
            m_hasProbe = true;
            m_recoveryEnd = range.end - 1;
        }
    }

    /// Note packets that are acknowledged, which starts the timer again. oldest: the oldest
    /// one of them; end: the number after the newest one.
    void NotifyAcknowledged(uint64_t oldest, uint64_t end)
    {
        if (!m_hasArrived.empty())
        {
            for (uint64_t i = oldest; i < end; ++i)
            {
                m_hasArrived[i % m_maxPackets] = false;
            }
        }
        m_isRecovering = m_isRecovering && end <= m_recoveryEnd;
        m_hasProbe = m_hasProbe && end <= m_recoveryEnd;
        m_hasNews = false;
    }

    /// Forget which packets have arrived, and repeat none.
    void Forget()
    {
        m_isRecovering = false;
        m_hasNews = false;
        m_hasProbe = false;
        m_gap = 0;
        m_end = 0;
        m_hasArrived.assign(m_hasArrived.size(), false);
    }

  private:
    /// @return the next packet that is missing; the end of the range if there is none
    uint64_t FindMissing(const Range& range) const
    {
        const uint64_t first = std::max(m_next, range.oldest);
        // The oldest packet counts as missing, even if it has arrived before: its receiver may not
        // have been ready for it.
        if (first < m_end && (first == range.oldest || m_hasArrived.empty()))
        {
            return first;
        }
        for (m_gap = std::max(m_gap, first); m_gap < m_end; ++m_gap)
        {
            if (!m_hasArrived[m_gap % m_maxPackets])
            {
                return m_gap;
            }
        }
        return range.end;
    }

    /// Begin to repeat, with the oldest packet.
    void Begin(const Range& range)
    {
        m_isRecovering = true;
        m_hasNews = false;
        m_hasProbe = false;
        m_recoveryEnd = range.end - 1;
        m_next = range.oldest;
        m_gap = range.oldest;
        m_end = std::max(m_end, range.oldest + 1);
    }

    uint32_t m_maxPackets;          //!< packets that may be in flight
    uint32_t m_reorderWindow;       //!< packets that may overtake another one
    bool m_isRecovering{false};     //!< IsRecovering()
    bool m_hasNews{false};          //!< packets have arrived since the timer was started
    bool m_hasProbe{false};         //!< m_recoveryEnd is to be repeated after missing ones
    uint64_t m_next{0};             //!< the first packet that may be repeated
    mutable uint64_t m_gap{0};      //!< the others before this one, from m_next on, have arrived
    uint64_t m_end{0};              //!< after the last packet that may be repeated
    uint64_t m_recoveryEnd{0};      //!< recovery is over when this packet is acknowledged
    std::vector<bool> m_hasArrived; //!< packets, by their number modulo maxPackets; none so far
};

/// The requesting half of a reliable connection: sends the packets of its work requests, and
/// handles the peer's answers (InfiniBand Architecture Specification, volume 1,
/// section 9.7; IRN, SIGCOMM 2018, for selective repeat).
///
/// It has no clock: the caller calls HandleTimeout() after a retransmission timeout without
/// progress, and Resume() after the time that a receiver asked for because it was not ready.
///
/// Packets have sequence numbers of 64 bits here, of which the wire carries the lower 24.
///
/// If a read response is lost, the requester asks again for this response and all after it, in
/// either mode of recovery.
class RoceRequester
{
  public:
    /// The effects of an answer of the peer.
    struct Progress
    {
        uint64_t nPackets{0};       //!< packets newly acknowledged
        uint64_t nBytes{0};         //!< their bytes as GetInFlight() counts them
        bool isValid{false};        //!< whether it fits the state of the connection
        bool isLoss{false};         //!< whether the answer reports that packets were lost
        bool wasRecovering{false};  //!< whether packets were being sent again when it arrived
        bool isReceiverReady{true}; //!< false: send nothing before Resume()
        uint8_t waitCode{0};        //!< how long the receiver asks to wait, a code of time
    };

    /// A packet to be sent.
    struct Outgoing
    {
        RocePacket packet;            //!< its headers
        uint64_t sequence{0};         //!< its sequence number
        bool isRetransmission{false}; //!< whether it has been sent before
    };

    /// @param settings the settings
    /// @param destinationQp the peer's queue pair
    /// @param firstPsn the packet sequence number of the first packet
    /// @param overhead bytes of a packet on the wire in addition to its payload
    RoceRequester(const RoceSettings& settings,
                  uint32_t destinationQp,
                  uint32_t firstPsn,
                  uint32_t overhead);

    /// Add a work request. @param work the request, of at most ROCE_MAX_MESSAGE bytes @return false
    /// if the connection has failed; then the caller flushes the request at once
    bool Post(const RoceWork& work)
    {
        if (!m_hasFailed)
        {
            m_queue.Push(work);
        }
        return !m_hasFailed;
    }

    /// Shorten the newest work requests, as far as they are to send, by whole packets that were
    /// never sent. The last packet of each of them, and the next one to be sent, stay.
    /// @param nBytes by how much at most
    /// @return by how much
    uint64_t Shorten(uint64_t nBytes)
    {
        return m_queue.Shorten(m_highest + 1, nBytes);
    }

    /// @return the bytes of packets that were never sent, as if all of them were full
    uint64_t GetUnsent() const
    {
        return (m_queue.GetEnd() - m_highest) * m_settings.pathMtu;
    }

    /// @return the bytes of packets that are not acknowledged, or were never sent, in the same way
    uint64_t GetBacklog() const
    {
        return (m_queue.GetEnd() - m_unacknowledged) * m_settings.pathMtu;
    }

    /// @param window bytes that may be in flight; one packet always may
    /// @return whether there is a packet that may be sent now
    bool HasPacket(uint64_t window) const;

    /// Take the next packet. HasPacket() must be true. @param window the same
    Outgoing TakePacket(uint64_t window);

    /// completions: receives the requests that end by it. @return the effects of the answer
    Progress HandleAcknowledgment(const RocePacket& packet,
                                  std::vector<RoceCompletion>& completions);

    /// Handle a response to a request to read. completions: receives the requests that end by it.
    /// @return the effects of the answer
    Progress HandleReadResponse(const RocePacket& packet, std::vector<RoceCompletion>& completions);

    /// Send again what is unacknowledged, or give up.
    /// @param [out] completions receives the requests that end by it
    void HandleTimeout(std::vector<RoceCompletion>& completions);

    /// Repeat the newest packet, with selective repeat: if the end of what was sent is lost,
    /// nothing after it tells so (RFC 8985, section 7).
    void HandleProbe()
    {
        if (HasOutstanding() && m_settings.recovery == RoceSettings::SELECTIVE_REPEAT)
        {
            m_repeat.Probe(GetRange());
        }
    }

    /// Continue after the time that the receiver asked for because it was not ready.
    void Resume()
    {
        m_isWaiting = false;
    }

    /// End all work requests as flushed: the other half of the connection has failed.
    /// @param [out] completions receives the requests that end by it
    void Flush(std::vector<RoceCompletion>& completions)
    {
        Fail(RoceStatus::FLUSHED, completions);
    }

    /// Tell whether the peer owes an answer: an acknowledgment that a packet asked for, or a read
    /// response.
    ///
    /// Packets that do not ask for an acknowledgment are owed none, however long the rest takes.
    /// @return whether the retransmission timer is to run
    bool HasOutstanding() const
    {
        return m_unacknowledged < m_asked && !m_isWaiting;
    }

    /// @return whether the connection has failed
    bool HasFailed() const
    {
        return m_hasFailed;
    }

    /// @return the bytes on the wire of packets that were sent and not acknowledged; lost packets
    ///         count only once they have been sent again
    uint64_t GetInFlight() const
    {
        return m_nextOffset - m_unacknowledgedOffset;
    }

    /// @return the number of packets that were sent and not acknowledged
    uint64_t GetPacketsInFlight() const
    {
        return m_next - m_unacknowledged;
    }

    /// @return the sequence number of the next packet that was never sent
    uint64_t GetNext() const
    {
        return m_highest;
    }

    /// @return the sequence number of the oldest packet that is not acknowledged
    uint64_t GetUnacknowledged() const
    {
        return m_unacknowledged;
    }

  private:
    bool IsRecovering() const
    {
        return m_next < m_highest || m_repeat.IsRecovering();
    }

    /// @return the packets in flight that selective repeat may repeat
    RoceSelectiveRepeat::Range GetRange() const
    {
        return {m_unacknowledged, m_highest};
    }

    /// Acknowledge all before a number. @return false at a request to read that lacks responses
    bool Advance(uint64_t upTo, Progress& progress, std::vector<RoceCompletion>& completions);

    /// Set the oldest packet that is not acknowledged, and end what is before it.
    void MoveTo(uint64_t upTo, Progress& progress, std::vector<RoceCompletion>& completions);

    void GoBack(uint64_t sequence);

    /// Ask again for responses from the oldest one that is missing.
    void AskAgain(Progress& progress);

    /// @return this PSN's sequence number nearest to m_unacknowledged; below 0: before the first
    int64_t GetSequence(uint32_t psn) const;

    /// @return the oldest request to read that was sent and is not answered, or how many there are
    std::size_t FindRead() const;

    /// @return false if there is none to use up
    static bool UseAttempt(uint8_t& left);

    /// End all work requests. status: how the oldest one ends; the others are flushed.
    void Fail(RoceStatus status, std::vector<RoceCompletion>& completions);

    RoceSettings m_settings;            //!< the settings
    uint32_t m_sinceRequest{0};         //!< packets since an acknowledgment was asked for
    uint32_t m_nReads{0};               //!< requests to read that are not answered
    uint8_t m_retriesLeft;              //!< attempts that are left
    uint8_t m_rnrRetriesLeft;           //!< the same while the receiver is not ready
    bool m_isWaiting{false};            //!< for a receiver that was not ready
    bool m_hasFailed{false};            //!< whether the connection has failed
    RoceSendQueue m_queue;              //!< work requests that have not ended
    RoceSelectiveRepeat m_repeat;       //!< with selective repeat, the packets to repeat
    std::size_t m_cursor{0};            //!< the place of the request of m_next
    uint64_t m_unacknowledged;          //!< the oldest packet that is not acknowledged
    uint64_t m_next;                    //!< the next packet to be sent, but for repeats
    uint64_t m_highest;                 //!< after the newest packet that was ever sent
    uint64_t m_asked;                   //!< after the newest packet that has asked for an answer
    uint64_t m_unacknowledgedOffset{0}; //!< offset of m_unacknowledged
    uint64_t m_nextOffset{0};           //!< offset of m_next

    /// The response that was asked for again, so that it is asked for only once without progress.
    uint64_t m_askedAgain{UINT64_MAX};
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_REQUESTER_H

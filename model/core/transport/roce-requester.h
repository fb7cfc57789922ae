/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_REQUESTER_H
#define AIDC_ROCE_REQUESTER_H

#include "roce-packet.h"
#include "roce-selective-repeat.h"
#include "roce-send-queue.h"
#include "roce-work.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/**
 * @brief The requesting half of a reliable connection: sends the packets of its work requests, and
 *        handles the peer's answers (InfiniBand Architecture Specification, volume 1,
 *        section 9.7; IRN, SIGCOMM 2018, for selective repeat).
 *
 * It has no clock: the caller calls HandleTimeout() after a retransmission timeout without
 * progress, and Resume() after the time that a receiver asked for because it was not ready.
 *
 * Packets have sequence numbers of 64 bits here, of which the wire carries the lower 24.
 *
 * If a read response is lost, the requester asks again for this response and all after it, in
 * either mode of recovery.
 */
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
    /// @param overhead bytes of a packet on the wire besides its payload
    RoceRequester(const RoceSettings& settings,
                  uint32_t destinationQp,
                  uint32_t firstPsn,
                  uint32_t overhead);

    /// Add a work request. @param work the request, of at most ROCE_MAX_MESSAGE bytes @return false
    /// if the connection has failed; then the caller flushes the request at once
    bool Post(const RoceWork& work);

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
    void Resume();

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
    /// @return whether lost packets are being sent again
    bool IsRecovering() const
    {
        return m_next < m_highest || m_repeat.IsRecovering();
    }

    /// @return the packets in flight that selective repeat may repeat
    RoceSelectiveRepeat::Range GetRange() const
    {
        return {m_unacknowledged, m_highest};
    }

    /// Handle a refusal of a packet that is not to be sent again at once. @return false if there is
    /// no such code
    bool HandleError(RoceNakCode code, std::vector<RoceCompletion>& completions);

    /// Take all packets before a number as acknowledged, except for reads without a response.
    /// @return false if it has stopped at a request to read of which responses are missing
    bool Advance(uint64_t upTo, Progress& progress, std::vector<RoceCompletion>& completions);

    /// Set the oldest packet that is not acknowledged, and end what is before it.
    void MoveTo(uint64_t upTo, Progress& progress, std::vector<RoceCompletion>& completions);

    /// @param sequence the number of the packet to go back to
    void GoBack(uint64_t sequence);

    /// Ask again for responses from the oldest one that is missing.
    void AskAgain(Progress& progress);

    /// @return the sequence number nearest to m_unacknowledged with this PSN; below 0 if it would
    /// be before the first packet
    int64_t GetSequence(uint32_t psn) const;

    /// @return the place of the oldest request to read that was sent and is not answered, or the
    ///         number of requests
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

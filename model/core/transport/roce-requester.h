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
 * @ingroup aidc
 * @brief The requesting half of a reliable connection: which packets of its work requests are to be
 *        sent, and what the peer's answers mean to them (InfiniBand Architecture Specification,
 *        volume 1, section 9.7; IRN, SIGCOMM 2018, for selective repeat).
 *
 * It knows no time: the caller calls HandleTimeout() when there was no progress for the
 * retransmission timeout, and Resume() when a receiver that was not ready has had its time.
 *
 * Packets have sequence numbers of 64 bits here, of which the wire carries the lower 24.
 *
 * A response to a request to read that goes missing is asked for again from there on in either
 * mode of recovery.
 */
class RoceRequester
{
  public:
    /// What an answer of the peer has brought.
    struct Progress
    {
        uint64_t nPackets{0};       //!< packets newly acknowledged
        uint64_t nBytes{0};         //!< their bytes as GetInFlight() counts them
        bool isValid{false};        //!< whether it fits the state of the connection
        bool isLoss{false};         //!< whether it says that packets were lost
        bool wasRecovering{false};  //!< whether packets were being sent again when it came
        bool isReceiverReady{true}; //!< false: send nothing before Resume()
        uint8_t waitCode{0};        //!< how long the receiver wants that to take
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
    /// @param overhead bytes on the wire of a packet beside its payload
    RoceRequester(const RoceSettings& settings,
                  uint32_t destinationQp,
                  uint32_t firstPsn,
                  uint32_t overhead);

    /// Add a work request.
    /// @param work the request, of at most ROCE_MAX_MESSAGE bytes
    /// @return false if the connection has failed, so that the request is flushed at once
    bool Post(const RoceWork& work);

    /// @param window bytes that may be in flight; one packet always may
    /// @return whether there is a packet that may be sent now
    bool HasPacket(uint64_t window) const;

    /// Take the next packet; HasPacket() holds.
    /// @param window the same
    /// @return the packet
    Outgoing TakePacket(uint64_t window);

    /// @param packet the packet
    /// @param [out] completions what has ended by it is added
    /// @return what it has brought
    Progress HandleAcknowledgment(const RocePacket& packet,
                                  std::vector<RoceCompletion>& completions);

    /// Handle a response to a request to read.
    /// @param packet the packet
    /// @param [out] completions what has ended by it is added
    /// @return what it has brought
    Progress HandleReadResponse(const RocePacket& packet, std::vector<RoceCompletion>& completions);

    /// Send again what is unacknowledged, or give up.
    /// @param [out] completions what has ended by it is added
    void HandleTimeout(std::vector<RoceCompletion>& completions);

    /// The receiver that was not ready has had its time.
    void Resume();

    /// End all work requests as flushed: the other half of the connection has failed.
    /// @param [out] completions what has ended by it is added
    void Flush(std::vector<RoceCompletion>& completions)
    {
        Fail(RoceStatus::FLUSHED, completions);
    }

    /// Tell whether the peer owes an answer: an acknowledgment that was asked for, or what was
    /// asked to be read.
    ///
    /// What was sent without asking owes none yet, however long it takes to send the rest.
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

    /// @return bytes on the wire of packets that were sent, and sent again where that is to be
    ///         done, and not acknowledged
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
    /// @return whether what is sent has been lost before
    bool IsRecovering() const
    {
        return m_next < m_highest || m_repeat.IsRecovering();
    }

    /// @return the packets in flight that selective repeat may repeat
    RoceSelectiveRepeat::Range GetRange() const
    {
        return {m_unacknowledged, m_highest};
    }

    /// Handle a refusal of a packet that is not to be sent again at once.
    /// @param code why it was refused
    /// @param [out] completions what ends by it is added
    /// @return false if there is no such code
    bool HandleError(RoceNakCode code, std::vector<RoceCompletion>& completions);

    /// Take all packets before one as acknowledged, but for responses to be read.
    /// @param upTo its number
    /// @param [in,out] progress what is counted
    /// @param [out] completions what has ended by it is added
    /// @return false if a request to read stands in the way, of which responses are missing
    bool Advance(uint64_t upTo, Progress& progress, std::vector<RoceCompletion>& completions);

    /// Set the oldest packet that is not acknowledged, and end what is before it.
    /// @param upTo its number
    /// @param [in,out] progress what is counted
    /// @param [out] completions what has ended by it is added
    void MoveTo(uint64_t upTo, Progress& progress, std::vector<RoceCompletion>& completions);

    /// @param sequence the number of the packet to go back to
    void GoBack(uint64_t sequence);

    /// Ask again for responses from the oldest one that is missing.
    /// @param [in,out] progress where that is noted
    void AskAgain(Progress& progress);

    /// @param psn a packet sequence number on the wire
    /// @return the number next to m_unacknowledged that it stands for; below 0 if it would be
    ///         before the first one
    int64_t GetSequence(uint32_t psn) const;

    /// @return the place of the oldest request to read that was sent and is not answered, or the
    ///         number of requests
    std::size_t FindRead() const;

    /// @param [in,out] left those that are left
    /// @return false if there is none to use up
    static bool UseAttempt(uint8_t& left);

    /// End all work requests.
    /// @param status how the oldest one ends; the others are flushed
    /// @param [out] completions they are added
    void Fail(RoceStatus status, std::vector<RoceCompletion>& completions);

    RoceSettings m_settings;            //!< the settings
    uint32_t m_sinceRequest{0};         //!< packets since an acknowledgment was asked for
    uint32_t m_nReads{0};               //!< requests to read that are not answered
    uint8_t m_retriesLeft;              //!< attempts that are left
    uint8_t m_rnrRetriesLeft;           //!< the same while the receiver is not ready
    bool m_isWaiting{false};            //!< for a receiver that was not ready
    bool m_hasFailed{false};            //!< whether the connection has failed
    RoceSendQueue m_queue;              //!< work requests that have not ended
    RoceSelectiveRepeat m_repeat;       //!< with selective repeat, what is to be repeated
    std::size_t m_cursor{0};            //!< the place of the request of m_next
    uint64_t m_unacknowledged;          //!< the oldest packet that is not acknowledged
    uint64_t m_next;                    //!< the next packet to be sent, but for repeats
    uint64_t m_highest;                 //!< behind the newest packet that was ever sent
    uint64_t m_asked;                   //!< behind the newest packet that has asked for an answer
    uint64_t m_unacknowledgedOffset{0}; //!< offset of m_unacknowledged
    uint64_t m_nextOffset{0};           //!< offset of m_next

    /// The response that was asked for again; nothing is asked for twice without progress.
    uint64_t m_askedAgain{UINT64_MAX};
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_REQUESTER_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_REQUESTER_H
#define AIDC_ROCE_REQUESTER_H

#include "roce-packet.h"
#include "roce-work.h"
#include "vector-fifo.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The requesting half of a reliable connection: what of its work requests is to be sent, and
 *        what the peer's answers mean to them (InfiniBand Architecture Specification, volume 1,
 *        section 9.7; IRN, SIGCOMM 2018, for selective repeat).
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
        bool isReceiverReady{true}; //!< false: send nothing before Resume()
        uint8_t waitCode{0};        //!< how long the receiver wants that to take
        uint64_t nRead{0};          //!< bytes of payload that the peer has answered
        bool wasRecovering{false};  //!< whether packets were being sent again when it came
    };

    /// A packet to be sent.
    struct Outgoing
    {
        RocePacket packet;            //!< its headers
        uint64_t sequence{0};         //!< its sequence number
        bool isRetransmission{false}; //!< whether it has been sent before
    };

    /**
     * @brief Constructor.
     * @param settings the settings
     * @param destinationQp the peer's queue pair
     * @param firstPsn the packet sequence number of the first packet
     * @param overhead bytes on the wire of a packet beside its payload
     */
    RoceRequester(const RoceSettings& settings,
                  uint32_t destinationQp,
                  uint32_t firstPsn,
                  uint32_t overhead);

    /**
     * @brief Add a work request.
     * @param work the request, of at most ROCE_MAX_MESSAGE bytes
     * @return false if the connection has failed, so that the request is flushed at once
     */
    bool Post(const RoceWork& work);

    /**
     * @brief Tell whether there is a packet that may be sent now.
     * @param window bytes that may be in flight; one packet always may
     * @return whether there is
     */
    bool HasPacket(uint64_t window) const;

    /**
     * @brief Take the next packet; HasPacket() holds.
     * @param window the same
     * @return the packet
     */
    Outgoing TakePacket(uint64_t window);

    /**
     * @brief Take note of an acknowledgment.
     * @param packet the packet
     * @param [out] completions what has ended by it is added
     * @return what it has brought
     */
    Progress HandleAcknowledgment(const RocePacket& packet,
                                  std::vector<RoceCompletion>& completions);

    /**
     * @brief Take note of a response to a request to read.
     * @param packet the packet
     * @param [out] completions what has ended by it is added
     * @return what it has brought
     */
    Progress HandleReadResponse(const RocePacket& packet, std::vector<RoceCompletion>& completions);

    /**
     * @brief Send again what is unacknowledged, or give up.
     * @param [out] completions what has ended by it is added
     */
    void HandleTimeout(std::vector<RoceCompletion>& completions);

    /// The receiver that was not ready has had its time.
    void Resume();

    /**
     * @brief End all work requests as flushed: the other half of the connection has failed.
     * @param [out] completions what has ended by it is added
     */
    void Flush(std::vector<RoceCompletion>& completions)
    {
        Fail(RoceStatus::FLUSHED, completions);
    }

    /**
     * @brief Tell whether the peer owes an answer: an acknowledgment that was asked for, or what
     * was asked to be read.
     *
     * What was sent without asking owes none yet, however long it takes to send the rest.
     *
     * @return whether the retransmission timer is to run
     */
    bool HasOutstanding() const
    {
        return m_unacknowledged < m_asked && !m_isWaiting;
    }

    /**
     * @brief Tell whether there are work requests that have not ended.
     * @return whether there are
     */
    bool HasWork() const
    {
        return !m_entries.IsEmpty();
    }

    /**
     * @brief Tell whether the connection has failed.
     * @return whether it has
     */
    bool HasFailed() const
    {
        return m_hasFailed;
    }

    /**
     * @brief Get what is in flight.
     * @return bytes on the wire of packets that were sent, and sent again where that is to be done,
     *         and not acknowledged
     */
    uint64_t GetInFlight() const
    {
        return m_nextOffset - m_unacknowledgedOffset;
    }

    /**
     * @brief Get the number of packets that were sent and not acknowledged.
     * @return packets
     */
    uint64_t GetPacketsInFlight() const
    {
        return m_next - m_unacknowledged;
    }

    /**
     * @brief Get the next packet that was never sent.
     * @return its sequence number
     */
    uint64_t GetNext() const
    {
        return m_highest;
    }

    /**
     * @brief Get the oldest packet that is not acknowledged.
     * @return its sequence number
     */
    uint64_t GetUnacknowledged() const
    {
        return m_unacknowledged;
    }

  private:
    /// A work request and the packets that it takes.
    struct Entry
    {
        RoceWork work;        //!< the request
        uint64_t first{0};    //!< sequence number of its first packet
        uint64_t nPackets{0}; //!< sequence numbers that it takes
        uint64_t offset{0};   //!< bytes on the wire of all packets before it
    };

    /**
     * @brief Tell whether what is sent has been lost before.
     * @return whether packets are sent again
     */
    bool IsRecovering() const
    {
        return m_next < m_highest || m_isRecovering;
    }

    /**
     * @brief Find the work request of a packet.
     * @param sequence the packet's number, from that of the oldest request on
     * @return the place of the request, or the number of requests
     */
    std::size_t Find(uint64_t sequence) const;

    /**
     * @brief Get the bytes on the wire of all packets before one.
     * @param place the place of its work request
     * @param sequence its number
     * @return bytes
     */
    uint64_t GetOffset(std::size_t place, uint64_t sequence) const;

    /**
     * @brief Get the bytes on the wire of the packets of a work request.
     * @param entry the request
     * @param n how many of its packets
     * @return bytes
     */
    uint64_t GetWireBytes(const Entry& entry, uint64_t n) const;

    /**
     * @brief Get the next packet to be repeated.
     * @return its number; m_highest if there is none
     */
    uint64_t FindRepeat() const;

    /**
     * @brief Make a packet.
     * @param place the place of its work request
     * @param sequence its number
     * @return the packet
     */
    RocePacket MakePacket(std::size_t place, uint64_t sequence) const;

    /**
     * @brief Tell whether a packet is the last one of its message.
     * @param entry the message
     * @param sequence the packet
     * @return whether it is; a request to read is
     */
    static bool IsLast(const Entry& entry, uint64_t sequence);

    /**
     * @brief Take all packets before one as acknowledged, but for responses to be read.
     * @param upTo its number
     * @param [in,out] progress what is counted
     * @param [out] completions what has ended by it is added
     * @return false if a request to read stands in the way, of which responses are missing
     */
    bool Advance(uint64_t upTo, Progress& progress, std::vector<RoceCompletion>& completions);

    /**
     * @brief Set the oldest packet that is not acknowledged, and end what is before it.
     * @param upTo its number
     * @param [in,out] progress what is counted
     * @param [out] completions what has ended by it is added
     */
    void MoveTo(uint64_t upTo, Progress& progress, std::vector<RoceCompletion>& completions);

    /**
     * @brief Go back to a packet.
     * @param sequence its number
     */
    void GoBack(uint64_t sequence);

    /**
     * @brief Ask again for responses from the oldest one that is missing.
     * @param [in,out] progress where that is noted
     */
    void AskAgain(Progress& progress);

    /**
     * @brief Get the sequence number that a packet sequence number stands for.
     * @param psn the number on the wire
     * @return the number next to m_unacknowledged; below 0 if it would be before the first one
     */
    int64_t GetSequence(uint32_t psn) const;

    /**
     * @brief Take note of what the receiver has got out of order.
     * @param sequence the packet
     * @param [in,out] progress where a loss is noted
     */
    void NoteArrival(uint64_t sequence, Progress& progress);

    /**
     * @brief Find the oldest request to read that is not answered.
     * @return its place, or the number of requests
     */
    std::size_t FindRead() const;

    /// Repeat what is missing, beginning with the oldest packet.
    void BeginRepeat();

    /// Forget what has arrived out of order.
    void ForgetArrivals();

    /**
     * @brief Use up one of the attempts.
     * @param [in,out] left those that are left
     * @return false if there is none
     */
    static bool UseAttempt(uint8_t& left);

    /**
     * @brief End all work requests.
     * @param status how the oldest one ends; the others are flushed
     * @param [out] completions they are added
     */
    void Fail(RoceStatus status, std::vector<RoceCompletion>& completions);

    RoceSettings m_settings;            //!< the settings
    uint32_t m_destinationQp;           //!< the peer's queue pair
    uint32_t m_overhead;                //!< bytes on the wire of a packet beside its payload
    uint32_t m_sinceRequest{0};         //!< packets since an acknowledgment was asked for
    uint32_t m_nReads{0};               //!< requests to read that are not answered
    uint8_t m_retriesLeft;              //!< attempts that are left
    uint8_t m_rnrRetriesLeft;           //!< the same while the receiver is not ready
    bool m_isWaiting{false};            //!< for a receiver that was not ready
    bool m_hasFailed{false};            //!< whether the connection has failed
    bool m_isRecovering{false};         //!< selective repeat: what is missing is repeated
    VectorFifo<Entry> m_entries;        //!< work requests that have not ended
    std::size_t m_cursor{0};            //!< the place of the request of m_next
    uint64_t m_unacknowledged;          //!< the oldest packet that is not acknowledged
    uint64_t m_next;                    //!< the next packet to be sent, but for repeats
    uint64_t m_highest;                 //!< behind the newest packet that was ever sent
    uint64_t m_asked;                   //!< behind the newest packet that has asked for an answer
    uint64_t m_end;                     //!< behind the last packet of all work requests
    uint64_t m_unacknowledgedOffset{0}; //!< GetOffset() of m_unacknowledged
    uint64_t m_nextOffset{0};           //!< GetOffset() of m_next
    uint64_t m_endOffset{0};            //!< GetOffset() of m_end

    // Selective repeat
    uint64_t m_repeat{0};           //!< from here on packets may be repeated
    uint64_t m_repeatEnd{0};        //!< up to here, below a packet that has arrived
    uint64_t m_recoveryEnd{0};      //!< recovery is over when this packet is acknowledged
    std::vector<bool> m_hasArrived; //!< packets, by their number modulo maxPackets

    /// The response that was asked for again; nothing is asked for twice without progress.
    uint64_t m_askedAgain{UINT64_MAX};
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_REQUESTER_H

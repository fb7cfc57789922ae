/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_SEND_QUEUE_H
#define AIDC_ROCE_SEND_QUEUE_H

#include "roce-packet.h"
#include "roce-work.h"
#include "vector-fifo.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief The work requests of a RoceRequester that have not ended, as one sequence of packets.
 *
 * Packets have sequence numbers of 64 bits here, of which the wire carries the lower 24. A request
 * to read is one packet, but takes a number for each of its responses. The offset of a packet is
 * the sum of the bytes on the wire of all earlier packets of the connection.
 */
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

        /// @param sequence the number of one of its packets
        /// @return whether it is the last one of the message
        bool IsLast(uint64_t sequence) const
        {
            return sequence + 1 == end || IsRead();
        }

        /// @param sequence the number of one of its packets
        /// @return the number after the last one that this packet takes
        uint64_t GetBehind(uint64_t sequence) const
        {
            return IsRead() ? end : sequence + 1;
        }
    };

    /// @param pathMtu the payload of a full packet in bytes
    /// @param overhead bytes of a packet on the wire besides its payload
    /// @param destinationQp the peer's queue pair
    /// @param firstPsn the number of the first packet
    RoceSendQueue(uint32_t pathMtu, uint32_t overhead, uint32_t destinationQp, uint32_t firstPsn);

    /// @param work a request to add at the end
    void Push(const RoceWork& work);

    /// Shorten the newest requests, as far as they are to send, by whole packets. The last packet
    /// of each of them stays.
    /// @param sequence the first packet that may go
    /// @param nBytes by how much at most
    /// @return by how much
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

    /// @return bytes of a packet on the wire besides its payload
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

    /// @param sequence the number of a packet, from that of the oldest request on
    /// @return the place of its request, or the number of requests
    std::size_t Find(uint64_t sequence) const;

    /// @return the place of the oldest request to read, or the number of requests
    std::size_t FindRead() const;

    /// place: the place of its request; the number of requests, for the packet after all.
    /// @return bytes
    uint64_t GetOffset(std::size_t place, uint64_t sequence) const
    {
        return place == m_entries.GetSize()
                   ? m_endOffset
                   : m_entries[place].offset +
                         GetWireBytes(m_entries[place].work, sequence - m_entries[place].first);
    }

    /// @param place the place of its request
    /// @param sequence its number; for a request to read, the number of the first response wanted
    /// @return the packet; isAckRequested is set in requests to read only
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
    uint32_t m_overhead;         //!< bytes of a packet on the wire besides its payload
    uint32_t m_destinationQp;    //!< the peer's queue pair
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_SEND_QUEUE_H

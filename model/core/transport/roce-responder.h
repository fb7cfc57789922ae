// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ROCE_RESPONDER_H
#define AIDC_ROCE_RESPONDER_H

#include "roce-packet.h"
#include "roce-work.h"
#include "vector-fifo.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/// The memory that peers may access: ranges of addresses, each with a key. Nothing is stored.
class RoceMemoryRegions
{
  public:
    /// Register memory. address: where it begins; nBytes: its size. @return the key of this memory,
    /// by which peers refer to it; the first one is 1
    uint32_t Register(uint64_t address, uint64_t nBytes)
    {
        m_regions.push_back({address, nBytes});
        return static_cast<uint32_t>(m_regions.size());
    }

    /// Tell whether memory may be accessed.
    /// @param key the key
    /// @param address where the access begins
    /// @param nBytes its size; an access to no bytes is always allowed
    /// @return whether all these bytes are in the region of the key
    bool IsAccessible(uint32_t key, uint64_t address, uint64_t nBytes) const
    {
        if (nBytes == 0)
        {
            return true;
        }
        if (key == 0 || key > m_regions.size())
        {
            return false;
        }
        const Region& region = m_regions[key - 1];
        return address >= region.address && nBytes <= region.nBytes &&
               address - region.address <= region.nBytes - nBytes;
    }

  private:
    /// A range of addresses.
    struct Region
    {
        uint64_t address{0}; //!< where it begins
        uint64_t nBytes{0};  //!< its size
    };

    std::vector<Region> m_regions; //!< the regions, in the order of their keys from 1 on
};

/// The responding half of a reliable connection: executes and answers the peer's requests
/// (InfiniBand Architecture Specification, volume 1, section 9.7; IRN, SIGCOMM 2018, for
/// selective repeat).
///
/// Answers leave in the order of requests: an acknowledgment waits for earlier read responses.
class RoceResponder
{
  public:
    /// @param settings the settings
    /// @param destinationQp the peer's queue pair
    /// @param firstPsn the packet sequence number of the first packet
    /// @param regions the memory that the peer may access, which outlives this
    RoceResponder(const RoceSettings& settings,
                  uint32_t destinationQp,
                  uint32_t firstPsn,
                  const RoceMemoryRegions& regions);

    /// Take a request. deliveries: receives the messages that are now complete. @return the answer
    /// to send now, if there is one
    std::optional<RocePacket> HandleRequest(const RocePacket& packet,
                                            std::vector<RoceDelivery>& deliveries);

    /// @return whether there are read responses to send
    bool HasReadResponse() const
    {
        return !m_reads.IsEmpty();
    }

    /// Remove the next read response. HasReadResponse() must be true. @return the response
    RocePacket TakeReadResponse();

    /// Remove the answer that waited for the last read response. @return the answer, if any
    std::optional<RocePacket> TakeDeferred();

    /// Count receive requests: only requests that are posted from now on exist. Without this call
    /// there is always one.
    void LimitReceives()
    {
        m_isLimited = true;
    }

    /// @param n how many receive requests to post
    void PostReceive(uint64_t n = 1)
    {
        m_nReceives += n;
    }

    /// @return whether the connection has failed: a request has been refused for good
    bool HasFailed() const
    {
        return m_hasFailed;
    }

    /// @return the packets of messages that have come although they were here already
    uint64_t GetDuplicates() const
    {
        return m_duplicates;
    }

  private:
    /// A request to read, as far as it is not answered.
    struct Read
    {
        uint64_t sequence{0}; //!< the number of the next response
        uint64_t end{0};      //!< the number after the last one
        uint64_t nBytes{0};   //!< bytes that are left
        uint64_t address{0};  //!< address of these bytes
        uint32_t key{0};      //!< key of the memory
        uint32_t msn{0};      //!< the message sequence number of the responses
        bool isFirst{true};   //!< whether the next response is the first one
    };

    /// Execute the request that is next in order. @return an answer, if there is one
    std::optional<RocePacket> Execute(const RocePacket& packet,
                                      std::vector<RoceDelivery>& deliveries);

    /// Begin to answer a request to read. @return an answer, if there is one
    std::optional<RocePacket> ExecuteRead(const RocePacket& packet);

    /// Answer a duplicate request. @return an answer, if there is one
    std::optional<RocePacket> HandleDuplicate(const RocePacket& packet, uint64_t sequence);

    /// Answer a request that has arrived before earlier ones. @return an answer, if there is one
    std::optional<RocePacket> HandleEarly(const RocePacket& packet, uint64_t distance);

    /// Tell whether a packet may begin or continue a message. @return whether it may
    bool IsValid(const RocePacket& packet,
                 bool isFirst,
                 bool isLast,
                 RoceOperation operation) const;

    /// @return an answer, unless it waits for earlier read responses
    std::optional<RocePacket> Answer(uint64_t psn, uint8_t syndrome);

    /// Refuse a request for good. @return the answer, if it does not wait
    std::optional<RocePacket> Refuse(RoceNakCode code);

    RoceSettings m_settings;                //!< the settings
    const RoceMemoryRegions* m_regions;     //!< the memory that the peer may access
    uint32_t m_destinationQp;               //!< the peer's queue pair
    uint32_t m_msn{0};                      //!< messages that have been executed, 24 bits
    uint64_t m_expected;                    //!< the number of the next packet, from 2^24 on, so
                                            //!< that there are numbers before the first one
    uint64_t m_duplicates{0};               //!< GetDuplicates()
    bool m_isNakSent{false};                //!< whether the peer was told that it is missing
    bool m_hasFailed{false};                //!< whether a request has been refused for good
    bool m_isLimited{false};                //!< whether receive requests are counted
    bool m_isOpen{false};                   //!< whether a message is open: begun, not ended
    RoceOperation m_operation{};            //!< of the open message
    uint64_t m_nBytes{0};                   //!< bytes of the open message so far
    uint64_t m_dmaLength{0};                //!< bytes of the open message as announced
    uint64_t m_nReceives{0};                //!< receive requests
    VectorFifo<Read> m_reads;               //!< requests to read that are being answered
    VectorFifo<Read> m_formerReads;         //!< the newest requests to read
    std::optional<RocePacket> m_deferred;   //!< an answer that waits for read responses
    std::map<uint64_t, RocePacket> m_early; //!< packets that arrived before earlier ones, by number
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_RESPONDER_H

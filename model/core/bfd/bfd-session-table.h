/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BFD_SESSION_TABLE_H
#define AIDC_BFD_SESSION_TABLE_H

#include "bfd-packet.h"

#include <cstdint>
#include <map>
#include <utility>

namespace ns3::aidc
{

/**
 * @brief Finds the session of a packet (RFC 5880, section 6.8.6; RFC 5881, section 3).
 *
 * Sessions have numbers from 0 on, in the order in which they are added; their discriminators are
 * the numbers plus 1.
 */
class BfdSessionTable
{
  public:
    /// Add a session. interface: the interface to the neighbor; address: the neighbor's address.
    /// @throws std::invalid_argument if there is one with this neighbor at this interface
    uint32_t Add(uint32_t interface, uint32_t address);

    /// Get the discriminator of a session. @param number its number @return the discriminator
    static uint32_t GetDiscriminator(uint32_t number)
    {
        return number + 1;
    }

    /// Find a session by its neighbor. number: its number, unchanged if there is none.
    /// @return whether there is one
    bool Find(uint32_t interface, uint32_t address, uint32_t& number) const;

    /**
     * @brief Find the session of a packet.
     * @param packet the packet
     * @param interface the interface on which it has arrived
     * @param source its source address
     * @param [out] number the session's number, unchanged if the packet is to be discarded
     * @return NONE, UNKNOWN_SESSION, NOT_DOWN or UNKNOWN_NEIGHBOR; sessions are never created
     */
    BfdDiscard Select(const BfdPacket& packet,
                      uint32_t interface,
                      uint32_t source,
                      uint32_t& number) const;

  private:
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_numbers; //!< by interface and address
};

} // namespace ns3::aidc

#endif // AIDC_BFD_SESSION_TABLE_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PATH_MTU_TABLE_H
#define AIDC_PATH_MTU_TABLE_H

#include <cstdint>
#include <map>

namespace ns3::aidc
{

/**
 * @brief The MTUs of the paths to destinations, as routers on the way have told them (RFC 1191).
 *
 * They are soft state: what is old is forgotten, and the next packet that is too long finds out
 * whether the path still has that MTU (RFC 1191, section 6.3).
 */
class PathMtuTable
{
  public:
    /// Note an MTU. mtu: the MTU in bytes; now: the time in ns. @return whether it is less
    /// than what was known
    bool Lower(uint32_t destination, uint32_t mtu, int64_t now);

    /// @return the MTU in bytes, the largest number if none is known
    uint32_t Get(uint32_t destination) const;

    /// Forget what is old. now: the time in ns; timeout: the age in ns at which an MTU is
    /// forgotten. @return whether there was any
    bool Forget(int64_t now, int64_t timeout);

  private:
    /// An MTU.
    struct Entry
    {
        uint32_t mtu; //!< the MTU in bytes
        int64_t time; //!< when it was told, in ns
    };

    std::map<uint32_t, Entry> m_entries; //!< by destination
};

} // namespace ns3::aidc

#endif // AIDC_PATH_MTU_TABLE_H

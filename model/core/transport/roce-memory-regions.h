/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_MEMORY_REGIONS_H
#define AIDC_ROCE_MEMORY_REGIONS_H

#include <cstdint>
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

} // namespace ns3::aidc

#endif // AIDC_ROCE_MEMORY_REGIONS_H

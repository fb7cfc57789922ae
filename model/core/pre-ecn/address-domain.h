/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ADDRESS_DOMAIN_H
#define AIDC_ADDRESS_DOMAIN_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// The addresses of a domain, as a list of IPv4 prefixes.
class AddressDomain
{
  public:
    /// All addresses.
    AddressDomain() = default;

    /// Read a domain.
    /// @param text prefixes as "10.0.0.0/8", separated by commas; empty for all addresses
    /// @return the domain
    /// @throws std::invalid_argument if the text is something else, or if a prefix has bits set
    ///        after its length
    static AddressDomain Parse(const std::string& text);

    /// Print the domain. @return a text that Parse() reads back
    std::string Print() const;

    /// @return whether no prefix was given, so that all addresses are in the domain
    bool IsAll() const
    {
        return m_prefixes.empty();
    }

    /// Tell whether an address is in the domain. @param address the address, host byte order
    bool Contains(uint32_t address) const;

  private:
    /// A prefix.
    struct Prefix
    {
        uint32_t address; //!< its address
        uint32_t length;  //!< its length, from 0 to 32
    };

    std::vector<Prefix> m_prefixes; //!< the prefixes, none for all addresses
};

} // namespace ns3::aidc

#endif // AIDC_ADDRESS_DOMAIN_H

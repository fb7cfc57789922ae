/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_MAC_BYTES_H
#define AIDC_MAC_BYTES_H

#include "../core/ethernet/ethernet-fields.h"

#include "ns3/address.h"
#include "ns3/mac48-address.h"

#include <cstring>

/// @file
/// Conversions between MacBytes, the addresses in frames, and the addresses of ns-3.

namespace ns3::aidc
{

/// The broadcast address.
constexpr MacBytes MAC_BROADCAST{0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

/// Get the bytes of an address. @return its bytes
inline MacBytes
ToMacBytes(const Address& address)
{
    MacBytes bytes;
    Mac48Address::ConvertFrom(address).CopyTo(bytes.data());
    return bytes;
}

/**
 * @brief Make an address from its bytes.
 * @param bytes the bytes
 * @return the address
 */
inline Mac48Address
ToMac48Address(const MacBytes& bytes)
{
    Mac48Address address;
    address.CopyFrom(bytes.data());
    return address;
}

/**
 * @brief Tell whether two addresses are equal. It is inlined, unlike the operator == of arrays.
 * @param a the address
 * @param b the other one
 * @return whether they are
 */
inline bool
IsSameAddress(const MacBytes& a, const MacBytes& b)
{
    return std::memcmp(a.data(), b.data(), a.size()) == 0;
}

/**
 * @brief Tell whether an address is a group address, as the broadcast address is.
 * @param bytes the address
 * @return whether it is
 */
inline bool
IsGroup(const MacBytes& bytes)
{
    return (bytes[0] & 1) != 0;
}

} // namespace ns3::aidc

#endif // AIDC_MAC_BYTES_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_NETWORK_BYTES_H
#define AIDC_NETWORK_BYTES_H

#include <cstdint>

/**
 * @file
 * @ingroup aidc
 * @brief Numbers in network byte order. Their bytes need no alignment.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Read two bytes in network order.
 * @param bytes the bytes
 * @return their value
 */
inline uint16_t
ReadU16(const uint8_t* bytes)
{
    return static_cast<uint16_t>(bytes[0] << 8 | bytes[1]);
}

/**
 * @ingroup aidc
 * @brief Read four bytes in network order.
 * @param bytes the bytes
 * @return their value
 */
inline uint32_t
ReadU32(const uint8_t* bytes)
{
    return uint32_t{ReadU16(bytes)} << 16 | ReadU16(bytes + 2);
}

/**
 * @ingroup aidc
 * @brief Write two bytes in network order.
 * @param value their value
 * @param [out] bytes the bytes
 */
inline void
WriteU16(uint16_t value, uint8_t* bytes)
{
    bytes[0] = static_cast<uint8_t>(value >> 8);
    bytes[1] = static_cast<uint8_t>(value);
}

} // namespace ns3::aidc

#endif // AIDC_NETWORK_BYTES_H

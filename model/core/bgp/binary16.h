/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BINARY16_H
#define AIDC_BINARY16_H

#include <cstdint>

/// @file
/// Floating-point numbers of 16 bits (IEEE 754-2019, binary16): sign, 5 bits of exponent, 10 of
/// fraction.

namespace ns3::aidc
{

/// The largest finite number.
constexpr double BINARY16_MAX = 65504;

/**
 * @brief Encode a number.
 *
 * Rounds to the nearest number, ties to even. Numbers larger than all finite numbers, including
 * infinity, become the largest finite number, with their sign.
 *
 * @param number any number
 * @return its bits, 0x7e00 for NaN
 */
uint16_t EncodeBinary16(double number);

/// Decode a number. @return the number, exactly; infinity or NaN if the exponent is all ones
double DecodeBinary16(uint16_t bits);

} // namespace ns3::aidc

#endif // AIDC_BINARY16_H

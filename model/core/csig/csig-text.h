/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_TEXT_H
#define AIDC_CSIG_TEXT_H

#include "csig-buckets.h"
#include "csig-locator.h"
#include "csig-signal.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * @brief CSIG's signals, their values and buckets, and speeds of links as texts of users.
 *
 * A value is a decimal number and a unit without a space between: bps, Kbps, Mbps, Gbps or Tbps for
 * available bandwidth; % or ppm for its share; ns, us, ms or s for delays and depths. 0 needs no
 * unit. A value must be a whole number of bit/s, millionths or ns, and is never rounded.
 */

namespace ns3::aidc
{

/// Read a value, as "2.5Gbps", "12.5%" or "10us".
/// @param signal the signal that the value is of
/// @param text the text; spaces around it do not matter
/// @return the value in the signal's unit
/// @throws std::invalid_argument if it is no such text; says what was expected and what was found
uint64_t ParseCsigValue(CsigSignal signal, const std::string& text);

/// Write a value with the largest unit that needs no fraction.
/// @param signal the signal that the value is of
/// @param value the value in the signal's unit
/// @return a text that ParseCsigValue reads back
std::string FormatCsigValue(CsigSignal signal, uint64_t value);

/// Read a table of buckets: the beginning of each, separated by commas, as "0,1Gbps,5Gbps".
/// @param signal the signal that the buckets are of
/// @param text the text
/// @return the buckets
/// @throws std::invalid_argument if it is no such text; says which bucket is wrong, what was
///        expected and what was found
CsigBuckets ParseCsigBuckets(CsigSignal signal, const std::string& text);

/// Write a table of buckets.
/// @param signal the signal that the buckets are of
/// @param buckets the buckets
/// @return a text that ParseCsigBuckets reads back
std::string FormatCsigBuckets(CsigSignal signal, const CsigBuckets& buckets);

/// Read a list of links' speeds, separated by commas, as "10Gbps,100Gbps".
/// @param text the text; empty: none
/// @return the speeds
/// @throws std::invalid_argument if it is no such text; says what was expected and what was found
CsigSpeeds ParseCsigSpeeds(const std::string& text);

/// Write a list of links' speeds.
/// @param speeds the speeds
/// @return a text that ParseCsigSpeeds reads back
std::string FormatCsigSpeeds(const CsigSpeeds& speeds);

/// Read a list of signals by their names (GetCsigName), separated by commas without spaces.
/// @param text the text, as "min(ABW),max(PD)"
/// @return the signals, at least one
/// @throws std::invalid_argument if it is no such text; says what was expected and what was found
std::vector<CsigSignal> ParseCsigSignals(const std::string& text);

/// Write a list of signals.
/// @param signals the signals
/// @return a text that ParseCsigSignals reads back
std::string FormatCsigSignals(const std::vector<CsigSignal>& signals);

} // namespace ns3::aidc

#endif // AIDC_CSIG_TEXT_H

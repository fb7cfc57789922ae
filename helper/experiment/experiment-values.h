/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_VALUES_H
#define AIDC_EXPERIMENT_VALUES_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * The values of options as texts of a command line. Each reader throws a std::runtime_error with
 * what was expected and what was found, if a text is wrong.
 */

namespace ns3::aidc
{

/// @param words some words
/// @param separator what stands between two of them
/// @return the words in one text
std::string JoinWords(const std::vector<std::string>& words, const std::string& separator);

/// Check what a user has set.
/// @param isValid whether it is as it should be
/// @param expected what was expected of which option
/// @throws std::runtime_error with what was expected, if it is not
void CheckOption(bool isValid, const std::string& expected);

/// @param text true or false
/// @return whether it is true
bool ReadOptionFlag(const std::string& text);

/// @param text a whole number
/// @return the number
uint32_t ReadOptionCount(const std::string& text);

/// @param text a number
/// @param isValid tells whether a number is in range
/// @param range the range, in words
/// @return the number
double ReadOptionNumber(const std::string& text,
                        const std::function<bool(double)>& isValid,
                        const std::string& range);

/// @param text names, separated by commas, each once
/// @param known what the names may be
/// @return the names, in the order of the list; at least one
std::vector<std::string> ReadOptionNames(const std::string& text,
                                         const std::vector<std::string>& known);

/// @param text a size, such as 12MB
/// @param mayBeZero whether it may be 0
/// @param least the least size otherwise
/// @return the size in bytes
uint32_t ReadOptionBytes(const std::string& text, bool mayBeZero, uint32_t least);

/// Read a time. ns-3's own reader ends the program where the unit is wrong, and takes a number
/// without one.
/// @param text a time of at most 1000 s, such as 100us
/// @param mayBeZero whether it may be 0
/// @return the time
Time ReadOptionTime(const std::string& text, bool mayBeZero);

/// @param text a rate, such as 40Gbps
/// @param mayBeZero whether it may be 0
/// @return the rate
DataRate ReadOptionRate(const std::string& text, bool mayBeZero);

/// @param bytes a size in bytes
/// @return its text, in the largest unit of which it is a whole number
std::string PrintOption(uint32_t bytes);

/// @param time a time of whole nanoseconds
/// @return its text, in the largest unit of which it is a whole number
std::string PrintOption(Time time);

/// @param rate a rate
/// @return its text, in the largest unit of which it is a whole number
std::string PrintOption(const DataRate& rate);

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_VALUES_H

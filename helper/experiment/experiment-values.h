// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_EXPERIMENT_VALUES_H
#define AIDC_EXPERIMENT_VALUES_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// @file
/// The values of options as texts of a command line, and of results as JSON. Each reader throws a
/// std::runtime_error with what was expected and what was found, if a text is wrong.

namespace ns3::aidc
{

/// @return the words in one text, with the separator between two of them
std::string JoinWords(const std::vector<std::string>& words, const std::string& separator);

/// @return the words, at least one, in one text, such as "a, b or c"
std::string JoinChoices(std::vector<std::string> words);

/// Check what a user has set. @throws std::runtime_error with what was expected of which option, if
/// it is not valid
void CheckOption(bool isValid, const std::string& expected);

/// Check that an option is a number in a range, both ends included. @throws std::runtime_error with
/// the range and the number, if it is not
void CheckRange(const std::string& name, uint64_t value, uint64_t least, uint64_t most);

/// @return whether a text, true or false, is true
bool ReadOptionFlag(const std::string& text);

/// @return the whole number of 32 bits that a text is
uint32_t ReadOptionCount(const std::string& text);

/// @return the number that a text is. isValid: tells whether it is in range; range: that, in words.
double ReadOptionNumber(const std::string& text,
                        const std::function<bool(double)>& isValid,
                        const std::string& range);

/// @return the names in a text that has at least one, each once, separated by commas, in the order
///         of the list. known: what they may be.
std::vector<std::string> ReadOptionNames(const std::string& text,
                                         const std::vector<std::string>& known);

/// @return the size in bytes that a text is, such as 12MB: 0, if it may be, or at least so many
uint32_t ReadOptionBytes(const std::string& text, bool mayBeZero, uint32_t least);

/// Read a time of at most 1000 s, such as 100us. ns-3's own reader ends the program where the unit
/// is wrong, and takes a number without one. @return the time
Time ReadOptionTime(const std::string& text, bool mayBeZero);

/// @return the rate that a text is, such as 40Gbps
DataRate ReadOptionRate(const std::string& text, bool mayBeZero);

/// @return the text of a size in bytes, in the largest unit of which it is a whole number
std::string PrintOption(uint32_t bytes);

/// @return the text of a time of whole nanoseconds, in the same way
std::string PrintOption(Time time);

/// @return the text of a rate, in the same way
std::string PrintOption(const DataRate& rate);

/// @return the text of a number, whatever the global locale is. isFixed: whether digits counts only
///         the digits after the point.
std::string PrintNumber(double value, int digits, bool isFixed);

/// Print a number in the fewest digits that read back as the same number; a whole one without an
/// exponent.
/// @return the text, independent of the locale; "nan" if the number is not finite
std::string PrintShortest(double value);

/// Write a text as a JSON string, as FormatJsonString() does.
/// @return the string, with its quotation marks
std::string ToJson(const std::string& text);

/// Write a number as JSON, in the fewest digits that read back as the same number.
/// @return the number; null if it is NaN or infinite
std::string ToJson(double value);

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_VALUES_H

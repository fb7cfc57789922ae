/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_OPTIONS_H
#define AIDC_EXPERIMENT_OPTIONS_H

#include <string>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * What the command lines of experiments have in common.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Check an option.
 * @param isValid whether it is as it should be
 * @param expected what was expected of which option
 * @throws std::runtime_error with what was expected, if it is not
 */
void CheckOption(bool isValid, const std::string& expected);

/**
 * @ingroup aidc
 * @brief Check an option that is a number of bytes, such as 12MB.
 * @param option the name of the option
 * @param text its value
 * @param mayBeZero whether it may be 0
 * @throws std::runtime_error if it is no number of bytes
 */
void CheckByteSize(const std::string& option, const std::string& text, bool mayBeZero = false);

/**
 * @ingroup aidc
 * @brief Split an option that is a list of names separated by commas.
 * @param option the name of the option
 * @param text its value
 * @param known what the names may be
 * @return the names, in the order of the list
 * @throws std::runtime_error if a name is not known or there is none
 */
std::vector<std::string> SplitNames(const std::string& option,
                                    const std::string& text,
                                    const std::vector<std::string>& known);

/**
 * @ingroup aidc
 * @brief Put a command line together, as summaries have it.
 * @param program the name of the program
 * @param argc the number of arguments
 * @param argv the arguments, the first of which is left out
 * @return the command
 */
std::string JoinCommand(const std::string& program, int argc, char* argv[]);

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_OPTIONS_H

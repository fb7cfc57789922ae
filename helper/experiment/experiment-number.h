/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_NUMBER_H
#define AIDC_EXPERIMENT_NUMBER_H

#include <string>

/**
 * @file
 * @ingroup aidc
 * Numbers as text, for the files and tables of experiments.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Write a number with a precision.
 *
 * @param value the number
 * @param digits the precision
 * @param isFixed whether the precision counts the digits after the point, rather than all of them
 * @return the number, whatever the global locale is
 */
std::string PrintNumber(double value, int digits, bool isFixed);

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_NUMBER_H

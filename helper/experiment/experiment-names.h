/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_NAMES_H
#define AIDC_EXPERIMENT_NAMES_H

#include <string>
#include <vector>

namespace ns3::aidc
{

/// Refuse a unit that is not one of s, bit/s, byte, packet and 1.
/// @param unit the unit
/// @throws std::invalid_argument when it is not
void CheckUnit(const std::string& unit);

/// Refuse a name that is not in kebab-case.
/// @param what what the name is of
/// @param name the name
/// @throws std::invalid_argument when it is not
void CheckKebabCase(const std::string& what, const std::string& name);

/// Refuse a name that is not in snake_case and does not begin with a letter.
/// @param what what the name is of
/// @param name the name
/// @throws std::invalid_argument when it is not
void CheckSnakeCase(const std::string& what, const std::string& name);

/// Find the name that was meant by one that does not exist.
/// @param name the name
/// @param known the names that exist
/// @return the one that takes the fewest insertions, deletions and substitutions of letters; empty
///         if each takes more than a third of its letters, rounded up
std::string FindSimilar(const std::string& name, const std::vector<std::string>& known);

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_NAMES_H

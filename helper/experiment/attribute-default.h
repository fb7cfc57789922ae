/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ATTRIBUTE_DEFAULT_H
#define AIDC_ATTRIBUTE_DEFAULT_H

#include <string>

/**
 * @file
 * @ingroup aidc
 * ns3::aidc::SetAttributeDefault declaration.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Set the default of an attribute from a user's text.
 *
 * ns-3's own parser answers a wrong name with all of its help. Many of its values end the program
 * where the text is wrong, and those of times and rates take a number without a unit.
 *
 * @param name the name, with that of the class: ns3::aidc::SharedBuffer::Size
 * @param text the value
 * @throws std::runtime_error if there is no such attribute, or the text is wrong: with what was
 *         expected
 */
void SetAttributeDefault(const std::string& name, const std::string& text);

} // namespace ns3::aidc

#endif // AIDC_ATTRIBUTE_DEFAULT_H

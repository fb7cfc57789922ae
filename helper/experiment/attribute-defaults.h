/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ATTRIBUTE_DEFAULTS_H
#define AIDC_ATTRIBUTE_DEFAULTS_H

#include "ns3/attribute.h"
#include "ns3/ptr.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Defaults of attributes that hold for the time of an experiment.
 *
 * In a process with several experiments, such as a notebook, the next one has the defaults that
 * were there before.
 */
class AttributeDefaults
{
  public:
    AttributeDefaults() = default;
    /// Restores the defaults.
    ~AttributeDefaults();

    /// Moves the defaults, which the other one no longer restores.
    AttributeDefaults(AttributeDefaults&&) = default;

    AttributeDefaults(const AttributeDefaults&) = delete;
    AttributeDefaults& operator=(const AttributeDefaults&) = delete;

    /// Set the default of an attribute from a user's text.
    ///
    /// ns-3's own parser answers a wrong name with all of its help. Many of its values end the
    /// program where the text is wrong, and those of times and rates take a number without a unit.
    /// @param name the name, with that of the class: ns3::aidc::SharedBuffer::Size
    /// @param text the value
    /// @throws std::runtime_error if there is no such attribute, or the text is wrong: with what
    ///         was expected
    void Set(const std::string& name, const std::string& text);

  private:
    /// The attributes that were set, in order, and their defaults before
    std::vector<std::pair<std::string, Ptr<const AttributeValue>>> m_before;
};

} // namespace ns3::aidc

#endif // AIDC_ATTRIBUTE_DEFAULTS_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ATTRIBUTES_H
#define AIDC_ATTRIBUTES_H

#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/string.h"

#include <string>
#include <utility>
#include <vector>

// Attributes in words, for the test suites.

namespace aidctest
{

/// Names of attributes and their values in words.
using Attributes = std::vector<std::pair<std::string, std::string>>;

inline void
SetAll(ns3::Ptr<ns3::Object> object, const Attributes& attributes)
{
    for (const auto& [name, value] : attributes)
    {
        object->SetAttribute(name, ns3::StringValue(value));
    }
}

} // namespace aidctest

#endif // AIDC_ATTRIBUTES_H

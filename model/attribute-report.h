/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ATTRIBUTE_REPORT_H
#define AIDC_ATTRIBUTE_REPORT_H

#include "ns3/object-base.h"
#include "ns3/type-id.h"

#include <string>

/// @file
/// Attributes in words, for traces of changes and for errors.

namespace ns3::aidc
{

/**
 * @brief Print the attributes of an object.
 *
 * Two values that differ differ in print, unlike in ns-3's own, which rounds to six digits: times
 * are whole nanoseconds, and numbers have as many digits as they need to be read back. Pointers to
 * objects, and lists of them, are left out.
 *
 * @param object the object
 * @param base a class that it is derived from, or its own
 * @return names and values, as "Name value, Name value", of its class and those that this is
 *         derived from, up to the base, that included
 */
std::string PrintAttributes(const ObjectBase& object, TypeId base);

/// List the attributes of an object that were set, by where they were set.
/// @return names and values: of those that were set on the object, by a helper or by the program;
/// and of those whose default was set by Config::SetDefault() or on the command line
std::string PrintSetAttributes(const ObjectBase& object);

} // namespace ns3::aidc

#endif // AIDC_ATTRIBUTE_REPORT_H

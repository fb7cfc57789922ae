/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_JSON_TEXT_H
#define AIDC_JSON_TEXT_H

#include "../core/workload/json-value.h"

#include <istream>
#include <string>

namespace ns3::aidc
{

/// Read JSON from a file, as ParseJsonText() does from a text. name: the name for errors.
/// @throws AidcInputError if the text is not JSON, or a key stands twice in an object
JsonValue ParseJson(std::istream& stream, const std::string& name);

} // namespace ns3::aidc

#endif // AIDC_JSON_TEXT_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-json.h"

#include "../../model/core/workload/json-string.h"
#include "experiment-number.h"

#include <cmath>

namespace ns3::aidc
{

std::string
ToJson(const std::string& text)
{
    return FormatJsonString(text);
}

std::string
ToJson(double value)
{
    return std::isfinite(value) ? PrintShortest(value) : "null";
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "try-set-attribute.h"

#include "ns3/type-id.h"

#include <iostream>

namespace ns3::aidc
{

void
ReportRefusal(const ObjectBase& object, const std::string& reason)
{
    std::cerr << "aidc: " << object.GetInstanceTypeId().GetName() << ": " << reason << std::endl;
}

} // namespace ns3::aidc

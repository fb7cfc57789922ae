/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flowlet-table.h"

#include <stdexcept>
#include <string>

namespace ns3::aidc
{

FlowletTable::FlowletTable(uint32_t nEntries)
{
    if (nEntries == 0 || (nEntries & (nEntries - 1)) != 0)
    {
        throw std::invalid_argument("number of flowlet entries: expected a power of two, found " +
                                    std::to_string(nEntries));
    }
    m_entries.resize(nEntries);
}

} // namespace ns3::aidc

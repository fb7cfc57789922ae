/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-sizes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3::aidc
{

namespace
{

constexpr uint64_t MAX_BYTES = 1ULL
                               << 60; //!< the most of a member, as in CollectiveScheduleSettings

/// Add up sizes. sum: the sum so far, at most MAX_BYTES.
void
AddUp(uint64_t& sum, uint64_t bytes, const char* what, std::size_t member)
{
    if (bytes > MAX_BYTES - sum)
    {
        throw std::invalid_argument("member " + std::to_string(member) + " " + what +
                                    " more than 2^60 bytes");
    }
    sum += bytes;
}

} // namespace

CollectiveSizes::CollectiveSizes(const std::vector<std::vector<uint64_t>>& rows)
    : m_n(static_cast<uint32_t>(std::min<std::size_t>(rows.size(), MAX_MEMBERS)))
{
    if (rows.empty() || rows.size() > MAX_MEMBERS)
    {
        throw std::invalid_argument("sizes have from 1 to " + std::to_string(MAX_MEMBERS) +
                                    " rows, not " + std::to_string(rows.size()));
    }
    for (std::size_t row = 0; row < rows.size(); ++row)
    {
        if (rows[row].size() != rows.size())
        {
            throw std::invalid_argument("row " + std::to_string(row) + " of the sizes has " +
                                        std::to_string(rows.size()) + " columns, not " +
                                        std::to_string(rows[row].size()));
        }
    }
    m_sent.reserve(rows.size() * (rows.size() + 1));
    m_received.reserve(rows.size() * (rows.size() + 1));
    for (std::size_t member = 0; member < rows.size(); ++member)
    {
        uint64_t sent = 0;
        uint64_t received = 0;
        m_sent.push_back(0);
        m_received.push_back(0);
        for (std::size_t other = 0; other < rows.size(); ++other)
        {
            AddUp(sent, rows[member][other], "sends", member);
            AddUp(received, rows[other][member], "gets", member);
            m_sent.push_back(sent);
            m_received.push_back(received);
        }
        m_bytes = std::max({m_bytes, sent, received});
    }
}

CollectivePart
CollectiveSizes::Get(const std::vector<uint64_t>& begins, uint32_t buffer, uint32_t block) const
{
    const std::size_t index = std::size_t{buffer} * (std::size_t{m_n} + 1) + block;
    return {begins[index], begins[index + 1] - begins[index]};
}

CollectivePart
CollectiveSizes::GetSent(uint32_t from, uint32_t to) const
{
    return Get(m_sent, from, to);
}

CollectivePart
CollectiveSizes::GetReceived(uint32_t from, uint32_t to) const
{
    return Get(m_received, to, from);
}

CollectiveSizes
CollectiveSizes::GetTransposed() const
{
    CollectiveSizes result = *this;
    std::swap(result.m_sent, result.m_received);
    return result;
}

CollectiveSizes
MakeSkewedSizes(uint32_t nMembers, uint64_t bytes, uint32_t hot, double factor)
{
    if (nMembers < 2 || nMembers > CollectiveSizes::MAX_MEMBERS || hot >= nMembers)
    {
        throw std::invalid_argument("one of 2 to " + std::to_string(CollectiveSizes::MAX_MEMBERS) +
                                    " members gets the most, not member " + std::to_string(hot) +
                                    " of " + std::to_string(nMembers));
    }
    if (bytes > MAX_BYTES / nMembers)
    {
        throw std::invalid_argument("all members together have at most 2^60 bytes to send");
    }
    if (!(factor >= 1 && factor <= nMembers))
    {
        throw std::invalid_argument("the load of a member over the mean is from 1 to " +
                                    std::to_string(nMembers) + ", not " + std::to_string(factor));
    }
    const auto most = std::min<uint64_t>(
        bytes,
        static_cast<uint64_t>(std::llround(factor * static_cast<double>(bytes) / nMembers)));
    std::vector<uint64_t> row;
    for (uint32_t member = 0; member < nMembers; ++member)
    {
        const uint32_t other = member < hot ? member : member - 1;
        row.push_back(member == hot
                          ? most
                          : CollectivePart{0, bytes - most}.Divide(nMembers - 1, other).bytes);
    }
    return CollectiveSizes(std::vector<std::vector<uint64_t>>(nMembers, row));
}

} // namespace ns3::aidc

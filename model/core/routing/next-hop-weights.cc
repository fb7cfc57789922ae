// SPDX-License-Identifier: GPL-2.0-only

#include "next-hop-weights.h"

#include "../require-argument.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace ns3::aidc
{

namespace
{

/// Differences of ratios that are rounding errors.
constexpr double ROUNDING = 1e-9;

/// Check weights. @throws std::invalid_argument if one is negative or not finite
void
CheckWeights(const std::vector<double>& weights)
{
    for (std::size_t i = 0; i < weights.size(); ++i)
    {
        if (!std::isfinite(weights[i]) || weights[i] < 0)
        {
            throw std::invalid_argument("weight of member " + std::to_string(i) +
                                        ": expected a finite number, at least 0, found " +
                                        std::to_string(weights[i]));
        }
    }
}

/// Bring the greatest weight near 1, by a power of two, which changes no quotient.
std::vector<double>
Normalize(const std::vector<double>& weights)
{
    constexpr double LEAST = 1e-290;
    CheckWeights(weights);
    int exponent = 0;
    std::frexp(weights.empty() ? 0 : *std::max_element(weights.begin(), weights.end()), &exponent);
    std::vector<double> normalized;
    for (const double weight : weights)
    {
        normalized.push_back(weight > 0 ? std::max(std::ldexp(weight, -exponent), LEAST) : 0);
    }
    return normalized;
}

double
GetSum(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0);
}

uint32_t
CountWeights(const std::vector<double>& weights)
{
    return static_cast<uint32_t>(
        std::count_if(weights.begin(), weights.end(), [](double weight) { return weight > 0; }));
}

/// Find next hops whose share is less than an entry. nEntries: afterwards without one for each.
std::vector<bool>
FindSmall(const std::vector<double>& weights, uint32_t& nEntries, double& sum)
{
    std::vector<bool> small(weights.size(), false);
    for (bool isChanged = CountWeights(weights) <= nEntries; isChanged;)
    {
        // The rest for the others may make another one small
        isChanged = false;
        for (std::size_t i = 0; i < weights.size(); ++i)
        {
            if (weights[i] > 0 && !small[i] && weights[i] * nEntries < sum)
            {
                small[i] = true;
                isChanged = true;
                --nEntries;
                sum -= weights[i];
            }
        }
    }
    return small;
}

/// @return entries' shares over weights'; of weight 0 infinite, or 1 without entries
std::vector<double>
GetRelativeShares(const std::vector<double>& weights, const std::vector<uint32_t>& entries)
{
    const auto nEntries = std::accumulate(entries.begin(), entries.end(), uint64_t{0});
    if (weights.size() != entries.size() || nEntries == 0)
    {
        throw std::logic_error("shares of a table: expected as many numbers of entries as weights, "
                               "not all 0");
    }
    const auto normalized = Normalize(weights);
    const double sum = GetSum(normalized);
    std::vector<double> shares;
    for (std::size_t i = 0; i < entries.size(); ++i)
    {
        const double share = entries[i] / static_cast<double>(nEntries);
        shares.push_back(weights[i] > 0    ? share * sum / normalized[i]
                         : entries[i] == 0 ? 1
                                           : std::numeric_limits<double>::infinity());
    }
    return shares;
}

} // namespace

std::vector<double>
ScaleWeights(const std::vector<double>& weights, NextHopTableSettings::WeightScale scale)
{
    auto scaled = Normalize(weights);
    if (scale == NextHopTableSettings::EXACT || CountWeights(weights) == 0)
    {
        return weights;
    }
    const bool isPercent = scale == NextHopTableSettings::PERCENT;
    const double whole =
        isPercent ? GetSum(scaled) : *std::max_element(scaled.begin(), scaled.end());
    for (double& weight : scaled)
    {
        // A number that is whole but for rounding errors stays whole.
        const double exact = (isPercent ? 100 : 255) * weight / whole;
        weight = weight > 0 ? std::max(1.0, std::floor(exact * (1 + ROUNDING))) : 0;
    }
    return scaled;
}

std::vector<uint32_t>
ReduceWeights(const std::vector<double>& weights, uint32_t maxEntries, double maxOversubscription)
{
    const auto normalized = Normalize(weights);
    uint32_t nEntries = CountWeights(weights);
    if (nEntries > maxEntries)
    {
        throw std::invalid_argument("table of next hops: expected at most " +
                                    std::to_string(maxEntries) +
                                    " next hops, as many as entries, "
                                    "found " +
                                    std::to_string(nEntries));
    }
    if (!(maxOversubscription >= 1))
    {
        throw std::invalid_argument("maximum oversubscription: expected at least 1, found " +
                                    std::to_string(maxOversubscription));
    }
    std::vector<uint32_t> entries;
    double highest = 0; // entries over weight
    for (const double weight : normalized)
    {
        entries.push_back(weight > 0 ? 1 : 0);
        highest = weight > 0 ? std::max(highest, 1 / weight) : highest;
    }
    auto best = entries;
    double least = std::numeric_limits<double>::infinity();
    for (const double sum = GetSum(normalized); nEntries > 0; ++nEntries)
    {
        const double oversubscription = highest * sum / nEntries;
        if (oversubscription < least * (1 - ROUNDING))
        {
            least = oversubscription;
            best = entries;
        }
        if (least <= maxOversubscription * (1 + ROUNDING) || nEntries == maxEntries)
        {
            break;
        }
        std::size_t next = entries.size();
        double lowest = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < entries.size(); ++i)
        {
            const double ratio = entries[i] > 0 ? (entries[i] + 1) / normalized[i] : lowest;
            if (ratio < lowest * (1 - ROUNDING))
            {
                lowest = ratio;
                next = i;
            }
        }
        ++entries[next];
        highest = std::max(highest, lowest);
    }
    return best;
}

std::vector<uint32_t>
ApportionEntries(const std::vector<double>& weights, uint32_t nEntries)
{
    const auto normalized = Normalize(weights);
    std::vector<uint32_t> entries(weights.size(), 0);
    if (CountWeights(weights) == 0)
    {
        return entries;
    }

    struct Remainder
    {
        uint32_t value; // in units of 2^-20 entries: rounding errors do not part equal ones
        uint32_t nextHop;
    };

    std::vector<Remainder> remainders;
    double sum = GetSum(normalized);
    uint32_t left = nEntries;
    const auto small = FindSmall(normalized, left, sum);
    const uint32_t shared = left;
    for (uint32_t i = 0; i < weights.size(); ++i)
    {
        if (small[i])
        {
            entries[i] = 1;
        }
        else if (weights[i] > 0)
        {
            const double exact = normalized[i] * shared / sum;
            entries[i] = static_cast<uint32_t>(exact);
            left -= entries[i];
            const double remainder = std::ldexp(exact - entries[i], 20);
            remainders.push_back({static_cast<uint32_t>(std::lround(remainder)), i});
        }
    }
    std::stable_sort(remainders.begin(),
                     remainders.end(),
                     [](const Remainder& a, const Remainder& b) { return a.value > b.value; });
    for (uint32_t i = 0; i < left; ++i)
    {
        ++entries[remainders[i].nextHop];
    }
    return entries;
}

double
GetOversubscription(const std::vector<double>& weights, const std::vector<uint32_t>& entries)
{
    const auto shares = GetRelativeShares(weights, entries);
    return std::max(1.0, *std::max_element(shares.begin(), shares.end()));
}

double
GetShareError(const std::vector<double>& weights, const std::vector<uint32_t>& entries)
{
    double error = 0;
    for (const double share : GetRelativeShares(weights, entries))
    {
        error = std::max(error, std::abs(share - 1));
    }
    return error;
}

std::vector<double>
QuantizeWeights(const std::vector<double>& weights, const NextHopTableSettings& settings)
{
    const auto scaled = ScaleWeights(weights, settings.scale);
    if (settings.maxEntries == 0)
    {
        return scaled;
    }
    const auto entries = ReduceWeights(scaled, settings.maxEntries, settings.maxOversubscription);
    return {entries.begin(), entries.end()};
}

ResilientBuckets::ResilientBuckets(uint32_t nBuckets)
{
    AIDC_REQUIRE(nBuckets >= 1 && nBuckets <= MAX_BUCKETS,
                 "number of buckets: expected 1 to " + std::to_string(MAX_BUCKETS) + ", found " +
                     std::to_string(nBuckets));
    m_members.assign(nBuckets, NONE);
}

void
ResilientBuckets::SetWeights(const std::vector<double>& weights)
{
    // Each bucket counts against its member's quota; those above it are given to members below.
    auto missing = ApportionEntries(weights, GetNBuckets());
    std::vector<uint32_t*> above;
    for (auto& member : m_members)
    {
        if (member < missing.size() && missing[member] > 0)
        {
            --missing[member];
        }
        else
        {
            above.push_back(&member);
        }
    }
    uint32_t next = 0;
    for (uint32_t* member : above)
    {
        while (next < missing.size() && missing[next] == 0)
        {
            ++next;
        }
        const uint32_t taker = next < missing.size() ? next : NONE;
        if (taker != NONE)
        {
            --missing[taker];
        }
        *member = taker;
    }
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "resilient-buckets.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace ns3::aidc
{

ResilientBuckets::ResilientBuckets(uint32_t nBuckets)
{
    if (nBuckets < 1 || nBuckets > MAX_BUCKETS)
    {
        throw std::invalid_argument("number of buckets: expected 1 to " +
                                    std::to_string(MAX_BUCKETS) + ", found " +
                                    std::to_string(nBuckets));
    }
    m_members.assign(nBuckets, NONE);
}

void
ResilientBuckets::SetWeights(const std::vector<double>& weights)
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

    // Each bucket counts against its member's quota; those above it are given to members below.
    auto missing = ComputeQuotas(weights);
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

uint32_t
ResilientBuckets::GetNBuckets() const
{
    return static_cast<uint32_t>(m_members.size());
}

/// Find the members whose share is less than a bucket: each gets one, and the others share the
/// rest.
/// @param weights the weights
/// @param exponent the power of two that they are multiplied by
/// @param [in,out] nBuckets the buckets to be shared, loses those of the small members
/// @param [in,out] sum of the multiplied weights, loses those of the small members
/// @return which ones
static std::vector<bool>
FindSmall(const std::vector<double>& weights, int exponent, uint32_t& nBuckets, double& sum)
{
    std::vector<bool> small(weights.size(), false);
    const auto nMembers =
        std::count_if(weights.begin(), weights.end(), [](double weight) { return weight > 0; });
    for (bool isChanged = nMembers <= nBuckets; isChanged;)
    {
        // What is left for the others may make another one small
        isChanged = false;
        for (std::size_t i = 0; i < weights.size(); ++i)
        {
            const double weight = std::ldexp(weights[i], exponent);
            if (weights[i] > 0 && !small[i] && weight * nBuckets < sum)
            {
                small[i] = true;
                isChanged = true;
                --nBuckets;
                sum -= weight;
            }
        }
    }
    return small;
}

std::vector<uint32_t>
ResilientBuckets::ComputeQuotas(const std::vector<double>& weights) const
{
    std::vector<uint32_t> quotas(weights.size(), 0);
    const double largest = weights.empty() ? 0 : *std::max_element(weights.begin(), weights.end());
    if (largest == 0)
    {
        return quotas;
    }
    // A power of two brings the weights near 1, so that sum and product stay in range, and changes
    // no quotient.
    int exponent = 0;
    std::frexp(largest, &exponent);
    double sum = 0;
    for (const double weight : weights)
    {
        sum += std::ldexp(weight, -exponent);
    }

    struct Remainder
    {
        uint32_t value; // in units of 2^-20 buckets: rounding errors do not part equal ones
        uint32_t member;
    };

    std::vector<Remainder> remainders;
    uint32_t left = GetNBuckets();
    const auto fixed = FindSmall(weights, -exponent, left, sum);
    for (uint32_t i = 0; i < weights.size(); ++i)
    {
        if (fixed[i])
        {
            quotas[i] = 1;
        }
    }
    const uint32_t shared = left;
    for (uint32_t i = 0; i < weights.size(); ++i)
    {
        if (weights[i] > 0 && !fixed[i])
        {
            const double exact = std::ldexp(weights[i], -exponent) * shared / sum;
            quotas[i] = static_cast<uint32_t>(exact);
            left -= quotas[i];
            const double remainder = std::ldexp(exact - quotas[i], 20);
            remainders.push_back({static_cast<uint32_t>(std::lround(remainder)), i});
        }
    }
    std::stable_sort(remainders.begin(),
                     remainders.end(),
                     [](const Remainder& a, const Remainder& b) { return a.value > b.value; });
    for (uint32_t i = 0; i < left; ++i)
    {
        ++quotas[remainders[i].member];
    }
    return quotas;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "value-checker.h"

#include "ns3/data-rate.h"

namespace ns3::aidc
{

Ptr<const AttributeChecker>
MakeTextChecker(const std::function<void(const std::string&)>& parse)
{
    const auto check = [parse](const StringValue& text) { parse(text.Get()); };
    return MakeValueChecker<StringValue>(MakeStringChecker(), check);
}

Ptr<const AttributeChecker>
MakeRateChecker(uint64_t least, uint64_t most)
{
    const auto check = [least, most](const DataRateValue& rate) {
        if (rate.Get().GetBitRate() < least || rate.Get().GetBitRate() > most)
        {
            throw std::invalid_argument("Expected a rate from " + std::to_string(least) +
                                        "bps to " + std::to_string(most) + "bps, found " +
                                        std::to_string(rate.Get().GetBitRate()) + "bps");
        }
    };
    return MakeValueChecker<DataRateValue>(MakeDataRateChecker(), check);
}

} // namespace ns3::aidc

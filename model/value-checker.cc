/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "value-checker.h"

#include "ns3/data-rate.h"

#include <sstream>

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

QueueSize
ToQueueSize(uint64_t bytes)
{
    return QueueSize(QueueSizeUnit::BYTES, static_cast<uint32_t>(bytes));
}

uint64_t
GetBytes(QueueSize size)
{
    if (size.GetUnit() != QueueSizeUnit::BYTES)
    {
        std::ostringstream text;
        text << "Expected a size in bytes, such as 100kB, found " << size;
        throw std::invalid_argument(text.str());
    }
    return size.GetValue();
}

Ptr<const AttributeChecker>
MakeByteSizeChecker(uint64_t least)
{
    const auto check = [least](const QueueSizeValue& size) {
        if (GetBytes(size.Get()) < least)
        {
            throw std::invalid_argument("Expected at least " + std::to_string(least) + "B, found " +
                                        std::to_string(size.Get().GetValue()) + "B");
        }
    };
    return MakeValueChecker<QueueSizeValue>(MakeQueueSizeChecker(), check);
}

} // namespace ns3::aidc

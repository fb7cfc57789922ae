// SPDX-License-Identifier: GPL-2.0-only

#include "value-checker.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"

#include <cstdlib>
#include <limits>
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

namespace
{

/// @return the text of a number that reads back, of no more digits than that or ns-3 takes
std::string
PrintNumber(double value)
{
    std::string text;
    for (int digits = 6; digits <= std::numeric_limits<double>::max_digits10; ++digits)
    {
        std::ostringstream os;
        os.precision(digits);
        os << value;
        text = os.str();
        if (std::strtod(text.c_str(), nullptr) == value)
        {
            break;
        }
    }
    return text;
}

std::string
PrintValue(const AttributeValue& value, const Ptr<const AttributeChecker>& checker)
{
    if (const auto* time = dynamic_cast<const TimeValue*>(&value))
    {
        return std::to_string(time->Get().GetNanoSeconds()) + "ns";
    }
    if (const auto* number = dynamic_cast<const DoubleValue*>(&value))
    {
        return PrintNumber(number->Get());
    }
    return value.SerializeToString(checker);
}

std::string
PrintNamed(const TypeId::AttributeInformation& info, const AttributeValue& value)
{
    return info.name + ' ' + PrintValue(value, info.checker);
}

/// Read the attributes of an object that are values and can be set.
template <typename Visit>
void
ForAttributes(const ObjectBase& object, TypeId base, Visit visit)
{
    for (TypeId tid = object.GetInstanceTypeId();; tid = tid.GetParent())
    {
        for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
        {
            const auto info = tid.GetAttribute(i);
            const auto value = info.checker->Create();
            if (!info.accessor->HasSetter() || !info.accessor->HasGetter() ||
                dynamic_cast<const PointerValue*>(PeekPointer(value)))
            {
                continue;
            }
            object.GetAttribute(info.name, *value);
            visit(info, PrintNamed(info, *value));
        }
        if (tid == base || tid.GetParent() == tid)
        {
            return;
        }
    }
}

void
Append(std::string& list, const std::string& item)
{
    list += (list.empty() ? "" : ", ") + item;
}

} // namespace

std::string
PrintAttributes(const ObjectBase& object, TypeId base)
{
    std::string text;
    ForAttributes(object, base, [&text](const auto&, const auto& named) { Append(text, named); });
    return text;
}

std::string
PrintSetAttributes(const ObjectBase& object)
{
    std::string own;
    std::string defaults;
    ForAttributes(object,
                  ObjectBase::GetTypeId(),
                  [&own, &defaults](const auto& info, const auto& named) {
                      if (named != PrintNamed(info, *info.initialValue))
                      {
                          Append(own, named);
                      }
                      else if (named != PrintNamed(info, *info.originalInitialValue))
                      {
                          Append(defaults, named);
                      }
                  });
    if (own.empty() && defaults.empty())
    {
        return "all attributes have their defaults";
    }
    const std::string ownText = own.empty() ? "" : "set on the object: " + own;
    const std::string defaultsText =
        defaults.empty() ? "" : "set by Config::SetDefault or on the command line: " + defaults;
    return ownText + (own.empty() || defaults.empty() ? "" : "; ") + defaultsText;
}

} // namespace ns3::aidc

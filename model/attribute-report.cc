/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "attribute-report.h"

#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"

#include <cstdlib>
#include <limits>
#include <sstream>

namespace ns3::aidc
{

namespace
{

/// Print a number so that it can be read back. @return its text, of as few digits as that takes,
/// but not fewer than ns-3 would print
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

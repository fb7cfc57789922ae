// SPDX-License-Identifier: GPL-2.0-only

#include "user-default.h"

#include "../model/core/require-argument.h"

#include <cstddef>
#include <stdexcept>

namespace ns3::aidc
{

namespace
{

/// type: the class. @return the name alone; empty if there is no such class
std::string
Split(const std::string& attribute, TypeId& type)
{
    const auto end = attribute.rfind("::");
    return TypeId::LookupByNameFailSafe(attribute.substr(0, end), &type) ? attribute.substr(end + 2)
                                                                         : "";
}

} // namespace

Ptr<const AttributeValue>
GetUserDefault(TypeId type, const std::string& name)
{
    TypeId::AttributeInformation information;
    // Whoever sets a default makes a value for it, though it may be equal to the original one.
    const bool isOriginal = !type.LookupAttributeByName(name, &information) ||
                            information.initialValue == information.originalInitialValue;
    const bool isUsers =
        !isOriginal && !dynamic_cast<const PresetMark*>(PeekPointer(information.initialValue));
    return isUsers ? information.initialValue : nullptr;
}

bool
HasUserDefault(const std::string& attribute)
{
    TypeId type;
    const auto name = Split(attribute, type);
    return !name.empty() && GetUserDefault(type, name);
}

void
SetDerived(ObjectBase& object, const std::string& name, const AttributeValue& value)
{
    if (!GetUserDefault(object.GetInstanceTypeId(), name))
    {
        object.SetAttribute(name, value);
    }
}

void
SetDerived(ObjectFactory& factory, const std::string& name, const AttributeValue& value)
{
    if (!GetUserDefault(factory.GetTypeId(), name))
    {
        factory.Set(name, value);
    }
}

void
RefuseUserDefaults(const std::string& type,
                   const std::vector<std::string>& names,
                   const std::string& reason)
{
    std::string refused;
    for (const auto& name : names)
    {
        const auto attribute = type + "::" + name;
        if (HasUserDefault(attribute))
        {
            refused += (refused.empty() ? "" : ", ") + attribute;
        }
    }
    if (!refused.empty())
    {
        throw std::runtime_error(refused + ": expected to be left to " + reason +
                                 ", found a default of the user");
    }
}

void
ReplaceDefault(const std::string& attribute, Ptr<const AttributeValue> value)
{
    TypeId type;
    const auto name = Split(attribute, type);
    for (std::size_t i = 0; !name.empty() && i < type.GetAttributeN(); ++i)
    {
        if (type.GetAttribute(i).name == name)
        {
            AIDC_REFUSED_UNLESS(type.GetAttribute(i).checker->Check(*value),
                                attribute << " has values of another type");
            type.SetAttributeInitialValue(i, value);
            return;
        }
    }
    AIDC_REFUSE("there is no attribute " << attribute);
}

} // namespace ns3::aidc

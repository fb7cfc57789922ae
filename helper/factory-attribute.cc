// SPDX-License-Identifier: GPL-2.0-only

#include "factory-attribute.h"

#include "ns3/type-id.h"

#include <cstddef>
#include <set>
#include <stdexcept>

namespace ns3::aidc
{

namespace
{

/// @return the names of all attributes that can be set when an object is made, in alphabetic order
std::string
ListAttributes(TypeId type)
{
    std::set<std::string> names;
    for (bool hasMore = true; hasMore; type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const auto attribute = type.GetAttribute(i);
            if (attribute.flags & TypeId::ATTR_CONSTRUCT)
            {
                names.insert(attribute.name);
            }
        }
        hasMore = type.HasParent();
    }
    std::string list;
    for (const auto& name : names)
    {
        list += (list.empty() ? "" : ", ") + name;
    }
    return list.empty() ? "it has none" : "it has " + list;
}

} // namespace

void
SetFactoryAttribute(ObjectFactory& factory, const std::string& name, const AttributeValue& value)
{
    const TypeId type = factory.GetTypeId();
    TypeId::AttributeInformation attribute;
    if (!type.LookupAttributeByName(name, &attribute))
    {
        throw std::invalid_argument(type.GetName() + " has no attribute \"" + name + "\"; " +
                                    ListAttributes(type));
    }
    if (!attribute.checker->CreateValidValue(value))
    {
        const auto kind = attribute.checker->HasUnderlyingTypeInformation()
                              ? attribute.checker->GetUnderlyingTypeInformation()
                              : attribute.checker->GetValueTypeName();
        throw std::invalid_argument(type.GetName() + "::" + name + " does not take \"" +
                                    value.SerializeToString(attribute.checker) + "\"; expected " +
                                    kind + ": " + attribute.help);
    }
    factory.Set(name, value);
}

ObjectFactory
MakeFactory(const std::string& type)
{
    TypeId ignored;
    if (!TypeId::LookupByNameFailSafe(type, &ignored))
    {
        throw std::invalid_argument("there is no class \"" + type +
                                    "\"; expected a TypeId, such "
                                    "as ns3::aidc::DcqcnControl");
    }
    return ObjectFactory(type);
}

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FACTORY_ATTRIBUTE_H
#define AIDC_FACTORY_ATTRIBUTE_H

#include "ns3/attribute.h"
#include "ns3/object-factory.h"

#include <string>

/// @file
/// Classes and attributes that a user gives a helper by name. ns-3's factories end the program by
/// SIGABRT where a name is wrong; here, the error is an exception that says what would be right.

namespace ns3::aidc
{

/// Set an attribute of the objects that a factory makes.
/// @param factory the factory
/// @param name the name of the attribute
/// @param value the value
/// @throws std::invalid_argument that names the attributes of the class, if this is none of them,
///         or says what the attribute takes, if the value is wrong
void SetFactoryAttribute(ObjectFactory& factory,
                         const std::string& name,
                         const AttributeValue& value);

/// Make a factory.
/// @param type the name of a TypeId
/// @return a factory of this class
/// @throws std::invalid_argument if there is no such class
ObjectFactory MakeFactory(const std::string& type);

/// Make a factory, and set attributes.
/// @tparam Args the types of more attributes
/// @param type the name of a TypeId
/// @param name the name of an attribute
/// @param value its value
/// @param args names and values of more attributes in turn
/// @return the factory
/// @throws std::invalid_argument as above
template <typename... Args>
ObjectFactory
MakeFactory(const std::string& type,
            const std::string& name,
            const AttributeValue& value,
            const Args&... args)
{
    ObjectFactory factory = MakeFactory(type, args...);
    SetFactoryAttribute(factory, name, value);
    return factory;
}

} // namespace ns3::aidc

#endif // AIDC_FACTORY_ATTRIBUTE_H

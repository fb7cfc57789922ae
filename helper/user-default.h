// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_USER_DEFAULT_H
#define AIDC_USER_DEFAULT_H

#include "ns3/attribute.h"
#include "ns3/object-base.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <string>
#include <vector>

/// @file
/// Defaults of attributes that a user has set, and that helpers leave alone.
///
/// A user sets a default on the command line, in a file of ns3::ConfigStore, or by ns3::Config. It
/// overrides values that a helper derives. Values that a program sets at a helper override it, as
/// always in ns-3.

namespace ns3::aidc
{

/// @param type the class, or one derived from it
/// @param name the name of the attribute
/// @return the default that a user has set; null if there is none, or only a default of SetPreset()
Ptr<const AttributeValue> GetUserDefault(TypeId type, const std::string& name);

/// @param attribute its name with its class, such as ns3::aidc::SharedBuffer::Size
/// @return whether a user has set it; false if there is no such class
bool HasUserDefault(const std::string& attribute);

/// Get the whole number that a user has set as the default of an attribute.
/// @tparam N its type
/// @param attribute its name with its class, such as ns3::aidc::EthernetNetDevice::Mtu
/// @param fallback the helper's value
/// @return the number; the fallback if the user has set none
template <typename N>
N
GetUserDefaultOr(const std::string& attribute, N fallback)
{
    const auto end = attribute.rfind("::");
    const auto users =
        GetUserDefault(TypeId::LookupByName(attribute.substr(0, end)), attribute.substr(end + 2));
    const auto* number = dynamic_cast<const UintegerValue*>(PeekPointer(users));
    return number ? static_cast<N>(number->Get()) : fallback;
}

/// Set an attribute to a value that a helper derives, unless a user has set its default.
void SetDerived(ObjectBase& object, const std::string& name, const AttributeValue& value);

/// Set an attribute of a factory to a value that a helper derives, unless a user has set its
/// default.
/// @param factory the factory, whose TypeId is set
/// @param name the name of the attribute
/// @param value the value
void SetDerived(ObjectFactory& factory, const std::string& name, const AttributeValue& value);

/// Refuse a user's defaults for attributes that a helper sets itself for each object.
/// @param type the name of the class
/// @param names the names of the attributes
/// @param reason the reason, as in "expected to be left to BgpFabricHelper"
/// @throws std::runtime_error that names the attributes and the reason
void RefuseUserDefaults(const std::string& type,
                        const std::vector<std::string>& names,
                        const std::string& reason);

/// Replace an attribute's default.
/// @param attribute the attribute's name with its class
/// @param value the value, of the attribute's own type, which does not count as a user's default
void ReplaceDefault(const std::string& attribute, Ptr<const AttributeValue> value);

/// A default set by SetPreset(), which does not count as a user's.
class PresetMark
{
  public:
    virtual ~PresetMark() = default;
};

/// Set the default of an attribute, unless a user has set it.
///
/// Use it for attributes that can only be set by defaults, such as ns-3's TCP. It may be called
/// again.
/// @tparam V the type of the attribute's values
/// @param attribute the attribute's name with its class
/// @param value the value
template <typename V>
void
SetPreset(const std::string& attribute, const V& value)
{
    class Preset : public V, public PresetMark
    {
      public:
        explicit Preset(const V& other)
            : V(other)
        {
        }
    };

    if (!HasUserDefault(attribute))
    {
        ReplaceDefault(attribute, Ptr<const AttributeValue>(new Preset(value), false));
    }
}

} // namespace ns3::aidc

#endif // AIDC_USER_DEFAULT_H

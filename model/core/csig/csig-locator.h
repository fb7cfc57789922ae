// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_LOCATOR_H
#define AIDC_CSIG_LOCATOR_H

#include "csig-fields.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// @file
/// CSIG's locator metadata: attributes of a bottleneck, and their bits. Section 5.5 of
/// draft-ravi-ippm-csig-01 (February 2024), "the draft".

namespace ns3::aidc
{

/// The attributes of a bottleneck (section 5.5.2).
enum class CsigAttribute : uint8_t
{
    CAPACITY,    //!< the link's speed, as its index in a list of speeds
    STAGE,       //!< the stage of the topology that the device is in
    ORIENTATION, //!< where the port leads to, a CsigOrientation
    PORT,        //!< the identifier of the port
    DEVICE,      //!< the identifier of the device
    TTL,         //!< the packet's TTL at the device, always 8 bits
    CUSTOM       //!< a number of the user's own (section 4.1.3)
};

/// How many attributes there are.
constexpr std::size_t CSIG_ATTRIBUTES = 7;

/// @return the name of an attribute in the text of a layout: "capacity", "stage", "orientation",
/// "port", "device", "ttl" or "custom"
const char* GetCsigAttributeName(CsigAttribute attribute);

/// Holds CsigOrientation, which ns-3's attributes want unscoped.
struct CsigOrientations
{
    /// Where a port leads to. The codes are ours.
    enum Orientation : uint8_t
    {
        UNKNOWN, //!< not given
        UP,      //!< away from the hosts
        DOWN,    //!< towards the hosts
        SIDE     //!< to a device of the same stage
    };
};

using CsigOrientation = CsigOrientations::Orientation; //!< where a port leads to

/// The attributes of one bottleneck, as numbers.
struct CsigLocator
{
    /// The numbers, in the order of CsigAttribute. An orientation is its code, a capacity the place
    /// of its speed in the list, counted from 1.
    std::array<uint32_t, CSIG_ATTRIBUTES> numbers{};

    /// @return the number of an attribute; 0 if it was never set
    uint32_t Get(CsigAttribute attribute) const
    {
        return numbers[static_cast<std::size_t>(attribute)];
    }

    /// Set the number of an attribute.
    void Set(CsigAttribute attribute, uint32_t number)
    {
        numbers[static_cast<std::size_t>(attribute)] = number;
    }
};

/// @return whether all numbers are the same
bool operator==(const CsigLocator& a, const CsigLocator& b);

/// Speeds of links, so that a few bits can name one (section 5.5.2).
///
/// A speed is written as its place in the list, counted from 1; 0 is any other speed.
class CsigSpeeds
{
  public:
    /// Make the list 10, 25, 40, 100, 200, 400 and 800 Gbit/s, which fits 3 bits.
    CsigSpeeds();

    /// Make a list. speeds: in bit/s, at most 31, none 0 and none twice.
    /// @throws std::invalid_argument if they are not
    explicit CsigSpeeds(std::vector<uint64_t> speeds);

    /// @return the place of a speed in bit/s, from 1; 0 if it is not in the list
    uint32_t Encode(uint64_t speed) const;

    /// @return the speed at a place in bit/s; 0 if there is no such place
    uint64_t Decode(uint32_t number) const;

    /// The most speeds that can be listed: the draft's 5 bits.
    static constexpr std::size_t MAX_SPEEDS = 31;

  private:
    std::vector<uint64_t> m_speeds; //!< in bit/s
};

/// Read a list of links' speeds, separated by commas, as "10Gbps,100Gbps"; empty: none.
/// @throws std::invalid_argument if it is no such text; says what was expected and what was found
CsigSpeeds ParseCsigSpeeds(const std::string& text);

/// @return a text of speeds that ParseCsigSpeeds reads back
std::string FormatCsigSpeeds(const CsigSpeeds& speeds);

/// The layout of locator metadata: their attributes, and the place of each.
///
/// Attributes are in order; the last one ends at the lowest bit. Unused bits are above the first
/// attribute and are 0. Section 5.5.1: the size MUST be within 7 bits for compact tags and within
/// 16 bits for expanded ones, and all devices MUST have the same layout.
///
/// Layouts are written as "capacity:3,stage:2,orientation:2": each attribute and its bits. That is
/// the compact default; the expanded one is "device:10,port:6", which names each of 64 ports of
/// 1,024 switches.
class CsigLocatorLayout
{
  public:
    /// An attribute and its place.
    struct Field
    {
        CsigAttribute attribute; //!< the attribute
        uint32_t bits;           //!< how many bits
    };

    /// Make the default layout of a format.
    explicit CsigLocatorLayout(CsigFormat format);

    /// Make a layout. fields: the attributes from the highest bit on; none: LM is always 0.
    /// @throws std::invalid_argument if an attribute is there twice or has no bits, TTL has not 8,
    /// or all together are more than the format has
    CsigLocatorLayout(CsigFormat format, const std::vector<Field>& fields);

    /// Read a layout. text: attributes and bits, as "device:10,port:6"; empty: none.
    /// @throws std::invalid_argument if it is no layout; says what was expected and what was found
    static CsigLocatorLayout Parse(CsigFormat format, const std::string& text);

    /// Write the layout. @return a text that Parse reads back
    std::string Format() const;

    /// Encode a locator. Attributes that are not in the layout are left out. @return LM
    /// @throws std::invalid_argument if a number does not fit its bits; says which
    uint16_t Encode(const CsigLocator& locator) const;

    /// Decode any value of LM. @return the attributes of the layout; the others are 0
    CsigLocator Decode(uint16_t bits) const;

    /// Replace the TTL in LM that were encoded for a port. @return LM with this TTL; unchanged if
    /// the layout has no TTL
    uint16_t SetTtl(uint16_t bits, uint8_t ttl) const
    {
        return static_cast<uint16_t>((bits & ~m_ttlMask) | ((ttl << m_ttlShift) & m_ttlMask));
    }

  private:
    std::vector<Field> m_fields; //!< from the highest bit on
    uint32_t m_ttlMask{0};       //!< the bits of TTL; none without TTL
    uint32_t m_ttlShift{0};      //!< the lowest bit of TTL
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_LOCATOR_H

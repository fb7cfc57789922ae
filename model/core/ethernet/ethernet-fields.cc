// SPDX-License-Identifier: GPL-2.0-only

#include "ethernet-fields.h"

#include <boost/endian/conversion.hpp>
#include <cstring>

namespace ns3::aidc
{

namespace
{

using boost::endian::load_big_u16;
using boost::endian::store_big_u16;

} // namespace

void
EncodeEthernetHeader(const EthernetFields& fields, uint8_t* bytes)
{
    std::memcpy(bytes, fields.destination.data(), 6);
    std::memcpy(bytes + 6, fields.source.data(), 6);
    bytes += 12;
    for (std::size_t i = 0; i < fields.nVlans; ++i)
    {
        const VlanTag& vlan = fields.vlans[i];
        store_big_u16(bytes, vlan.tpid);
        store_big_u16(bytes + 2,
                      static_cast<uint16_t>((vlan.priority & 7) << 13 | vlan.isDropEligible << 12 |
                                            (vlan.id & 0xfff)));
        bytes += 4;
    }
    std::memcpy(bytes, fields.tag.data(), fields.tagSize);
    store_big_u16(bytes + fields.tagSize, fields.etherType);
}

bool
DecodeEthernetHeader(const uint8_t* bytes,
                     std::size_t size,
                     const KnownTags& known,
                     EthernetFields& fields)
{
    if (size < EthernetFields::MIN_SIZE)
    {
        return false;
    }
    std::memcpy(fields.destination.data(), bytes, 6);
    std::memcpy(fields.source.data(), bytes + 6, 6);
    fields.nVlans = 0;
    fields.tagSize = 0;
    std::size_t offset = 12;
    uint16_t type = load_big_u16(bytes + offset);
    while ((type == TPID_C_VLAN || type == TPID_S_VLAN) &&
           fields.nVlans < EthernetFields::MAX_VLANS)
    {
        if (size < offset + 6)
        {
            return false;
        }
        const uint16_t control = load_big_u16(bytes + offset + 2);
        fields.vlans[fields.nVlans++] = {type,
                                         static_cast<uint8_t>(control >> 13),
                                         (control & 0x1000) != 0,
                                         static_cast<uint16_t>(control & 0xfff)};
        offset += 4;
        type = load_big_u16(bytes + offset);
    }
    if (const uint8_t tagSize = known.GetSize(type))
    {
        if (size < offset + tagSize + 2)
        {
            return false;
        }
        std::memcpy(fields.tag.data(), bytes + offset, tagSize);
        fields.tagSize = tagSize;
        offset += tagSize;
        type = load_big_u16(bytes + offset);
    }
    fields.etherType = type;
    return true;
}

void
VlanMembership::DoAddTags(EthernetFields& fields, uint8_t arrived) const
{
    const uint8_t pcp = GetPriority(arrived);
    const auto add = [&fields, pcp](uint16_t tpid, uint16_t id) {
        fields.vlans[fields.nVlans++] = {tpid, pcp, false, id};
    };
    if (outerServiceVlanId != 0)
    {
        add(TPID_S_VLAN, outerServiceVlanId);
    }
    if (outerVlanId != 0)
    {
        add(TPID_C_VLAN, outerVlanId);
    }
    if (serviceVlanId != 0)
    {
        add(TPID_S_VLAN, serviceVlanId);
    }
    if (vlanId != 0 || priority != 0)
    {
        add(TPID_C_VLAN, vlanId);
    }
}

bool
VlanMembership::DoIncludes(const EthernetFields& fields) const
{
    std::size_t i = 0;
    // Takes the next tag, if it is of a kind. Returns its VLAN, 0 if it is not.
    const auto take = [&fields, &i](uint16_t tpid) -> uint16_t {
        return i < fields.nVlans && fields.vlans[i].tpid == tpid ? fields.vlans[i++].id : 0;
    };
    if ((outerServiceVlanId != 0 && take(TPID_S_VLAN) != outerServiceVlanId) ||
        (outerVlanId != 0 && take(TPID_C_VLAN) != outerVlanId))
    {
        return false;
    }
    const uint16_t service = take(TPID_S_VLAN);
    const uint16_t customer = take(TPID_C_VLAN);
    return i == fields.nVlans && service == serviceVlanId && customer == vlanId;
}

} // namespace ns3::aidc

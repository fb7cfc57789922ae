/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "vlan-membership.h"

#include <cstddef>

namespace ns3::aidc
{

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

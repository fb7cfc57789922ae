/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_VLAN_MEMBERSHIP_H
#define AIDC_VLAN_MEMBERSHIP_H

#include "ethernet-fields.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief The VLANs that a port is in (IEEE 802.1Q and 802.1ad), and the tags that its frames have.
 *
 * The tags are, from the outside: those of a tunnel that ends at the port, that of the service
 * VLAN, and that of the VLAN. An identifier of 0 is none.
 */
struct VlanMembership
{
    uint16_t vlanId{0};             //!< the VLAN
    uint16_t serviceVlanId{0};      //!< the service VLAN
    uint16_t outerVlanId{0};        //!< the VLAN of a tunnel that ends at the port
    uint16_t outerServiceVlanId{0}; //!< the service VLAN of that tunnel
    uint8_t priority{0};            //!< priority code point; not 0 gives frames a tag, too
    bool isPriorityKept{false};     //!< whether the priority of a frame's arrival goes first

    /// Tell whether frames have a VLAN's tag. @return false if they have none, or a priority only
    bool HasVlan() const
    {
        return (vlanId | serviceVlanId | outerVlanId | outerServiceVlanId) != 0;
    }

    /**
     * @brief Get the priority code point that a packet is sent with.
     * @param arrived the priority code point that it has come with, or VlanTag::NO_PRIORITY
     * @return the code point, VlanTag::NO_PRIORITY if frames have no tag
     */
    uint8_t GetPriority(uint8_t arrived) const
    {
        if (!HasVlan() && priority == 0)
        {
            return VlanTag::NO_PRIORITY;
        }
        return isPriorityKept && arrived != VlanTag::NO_PRIORITY ? arrived : priority;
    }

    /// Add the tags to a header without tags, with the priority of GetPriority(). arrived: the
    /// priority code point that the packet has come with.
    void AddTags(EthernetFields& fields, uint8_t arrived) const
    {
        if (HasVlan() || priority != 0)
        {
            DoAddTags(fields, arrived);
        }
    }

    /**
     * @brief Tell whether a frame belongs to the port's VLAN.
     *
     * A tag with identifier 0 gives a priority only. More tags are those of a tunnel that ends
     * elsewhere.
     *
     * @param fields the frame's header
     * @return whether it does
     */
    bool Includes(const EthernetFields& fields) const
    {
        return fields.nVlans == 0 ? !HasVlan() : DoIncludes(fields);
    }

  private:
    /// AddTags() for a port that adds tags.
    void DoAddTags(EthernetFields& fields, uint8_t arrived) const;

    /// Includes() for a frame with tags.
    bool DoIncludes(const EthernetFields& fields) const;
};

} // namespace ns3::aidc

#endif // AIDC_VLAN_MEMBERSHIP_H

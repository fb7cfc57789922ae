// SPDX-License-Identifier: GPL-2.0-only

// The VLANs of a port and the tags of its frames (IEEE 802.1Q, section 9.6; IEEE 802.1ad).

#include "model/core/ethernet/ethernet-fields.h"
#include "test/core/core-test.h"

/// The frame header with some VLAN tags.
EthernetFields
MakeFields(const std::vector<VlanTag>& tags)
{
    EthernetFields fields;
    for (const auto& tag : tags)
    {
        fields.vlans[fields.nVlans++] = tag;
    }
    return fields;
}

// Without a VLAN and a priority, frames have no tag, and frames with a tag belong to other VLANs;
// but identifier 0 is no VLAN, whatever the priority.
TEST(VlanMembership, NoVlanMeansNoTag)
{
    const VlanMembership none;
    EthernetFields fields;
    none.AddTags(fields, 5);
    EXPECT_EQ(fields.nVlans, 0);
    EXPECT_EQ(none.GetPriority(5), VlanTag::NO_PRIORITY);
    EXPECT_TRUE(none.Includes(fields));
    EXPECT_TRUE(none.Includes(MakeFields({{TPID_C_VLAN, 6, false, 0}})));
    EXPECT_FALSE(none.Includes(MakeFields({{TPID_C_VLAN, 6, false, 7}})));
}

// The tunnel's service VLAN, the tunnel's VLAN, the service VLAN, the VLAN: from the outside.
TEST(VlanMembership, TagsStandFromTheOutsideToTheInside)
{
    VlanMembership vlans;
    vlans.vlanId = 1;
    vlans.serviceVlanId = 2;
    vlans.outerVlanId = 3;
    vlans.outerServiceVlanId = 4;
    vlans.priority = 6;
    EthernetFields fields;
    vlans.AddTags(fields, VlanTag::NO_PRIORITY);
    ASSERT_EQ(fields.nVlans, 4);
    EXPECT_EQ(fields.vlans[0], (VlanTag{TPID_S_VLAN, 6, false, 4}));
    EXPECT_EQ(fields.vlans[1], (VlanTag{TPID_C_VLAN, 6, false, 3}));
    EXPECT_EQ(fields.vlans[2], (VlanTag{TPID_S_VLAN, 6, false, 2}));
    EXPECT_EQ(fields.vlans[3], (VlanTag{TPID_C_VLAN, 6, false, 1}));
    EXPECT_TRUE(vlans.Includes(fields));
    // More tags belong to a tunnel that ends elsewhere; fewer tags do not belong to this one.
    fields.nVlans = 3;
    EXPECT_FALSE(vlans.Includes(fields));
    vlans.vlanId = 0;
    fields.nVlans = 4;
    EXPECT_FALSE(vlans.Includes(fields));
}

// IEEE 802.1Q, section 6.9: a packet keeps the priority that it has come with, if it is to.
TEST(VlanMembership, AKeptPriorityGoesFirst)
{
    VlanMembership vlans;
    vlans.priority = 3;
    EXPECT_EQ(vlans.GetPriority(5), 3);
    vlans.isPriorityKept = true;
    EXPECT_EQ(vlans.GetPriority(5), 5);
    EXPECT_EQ(vlans.GetPriority(0), 0);
    EXPECT_EQ(vlans.GetPriority(VlanTag::NO_PRIORITY), 3);
}

// A port takes what a port with the same VLANs sends, and nothing of a port with other ones.
RC_GTEST_PROP(VlanMembership, PortsOfTheSameVlansHearEachOther, ())
{
    const auto make = [] {
        VlanMembership vlans;
        vlans.vlanId = DrawElement<uint16_t>({0, 1, 2});
        vlans.serviceVlanId = DrawElement<uint16_t>({0, 1, 2});
        vlans.outerVlanId = DrawElement<uint16_t>({0, 1});
        vlans.outerServiceVlanId = DrawElement<uint16_t>({0, 1});
        vlans.priority = DrawElement<uint8_t>({0, 3});
        return vlans;
    };
    const auto sender = make();
    const auto receiver = make();
    EthernetFields fields;
    sender.AddTags(fields, VlanTag::NO_PRIORITY);
    RC_ASSERT(sender.Includes(fields));
    if (receiver.Includes(fields))
    {
        // Only a tag that gives nothing but a priority makes no difference. An outer tag may stand
        // for an inner one of the same kind.
        EthernetFields back;
        receiver.AddTags(back, VlanTag::NO_PRIORITY);
        const auto count = [](const EthernetFields& f) {
            return f.nVlans - (f.nVlans > 0 && f.vlans[f.nVlans - 1].id == 0 ? 1 : 0);
        };
        RC_ASSERT(count(fields) == count(back));
    }
}

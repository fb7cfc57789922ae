/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-datapath-helper.h"

#include "user-default.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"

namespace ns3::aidc
{

void
SwitchDatapathHelper::Install(Ptr<Node> node) const
{
    auto datapath = CreateObject<SwitchDatapath>();
    if (mode)
    {
        datapath->SetAttribute("Mode", EnumValue(*mode));
    }
    if (isOrdered)
    {
        datapath->SetAttribute("OrderedArrivals", BooleanValue(*isOrdered));
    }
    else
    {
        SetDerived(*datapath, "OrderedArrivals", BooleanValue(true));
    }
    datapath->Install(node);
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-speaker-factory.h"

#include "../model/aidc-compat.h"
#include "factory-attribute.h"
#include "user-default.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/ipv4-interface-address.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

namespace ns3::aidc
{

BgpSpeakerFactory::BgpSpeakerFactory()
    : m_factory("ns3::aidc::BgpSpeaker")
{
}

void
BgpSpeakerFactory::Set(const std::string& name, const AttributeValue& value)
{
    SetFactoryAttribute(m_factory, name, value);
    m_isSet.insert(name);
}

void
BgpSpeakerFactory::Prepare(const std::string& helper)
{
    RefuseUserDefaults("ns3::aidc::BgpSpeaker",
                       {"As", "RouterId", "Tier", "AttachNonTransitive"},
                       helper + ", which knows the place of each switch");
    const auto derive = [this](const std::string& name, Time time) {
        if (m_isSet.count(name) == 0)
        {
            SetDerived(m_factory, name, TimeValue(time));
        }
    };
    derive("HoldTime", Seconds(9));
    derive("ConnectRetryTime", Seconds(10));
}

Ptr<BgpSpeaker>
BgpSpeakerFactory::Create(uint32_t as, Ipv4Address routerId, PathBandwidthTier tier) const
{
    const auto speaker = m_factory.Create<BgpSpeaker>();
    speaker->SetAttribute("As", UintegerValue(as));
    speaker->SetAttribute("RouterId", Ipv4AddressValue(routerId));
    speaker->SetAttribute("Tier", EnumValue(static_cast<BgpSpeaker::Tier>(tier)));
    speaker->SetAttribute("AttachNonTransitive",
                          BooleanValue(tier == PathBandwidthTier::SUPER_SPINE));
    return speaker;
}

void
BgpSpeakerFactory::AddLinkAddress(const Ptr<Ipv4>& ipv4, uint32_t interface, Ipv4Address address)
{
    Ipv4InterfaceAddress own(address, Ipv4Mask("/31"));
    ClearBroadcast(own);
    ipv4->AddAddress(interface, own);
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-update-reader.h"

#include "../core/bgp/bgp-attribute-table.h"
#include "../core/bgp/bgp-route-checks.h"
#include "../core/bgp/bgp-update-codec.h"

#include "ns3/ipv4-address.h"
#include "ns3/log.h"

#include <string>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBgpUpdateReader");

BgpUpdateReader::BgpUpdateReader(const BgpPeerSettings& peer,
                                 const BgpPeerLink& link,
                                 const BgpSpeakerSettings& settings,
                                 BgpSpeakerStatistics& statistics)
    : m_peer(peer),
      m_link(link),
      m_settings(settings),
      m_statistics(statistics)
{
}

void
BgpUpdateReader::Open(Ptr<Ipv4> ipv4, bool isOnLink)
{
    m_ipv4 = ipv4;
    m_isOnLink = isOnLink;
}

void
BgpUpdateReader::Dispose()
{
    m_ipv4 = nullptr;
}

BgpUpdateResult
BgpUpdateReader::Decode(const BgpFrame& frame, const BgpSessionTerms& terms)
{
    BgpUpdateResult result = DecodeBgpUpdate(frame.body, frame.bodySize, terms);
    for (const BgpUpdateFault& fault : result.faults)
    {
        const BgpAttribute* const known = FindBgpAttribute(fault.type);
        NS_LOG_WARN("UPDATE of peer "
                    << m_peer.address << ", attribute "
                    << (known ? std::string(known->name) : std::to_string(fault.type)) << ": "
                    << GetBgpFaultName(fault.fault) << ", " << GetBgpErrorActionName(fault.action)
                    << " (" << GetBgpErrorRule(fault.type, fault.fault).section << ")");
    }
    if (result.action != BgpErrorAction::SESSION_RESET)
    {
        m_statistics.attributeDiscards += result.action == BgpErrorAction::ATTRIBUTE_DISCARD;
        m_statistics.treatedAsWithdrawn += result.action == BgpErrorAction::TREAT_AS_WITHDRAW;
        m_statistics.ignoredFamilies += result.nIgnoredFamilies;
    }
    return result;
}

BgpRouteChanges
BgpUpdateReader::GetChanges(BgpUpdateResult result, const BgpSessionTerms& terms)
{
    BgpRouteChanges changes = GetBgpRouteChanges(std::move(result.update));
    m_statistics.martians += RemoveBgpMartians(changes);
    WithdrawWrongNextHops(changes, terms.IsExternal());
    m_statistics.malformedBandwidths +=
        CountMalformedBandwidths(changes, m_settings.pathBandwidthSubtype);
    return changes;
}

void
BgpUpdateReader::WithdrawWrongNextHops(BgpRouteChanges& changes, bool isExternal)
{
    m_statistics.ownNextHops += WithdrawBgpRoutes(changes, [this](uint32_t nextHop) {
        return m_ipv4->GetInterfaceForAddress(Ipv4Address(nextHop)) >= 0;
    });
    if (m_isOnLink && isExternal)
    {
        m_statistics.foreignNextHops += WithdrawBgpRoutes(changes, [this](uint32_t nextHop) {
            return !m_link.HasAddress(Ipv4Address(nextHop));
        });
    }
}

} // namespace ns3::aidc

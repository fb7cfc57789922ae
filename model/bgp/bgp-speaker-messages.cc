/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-speaker-peer.h"
#include "bgp-speaker.h"

#include "ns3/bgp-message.h"
#include "ns3/bgp-open.h"
#include "ns3/bgp-update-codec.h"
#include "ns3/log.h"
#include "ns3/path-bandwidth.h"

#include <algorithm>
#include <utility>

// Messages that have come.

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBgpSpeakerMessages");

/**
 * @brief Leave out routes to networks that no route leads to (RFC 4271, section 6.3).
 * @param [in,out] changes what a peer has sent
 * @return how many
 */
static uint64_t
RemoveMartians(BgpRouteChanges& changes)
{
    uint64_t n = 0;
    for (BgpAnnouncement& announcement : changes.announced)
    {
        auto& prefixes = announcement.prefixes;
        const auto end = std::remove_if(prefixes.begin(), prefixes.end(), IsBgpMartian);
        n += static_cast<uint64_t>(prefixes.end() - end);
        prefixes.erase(end, prefixes.end());
    }
    return n;
}

/**
 * @brief Count bandwidths that are no number, infinite or negative.
 * @param changes what a peer has sent
 * @param subtype the low octet of a path bandwidth's type
 * @return how many
 */
static uint64_t
CountMalformedBandwidths(const BgpRouteChanges& changes, uint8_t subtype)
{
    uint64_t n = 0;
    for (const BgpAnnouncement& announcement : changes.announced)
    {
        n += DecodeBandwidths(announcement.attributes.extendedCommunities, subtype).nMalformed;
    }
    return n;
}

void
BgpSpeaker::HandleFrame(BgpTcpConnection& tcp, const BgpFrame& frame)
{
    const uint32_t number = tcp.GetId() / 2;
    const BgpConnection connection = GetConnection(tcp);
    Peer& peer = *m_peers[number];
    if (frame.status == BgpFrame::Status::ERROR)
    {
        Handle(number, connection, {BgpSessionEvent::HEADER_ERROR, nullptr, frame.notification});
        return;
    }
    peer.statistics.received.Count(frame.type, BGP_HEADER_SIZE + frame.bodySize);
    if (!m_receivedTrace.IsEmpty())
    {
        BgpBytes message = BeginBgpMessage(frame.type);
        message.insert(message.end(), frame.body, frame.body + frame.bodySize);
        FinishBgpMessage(message);
        m_receivedTrace(number, frame.type, message);
    }
    switch (frame.type)
    {
    case BgpMessageType::OPEN: {
        const BgpOpenResult result = DecodeBgpOpen(frame.body, frame.bodySize);
        if (result.notification)
        {
            Handle(number,
                   connection,
                   {BgpSessionEvent::OPEN_ERROR, nullptr, *result.notification});
            break;
        }
        peer.canRefresh = result.open.capabilities.hasRouteRefresh;
        Handle(number, connection, {BgpSessionEvent::OPEN_RECEIVED, &result.open, {}});
        const BgpSessionFsm& machine = peer.session->Get(connection);
        if (machine.GetState() >= BgpSessionState::OPEN_CONFIRM)
        {
            tcp.SetMaxMessageSize(machine.GetOptions().maxMessageSize);
        }
        break;
    }
    case BgpMessageType::UPDATE:
        TakeUpdate(number, connection, frame);
        break;
    case BgpMessageType::NOTIFICATION: {
        const auto notification = DecodeBgpNotification(frame.body, frame.bodySize);
        m_notificationTrace(number, false, notification.value_or(BgpNotification()));
        Handle(number,
               connection,
               {BgpSessionEvent::NOTIFICATION_RECEIVED,
                nullptr,
                notification.value_or(BgpNotification())});
        break;
    }
    case BgpMessageType::KEEPALIVE:
        Handle(number, connection, {BgpSessionEvent::KEEPALIVE_RECEIVED, nullptr, {}});
        break;
    case BgpMessageType::ROUTE_REFRESH:
        TakeRefresh(number, connection, frame);
        break;
    }
}

void
BgpSpeaker::TakeUpdate(uint32_t number, BgpConnection connection, const BgpFrame& frame)
{
    Peer& peer = *m_peers[number];
    const BgpSessionFsm& machine = peer.session->Get(connection);
    if (machine.GetState() != BgpSessionState::ESTABLISHED)
    {
        Handle(number, connection, {BgpSessionEvent::UPDATE_RECEIVED, nullptr, {}});
        return;
    }
    BgpUpdateResult result = DecodeBgpUpdate(frame.body, frame.bodySize, machine.GetOptions());
    if (result.action == BgpErrorAction::SESSION_RESET)
    {
        Handle(number, connection, {BgpSessionEvent::UPDATE_ERROR, nullptr, result.notification});
        return;
    }
    peer.statistics.attributeDiscards += result.action == BgpErrorAction::ATTRIBUTE_DISCARD;
    peer.statistics.treatedAsWithdrawn += result.action == BgpErrorAction::TREAT_AS_WITHDRAW;
    peer.statistics.ignoredFamilies += result.nIgnoredFamilies;
    Handle(number, connection, {BgpSessionEvent::UPDATE_RECEIVED, nullptr, {}});
    BgpRouteChanges changes = GetBgpRouteChanges(std::move(result.update));
    peer.statistics.martians += RemoveMartians(changes);
    RemoveWrongNextHops(peer, changes);
    peer.statistics.malformedBandwidths +=
        CountMalformedBandwidths(changes, m_pathBandwidthSubtype);
    ScheduleDecision();
    if (!m_rib->Receive(number, changes))
    {
        ++peer.statistics.tooManyPrefixes;
        BgpPeerActions actions;
        if (peer.settings.restartsAfterMaximum)
        {
            peer.session->Reset(BgpCease::MAXIMUM_PREFIXES_REACHED, actions);
        }
        else
        {
            peer.session->Stop(BgpCease::MAXIMUM_PREFIXES_REACHED, actions);
        }
        Perform(number, actions);
    }
}

void
BgpSpeaker::TakeRefresh(uint32_t number, BgpConnection connection, const BgpFrame& frame)
{
    const auto refresh = DecodeBgpRouteRefresh(frame.body, frame.bodySize);
    Handle(number, connection, {BgpSessionEvent::ROUTE_REFRESH_RECEIVED, nullptr, {}});
    if (m_peers[number]->session->GetEstablished() == connection && refresh &&
        refresh->family == BGP_IPV4_UNICAST && refresh->subtype == 0)
    {
        m_rib->Refresh(number);
        ScheduleDecision();
    }
}

void
BgpSpeaker::RemoveWrongNextHops(Peer& peer, BgpRouteChanges& changes) const
{
    const bool isOnLink = peer.tcp.ttl == 1 || peer.settings.minTtl == 255;
    const auto established = peer.session->GetEstablished();
    const bool mustBeOnLink =
        isOnLink && established && peer.session->Get(*established).GetOptions().IsExternal();
    const auto isWrong = [&](const BgpAnnouncement& announcement) {
        const Ipv4Address nextHop(announcement.attributes.nextHop);
        uint64_t BgpSpeakerStatistics::* counter = nullptr;
        if (m_ipv4->GetInterfaceForAddress(nextHop) >= 0)
        {
            counter = &BgpSpeakerStatistics::ownNextHops;
        }
        else if (mustBeOnLink && !IsOnLink(peer, nextHop))
        {
            counter = &BgpSpeakerStatistics::foreignNextHops;
        }
        else
        {
            return false;
        }
        NS_LOG_INFO("next hop " << nextHop << " of peer " << peer.settings.address
                                << " is this node's, or not on the link");
        peer.statistics.*counter += announcement.prefixes.size();
        changes.withdrawn.insert(changes.withdrawn.end(),
                                 announcement.prefixes.begin(),
                                 announcement.prefixes.end());
        return true;
    };
    changes.announced.erase(
        std::remove_if(changes.announced.begin(), changes.announced.end(), isWrong),
        changes.announced.end());
}

} // namespace ns3::aidc

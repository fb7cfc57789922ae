/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_SPEAKER_ATTRIBUTES_H
#define AIDC_BGP_SPEAKER_ATTRIBUTES_H

#include "../aidc-compat.h"
#include "../attribute-accessors.h"
#include "../core/bgp/bgp-graceful-restart.h"
#include "../core/bgp/bgp-rib-settings.h"
#include "bgp-graceful-settings.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/nstime.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

#include <cstdint>
#include <sstream>
#include <stdexcept>

/// @file
/// Attributes of a BgpSpeaker that are of one subject: routes, restart and shutdown.

namespace ns3::aidc
{

/// @brief Add the attributes of routes: decisions and bandwidths.
/// @tparam T the class of the speaker
/// @param tid the type ID of the speaker
/// @param routes the member that has the settings of routes
/// @param decisions the member that has the settings of decisions
/// @param format the member that has the format of bandwidths
/// @param carrier the member that has the carrier of bandwidths
/// @param tier the member that has the place in the fabric
/// @return the type ID
template <typename T>
TypeId
AddBgpRouteAttributes(TypeId tid,
                      BgpRibSettings T::* routes,
                      BgpDecisionSettings T::* decisions,
                      BandwidthFormat T::* format,
                      typename T::Carrier T::* carrier,
                      typename T::Tier T::* tier)
{
    using Routes = BgpRibSettings;
    using Decisions = BgpDecisionSettings;
    return tid
        .AddAttribute("MaxPaths",
                      "The most routes to a prefix that are used together",
                      UintegerValue(BGP_MAX_PATHS),
                      MakeSettingsAccessor<UintegerValue>(decisions, &Decisions::maxPaths),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("RelaxAsPath",
                      "Routes with other ASs on a path as long are used together (RFC 7938)",
                      BooleanValue(true),
                      MakeSettingsAccessor<BooleanValue>(decisions, &Decisions::relaxesAsPath),
                      MakeBooleanChecker())
        .AddAttribute("DefaultLocalPref",
                      "LOCAL_PREF of routes that have none",
                      UintegerValue(100),
                      MakeSettingsAccessor<UintegerValue>(decisions, &Decisions::defaultLocalPref),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("UsePathBandwidth",
                      "Bandwidths are read, attached and advertised again; else ECMP is plain "
                      "and communities pass as they are",
                      BooleanValue(true),
                      MakeSettingsAccessor<BooleanValue>(routes, &Routes::usesPathBandwidth),
                      MakeBooleanChecker())
        .AddAttribute(
            "BandwidthCarrier",
            "The community that carries bandwidths: draft-xu-idr-fare's path "
            "bandwidth, or RFC 10005's link bandwidth",
            EnumValue(T::PATH_BANDWIDTH),
            MakeEnumAccessorFor<typename T::Carrier>(carrier),
            MakeEnumChecker(T::PATH_BANDWIDTH, "PathBandwidth", T::LINK_BANDWIDTH, "LinkBandwidth"))
        .AddAttribute("PathBandwidthSubtype",
                      "Low octet of the type of path bandwidths, which is not yet assigned",
                      UintegerValue(PATH_BANDWIDTH_SUBTYPE),
                      MakeSettingsAccessor<UintegerValue>(format, &BandwidthFormat::subtype),
                      MakeUintegerChecker<uint8_t>())
        .AddAttribute("Tier",
                      "The speaker's place in the fabric",
                      EnumValue(T::LEAF),
                      MakeEnumAccessorFor<typename T::Tier>(tier),
                      MakeEnumChecker(T::LEAF,
                                      "Leaf",
                                      T::SPINE,
                                      "Spine",
                                      T::SUPER_SPINE,
                                      "SuperSpine",
                                      T::EDGE,
                                      "Edge",
                                      T::HOST,
                                      "Host"))
        .AddAttribute("AttachNonTransitive",
                      "A super-spine attaches the bandwidth of its links, as a non-transitive "
                      "community",
                      BooleanValue(false),
                      MakeSettingsAccessor<BooleanValue>(routes, &Routes::attachesNonTransitive),
                      MakeBooleanChecker())
        .AddAttribute("ShareUplinks",
                      "Spines and leaves tell the nodes below them of at most the fair share that "
                      "each of these has of the routes from above, if all use them at once",
                      BooleanValue(false),
                      MakeSettingsAccessor<BooleanValue>(routes, &Routes::sharesUplinks),
                      MakeBooleanChecker())
        .AddAttribute("OriginBandwidth",
                      "Bandwidth that is attached to the speaker's own routes, in bytes a "
                      "second; by default the largest that can be written",
                      DoubleValue(MAX_PATH_BANDWIDTH),
                      MakeSettingsAccessor<DoubleValue>(routes, &Routes::originBandwidth),
                      MakeDoubleChecker<double>(0));
}

/// @brief Check a restart time.
/// @param value the time
/// @throws std::invalid_argument if it is no whole number of seconds
inline void
CheckBgpRestartTime(const TimeValue& value)
{
    const Time time = value.Get();
    if (Seconds(time.GetTimeStep() / Seconds(1).GetTimeStep()) != time)
    {
        std::ostringstream text;
        text << "RestartTime: expected whole seconds, found " << time.As(Time::S);
        throw std::invalid_argument(text.str());
    }
}

/// @brief Add the attributes of graceful restart and graceful shutdown.
/// @tparam T the class of the speaker
/// @param tid the type ID of the speaker
/// @param settings the member that has the settings
/// @return the type ID
template <typename T>
TypeId
AddBgpGracefulAttributes(TypeId tid, BgpGracefulSettings T::* settings)
{
    using Settings = BgpGracefulSettings;
    return tid
        .AddAttribute("GracefulRestart",
                      "Graceful restart is offered to peers, also for NOTIFICATIONs, and "
                      "End-of-RIB is sent to all peers (RFC 4724, RFC 8538)",
                      BooleanValue(false),
                      MakeSettingsAccessor<BooleanValue>(settings, &Settings::offersRestart),
                      MakeBooleanChecker())
        .AddAttribute(
            "RestartTime",
            "Offered to peers: the time until the session is back, after which they "
            "remove the routes of this speaker; whole seconds (RFC 4724, section 3)",
            TimeValue(Seconds(120)),
            MakeSettingsAccessor<TimeValue>(settings, &Settings::restartTime),
            MakeValueChecker<TimeValue>(MakeTimeChecker(Seconds(0), Seconds(BGP_MAX_RESTART_TIME)),
                                        CheckBgpRestartTime))
        .AddAttribute("StaleTime",
                      "The longest time that a peer's routes stay after the loss of its "
                      "session, whatever the peer offers (RFC 4724, section 4.2; 360 s in FRR)",
                      TimeValue(Seconds(360)),
                      MakeSettingsAccessor<TimeValue>(settings, &Settings::staleTime),
                      MakeTimeChecker(Seconds(0)))
        .AddAttribute("SelectionDeferralTime",
                      "The longest time that a restarted speaker waits for End-of-RIB of its "
                      "peers before it chooses routes (RFC 4724, section 4.1; 360 s in FRR)",
                      TimeValue(Seconds(360)),
                      MakeSettingsAccessor<TimeValue>(settings, &Settings::deferralTime),
                      MakeTimeChecker(Seconds(0)))
        .AddAttribute("AcceptGracefulShutdown",
                      "Routes of external peers with the community 65535:0 get LOCAL_PREF 0 "
                      "(RFC 8326, section 4.1)",
                      BooleanValue(true),
                      MakeSettingsAccessor<BooleanValue>(settings, &Settings::acceptsShutdown),
                      MakeBooleanChecker());
}

} // namespace ns3::aidc

#endif // AIDC_BGP_SPEAKER_ATTRIBUTES_H

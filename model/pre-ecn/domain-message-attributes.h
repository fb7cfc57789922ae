/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_DOMAIN_MESSAGE_ATTRIBUTES_H
#define AIDC_DOMAIN_MESSAGE_ATTRIBUTES_H

#include "../attribute-accessors.h"
#include "../core/pre-ecn/domain-message-guard.h"
#include "domain-message-sender.h"

#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

#include <cstdint>
#include <string>

namespace ns3::aidc
{

/**
 * @brief Add the attributes of a sender of messages to those of its class.
 * @tparam C the class
 * @param tid the TypeId of the class
 * @param settings the member that has the settings
 * @param messages what is sent, in the plural
 * @param defaultPort the UDP port by default
 * @return the TypeId
 */
template <typename C>
TypeId
AddDomainMessageSenderAttributes(TypeId tid,
                                 DomainMessageSender::Settings C::* settings,
                                 const std::string& messages,
                                 uint16_t defaultPort)
{
    using Settings = DomainMessageSender::Settings;
    // Class selector 6, network control (RFC 4594, section 3.1)
    constexpr uint8_t NETWORK_CONTROL = 48;
    return tid
        .AddAttribute("Address",
                      "Address that " + messages +
                          " come from; 0.0.0.0 for the node's first one that is no loopback "
                          "address.",
                      Ipv4AddressValue(Ipv4Address::GetAny()),
                      MakeSettingsAccessor<Ipv4AddressValue>(settings, &Settings::address),
                      MakeIpv4AddressChecker())
        .AddAttribute("Port",
                      "UDP port that " + messages + " are sent to.",
                      UintegerValue(defaultPort),
                      MakeSettingsAccessor<UintegerValue>(settings, &Settings::port),
                      MakeUintegerChecker<uint16_t>(1))
        .AddAttribute("Dscp",
                      "DSCP of " + messages + "; they are Not-ECT.",
                      UintegerValue(NETWORK_CONTROL),
                      MakeSettingsAccessor<UintegerValue>(settings, &Settings::dscp),
                      MakeUintegerChecker<uint8_t>(0, 63))
        .AddAttribute("Key",
                      "Key that " + messages +
                          " are signed with, 16 to 64 octets in hexadecimal digits, and before "
                          "them its number and a colon unless it is 0, as in 7:0001... Empty to "
                          "sign nothing.",
                      StringValue(""),
                      MakeParsedTextAccessor(settings, &Settings::key),
                      MakeTextChecker(&NotificationKey::Parse));
}

/**
 * @brief Add the attributes of a receiver of messages to those of its class, all but Monitors.
 * @tparam C the class
 * @param tid the TypeId of the class
 * @param port the member that has the port
 * @param settings the member that says what is believed
 * @param messages what is received, in the plural
 * @param defaultPort the UDP port by default
 * @return the TypeId
 */
template <typename C>
TypeId
AddDomainMessageReceiverAttributes(TypeId tid,
                                   uint16_t C::* port,
                                   DomainMessageGuard::Settings C::* settings,
                                   const std::string& messages,
                                   uint16_t defaultPort)
{
    using Settings = DomainMessageGuard::Settings;
    // No time may be longer, so that sums of times stay in range.
    const Time longest = Seconds(1000000);
    return tid
        .AddAttribute("Port",
                      "The UDP port that " + messages + " come to.",
                      UintegerValue(defaultPort),
                      MakeUintegerAccessor(port),
                      MakeUintegerChecker<uint16_t>(1))
        .AddAttribute("Key",
                      "The keys that " + messages +
                          " are authenticated with, separated by commas: hexadecimal digits, and "
                          "before them the number of the key and a colon unless it is 0, as in "
                          "7:0001... Empty for none: then anybody of the domain can send them.",
                      StringValue(""),
                      MakeParsedTextAccessor(settings, &Settings::keys),
                      MakeTextChecker(&NotificationKeys::Parse))
        .AddAttribute("Domain",
                      "Prefixes, as 10.0.0.0/8, separated by commas: " + messages +
                          " come from there and are of devices there. Empty for all addresses.",
                      StringValue(""),
                      MakeParsedTextAccessor(settings, &Settings::domain),
                      MakeTextChecker(&AddressDomain::Parse))
        .AddAttribute("MaxAge",
                      "Age from which on " + messages +
                          " are refused, by the time of what they tell; 0 for never.",
                      TimeValue(Seconds(1)),
                      MakeSettingsAccessor<TimeValue>(settings, &Settings::maxAge),
                      MakeTimeChecker(Time(0), longest))
        .AddAttribute("MaxDevices",
                      "How many devices may send " + messages +
                          " at a time. One is forgotten when MaxAge has passed since its last "
                          "one, and another one needs its room.",
                      UintegerValue(256),
                      MakeSettingsAccessor<UintegerValue>(settings, &Settings::maxDevices),
                      MakeUintegerChecker<uint32_t>(1));
}

} // namespace ns3::aidc

#endif // AIDC_DOMAIN_MESSAGE_ATTRIBUTES_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_DOMAIN_MESSAGE_GUARD_H
#define AIDC_DOMAIN_MESSAGE_GUARD_H

#include "address-domain.h"
#include "domain-message.h"
#include "notification-key.h"
#include "replay-window.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/// Decides for an ingress PE which messages of its domain are to be believed: those that come from
/// the domain, are authentic and new, and are for this PE.
class DomainMessageGuard
{
  public:
    /// The reasons for refusing a message.
    enum Refusal
    {
        OFF_DOMAIN,       //!< sender or device is outside the domain
        OTHER_DEVICE,     //!< it is about another device than its sender, which is no monitor
        OTHER_RECEIVER,   //!< it is for another PE
        MALFORMED,        //!< it is no message of the kind that is expected
        UNAUTHENTIC,      //!< its authentication does not match the key
        UNKNOWN_KEY,      //!< it is signed with a key that is unknown or revoked
        EARLY,            //!< its time is in the future
        STALE,            //!< it is too old
        REPLAYED,         //!< its number was received before, or is far behind
        TOO_MANY_DEVICES, //!< there is no room for the numbers of another device
        UNKNOWN_FLOW,     //!< this PE does not send the flow into a tunnel
        TOO_MANY_FLOWS,   //!< there is no room for the state of another flow
        UNKNOWN_LINK      //!< no path of this PE leads over the link
    };

    /// What is believed.
    struct Settings
    {
        NotificationKeys keys;  //!< the keys, if there are any
        AddressDomain domain;   //!< senders and devices
        AddressDomain monitors; //!< senders that may name other devices; all addresses mean none
        int64_t maxAge{0};      //!< the least age of messages that are refused in ns, 0 for never
        uint32_t maxDevices{1}; //!< how many devices may send at a time
    };

    /// Accept messages for an address.
    /// @param ingress an address where tunnels of this PE begin, host byte order
    void AddIngress(uint32_t ingress)
    {
        m_ingresses.push_back(ingress);
    }

    /**
     * @brief Decide on a message, and note its number if it is believed.
     * @param settings what is believed
     * @param message what has been decoded
     * @param bytes its DOMAIN_MESSAGE_SIZE octets
     * @param sender the address that it comes from, which is in the domain, host byte order
     * @param now the time in ns
     * @return the reason if it is refused
     */
    std::optional<Refusal> Check(const Settings& settings,
                                 const DomainMessage& message,
                                 const uint8_t* bytes,
                                 uint32_t sender,
                                 int64_t now);

  private:
    std::vector<uint32_t> m_ingresses; //!< the addresses where tunnels begin
    ReplayWindows m_windows;           //!< the numbers that were received
};

} // namespace ns3::aidc

#endif // AIDC_DOMAIN_MESSAGE_GUARD_H

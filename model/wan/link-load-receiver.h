/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_LINK_LOAD_RECEIVER_H
#define AIDC_LINK_LOAD_RECEIVER_H

#include "../core/wan/address-domain.h"
#include "../core/wan/replay-window.h"

#include "ns3/address.h"
#include "ns3/ipv4-address.h"
#include "ns3/link-load-report.h"
#include "ns3/node.h"
#include "ns3/notification-key.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Receives reports of link loads by UDP, and delivers those that come from the domain, are
 *        authentic and new, and are for this PE. It is the counterpart of LinkLoadReporter.
 *
 * The rules are those of NotificationReceiver, but for monitors: a router reports its own links.
 */
class LinkLoadReceiver
{
  public:
    /// The reasons for refusing a report.
    enum Refusal
    {
        OFF_DOMAIN,       //!< the sender is outside the domain
        MALFORMED,        //!< it is no report
        UNAUTHENTIC,      //!< its authentication does not match the key
        OTHER_DEVICE,     //!< it is about a link of another device than its sender
        OTHER_RECEIVER,   //!< it is for another PE
        EARLY,            //!< its time is in the future
        STALE,            //!< it is too old
        REPLAYED,         //!< its number was received before, or is far behind
        TOO_MANY_DEVICES, //!< there is no room for the numbers of another device
        UNKNOWN_LINK      //!< no path of this PE leads over the link
    };

    /// The number of reasons.
    static constexpr std::size_t N_REFUSALS = UNKNOWN_LINK + 1;

    /// The settings of a receiver.
    struct Settings
    {
        uint16_t port{LINK_LOAD_PORT}; //!< the UDP port
        NotificationKey key;           //!< the key, if there is one
        AddressDomain domain;          //!< senders
        Time maxAge;                   //!< the least age of reports that are refused, 0 for never
        uint32_t maxDevices{1};        //!< how many devices may report
    };

    /// The PE that the reports are for.
    class Listener
    {
      public:
        virtual ~Listener() = default;

        /// React to a verified report.
        /// @param report the report
        /// @param now the time in ns
        /// @return whether the link is known
        virtual bool React(const LinkLoadReport& report, int64_t now) = 0;

        /// A report was accepted or refused, and counted.
        /// @param report the report, as far as it was decoded
        /// @param refusal the reason if it was refused
        /// @param from its sender
        virtual void NotifyVerdict(const LinkLoadReport& report,
                                   std::optional<Refusal> refusal,
                                   const Address& from) = 0;
    };

    /// Constructor.
    /// @param listener the PE
    /// @param settings the settings, which may change at any time; the port is read by Open()
    LinkLoadReceiver(Listener& listener, const Settings& settings);

    /// Start receiving. It is an error if the port is not free.
    /// @param node the PE
    void Open(Ptr<Node> node);

    /// Stop receiving.
    void Close();

    /// Accept reports for an address.
    /// @param ingress an address where tunnels of this PE begin
    void AddIngress(Ipv4Address ingress)
    {
        m_ingresses.push_back(ingress.Get());
    }

    /// Handle a report, as if it had arrived by UDP.
    /// @param bytes the payload of the datagram; may be null if length is 0
    /// @param length its length
    /// @param from its sender
    void Receive(const uint8_t* bytes, std::size_t length, const Address& from);

    /// @return the number of reports that were accepted
    uint64_t GetAccepted() const
    {
        return m_accepted;
    }

    /// @param reason a reason
    /// @return the number of reports that were refused for it
    uint64_t GetRefused(Refusal reason) const
    {
        return m_refused.at(reason);
    }

  private:
    /// Receive the waiting datagrams.
    /// @param socket the socket
    void ReceiveFrom(Ptr<Socket> socket);

    /// Verify a report.
    /// @param bytes the payload of the datagram
    /// @param length its length
    /// @param from its sender
    /// @param now the time in ns
    /// @param [out] report the report
    /// @return the reason if it is refused
    std::optional<Refusal> Check(const uint8_t* bytes,
                                 std::size_t length,
                                 const Address& from,
                                 int64_t now,
                                 LinkLoadReport& report);

    Listener& m_listener;                         //!< the PE
    const Settings& m_settings;                   //!< the settings
    std::vector<uint32_t> m_ingresses;            //!< the addresses where tunnels begin
    ReplayWindows m_windows;                      //!< the numbers that were received
    Ptr<Socket> m_socket;                         //!< the socket
    uint64_t m_accepted{0};                       //!< reports that were accepted
    std::array<uint64_t, N_REFUSALS> m_refused{}; //!< those that were refused, by reason
};

} // namespace ns3::aidc

#endif // AIDC_LINK_LOAD_RECEIVER_H

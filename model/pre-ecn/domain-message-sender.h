/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_DOMAIN_MESSAGE_SENDER_H
#define AIDC_DOMAIN_MESSAGE_SENDER_H

#include "ns3/domain-message.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/notification-key.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"

#include <cstdint>

namespace ns3::aidc
{

/// Signs the messages of a router, and sends them to ingress PEs by UDP. It is the counterpart of
/// DomainMessageReceiver.
class DomainMessageSender
{
  public:
    /// The settings of a sender.
    struct Settings
    {
        Ipv4Address address; //!< the source; 0.0.0.0 for the first that is no loopback address
        uint16_t port{0};    //!< UDP port of the PEs
        uint8_t dscp{0};     //!< DSCP; messages are Not-ECT
        NotificationKey key; //!< the key, if there is one
    };

    /// Constructor.
    /// @param settings the settings, which may change at any time; the address is read by Open()
    explicit DomainMessageSender(const Settings& settings);

    /**
     * @brief Start sending.
     *
     * It is an error if the node has no IPv4 address, or does not have the one that is set.
     *
     * @param node the router
     * @param name the name of the class that sends, for the error
     */
    void Open(Ptr<Node> node, const char* name);

    /// Stop sending.
    void Close();

    /// @return whether messages can be sent
    bool IsOpen() const
    {
        return m_socket != nullptr;
    }

    /// @return the source address of messages; known from Open() on
    Ipv4Address GetAddress() const
    {
        return m_address;
    }

    /// Sign a message and send it to its ingress PE. The sender has to be open. message: takes how
    /// it is authenticated. @return whether there is a route
    template <typename Message>
    bool Send(Message& message)
    {
        m_settings.key.Label(message);
        return Send(EncodeDomainMessage(message), Ipv4Address(message.ingress));
    }

  private:
    /// Sign and send a message that has been written. ingress: the PE. @return whether there is a
    /// route
    bool Send(DomainMessageBytes bytes, Ipv4Address ingress);

    /// Send a datagram to an address of this node.
    void SendToItself(const Ptr<Packet>& packet, Ipv4Address ingress);

    const Settings& m_settings; //!< the settings
    Ipv4Address m_address;      //!< the source address
    Ptr<Ipv4> m_ipv4;           //!< the stack of the node
    Ptr<Socket> m_socket;       //!< sends messages
};

} // namespace ns3::aidc

#endif // AIDC_DOMAIN_MESSAGE_SENDER_H

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_DOMAIN_MESSAGE_SOCKET_H
#define AIDC_DOMAIN_MESSAGE_SOCKET_H

#include "../attribute-accessors.h"
#include "../core/pre-ecn/domain-message-guard.h"

#include "ns3/address.h"
#include "ns3/domain-message.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/notification-key.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/traced-callback.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace ns3::aidc
{

/// Find the source address of a node's own packets.
/// @return its first IPv4 address that is not a loopback address; 0.0.0.0 if there is none
Ipv4Address FindOwnAddress(Ptr<Node> node);

/// Signs the messages of a router, and sends them to ingress PEs by UDP. It is the counterpart of
/// DomainMessageReceiver. Classes that send derive from it.
class DomainMessageSender
{
  protected:
    /// The settings of a sender.
    struct Settings
    {
        Ipv4Address address; //!< the source; 0.0.0.0 for the first that is no loopback address
        uint16_t port{0};    //!< UDP port of the PEs
        uint8_t dscp{0};     //!< DSCP; messages are Not-ECT
        NotificationKey key; //!< the key, if there is one
    };

    /// Add the attributes of a sender to its class C. messages: the name of the messages, in the
    /// plural; defaultPort: the UDP port by default. @return the TypeId
    template <typename C>
    static TypeId AddAttributes(TypeId tid, const std::string& messages, uint16_t defaultPort);

    /// Start sending.
    ///
    /// It is an error if the node has no IPv4 address, or does not have the one that is set.
    /// @param node the router
    /// @param name the name of the class that sends, for the error
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

    /// Sign a message and send it to its ingress PE. The sender has to be open. message: gets its
    /// kind of authentication. @return whether there is a route
    template <typename Message>
    bool Send(Message& message)
    {
        m_settings.key.Label(message);
        return Send(EncodeDomainMessage(message), Ipv4Address(message.ingress));
    }

  private:
    /// Sign a message, and send it to the PE. @return whether there is a route
    bool Send(DomainMessageBytes bytes, Ipv4Address ingress);

    /// Send a datagram to an address of this node.
    void SendToItself(const Ptr<Packet>& packet, Ipv4Address ingress);

    Settings m_settings;   //!< the settings; the address is read by Open()
    Ipv4Address m_address; //!< the source address
    Ptr<Ipv4> m_ipv4;      //!< the stack of the node
    Ptr<Socket> m_socket;  //!< sends messages
};

/// The counters of received messages. Each message is accepted or counted as one of the refusals.
struct DomainMessageReceiverStatistics
{
    uint64_t accepted{0};       //!< messages that were accepted
    uint64_t rates{0};          //!< of these, notifications of a rate only
    uint64_t light{0};          //!< of these, notifications of light congestion
    uint64_t severe{0};         //!< of these, notifications of severe congestion
    uint64_t offDomain{0};      //!< refused: not from the domain
    uint64_t otherDevice{0};    //!< refused: about another device than its sender
    uint64_t otherReceiver{0};  //!< refused: for another PE
    uint64_t malformed{0};      //!< refused: not a message of the kind that is expected
    uint64_t unauthentic{0};    //!< refused: its authentication does not match the key
    uint64_t unknownKey{0};     //!< refused: signed with a key that is unknown or revoked
    uint64_t early{0};          //!< refused: of a future time
    uint64_t stale{0};          //!< refused: too old
    uint64_t replayed{0};       //!< refused: a number received before, or far behind
    uint64_t tooManyDevices{0}; //!< refused: no room for the numbers of another device
    uint64_t unknownFlow{0};    //!< refused: a flow that this PE does not send into a tunnel
    uint64_t tooManyFlows{0};   //!< refused: no room for the state of another flow
    uint64_t unknownLink{0};    //!< refused: a link that no path of this PE leads over
};

/// Receives messages with one kind of record by UDP, and delivers those that DomainMessageGuard
/// believes. It is the counterpart of DomainMessageSender. The PE derives from it.
class DomainMessageReceiver
{
  public:
    using Refusal = DomainMessageGuard::Refusal;   //!< the reasons for refusing a message
    using Settings = DomainMessageGuard::Settings; //!< the settings

    /// Accept messages for an address. @param ingress an address where tunnels of this PE begin
    void AddIngress(Ipv4Address ingress)
    {
        m_guard.AddIngress(ingress.Get());
    }

    /// Handle a message, as if it had arrived by UDP. bytes: the payload of the datagram; may be
    /// null if length is 0; from: its sender.
    void Receive(const uint8_t* bytes, std::size_t length, const Address& from);

    /// @return the statistics
    const DomainMessageReceiverStatistics& GetStatistics() const
    {
        return m_counts;
    }

  protected:
    /// Constructor. record: the record of the messages that are received.
    explicit DomainMessageReceiver(DomainMessageRecord record);

    ~DomainMessageReceiver() = default;

    /// Add the attributes of a receiver to its class C, all but Monitors. messages: the name of the
    /// messages, in the plural; defaultPort: the UDP port by default. @return the TypeId
    template <typename C>
    static TypeId AddAttributes(TypeId tid, const std::string& messages, uint16_t defaultPort);

    /// Start receiving. It is an error if the port is not free. node: the PE.
    void Open(Ptr<Node> node);

    /// Stop receiving.
    void Close();

    Settings m_messageSettings;                             //!< which messages are believed
    TracedCallback<Refusal, const Address&> m_refusedTrace; //!< refused messages, and their senders

  private:
    /// React to a verified message, which has the record. now: the time in ns. @return the reason
    /// if it cannot be accepted
    virtual std::optional<Refusal> React(const AnyDomainMessage& message, int64_t now) = 0;

    /// A message was accepted, and counted.
    virtual void NotifyAccepted(const AnyDomainMessage& message) = 0;

    void ReceiveFrom(Ptr<Socket> socket);

    /// Verify a message. now: the time in ns. @return the reason if it is refused
    std::optional<Refusal> Check(const uint8_t* bytes,
                                 std::size_t length,
                                 const Address& from,
                                 int64_t now,
                                 AnyDomainMessage& message);

    void CountAccepted(const AnyDomainMessage& message);

    DomainMessageRecord m_record;             //!< the record of the messages
    uint16_t m_port{0};                       //!< the UDP port
    DomainMessageGuard m_guard;               //!< decides what is believed
    Ptr<Socket> m_socket;                     //!< the socket
    DomainMessageReceiverStatistics m_counts; //!< the statistics
};

template <typename C>
TypeId
DomainMessageSender::AddAttributes(TypeId tid, const std::string& messages, uint16_t defaultPort)
{
    constexpr Settings C::* settings = &DomainMessageSender::m_settings;
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

template <typename C>
TypeId
DomainMessageReceiver::AddAttributes(TypeId tid, const std::string& messages, uint16_t defaultPort)
{
    constexpr Settings C::* settings = &DomainMessageReceiver::m_messageSettings;
    constexpr uint16_t C::* port = &DomainMessageReceiver::m_port;
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

#endif // AIDC_DOMAIN_MESSAGE_SOCKET_H

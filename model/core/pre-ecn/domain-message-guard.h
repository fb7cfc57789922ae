// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_DOMAIN_MESSAGE_GUARD_H
#define AIDC_DOMAIN_MESSAGE_GUARD_H

#include "domain-message.h"
#include "notification-key.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// The addresses of a domain, as a list of IPv4 prefixes.
class AddressDomain
{
  public:
    /// All addresses.
    AddressDomain() = default;

    /// Read a domain.
    /// @param text prefixes as "10.0.0.0/8", separated by commas; empty for all addresses
    /// @return the domain
    /// @throws std::invalid_argument if the text is something else, or if a prefix has bits set
    ///        after its length
    static AddressDomain Parse(const std::string& text);

    /// Print the domain. @return a text that Parse() reads back
    std::string Print() const;

    /// @return whether no prefix was given, so that all addresses are in the domain
    bool IsAll() const
    {
        return m_prefixes.empty();
    }

    /// Tell whether an address is in the domain. @param address the address, host byte order
    bool Contains(uint32_t address) const;

  private:
    /// A prefix.
    struct Prefix
    {
        uint32_t address; //!< its address
        uint32_t length;  //!< its length, from 0 to 32
    };

    std::vector<Prefix> m_prefixes; //!< the prefixes, none for all addresses
};

/// Tells which sequence numbers of one sender were received before.
///
/// The window slides with the largest number received, as in IPsec (RFC 4303, section 3.4.3). Its
/// bits are a ring of words, so that nothing is shifted (RFC 6479).
///
/// Without authentication, a number may come from anybody. Then a number below the window begins a
/// new window; otherwise anybody could lock out the sender by one large number. In this mode, only
/// recent numbers are recognized.
class ReplayWindow
{
  public:
    /// The size of the window: how far below the largest number a late one may be.
    static constexpr uint64_t WIDTH = 960;

    /// Note a number. isAuthentic: whether it is known to come from the sender.
    /// @return whether it is new: not taken before, and not below the window if it is authentic
    bool Accept(uint64_t sequence, bool isAuthentic = true);

  private:
    /// Bits of a word.
    static constexpr uint64_t WORD = 64;
    /// Words of the ring: one more than the window has, as its ends lie in the middle of words.
    static constexpr std::size_t WORDS = WIDTH / WORD + 1;

    std::array<uint64_t, WORDS> m_seen{}; //!< a bit a number
    uint64_t m_largest{0};                //!< the largest number, if there is one
    bool m_isEmpty{true};                 //!< whether there was no number
};

/// The replay windows of many senders, up to a limit.
///
/// A sender is forgotten only when all of its packets so far are too old to be accepted. So nobody
/// can replay them: they are refused by their age.
class ReplayWindows
{
  public:
    /// The decision on a packet.
    enum class Verdict : uint8_t
    {
        FRESH,    //!< it is new
        REPLAYED, //!< it was received before, or is too late to tell
        NO_ROOM   //!< its sender is new, and there is no room for another one
    };

    /// Limit the windows. maxSenders: the most senders, at least 1; known senders stay; maxAge: the
    /// age at which the caller refuses packets, in ns; 0 for never.
    void SetLimits(std::size_t maxSenders, int64_t maxAge);

    /// Note a packet that is not too old. time: when it was sent, in ns; now: the time in
    /// ns; isAuthentic: whether it is known to come from its sender. @return the decision
    Verdict Accept(uint32_t sender,
                   uint64_t sequence,
                   int64_t time,
                   int64_t now,
                   bool isAuthentic = true);

  private:
    /// A sender.
    struct Sender
    {
        ReplayWindow window; //!< its numbers
        int64_t newest{0};   //!< when the newest of its packets was sent, ns
    };

    std::map<uint32_t, Sender> m_senders; //!< the senders
    std::size_t m_maxSenders{256};        //!< the most
    int64_t m_maxAge{0};                  //!< the age at which packets are refused, ns
};

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

    /// The settings.
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

    /// Decide on a message, and note its number if it is believed.
    /// @param settings the settings
    /// @param message what has been decoded
    /// @param bytes its DOMAIN_MESSAGE_SIZE octets
    /// @param sender the address that it comes from, which is in the domain, host byte order
    /// @param now the time in ns
    /// @return the reason if it is refused
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

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_REPLAY_WINDOW_H
#define AIDC_REPLAY_WINDOW_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

namespace ns3::aidc
{

/**
 * @brief Tells which sequence numbers of one sender were received before.
 *
 * The window slides with the largest number received, as in IPsec (RFC 4303, section 3.4.3). Its
 * bits are a ring of words, so that nothing is shifted (RFC 6479).
 *
 * Without authentication, a number may come from anybody. Then a number below the window begins a
 * new window; otherwise anybody could lock out the sender by one large number. In this mode, only
 * recent numbers are recognized.
 */
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

/**
 * @brief The replay windows of many senders, up to a limit.
 *
 * A sender is forgotten only when all of its packets so far are too old to be accepted. So nobody
 * can replay them: they are refused by their age.
 */
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

} // namespace ns3::aidc

#endif // AIDC_REPLAY_WINDOW_H

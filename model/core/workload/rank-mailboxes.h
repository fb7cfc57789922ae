/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_RANK_MAILBOXES_H
#define AIDC_RANK_MAILBOXES_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ns3::aidc
{

/**
 * @brief Matches the messages that arrive at a rank with the operations that wait for them.
 *
 * There is a mailbox for each peer and tag. It holds, in order, either messages that nobody waits
 * for yet or operations that wait. An empty mailbox is removed.
 */
class RankMailboxes
{
  public:
    /// A message, or who waits for one.
    struct Item
    {
        uint64_t bytes;     //!< the size
        uint32_t operation; //!< who waits
        uint32_t lane;      //!< the lane
    };

    /// peer: the rank that sends. @return the key of their mailbox
    static uint64_t GetKey(uint32_t peer, uint32_t tag)
    {
        return uint64_t{peer} << 32 | tag;
    }

    /// Take a message that arrives.
    /// @param peer the rank that has sent it
    /// @param tag its tag
    /// @param bytes its size
    /// @return who has waited for it; nobody if it is kept
    /// @throws std::runtime_error if another size was expected
    std::optional<Item> Receive(uint32_t peer, uint32_t tag, uint64_t bytes);

    /// Take a message that has arrived, or wait for one.
    /// @param peer the rank that sends
    /// @param tag the tag
    /// @param item who wants it, and its size
    /// @return whether it has arrived
    /// @throws std::runtime_error if it has another size
    bool Await(uint32_t peer, uint32_t tag, const Item& item);

  private:
    /// Messages that have arrived from a rank with a tag, or operations that wait for them.
    struct Mailbox
    {
        std::vector<Item> items; //!< from the first one on, in order
        std::size_t first{0};    //!< the first one
        bool hasArrived{false};  //!< whether these are messages
    };

    /// Match an item with the first one of the other sort in its mailbox, or keep it there.
    /// @return the other one, if there is one
    std::optional<Item> Match(uint32_t peer, uint32_t tag, const Item& item, bool hasArrived);

    std::unordered_map<uint64_t, Mailbox> m_mailboxes; //!< by key
};

} // namespace ns3::aidc

#endif // AIDC_RANK_MAILBOXES_H

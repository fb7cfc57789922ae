// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_RANK_EXECUTION_H
#define AIDC_RANK_EXECUTION_H

#include "rank-program.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// Matches the messages that arrive at a rank with the operations that wait for them.
///
/// There is a mailbox for each peer and tag. It holds, in order, either messages that nobody waits
/// for yet or operations that wait. An empty mailbox is removed.
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

    /// Match a message that has arrived, or an operation that waits for one, with the first one of
    /// the other sort in their mailbox, or keep it there.
    /// @param peer the rank that sends
    /// @param tag the tag
    /// @param item the message, or who waits
    /// @param hasArrived whether it is a message
    /// @return the other one, if there is one
    /// @throws std::runtime_error if their sizes differ
    std::optional<Item> Match(uint32_t peer, uint32_t tag, const Item& item, bool hasArrived)
    {
        const auto found = m_mailboxes.try_emplace(GetKey(peer, tag)).first;
        Mailbox& mailbox = found->second;
        if (mailbox.items.empty() || mailbox.hasArrived == hasArrived)
        {
            mailbox.hasArrived = hasArrived;
            mailbox.items.push_back(item);
            return std::nullopt;
        }
        const Item other = mailbox.items[mailbox.first++];
        if (mailbox.first == mailbox.items.size())
        {
            m_mailboxes.erase(found);
        }
        const uint64_t expected = (hasArrived ? other : item).bytes;
        const uint64_t arrived = (hasArrived ? item : other).bytes;
        if (expected != arrived)
        {
            throw std::runtime_error("expected a message of " + std::to_string(expected) +
                                     " bytes from rank " + std::to_string(peer) + " with tag " +
                                     std::to_string(tag) + ", found " + std::to_string(arrived) +
                                     " bytes");
        }
        return other;
    }

  private:
    /// Messages that have arrived from a rank with a tag, or operations that wait for them.
    struct Mailbox
    {
        std::vector<Item> items; //!< from the first one on, in order
        std::size_t first{0};    //!< the first one
        bool hasArrived{false};  //!< whether these are messages
    };

    std::unordered_map<uint64_t, Mailbox> m_mailboxes; //!< by key
};

/// What an execution has to tell.
enum class RankEventKind : uint8_t
{
    STARTED, //!< an operation has started
    ENDED,   //!< an operation has ended
    COMPUTE, //!< compute (or launch a collective) for a time, and then call EndCompute()
    SEND     //!< send a message, and call EndSend() when it is acknowledged
};

/// Something that has happened in an execution, or is to be done for it.
struct RankEvent
{
    RankEventKind kind{RankEventKind::STARTED}; //!< what it is
    uint32_t operation{0};                      //!< the operation
    uint32_t lane{0};                           //!< of a message: the lane of the collective
    uint32_t peer{0};                           //!< of a message: the rank to send to
    uint32_t tag{0};                            //!< of a message: its tag
    uint64_t amount{0};                         //!< nanoseconds to compute, or bytes to send
    uint64_t post{0};    //!< of a message: nanoseconds of the host, one message after another
    uint64_t delay{0};   //!< of a message: nanoseconds from then until it leaves
    uint64_t egress{0};  //!< of a message that a scale-up switch adds up or copies: its share of
                         //!< the bytes that the egress port carries; 0 for all of the message
    uint64_t ingress{0}; //!< the same of the ingress port
};

/// The slots for messages of a collective that are under way from one member.
///
/// Each stream (channel, or tree of a channel) to each peer has some slots. A message takes one
/// until it is acknowledged; while there is none, messages wait in their order.
class SendSlots
{
  public:
    /// @param n slots of a stream to a peer; 0 if there is no limit
    explicit SendSlots(uint32_t n = 0)
        : m_n(n)
    {
    }

    /// Take a slot for a message, or keep the message until there is one. @return whether it has a
    /// slot
    bool Take(uint32_t stream, const RankEvent& message)
    {
        if (m_n == 0)
        {
            return true;
        }
        Way& way = m_ways[{stream, message.peer}];
        if (way.nTaken == m_n)
        {
            way.waiting.push_back(message);
            return false;
        }
        ++way.nTaken;
        return true;
    }

    /// Give back the slot of a message that has been acknowledged. next: the message that has the
    /// slot now. @return whether there is such a message
    bool Give(uint32_t stream, uint32_t peer, RankEvent& next)
    {
        if (m_n == 0)
        {
            return false;
        }
        Way& way = m_ways.at({stream, peer});
        if (way.waiting.empty())
        {
            --way.nTaken;
            return false;
        }
        next = way.waiting.front();
        way.waiting.pop_front();
        return true;
    }

  private:
    /// The messages of a stream to a peer.
    struct Way
    {
        uint32_t nTaken{0};            //!< slots that are taken
        std::deque<RankEvent> waiting; //!< messages that have none
    };

    uint32_t m_n;                                        //!< slots; 0 if there is no limit
    std::map<std::pair<uint32_t, uint32_t>, Way> m_ways; //!< by stream and peer
};

/// Executes the program of a rank: knows what may start, and matches messages.
///
/// It knows neither time nor network: the caller tells it what has ended or arrived, and asks it
/// what to do next. An operation starts when all operations that it waits for have ended.
/// Computations of a unit start in the order in which they become ready. Operations that send to
/// the same rank with the same tag also start in their order, and so do operations that receive, so
/// that it is certain which message meets which operation. Messages that nobody waits for yet are
/// kept.
///
/// Memory grows with the operations of the program, and with the lanes of collectives and the
/// messages that are under way.
class RankExecution
{
  public:
    /// @param program the program, which outlives the execution
    explicit RankExecution(const RankProgram& program);

    /// Tells of an operation that starts, a collective or a message to send, whether it is left to
    /// somebody else, who calls EndLeft().
    using Leave = std::function<bool(uint32_t operation)>;

    /// Set what leaves operations to others, before Start().
    void SetLeave(Leave leave)
    {
        m_leave = std::move(leave);
    }

    /// Start the operations that wait for nothing.
    void Start();

    /// Take the next thing that has happened or is to be done, in order. @return whether there is
    /// one
    bool Take(RankEvent& event);

    /// A computation has ended, or a collective has been launched.
    void EndCompute(uint32_t operation);

    /// An operation that was left to somebody else has ended.
    void EndLeft(uint32_t operation)
    {
        End(operation);
        StartReady();
    }

    /// A message of an operation has been acknowledged. lane, peer: as in the event.
    void EndSend(uint32_t operation, uint32_t lane, uint32_t peer);

    /// Note that a message has arrived. peer: the rank that has sent it; bytes: its bytes.
    /// @throws std::runtime_error if the operation that waits for it expects another size
    void Receive(uint32_t peer, uint64_t bytes, uint32_t tag);

    /// @return whether all operations have ended
    bool IsDone() const
    {
        return m_nLeft == 0;
    }

  private:
    /// A lane of a collective.
    struct Lane
    {
        uint32_t step{0};          //!< the step it is in
        bool awaitsMessage{false}; //!< whether the step waits for a message
        bool awaitsSend{false};    //!< whether the step waits for an acknowledgment
        bool awaitsLane{false};    //!< whether the step waits for the lane of the chunk before
    };

    /// A collective that is under way.
    struct Collective
    {
        std::vector<Lane> lanes; //!< the lanes
        uint32_t nLanesLeft{0};  //!< how many have steps left
        uint64_t nSendsLeft{0};  //!< messages that are not acknowledged
        SendSlots slots;         //!< for messages under way
    };

    /// A unit that computes.
    struct Unit
    {
        bool isBusy{false};           //!< whether it computes
        std::deque<uint32_t> waiting; //!< the operations that may start
    };

    /// Start operations that may start, until there are none.
    void StartReady();

    void StartOperation(uint32_t operation);

    /// A collective has been launched.
    void StartLanes(uint32_t operation);

    /// Start computing, if the unit is idle and there is something to compute.
    void StartCompute(Unit& unit);

    /// Go through a lane that waits for nothing, as far as possible, and the lanes behind it.
    void RunLane(uint32_t operation, Collective& collective, uint32_t lane);

    /// Go through the steps of a lane that waits for nothing, as far as possible.
    void AdvanceLane(uint32_t operation, Collective& collective, uint32_t lane);

    /// @return whether there is nothing to wait for in it
    bool EnterStep(uint32_t operation, Collective& collective, uint32_t lane);

    /// End a collective if nothing of it is left. collective: the collective, which is gone then.
    void EndIfComplete(uint32_t operation, const Collective& collective);

    void End(uint32_t operation);

    void Release(uint32_t operation);

    const RankProgram& m_program;      //!< the program
    Leave m_leave;                     //!< what leaves operations to others; or null
    std::vector<uint32_t> m_nWaitsFor; //!< by operation, how many it waits for
    std::vector<uint32_t> m_nextEnd;   //!< by operation, where m_next ends for it
    std::vector<uint32_t> m_next;      //!< who waits for each operation
    std::vector<uint32_t> m_nextSame;  //!< by operation, with the same peer and tag
    std::deque<uint32_t> m_ready;      //!< operations that may start
    std::deque<RankEvent> m_events;    //!< what has to be told
    std::map<uint32_t, Unit> m_units;  //!< units that compute
    std::unordered_map<uint32_t, Collective> m_collectives; //!< by operation, while under way
    RankMailboxes m_mailboxes;                              //!< messages, and who waits for them
    uint32_t m_nLeft;                                       //!< operations that have not ended
};

} // namespace ns3::aidc

#endif // AIDC_RANK_EXECUTION_H

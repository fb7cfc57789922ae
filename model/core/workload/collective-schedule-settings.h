// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_COLLECTIVE_SCHEDULE_SETTINGS_H
#define AIDC_COLLECTIVE_SCHEDULE_SETTINGS_H

#include "../multiply-divide.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// What a collective operation does with the members' data.
enum class CollectiveKind : uint8_t
{
    ALL_REDUCE,     //!< each member gets the sum of all members' buffers
    ALL_GATHER,     //!< each member gets all members' blocks
    REDUCE_SCATTER, //!< each member gets a block of the sum of all members' buffers
    ALL_TO_ALL,     //!< each member gets a block of each member
    BROADCAST       //!< each member gets the root's buffer
};

/// In which steps a collective operation is done.
enum class CollectiveAlgorithm : uint8_t
{
    RING,               //!< each member sends to the next one only
    HALVING_DOUBLING,   //!< pairs of members, at distances that halve and then double
    RECURSIVE_DOUBLING, //!< pairs of members that exchange all they have
    PAIRWISE,           //!< each member sends to each other one, a different one in each step
    BINOMIAL_TREE,      //!< in each step, all members that have the data send it
    CHAIN,              //!< the data goes from member to member
    DOUBLE_TREE,        //!< half of the data goes up and down each of two binary trees
    HIERARCHICAL,       //!< in each server, then along the rails, then in each server
    DIRECT,             //!< each member sends to all others at once
    /// The scale-up switch of each server adds up what its members have, and copies the result to
    /// them; between servers, as DOUBLE_TREE. NCCL's NVLS and NVLSTree.
    NVLS
};

/// @return the name of the kind, such as "all-reduce"
const char* GetCollectiveName(CollectiveKind kind);

/// @return the name of the algorithm, such as "halving-doubling"
const char* GetCollectiveAlgorithmName(CollectiveAlgorithm algorithm);

/// @return whether there is one
bool ParseCollectiveKind(const std::string& name, CollectiveKind& kind);

/// @return whether there is one
bool ParseCollectiveAlgorithm(const std::string& name, CollectiveAlgorithm& algorithm);

/// @return the algorithms that can do it, the default one first
const std::vector<CollectiveAlgorithm>& GetCollectiveAlgorithms(CollectiveKind kind);

/// The bandwidth of a collective, as NCCL's tests define it (PERFORMANCE.md of nccl-tests).
///
/// The bus bandwidth does not depend on the number of members: if all members send at the rate of
/// their links, it is this rate, for any collective and any number of members.
struct CollectiveBandwidth
{
    double algorithm{0}; //!< size over time, in bytes a second
    double bus{0};       //!< the same, times GetBusFactor()
};

/// Get the factor between bus and algorithm bandwidth among n members, at least 1.
/// @return 2 (n - 1) / n for all-reduce; (n - 1) / n for all-gather, reduce-scatter and all-to-all;
///         1 for a broadcast
double GetBusFactor(CollectiveKind kind, uint32_t nMembers);

/// @return the bandwidth of a collective. nMembers: at least 1; bytes: the size, as in
/// CollectiveSchedule; with unequal sizes of an all-to-all, CollectiveSizes::GetBytes(); seconds:
/// the time that it took, above 0.
CollectiveBandwidth GetCollectiveBandwidth(CollectiveKind kind,
                                           uint32_t nMembers,
                                           uint64_t bytes,
                                           double seconds);

/// What a collective costs in addition to its bytes: times of the GPUs' programs, and bytes that a
/// protocol adds. By default, it costs nothing.
///
/// Messages between members of one server, and between members of different servers, have costs of
/// their own (CollectiveScheduleSettings::nPerServer).
struct CollectiveCosts
{
    /// What each message costs.
    struct Message
    {
        uint64_t latency{0};   //!< from when its step begins until it leaves, ns
        uint32_t wireBytes{1}; //!< bytes on the wire for dataBytes, at least as many
        uint32_t dataBytes{1}; //!< bytes of data that they carry, above 0
        uint32_t rate{0}; //!< at which a channel of the GPU moves its data, byte/us; 0: at once

        /// @return from when the step of some bytes of data begins until they leave, ns: the
        ///         latency, and the time for the GPU to move them
        uint64_t GetDelay(uint64_t bytes) const
        {
            return latency + (rate > 0 ? MultiplyDivide(bytes, 1000, rate) : 0);
        }

        /// @return the bytes on the wire of some bytes of data, rounded up
        uint64_t GetBytes(uint64_t bytes) const
        {
            return wireBytes == dataBytes ? bytes : MultiplyDivideUp(bytes, wireBytes, dataBytes);
        }
    };

    uint64_t launch{0}; //!< from when it starts at a member until its first steps begin there, ns
    /// How long the member's host is busy with each message to another server, one after another,
    /// before the message's latency begins, ns.
    uint64_t post{0};
    Message inside;  //!< between members of one server
    Message between; //!< between members of different servers
};

/// A part of a member's buffer.
struct CollectivePart
{
    uint64_t offset{0}; //!< where it begins
    uint64_t bytes{0};  //!< its bytes

    /// Divide this into n equal parts, at least 1, and get consecutive ones of them. Sizes differ
    /// by at most one byte, larger parts first. first: the first part to get, below n.
    /// @return these parts as one
    CollectivePart Divide(uint32_t n, uint32_t first, uint32_t count = 1) const
    {
        const uint64_t size = bytes / n;
        const uint64_t larger = bytes % n;
        const auto begin = [size, larger](uint64_t part) {
            return part * size + std::min(part, larger);
        };
        return {offset + begin(first), begin(uint64_t{first} + count) - begin(first)};
    }
};

/// What the scale-up switch of a server does with a message.
enum class SwitchWork : uint8_t
{
    FORWARD, //!< forwards it
    REDUCE,  //!< adds it to the messages of all other members of the server to this one
    COPY     //!< copies it to all other members, to each of which it is a message of its own here
};

/// What a member does in a step: it sends a part of its buffer, receives one, or both.
struct CollectiveStep
{
    /// No member.
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();

    uint32_t sendTo{NONE};      //!< the member to send to
    uint32_t receiveFrom{NONE}; //!< the member to receive from
    uint64_t sendOffset{0};     //!< where the bytes sent begin in the buffer (the one to send from)
    uint64_t sendBytes{0};      //!< bytes sent
    uint64_t receiveOffset{0};  //!< where the bytes received begin in the buffer
    uint64_t receiveBytes{0};   //!< bytes received
    bool reduces{false}; //!< whether bytes received are added to those there, or replace them
    SwitchWork work{SwitchWork::FORWARD}; //!< what the switch of a server does with what is sent
    bool waitsForSend{false}; //!< whether the next step waits until the message is acknowledged
    /// It begins when the same lane of the chunk before, at the same member, has ended this many
    /// steps.
    uint32_t stepsBefore{0};

    /// Fill in what is sent. to: the member to send to.
    void Send(uint32_t to, const CollectivePart& part)
    {
        sendTo = to;
        sendOffset = part.offset;
        sendBytes = part.bytes;
    }

    /// Fill in what is received. from: the member to receive from; isReduced: whether it is added
    /// to what is there.
    void Receive(uint32_t from, const CollectivePart& part, bool isReduced)
    {
        receiveFrom = from;
        receiveOffset = part.offset;
        receiveBytes = part.bytes;
        reduces = isReduced;
    }
};

/// How many bytes each member sends to each member in an all-to-all of unequal sizes, as in
/// MPI's Alltoallv.
///
/// A member's blocks stand one after another: blocks to send in the order of the members that get
/// them, and received blocks in the order of the members that have sent them. What a member has for
/// itself is in both buffers, but is not sent.
class CollectiveSizes
{
  public:
    /// The greatest number of members; the sizes of so many take 256 MiB.
    static constexpr uint32_t MAX_MEMBERS = 4096;

    /// @param rows by sender, the bytes for each receiver: as many as there are senders, at most
    ///        2^60 in each row and in each column
    /// @throws std::invalid_argument if there are too many members or bytes, or a row has another
    ///         length
    explicit CollectiveSizes(const std::vector<std::vector<uint64_t>>& rows);

    /// @return the number of members
    uint32_t GetNMembers() const
    {
        return m_n;
    }

    /// from: the member that sends; to: the member that receives. @return the block in the buffer
    /// of the one that sends
    CollectivePart GetSent(uint32_t from, uint32_t to) const
    {
        return Get(m_sent, from, to);
    }

    /// from: the member that sends; to: the member that receives. @return the block in the buffer
    /// of the one that receives
    CollectivePart GetReceived(uint32_t from, uint32_t to) const
    {
        return Get(m_received, to, from);
    }

    /// @return the sizes of the way back: each member sends what it has got
    CollectiveSizes GetTransposed() const
    {
        CollectiveSizes result = *this;
        std::swap(result.m_sent, result.m_received);
        return result;
    }

    /// @return the most bytes that a member has to send, or gets, with the bytes for itself: the
    /// size of an all-to-all of unequal sizes in nccl-tests
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

  private:
    CollectivePart Get(const std::vector<uint64_t>& begins, uint32_t buffer, uint32_t block) const
    {
        const std::size_t index = std::size_t{buffer} * (std::size_t{m_n} + 1) + block;
        return {begins[index], begins[index + 1] - begins[index]};
    }

    uint32_t m_n;                     //!< the number of members
    uint64_t m_bytes{0};              //!< the most of a member
    std::vector<uint64_t> m_sent;     //!< by sender, where blocks begin, and the last one's end
    std::vector<uint64_t> m_received; //!< the same by receiver
};

/// Make the sizes of a mixture of experts with one expert that gets more tokens than the others.
///
/// Each member has @p bytes to send. The hot member gets @p factor times the n-th part of them, the
/// other ones equal parts of the rest.
/// @param nMembers the number of members n, from 2 to CollectiveSizes::MAX_MEMBERS
/// @param bytes the bytes that each member has to send, with the bytes for itself, at most 2^60 / n
/// @param hot the member that gets the most
/// @param factor its load over the mean, from 1 to n
/// @return the sizes
/// @throws std::invalid_argument if they are out of range
CollectiveSizes MakeSkewedSizes(uint32_t nMembers, uint64_t bytes, uint32_t hot, double factor);

/// What a collective operation is, and how it is done.
///
/// The data is divided into parts: each channel has an equal part (each channel and tree, with the
/// double tree), and chunks divide these parts. Each part has a lane, in which steps follow each
/// other. Lanes are numbered chunk by chunk.
///
/// If servers have several members, consecutive members are in one server: member m is number
/// m mod nPerServer in server m / nPerServer.
struct CollectiveScheduleSettings
{
    /// The greatest number of chunks.
    static constexpr uint32_t MAX_CHUNKS = 4096;
    /// The greatest number of channels, as in NCCL (MAXCHANNELS).
    static constexpr uint32_t MAX_CHANNELS = 64;
    /// The greatest number of lanes.
    static constexpr uint32_t MAX_LANES = 1U << 17;
    /// The greatest number of slots.
    static constexpr uint16_t MAX_SLOTS = MAX_CHUNKS;
    /// The greatest number of bytes.
    static constexpr uint64_t MAX_BYTES = 1ULL << 60;

    CollectiveKind kind{CollectiveKind::ALL_REDUCE};          //!< what is done
    CollectiveAlgorithm algorithm{CollectiveAlgorithm::RING}; //!< in which steps
    /// Messages of a channel, or a tree of one, that a member may have under way to each other
    /// member, as the slots of NCCL's buffers; at most MAX_SLOTS, 0 for all.
    uint16_t nSlots{0};
    uint32_t nMembers{1};   //!< the number of members, at least 1; with one, there are no steps
    uint64_t bytes{0};      //!< the size, at most MAX_BYTES; with sizes, their GetBytes()
    uint32_t nChunks{1};    //!< the number of chunks, from 1 to MAX_CHUNKS
    uint32_t root{0};       //!< the member whose data is broadcast
    uint32_t nPerServer{1}; //!< members of a server; divides nMembers
    uint32_t nChannels{1};  //!< channels of HasChannels(), from 1 to MAX_CHANNELS
    /// The sizes of an all-to-all in which they are not equal.
    std::shared_ptr<const CollectiveSizes> sizes{nullptr};
    CollectiveCosts costs{}; //!< what it costs in addition to its bytes

    /// @throws std::invalid_argument if there is no such collective
    void Check() const;

    /// @return all of its numbers, and where its sizes are: collectives of a kind and an algorithm
    ///         in which these are equal take the same steps
    std::vector<uint64_t> GetNumbers() const;

    /// @return whether its data can go by several channels
    static bool HasChannels(CollectiveAlgorithm algorithm)
    {
        return algorithm == CollectiveAlgorithm::RING || algorithm == CollectiveAlgorithm::CHAIN ||
               algorithm == CollectiveAlgorithm::DOUBLE_TREE ||
               algorithm == CollectiveAlgorithm::NVLS;
    }

    /// @return whether its steps depend on which members are in one server
    static bool KnowsServers(CollectiveAlgorithm algorithm)
    {
        return HasChannels(algorithm) || algorithm == CollectiveAlgorithm::HIERARCHICAL ||
               algorithm == CollectiveAlgorithm::PAIRWISE ||
               algorithm == CollectiveAlgorithm::DIRECT;
    }

    /// @return the number of lanes of a chunk: one for each channel of a ring or chain, for each
    ///         channel and tree of a double tree, for each channel and member of a server with
    ///         NVLS, and for each peer of a direct all-to-all
    uint32_t GetNStreams() const;

    /// @return the number of lanes of all chunks
    uint32_t GetNLanes() const
    {
        return GetNStreams() * nChunks;
    }

    /// @return the number of servers
    uint32_t GetNServers() const
    {
        return nMembers / nPerServer;
    }

    /// @return whether both are in one server
    bool IsInside(uint32_t member, uint32_t other) const
    {
        return member / nPerServer == other / nPerServer;
    }

    /// @return what a message between them costs
    const CollectiveCosts::Message& GetCosts(uint32_t member, uint32_t other) const
    {
        return IsInside(member, other) ? costs.inside : costs.between;
    }

    /// Get the lane's share of some of nBlocks blocks. count: how many; 1 if there are several
    /// lanes and blocks belong to members. @return the part of the buffer
    CollectivePart GetBlocks(uint32_t lane,
                             uint32_t nBlocks,
                             uint32_t first,
                             uint32_t count = 1) const;
};

} // namespace ns3::aidc

#endif // AIDC_COLLECTIVE_SCHEDULE_SETTINGS_H

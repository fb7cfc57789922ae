// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_COLLECTIVE_SCHEDULE_H
#define AIDC_COLLECTIVE_SCHEDULE_H

#include "collective-schedule-settings.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::aidc
{

/// The steps of a collective operation, for each of its members.
///
/// Steps are computed on demand, so that a collective of thousands of members takes no memory. The
/// data is divided into chunks, and among channels (see CollectiveScheduleSettings); each part has
/// a lane, in which steps follow each other, and lanes are independent: while one chunk is on the
/// way, the next one is sent. The next step of a lane begins when the message to receive has
/// arrived and, if waitsForSend, the message sent has been acknowledged, and not before the steps
/// of another lane that it names (stepsBefore). Messages of a lane from a member to another one are
/// received in order.
///
/// With n members and S bytes (S as in NCCL's tests: the buffer of all-reduce and broadcast, all
/// output of all-gather, all input of reduce-scatter, what a member has to send in all-to-all):
///
/// - all-reduce: ring, 2 (n - 1) steps of S / n; halving-doubling, 2 log2 n steps, of S / 2 first
///   and last; recursive doubling, log2 n steps of S; double tree, S / 2 up and down each tree;
///   hierarchical in servers of g members, 2 (g - 1) steps of S / g in the server and 2 (n / g - 1)
///   of S / n along the rail; with one member a server, or one server, it is the ring; NVLS in
///   servers of g members, S / g to and from each head of the server, and as the double tree
///   between the heads.
/// - all-gather and reduce-scatter: ring, n - 1 steps of S / n; halving-doubling, log2 n steps.
/// - all-to-all: direct, n - 1 messages of S / n at once. Pairwise, the same in n - 1 steps; in
///   step k, member i sends to i + k.
/// - broadcast: binomial tree, ceil(log2 n) steps of S; chain, n - 1 steps of S, with m chunks
///   n - 2 + m steps of S / m.
///
/// If n is not a power of two, all-reduce by halving-doubling or recursive doubling is folded: of
/// the first 2 (n - p) members, p being the largest power of two below n, the members of even
/// number send their buffer to the next member, which sends the result back at the end. Members
/// outside the fold could send to members that still receive a whole buffer for it; on one link,
/// the two messages would delay each other. So a member that the fold has not delayed yet waits for
/// a message without bytes from its first partner that the fold has delayed, and then exchanges
/// data with it: this is one more step. All-gather and reduce-scatter by halving-doubling need a
/// power of two, and one chunk.
///
/// Sizes are divided as evenly as possible: parts differ by at most one byte, larger ones first. An
/// empty part is sent as a message without bytes, but not in an all-to-all. Members have the same
/// parts as in MPI: member i has block i after reduce-scatter and before all-gather, and in
/// all-to-all it sends its block j to j.
class CollectiveSchedule
{
  public:
    /// The greatest number of chunks.
    static constexpr uint32_t MAX_CHUNKS = CollectiveScheduleSettings::MAX_CHUNKS;
    /// The greatest number of bytes.
    static constexpr uint64_t MAX_BYTES = CollectiveScheduleSettings::MAX_BYTES;

    /// @throws std::invalid_argument if there is no such collective
    explicit CollectiveSchedule(const CollectiveScheduleSettings& settings);

    /// Make a collective of members that are each in a server of their own, with one channel; the
    /// rest is as in CollectiveScheduleSettings.
    /// @throws std::invalid_argument if there is no such collective
    CollectiveSchedule(CollectiveKind kind,
                       CollectiveAlgorithm algorithm,
                       uint32_t nMembers,
                       uint64_t bytes,
                       uint32_t nChunks = 1,
                       uint32_t root = 0);

    /// @return the number of a member's steps in a lane, which is below GetNLanes()
    uint32_t GetNSteps(uint32_t member, uint32_t lane) const;

    /// @return a member's step in a lane, which is below GetNLanes(); step: below GetNSteps()
    CollectiveStep GetStep(uint32_t member, uint32_t lane, uint32_t step) const;

    /// @return what is done, and how
    const CollectiveScheduleSettings& GetSettings() const
    {
        return *m_settings;
    }

    /// @return what is done
    CollectiveKind GetKind() const
    {
        return m_settings->kind;
    }

    /// @return in which steps it is done
    CollectiveAlgorithm GetAlgorithm() const
    {
        return m_settings->algorithm;
    }

    /// @return the number of members
    uint32_t GetNMembers() const
    {
        return m_settings->nMembers;
    }

    /// @return the size in bytes
    uint64_t GetBytes() const
    {
        return m_settings->bytes;
    }

    /// @return the number of chunks
    uint32_t GetNChunks() const
    {
        return m_settings->nChunks;
    }

    /// @return the number of lanes, each of which needs a tag
    uint32_t GetNLanes() const
    {
        return m_settings->GetNLanes();
    }

    /// @return the number of lanes of a chunk; lanes of another chunk have the same partners
    uint32_t GetNStreams() const
    {
        return m_settings->GetNStreams();
    }

  private:
    /// What is done, and how. Copies of a collective share it, as a plan has one for each part.
    std::shared_ptr<const CollectiveScheduleSettings> m_settings;
};

/// How the collectives of a workload are done whose format does not tell it.
struct CollectiveSettings
{
    CollectiveAlgorithm allReduce{CollectiveAlgorithm::RING};          //!< for all-reduces
    CollectiveAlgorithm allGather{CollectiveAlgorithm::RING};          //!< for all-gathers
    CollectiveAlgorithm reduceScatter{CollectiveAlgorithm::RING};      //!< for reduce-scatters
    CollectiveAlgorithm allToAll{CollectiveAlgorithm::DIRECT};         //!< for all-to-alls
    CollectiveAlgorithm broadcast{CollectiveAlgorithm::BINOMIAL_TREE}; //!< for broadcasts
    uint32_t nChunks{1}; //!< chunks of each collective
    /// Channels of each ring, chain and double tree, from 1 to CollectiveScheduleSettings's
    /// MAX_CHANNELS; 0 for as many as a group of several servers has ranks in each of them, so that
    /// a ring leaves servers by all of their adapters, and otherwise one.
    uint32_t nChannels{1};
    uint32_t nPerServer{1}; //!< how many consecutive ranks are in one server, at least 1

    /// Make a collective of a group. If it has as many ranks, one after another, in each of its
    /// servers, the steps go by servers.
    /// @throws std::invalid_argument if there is no such collective
    CollectiveSchedule MakeSchedule(CollectiveKind kind,
                                    CollectiveAlgorithm algorithm,
                                    const std::vector<uint32_t>& ranks,
                                    uint64_t bytes) const;
};

} // namespace ns3::aidc

#endif // AIDC_COLLECTIVE_SCHEDULE_H

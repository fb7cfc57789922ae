/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_MPI_RANKS_H
#define AIDC_MPI_RANKS_H

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::aidc
{

class RankLines;

/// @ingroup aidc
/// @brief Another rank has failed, which tells the user why.
class OtherRankFailed : public std::runtime_error
{
  public:
    /// Constructor where it is not known which one has failed.
    OtherRankFailed();

    /// @param rank the rank that has failed
    explicit OtherRankFailed(uint32_t rank);
};

/**
 * @ingroup aidc
 * @brief The processes of a parallel simulation, by MPI.
 *
 * A program makes one object before it makes anything else:
 *
 *     int main(int argc, char* argv[])
 *     {
 *         const aidc::MpiRanks ranks(2); // started by mpirun -np 2
 *         aidc::TimeWindowHelper::Enable();
 *         ...
 *
 * Each rank runs the same program, and makes the same network. It simulates its own nodes only: the
 * nodes whose Node::GetSystemId() is its rank. Events without a node are the same at each rank, and
 * run at each rank. What is known of other ranks' nodes is asked for by Gather() and Sum(), which
 * each rank calls at the same point: outside of the simulation, or in the same event without a
 * node. If the ranks call different functions, each of them ends with an error.
 */
class MpiRanks
{
  public:
    /// Constructor; with several ranks MPI is started.
    /// @param n the number of ranks that the user has asked for, at least 1
    /// @throws std::runtime_error if there is no MPI, or the program was not started as that number
    ///         of processes
    explicit MpiRanks(uint32_t n);

    /// Ends MPI, if it was started.
    ~MpiRanks();

    MpiRanks(const MpiRanks&) = delete;
    MpiRanks& operator=(const MpiRanks&) = delete;

    /// Get the ranks of this program. @return the object that exists; one rank if there is none
    static const MpiRanks& Get();

    /// Get the number of ranks. @return the number, 1 for a simulation that is not parallel
    uint32_t GetN() const
    {
        return m_n;
    }

    /// Get the rank of this process. @return the rank, from 0
    uint32_t GetRank() const
    {
        return m_rank;
    }

    /// @return whether this process is rank 0, which prints and writes results
    bool IsFirst() const
    {
        return m_rank == 0;
    }

    /// Exchange bytes; every rank calls it at the same point.
    /// @param text the bytes of this rank, less than 2 GB over all ranks
    /// @return those of all ranks, by rank
    /// @throws OtherRankFailed if a rank has failed
    std::vector<std::string> Gather(const std::string& text) const;

    /// Add up a number over the ranks; every rank calls it at the same point.
    /// @param value the number of this rank
    /// @return the sum, exact for whole numbers up to 2^53
    /// @throws OtherRankFailed if a rank has failed
    double Sum(double value) const;

    /// Who has failed
    enum class Failure
    {
        OF_ALL, //!< all ranks, and this one is the first: it is to tell the user
        FIRST,  //!< some ranks, and this one is the first of them: it is to tell the user
        LATER   //!< another one is to tell the user
    };

    /// Tell the other ranks that this one cannot go on; they stop with OtherRankFailed.
    /// @return who has failed
    /// @throws OtherRankFailed after Abandon()
    Failure Fail() const;

    /// Print what other ranks have told the user (PrintUserLine()) and the first one has not; every
    /// rank calls it at the same point. The destructor does so, too.
    /// @throws OtherRankFailed if a rank has failed
    void PrintLines() const;

    /// Numbers on which ranks agree.
    using Numbers = std::array<uint64_t, 8>;

    /// Find the least value of each number over the ranks; every rank calls it at the same point.
    /// @param numbers the numbers of this rank
    /// @param [in,out] others one more number of this rank, which becomes the least one of the
    /// other
    ///        ranks; null for none
    /// @return the least ones
    /// @throws OtherRankFailed if a rank has failed
    Numbers GetLeast(const Numbers& numbers, uint64_t* others = nullptr) const;

    /// Exchange messages with some ranks, which call it at the same point.
    /// @param partners the other ranks, each of which has this one among its partners
    /// @param sent the message to each rank, by rank; may be empty
    /// @param [out] received the message of each rank, by rank
    void Exchange(const std::vector<uint32_t>& partners,
                  const std::vector<std::vector<uint8_t>>& sent,
                  std::vector<std::vector<uint8_t>>& received) const;

    /// What this rank has exchanged so far.
    struct Counts
    {
        uint64_t agreements{0}; //!< calls of GetLeast(), about one a time window
        uint64_t messages{0};   //!< messages of Exchange() that it has sent, with those of sizes
        uint64_t bytes{0};      //!< bytes of these messages
    };

    /// Get what this rank has exchanged. @return the counts; zeros for one rank
    const Counts& GetCounts() const
    {
        return m_counts;
    }

    /// @return whether simulations may have several ranks: aidc was built with MPI
    static bool IsAvailable();

    /// Stop waiting for other ranks, as one of them has ended: what waits for them now or later
    /// throws OtherRankFailed, and MPI is not ended. Handlers of signals may call it.
    static void Abandon() noexcept;

  private:
    /// What ranks do together.
    enum class Act : uint64_t
    {
        GATHER,
        AGREE
    };

    /// others: as of GetLeast(). @return the least ones of all ranks
    Numbers Meet(Act act, const Numbers& numbers, uint64_t* others = nullptr) const;

    uint32_t m_n;                       //!< the number of ranks
    uint32_t m_rank{0};                 //!< the rank of this process
    const MpiRanks* m_before{nullptr};  //!< what Get() returned before
    int m_nExceptions{0};               //!< how many were under way when it was made
    mutable Counts m_counts;            //!< what has been exchanged
    std::unique_ptr<RankLines> m_lines; //!< what ranks tell the user; null if there is one rank
};

} // namespace ns3::aidc

#endif // AIDC_MPI_RANKS_H

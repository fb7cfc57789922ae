/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_MPI_RANKS_H
#define AIDC_MPI_RANKS_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The processes of a parallel simulation by ns-3's distributed simulator and MPI.
 *
 * A program makes one object before it uses the simulator. It calls Begin() before and End() after
 * each of its simulations. One rank needs no MPI.
 */
class MpiRanks
{
  public:
    /// Constructor; with several ranks MPI is started.
    /// @param n the number of ranks that the user has asked for, at least 1
    /// @throws std::runtime_error if ns-3 has no MPI, or the program was not started with mpirun as
    ///         that number of processes
    explicit MpiRanks(uint32_t n);

    /// Ends MPI, if it was started.
    ~MpiRanks();

    MpiRanks(const MpiRanks&) = delete;
    MpiRanks& operator=(const MpiRanks&) = delete;

    /// Get the number of ranks. @return the number, 1 for a simulation that is not parallel
    uint32_t GetN() const;

    /// Get the rank of this process. @return the rank, from 0
    uint32_t GetRank() const;

    /// @return whether this process is rank 0, which prints and writes results
    bool IsFirst() const;

    /// Make the simulator that is created next a distributed one, if there are several ranks.
    void Begin() const;

    /// Release the distributed simulator, after Simulator::Destroy().
    void End() const;

    /// Exchange texts; every rank calls it at the same point.
    /// @param text the text of this rank
    /// @return the texts of the other ranks, by ascending rank
    std::vector<std::string> GatherOthers(const std::string& text) const;

    /// Add up a number over the ranks; every rank calls it at the same point.
    /// @param value this rank's
    /// @return the sum
    double Sum(double value) const;

  private:
    uint32_t m_n;       //!< the number of ranks
    uint32_t m_rank{0}; //!< the rank of this process
};

} // namespace ns3::aidc

#endif // AIDC_MPI_RANKS_H

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_EXPERIMENT_RANK_OPTIONS_H
#define AIDC_EXPERIMENT_RANK_OPTIONS_H

#include "experiment-parameters.h"

#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"
#include "ns3/workload-leap.h"
#include "ns3/workload-plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// Bring items into a random order (Fisher and Yates).
template <typename T>
void
Shuffle(std::vector<T>& items, UniformRandomVariable& uniform)
{
    for (auto i = static_cast<uint32_t>(items.size()); i > 1; --i)
    {
        std::swap(items[i - 1], items[uniform.GetInteger(0, i - 1)]);
    }
}

/// The option of an experiment that says at which places the ranks of a job are: --placement.
///
/// A place is a host, or a GPU of a server. Packed ranks are at the places of their numbers. A file
/// has a line for each rank, with the number of its place, counted from 0. No place is there twice.
/// Blank lines and lines that begin with # are skipped.
class ExperimentPlacement
{
  public:
    /// @param placement where ranks are if the user does not say: "packed" or "shuffled"
    explicit ExperimentPlacement(const std::string& placement)
        : m_placement(placement)
    {
    }

    /// Let a user set the option; this object outlives the parameters.
    void AddTo(ExperimentParameters& parameters);

    /// Read the file, if the user has named one.
    /// @param nRanks the number of ranks
    /// @param nPlaces the number of places, at least nRanks
    /// @throws AidcInputError that names file and line, if it is no placement
    void Prepare(uint32_t nRanks, uint32_t nPlaces);

    /// Place the ranks.
    /// @param nPlaces the number of places
    /// @param uniform draws the order of shuffled places; it draws as much with each placement, so
    ///        that its later draws are the same
    /// @return the places of ranks, by rank; there may be more
    std::vector<uint32_t> Place(uint32_t nPlaces, const Ptr<UniformRandomVariable>& uniform) const;

  private:
    std::string m_placement;        //!< packed, shuffled, or a file
    std::vector<uint32_t> m_places; //!< what the file says, by rank
};

/// The option of an experiment that makes a rank compute slowly: --slow-rank.
class ExperimentSlowRank
{
  public:
    /// Let a user set the option; this object outlives the parameters.
    void AddTo(ExperimentParameters& parameters);

    /// Read the option.
    /// @param nRanks the number of ranks
    /// @throws std::runtime_error if it is not RANK:FACTOR
    void Prepare(uint32_t nRanks);

    /// Slow the rank down, if there is one.
    void SlowDown(WorkloadPlan& plan) const;

  private:
    std::string m_text; //!< what the user says
    uint32_t m_rank{0}; //!< the rank
    double m_factor{1}; //!< how many times as long its computations take
};

/// The options of an experiment that let its ranks leap over what repeats: --leap and
/// --leap-check.
class ExperimentLeapOptions
{
  public:
    /// Let a user set the options; this object outlives the parameters.
    void AddTo(ExperimentParameters& parameters);

    /// Read the options.
    /// @throws std::runtime_error if --leap is no error
    void Prepare();

    /// @param seed the seed of what is checked
    /// @return how ranks leap; nothing if they do not
    std::optional<LeapSettings> Get(uint64_t seed) const;

  private:
    std::string m_text{"off"}; //!< what the user says
    double m_error{0};         //!< the accepted error; 0 without leaps
    bool m_isChecked{false};   //!< whether leaps are checked
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_RANK_OPTIONS_H

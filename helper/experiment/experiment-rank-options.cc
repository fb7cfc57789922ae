// SPDX-License-Identifier: GPL-2.0-only

#include "experiment-rank-options.h"

#include "experiment-values.h"

#include "ns3/experiment-data-file.h"
#include "ns3/workload-file-reader.h"

#include <numeric>

namespace ns3::aidc
{

void
ExperimentPlacement::AddTo(ExperimentParameters& parameters)
{
    parameters.AddText("placement",
                       "places of the ranks: packed (in order), shuffled, or a file with the place "
                       "of each rank, one per line",
                       m_placement);
}

void
ExperimentPlacement::Prepare(uint32_t nRanks, uint32_t nPlaces)
{
    m_places.clear();
    if (m_placement == "packed" || m_placement == "shuffled")
    {
        return;
    }
    auto stream = WorkloadFileReader::Open(FindDataFile(m_placement));
    WorkloadFileReader reader(stream, m_placement);
    std::vector<bool> isTaken(nPlaces);
    while (m_places.size() < nRanks)
    {
        reader.Require(1, "the place of rank " + std::to_string(m_places.size()));
        const auto place = static_cast<uint32_t>(reader.GetUnsigned(0, 0, nPlaces - 1, "a place"));
        if (isTaken[place])
        {
            reader.Fail("each place once", std::to_string(place));
        }
        isTaken[place] = true;
        m_places.push_back(place);
    }
    if (reader.Next())
    {
        reader.Fail("the end of the file behind the places of " + std::to_string(nRanks) + " ranks",
                    reader.GetText());
    }
}

std::vector<uint32_t>
ExperimentPlacement::Place(uint32_t nPlaces, const Ptr<UniformRandomVariable>& uniform) const
{
    std::vector<uint32_t> packed(nPlaces);
    std::iota(packed.begin(), packed.end(), 0);
    std::vector<uint32_t> shuffled = packed;
    Shuffle(shuffled, *uniform);
    return m_placement == "shuffled" ? shuffled : m_places.empty() ? packed : m_places;
}

void
ExperimentSlowRank::AddTo(ExperimentParameters& parameters)
{
    parameters.AddText("slow-rank",
                       "a slow rank, and how many times longer it computes, such as 3:1.5",
                       m_text,
                       "none");
}

void
ExperimentSlowRank::Prepare(uint32_t nRanks)
{
    if (m_text.empty())
    {
        return;
    }
    const std::size_t colon = m_text.find(':');
    uint64_t rank = 0;
    CheckOption(colon != std::string::npos && ParseUnsigned(m_text.substr(0, colon), rank) &&
                    ParseNumber(m_text.substr(colon + 1), m_factor) && rank < nRanks &&
                    m_factor > 1 && m_factor <= RankProgram::MAX_SLOWDOWN,
                "--slow-rank as a rank below " + std::to_string(nRanks) +
                    ", a colon and a factor above 1, at most 1000, found \"" + m_text + "\"");
    m_rank = static_cast<uint32_t>(rank);
}

void
ExperimentSlowRank::SlowDown(WorkloadPlan& plan) const
{
    if (!m_text.empty())
    {
        plan.GetProgram(m_rank).SlowDown(m_factor);
    }
}

namespace
{

constexpr double DEFAULT_ERROR = 0.01; //!< of --leap alone
constexpr double LEAST_ERROR = 1e-6;   //!< below it, times are rounded
constexpr double GREATEST_ERROR = 0.5; //!< beyond it, nothing is said

} // namespace

void
ExperimentLeapOptions::AddTo(ExperimentParameters& parameters)
{
    parameters.AddWord("leap",
                       "leap over what repeats in the workload: the accepted relative error, such "
                       "as 0.02, or nothing for 0.01; off to execute all",
                       m_text);
    parameters
        .AddFlag("leap-check",
                 "execute a random tenth of what would be leapt, and compare",
                 m_isChecked)
        .UseIf([this] { return m_error > 0; }, "--leap");
}

void
ExperimentLeapOptions::Prepare()
{
    m_error = m_text.empty() ? DEFAULT_ERROR : 0;
    if (m_text.empty() || m_text == "off")
    {
        return;
    }
    CheckOption(ParseNumber(m_text, m_error) && m_error >= LEAST_ERROR && m_error <= GREATEST_ERROR,
                "--leap to be an error from 1e-6 to 0.5, or off, found \"" + m_text + "\"");
}

std::optional<LeapSettings>
ExperimentLeapOptions::Get(uint64_t seed) const
{
    if (m_error == 0)
    {
        return std::nullopt;
    }
    LeapSettings settings;
    settings.error = m_error;
    settings.isChecked = m_isChecked;
    settings.seed = seed;
    return settings;
}

} // namespace ns3::aidc

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-placement.h"

#include "ns3/experiment-data-file.h"
#include "ns3/workload-file-reader.h"

#include <numeric>
#include <utility>

namespace ns3::aidc
{

ExperimentPlacement::ExperimentPlacement(const std::string& placement)
    : m_placement(placement)
{
}

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
    for (uint32_t i = nPlaces; i > 1; --i)
    {
        std::swap(shuffled[i - 1], shuffled[uniform->GetInteger(0, i - 1)]);
    }
    return m_placement == "shuffled" ? shuffled : m_places.empty() ? packed : m_places;
}

} // namespace ns3::aidc

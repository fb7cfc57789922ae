/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-placement.h"

#include "ns3/experiment-data-file.h"
#include "ns3/workload-file-reader.h"

namespace ns3::aidc
{

void
ExperimentPlacement::AddTo(ExperimentParameters& parameters)
{
    parameters.AddText("placement",
                       "hosts of the ranks: packed (rank by rank), shuffled, or a file with the "
                       "place of each rank, a line each",
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

std::vector<NodeIndex>
ExperimentPlacement::Place(const std::vector<NodeIndex>& places,
                           const std::vector<NodeIndex>& shuffled) const
{
    if (m_placement == "shuffled")
    {
        return shuffled;
    }
    if (m_places.empty())
    {
        return places;
    }
    std::vector<NodeIndex> hosts;
    for (const uint32_t place : m_places)
    {
        hosts.push_back(places[place]);
    }
    return hosts;
}

} // namespace ns3::aidc

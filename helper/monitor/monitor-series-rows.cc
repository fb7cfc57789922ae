/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "monitor-series-rows.h"

#include "ns3/mpi-processes.h"
#include "ns3/result-file.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <sstream>
#include <tuple>

namespace ns3::aidc
{

void
MonitorSeriesRows::Add(const std::string& place, const std::string& text)
{
    m_rows.push_back({Simulator::Now().GetTimeStep(), place, text});
}

void
MonitorSeriesRows::Write(const std::string& path, const std::string& header) const
{
    auto rows = m_rows;
    const auto& processes = MpiProcesses::Get();
    if (processes.GetN() > 1)
    {
        std::ostringstream own;
        for (const auto& row : m_rows)
        {
            own << row.time << ' ' << row.place << '\n' << row.text << '\n';
        }
        rows.clear();
        for (const auto& text : processes.Gather(own.str()))
        {
            std::istringstream others(text);
            Row row;
            while (others >> row.time && others.get() && std::getline(others, row.place) &&
                   std::getline(others, row.text))
            {
                rows.push_back(row);
            }
        }
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return std::tie(a.time, a.place) < std::tie(b.time, b.place);
    });
    ResultFile file(path, header);
    for (const auto& row : rows)
    {
        file << row.text << '\n';
    }
    file.Close();
}

} // namespace ns3::aidc

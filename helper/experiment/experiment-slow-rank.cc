/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-slow-rank.h"

#include "experiment-values.h"

#include "ns3/workload-file-reader.h"

namespace ns3::aidc
{

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

} // namespace ns3::aidc

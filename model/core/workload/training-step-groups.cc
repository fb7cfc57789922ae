/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-step-groups.h"

#include <memory>

namespace ns3::aidc
{

TrainingStepGroups::TrainingStepGroups(const TrainingStep& step)
    : m_nStageRanks(static_cast<uint32_t>(step.GetNRanks() / step.pp))
{
    const auto nReplicas = static_cast<uint32_t>(step.GetNReplicas());
    for (uint32_t p = 0; p < step.pp; ++p)
    {
        const uint32_t first = p * m_nStageRanks;
        m_stages.push_back(
            {first,
             Make(first, step.tp, 1),
             Make(first, step.cp, step.tp),
             Make(first, step.ep, step.tp),
             Make(first, nReplicas, step.tp),
             step.expertData ? Make(first, nReplicas / step.ep, step.tp * step.ep) : Groups()});
    }
}

TrainingStepGroups::Groups
TrainingStepGroups::Make(uint32_t firstRank, uint32_t count, uint32_t distance) const
{
    Groups groups;
    const uint32_t block = count * distance;
    for (uint32_t first = 0; first < m_nStageRanks && count > 1; first += block)
    {
        for (uint32_t remainder = 0; remainder < distance; ++remainder)
        {
            std::vector<uint32_t> ranks;
            for (uint32_t i = 0; i < count; ++i)
            {
                ranks.push_back(firstRank + first + remainder + i * distance);
            }
            groups.push_back(std::make_shared<const std::vector<uint32_t>>(ranks));
        }
    }
    return groups;
}

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#include "pipeline-schedule.h"

#include "../require-argument.h"
#include "text-reader.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ns3::aidc
{

namespace
{

/// The names of the orders.
constexpr std::array<const char*, 3> ORDERS = {"gpipe", "1f1b", "interleaved"};

} // namespace

const char*
GetPipelineOrderName(PipelineOrder order)
{
    return ORDERS.at(static_cast<std::size_t>(order));
}

bool
ParsePipelineOrder(const std::string& name, PipelineOrder& order)
{
    return ParseName(ORDERS, name, order);
}

PipelineSchedule::PipelineSchedule(PipelineOrder order,
                                   uint32_t nStages,
                                   uint32_t nMicrobatches,
                                   uint32_t nChunks)
    : m_order(order),
      m_nStages(nStages),
      m_nMicrobatches(nMicrobatches),
      m_nChunks(nChunks)
{
    AIDC_REQUIRE(nStages >= 1 && nMicrobatches >= 1,
                 "a pipeline has at least one stage and one microbatch");
    if (order != PipelineOrder::INTERLEAVED)
    {
        AIDC_REQUIRE(nChunks == 1,
                     std::string("a pipeline by ") + GetPipelineOrderName(order) +
                         " has one chunk of layers in each stage, not " + std::to_string(nChunks));
        return;
    }
    AIDC_REQUIRE(nStages >= 2, "an interleaved pipeline has at least 2 stages, not 1");
    AIDC_REQUIRE(nChunks >= 2,
                 "an interleaved pipeline has at least 2 chunks of layers in each stage, not " +
                     std::to_string(nChunks));
    AIDC_REQUIRE(nMicrobatches % nStages == 0,
                 "an interleaved pipeline has a multiple of its stages, " +
                     std::to_string(nStages) + ", as microbatches, not " +
                     std::to_string(nMicrobatches));
}

uint64_t
PipelineSchedule::GetNWarmUp(uint32_t stage) const
{
    const uint64_t all = uint64_t{m_nMicrobatches} * m_nChunks;
    const uint64_t behind = m_nStages - 1 - stage;
    switch (m_order)
    {
    case PipelineOrder::GPIPE:
        break;
    case PipelineOrder::ONE_FORWARD_ONE_BACKWARD:
        return std::min(all, behind);
    case PipelineOrder::INTERLEAVED:
        if (m_nMicrobatches != m_nStages)
        {
            return std::min(all, 2 * behind + uint64_t{m_nChunks - 1} * m_nStages);
        }
        break;
    }
    return all;
}

PipelineUnit
PipelineSchedule::GetUnit(uint32_t stage, uint64_t number) const
{
    const uint64_t all = GetNUnits() / 2;
    const uint64_t warmUp = GetNWarmUp(stage);
    if (number < warmUp)
    {
        return GetUnitOf(true, number);
    }
    if (number >= 2 * all - warmUp)
    {
        return GetUnitOf(false, number - all);
    }
    const uint64_t turn = number - warmUp;
    return turn % 2 == 0 ? GetUnitOf(true, warmUp + turn / 2) : GetUnitOf(false, turn / 2);
}

PipelineUnit
PipelineSchedule::GetUnitOf(bool isForward, uint64_t number) const
{
    if (m_nChunks == 1)
    {
        return {isForward, 0, static_cast<uint32_t>(number)};
    }
    // Each group of p microbatches goes through one chunk after another
    const uint64_t group = uint64_t{m_nStages} * m_nChunks;
    const auto chunk = static_cast<uint32_t>(number % group / m_nStages);
    const uint64_t microbatch = number / group * m_nStages + number % m_nStages;
    return {isForward,
            isForward ? chunk : m_nChunks - 1 - chunk,
            static_cast<uint32_t>(microbatch)};
}

} // namespace ns3::aidc

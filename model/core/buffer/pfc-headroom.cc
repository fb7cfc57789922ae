/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pfc-headroom.h"

#include "ns3/multiply-divide.h"

#include <array>
#include <limits>
#include <utility>

namespace ns3::aidc
{

uint64_t
HeadroomTerms::GetSum() const
{
    uint64_t sum = 0;
    for (const uint64_t term : {crossing, waiting, pfcFrames, cable, interfaces, response, peer})
    {
        if (term > std::numeric_limits<uint64_t>::max() - sum)
        {
            return std::numeric_limits<uint64_t>::max();
        }
        sum += term;
    }
    return sum;
}

HeadroomTerms
ComputeHeadroom(const HeadroomParameters& parameters)
{
    const auto arriving = [&parameters](uint64_t ticks) {
        return MultiplyDivideUp(ticks, parameters.bitsPerSecond, 8 * parameters.ticksPerSecond);
    };
    HeadroomTerms terms;
    terms.crossing = parameters.peerFrame;
    terms.waiting = parameters.ownFrame;
    terms.pfcFrames = uint64_t{HeadroomParameters::PFC_FRAME} * parameters.losslessPriorities;
    terms.cable = arriving(2 * parameters.delay);
    // The PFC frame passes both ends once, and so does the last frame sent in ignorance of it.
    terms.interfaces = arriving(4 * parameters.interfaceDelay);
    terms.response = arriving(parameters.responseTime);
    terms.peer = parameters.peerFrame;
    return terms;
}

uint32_t
GetPauseResponseBound(uint64_t bitsPerSecond)
{
    constexpr uint64_t MEGA = 1000000;
    constexpr uint64_t HIGHEST = 400000 * MEGA;
    constexpr uint32_t AT_HIGHEST = 905;
    constexpr std::array<std::pair<uint64_t, uint32_t>, 9> BOUNDS{{{100 * MEGA, 1},
                                                                   {1000 * MEGA, 2},
                                                                   {10000 * MEGA, 60},
                                                                   {25000 * MEGA, 80},
                                                                   {40000 * MEGA, 118},
                                                                   {50000 * MEGA, 147},
                                                                   {100000 * MEGA, 394},
                                                                   {200000 * MEGA, 453},
                                                                   {HIGHEST, AT_HIGHEST}}};
    for (const auto& [rate, quanta] : BOUNDS)
    {
        if (bitsPerSecond <= rate)
        {
            return quanta;
        }
    }
    return static_cast<uint32_t>(MultiplyDivideUp(AT_HIGHEST, bitsPerSecond, HIGHEST));
}

} // namespace ns3::aidc

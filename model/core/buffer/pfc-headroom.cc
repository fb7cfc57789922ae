/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pfc-headroom.h"

#include "../multiply-divide.h"

#include <initializer_list>
#include <limits>

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

} // namespace ns3::aidc

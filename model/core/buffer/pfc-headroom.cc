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
ComputeHeadroom(const HeadroomSettings& settings)
{
    const auto arriving = [&settings](uint64_t ticks) {
        return MultiplyDivideUp(ticks, settings.bitsPerSecond, 8 * settings.ticksPerSecond);
    };
    HeadroomTerms terms;
    terms.crossing = settings.peerFrame;
    terms.waiting = settings.ownFrame;
    terms.pfcFrames = uint64_t{HeadroomSettings::PFC_FRAME} * settings.losslessPriorities;
    terms.cable = arriving(2 * settings.delay);
    // The PFC frame passes both ends once, and so does the last frame sent in ignorance of it.
    terms.interfaces = arriving(4 * settings.interfaceDelay);
    terms.response = arriving(settings.responseTime);
    terms.peer = settings.peerFrame;
    return terms;
}

} // namespace ns3::aidc

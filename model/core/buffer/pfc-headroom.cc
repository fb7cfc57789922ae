// SPDX-License-Identifier: GPL-2.0-only

#include "pfc-headroom.h"

#include "../multiply-divide.h"
#include "buffer-pool.h"

#include <algorithm>
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
    const BufferCells cells{settings.cellSize};
    // Frames that may be the smallest ones, each in cells of its own.
    const uint64_t smallest = cells.size == 0 ? 0
                                              : std::max(cells.RoundUp(BufferCells::MIN_FRAME),
                                                         uint32_t{HeadroomSettings::PFC_FRAME});
    const auto inMemory = [&cells, smallest](uint64_t octets) {
        return cells.size == 0 ? octets
                               : MultiplyDivideUp(octets, smallest, HeadroomSettings::PFC_FRAME);
    };
    HeadroomTerms terms;
    terms.waiting = inMemory(settings.ownFrame);
    terms.pfcFrames = inMemory(uint64_t{HeadroomSettings::PFC_FRAME} * settings.losslessPriorities);
    terms.cable = inMemory(arriving(2 * settings.delay));
    // The PFC frame passes both ends once, and so does the last frame sent in ignorance of it.
    terms.interfaces = inMemory(arriving(4 * settings.interfaceDelay));
    terms.response = inMemory(arriving(settings.responseTime));
    terms.peer = inMemory(settings.peerFrame);
    terms.crossing = settings.peerFrame;
    if (cells.size > 0)
    {
        // Two largest frames, as they are.
        const uint64_t two = 2 * MultiplyDivideUp(settings.peerFrame, 1, cells.size) * cells.size;
        terms.crossing = two > terms.peer ? two - terms.peer : 0;
    }
    return terms;
}

} // namespace ns3::aidc

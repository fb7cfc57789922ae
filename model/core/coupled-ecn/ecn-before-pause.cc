// SPDX-License-Identifier: GPL-2.0-only

#include "ecn-before-pause.h"

#include "ecn-threshold.h"

#include <algorithm>
#include <sstream>

namespace ns3::aidc
{

namespace
{

/// What FindLeast() returns if no number is enough.
constexpr uint64_t NONE_SUFFICES = std::numeric_limits<uint64_t>::max();

/// Compute a dynamic threshold with its physical bound. free: shared memory that nobody holds.
uint64_t
ComputeThreshold(double alpha, uint64_t reserved, uint64_t use, uint64_t free)
{
    const uint64_t physical = (use > reserved ? use - reserved : 0) + free;
    const double dynamic = alpha * static_cast<double>(free);
    return reserved +
           (dynamic < static_cast<double>(physical) ? static_cast<uint64_t>(dynamic) : physical);
}

/// @return the free bytes while all queues but one, of that length, are empty
uint64_t
GetFree(const FillingQueue& queue, uint32_t ports, uint64_t length)
{
    const uint64_t reserved = ports * queue.ingressReserved;
    const uint64_t drawn = length > reserved ? length - reserved : 0;
    return queue.shared > drawn ? queue.shared - drawn : 0;
}

/// Find the least number that is enough. @return the number, NONE_SUFFICES if none is
template <typename IsEnough>
uint64_t
FindLeast(uint64_t last, IsEnough isEnough)
{
    if (!isEnough(last))
    {
        return NONE_SUFFICES;
    }
    uint64_t first = 0;
    while (first < last)
    {
        const uint64_t middle = first + (last - first) / 2;
        if (isEnough(middle))
        {
            last = middle;
        }
        else
        {
            first = middle + 1;
        }
    }
    return last;
}

/// Get the greatest occupancy of the queue that uses no headroom. @return bytes
uint64_t
GetLongest(const FillingQueue& queue, uint32_t ports)
{
    return queue.shared + ports * queue.ingressReserved;
}

} // namespace

uint64_t
ComputeFirstMark(const FillingQueue& queue, uint32_t ports)
{
    return FindLeast(GetLongest(queue, ports), [&queue, ports](uint64_t length) {
        const uint64_t free = GetFree(queue, ports, length);
        const uint64_t bufThrd =
            std::min(queue.cap, ComputeThreshold(queue.alpha, queue.reserved, length, free));
        return length >= queue.ecnThrd(bufThrd);
    });
}

uint64_t
ComputeFirstPause(const FillingQueue& queue, uint32_t ports)
{
    return FindLeast(GetLongest(queue, ports), [&queue, ports](uint64_t length) {
        const uint64_t share = length / ports;
        return share >= ComputeThreshold(queue.xoffAlpha,
                                         queue.ingressReserved,
                                         share,
                                         GetFree(queue, ports, length));
    });
}

uint32_t
CountPortsPausedFirst(const FillingQueue& queue, uint32_t ports)
{
    if (ports == 0)
    {
        return 0;
    }
    // The more ports share the queue, the later each of them is paused, and the sooner it marks for
    // what they draw from the shared memory.
    const uint64_t paused = FindLeast(ports - 1, [&queue](uint64_t others) {
        const auto n = static_cast<uint32_t>(others + 1);
        return ComputeFirstMark(queue, n) <= ComputeFirstPause(queue, n);
    });
    return paused == NONE_SUFFICES ? ports : static_cast<uint32_t>(paused);
}

std::string
FindEcnBeforePauseError(const FillingQueue& queue, uint32_t ports)
{
    const uint32_t paused = CountPortsPausedFirst(queue, ports);
    if (paused == 0)
    {
        return "";
    }
    std::ostringstream os;
    os << "With ";
    if (queue.fixedBy.empty())
    {
        os << "Alpha " << queue.alpha;
    }
    else
    {
        os << queue.fixedBy << ' ' << queue.ecnThrd(0) << 'B';
    }
    os << " and XoffAlpha " << queue.xoffAlpha << " a lossless queue pauses before it marks ";
    if (paused == ports)
    {
        os << "whichever of the " << ports << " ingress ports fill it";
    }
    else
    {
        os << "if up to " << paused << " ingress ports fill it; marking comes first from "
           << paused + 1 << " ports on";
    }
    if (!queue.fixedBy.empty())
    {
        // What one port alone fills is paused at the shortest length.
        os << " (a " << queue.fixedBy << " of at most " << ComputeFirstPause(queue, 1)
           << "B avoids that)";
    }
    else if (queue.alpha > queue.xoffAlpha)
    {
        os << " (an Alpha of at most XoffAlpha avoids that)";
    }
    return os.str();
}

std::vector<std::string>
FindEcnWarnings(const ConfiguredMarking& marking)
{
    const FillingQueue& queue = marking.queue;
    std::vector<std::string> warnings;
    const auto add = [&warnings](const std::string& text) {
        if (!text.empty())
        {
            warnings.push_back(text);
        }
    };
    if (marking.isCoupled)
    {
        const uint64_t typical =
            ComputeTypicalAllocation(marking.bufferSize, queue.alpha, queue.reserved, queue.cap);
        // As if nobody else had bytes set aside, for these come queue by queue, and the warning
        // once.
        FillingQueue alone = queue;
        alone.shared = marking.bufferSize - queue.reserved;
        alone.ingressReserved = queue.reserved;
        add(FindEcnOffsetError(marking.offset, typical, ComputeFirstMark(alone, 1)));
        add(FindEcnFloorWithinError(marking.floor, typical));
    }
    const bool isOff = !queue.fixedBy.empty() && queue.ecnThrd(0) > marking.bufferSize;
    if (marking.pausedPorts > 0 && !isOff)
    {
        add(FindEcnBeforePauseError(queue, marking.pausedPorts));
    }
    return warnings;
}

} // namespace ns3::aidc

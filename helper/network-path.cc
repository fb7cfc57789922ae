// SPDX-License-Identifier: GPL-2.0-only

#include "network-path.h"

#include "local-node.h"

#include "ns3/ingress-edge-controller.h"
#include "ns3/mpi-processes.h"
#include "ns3/node.h"
#include "ns3/priority-flow-control.h"
#include "ns3/process-gather.h"
#include "ns3/shared-buffer.h"

#include <algorithm>

namespace ns3::aidc
{

namespace
{

/// What a switch on a path has.
struct Stage
{
    uint64_t bytes;  //!< the size of its SharedBuffer, 0 if it has none
    uint64_t pauses; //!< 1 if its port of arrival has priority flow control, 0 otherwise
    uint64_t limits; //!< 1 if it is a PE that limits rates, 0 otherwise
};

/// @return what the switch of a port of arrival has; nothing if it is another process's
Stage
GetStage(const Ptr<NetDevice>& arrival)
{
    if (!arrival || !IsLocalNode(arrival->GetNode()))
    {
        return {0, 0, 0};
    }
    const auto node = arrival->GetNode();
    const auto buffer = node->GetObject<SharedBuffer>();
    const auto edge = node->GetObject<IngressEdgeController>();
    return {buffer ? buffer->GetSize() : 0,
            arrival->GetObject<PriorityFlowControl>() ? 1U : 0U,
            edge && edge->LimitsRates() ? 1U : 0U};
}

/// Exchange what switches of all paths have with other processes.
void
Gather(std::vector<Stage>& stages)
{
    const std::size_t n = stages.size();
    const auto all = GatherItems(stages);
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        stages[i % n].bytes = std::max(stages[i % n].bytes, all[i].bytes);
        stages[i % n].pauses = std::max(stages[i % n].pauses, all[i].pauses);
        stages[i % n].limits = std::max(stages[i % n].limits, all[i].limits);
    }
}

/// stage: the first switch of the path; the others follow. @return how packets may wait
PathWait
ComputeWait(const NetworkPath& path, const Stage* stage)
{
    PathWait wait{Time(), path.links.size() > 1};
    double longest = 0;
    double waiting = 0; // bits in the switches that pause each other, as far as the present one
    double held = 0;    // bits that PEs keep for the links behind them
    for (std::size_t i = 0; i + 1 < path.links.size(); ++i, ++stage)
    {
        if (stage->pauses == 0)
        {
            waiting = 0;
        }
        if (stage->pauses != 0 || stage->limits != 0)
        {
            held = 0; // the WAN ends here
        }
        wait.isLossless = wait.isLossless && stage->pauses != 0;
        waiting += 8.0 * static_cast<double>(stage->bytes);
        longest = std::max(longest, (waiting + held) / static_cast<double>(path.links[i + 1].rate));
        if (stage->limits != 0 && i == path.entry) // the PE at the other end limits the other way
        {
            held = path.nEdges * waiting;
            waiting = 0;
        }
    }
    wait.longest = Seconds(longest);
    return wait;
}

} // namespace

PathWait
NetworkPath::GetWait() const
{
    return GetWaits({*this}).front();
}

std::vector<PathWait>
NetworkPath::GetWaits(const std::vector<NetworkPath>& paths)
{
    std::vector<Stage> stages;
    for (const auto& path : paths)
    {
        for (std::size_t i = 0; i + 1 < path.links.size(); ++i)
        {
            stages.push_back(GetStage(path.arrivals[i]));
        }
    }
    if (MpiProcesses::Get().GetN() > 1)
    {
        Gather(stages);
    }
    std::vector<PathWait> waits;
    const Stage* stage = stages.data();
    for (const auto& path : paths)
    {
        waits.push_back(ComputeWait(path, stage));
        stage += std::max<std::size_t>(path.links.size(), 1) - 1;
    }
    return waits;
}

} // namespace ns3::aidc

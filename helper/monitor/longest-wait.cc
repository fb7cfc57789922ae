// SPDX-License-Identifier: GPL-2.0-only

#include "longest-wait.h"

#include "../local-node.h"
#include "../remote-host.h"

#include "ns3/ipv4-address.h"
#include "ns3/process-gather.h"
#include "ns3/roce-nic.h"

#include <array>
#include <cstdint>
#include <iomanip>
#include <locale>
#include <sstream>
#include <tuple>

namespace ns3::aidc
{

namespace
{

/// The causes of waits, in the order of the members of RoceWaitTimes.
constexpr std::array<const char*, 4> CAUSES{"pause", "rate", "window", "timeout"};

/// The waits of a queue pair for one cause, as processes exchange them; times in ns.
struct Wait
{
    double waited{0};   //!< in all
    double since{0};    //!< when the longest wait began
    double longest{0};  //!< how long this wait was
    uint32_t place{0};  //!< the place of its node
    uint32_t qp{0};     //!< the number of the queue pair
    uint32_t remote{0}; //!< the address of the peer
    uint32_t cause{0};  //!< the place in CAUSES

    /// @return whether this one is longer, or as long and of an earlier place
    bool IsBefore(const Wait& other) const
    {
        return std::make_tuple(-waited, place, qp, cause) <
               std::make_tuple(-other.waited, other.place, other.qp, other.cause);
    }
};

/// Find the longest wait of an adapter. longest: the longest wait so far.
void
FindLongest(const Ptr<RoceNic>& nic, uint32_t place, std::optional<Wait>& longest)
{
    for (uint32_t i = 0; i < nic->GetNQueuePairs(); ++i)
    {
        const auto* const pair = nic->FindQueuePair(RoceNic::FIRST_QP + i);
        if (!pair)
        {
            continue;
        }
        const auto sums = pair->GetWaitTimes();
        const auto& longestOnes = pair->GetLongestWaits();
        const std::array<double, 4> waited{sums.pause, sums.rate, sums.window, sums.retransmission};
        const std::array<RoceLongestWait, 4> single{longestOnes.pause,
                                                    longestOnes.rate,
                                                    longestOnes.window,
                                                    longestOnes.retransmission};
        for (uint32_t cause = 0; cause < CAUSES.size(); ++cause)
        {
            const Wait wait{waited[cause],
                            single[cause].since,
                            single[cause].length,
                            place,
                            RoceNic::FIRST_QP + i,
                            pair->GetConnection().remoteAddress,
                            cause};
            if (wait.waited > 0 && (!longest || wait.IsBefore(*longest)))
            {
                longest = wait;
            }
        }
    }
}

/// @return whether it is one of the node's adapter for RoCEv2
bool
HasAddress(const Ptr<Node>& node, const Ipv4Address& address)
{
    const auto has = [&address](const auto& host) {
        for (uint32_t port = 0; host && port < host->GetNPorts(); ++port)
        {
            if (host->GetAddress(port) == address)
            {
                return true;
            }
        }
        return false;
    };
    return has(node->GetObject<RoceNic>()) || has(node->GetObject<RemoteHost>());
}

/// @return the time in ms
std::string
PrintMilliseconds(double seconds)
{
    std::ostringstream os;
    os.imbue(std::locale::classic());
    os << std::setprecision(4) << seconds * 1e3 << " ms";
    return os.str();
}

} // namespace

std::string
LongestWait::Describe() const
{
    const std::string all = PrintMilliseconds(waited);
    const std::string what = cause == "pause"    ? "was paused for " + all
                             : cause == "rate"   ? "waited " + all + " for its rate"
                             : cause == "window" ? "waited " + all + " for its window"
                                                 : "lost " + all + " to timeouts";
    return queuePair + ", " + what + ", " + PrintMilliseconds(longest) + " of that from " +
           PrintMilliseconds(since) + " on.";
}

std::optional<LongestWait>
FindLongestWait(const std::vector<std::pair<std::string, Ptr<Node>>>& nodes)
{
    std::optional<Wait> longest;
    for (uint32_t place = 0; place < nodes.size(); ++place)
    {
        const auto& node = nodes[place].second;
        const auto nic = IsLocalNode(node) ? node->GetObject<RoceNic>() : nullptr;
        if (nic)
        {
            FindLongest(nic, place, longest);
        }
    }
    for (const auto& wait :
         GatherItems(longest ? std::vector<Wait>{*longest} : std::vector<Wait>()))
    {
        if (!longest || wait.IsBefore(*longest))
        {
            longest = wait;
        }
    }
    if (!longest)
    {
        return std::nullopt;
    }
    std::ostringstream peer;
    const Ipv4Address remote(longest->remote);
    remote.Print(peer);
    std::string name = peer.str();
    for (const auto& [known, node] : nodes)
    {
        if (HasAddress(node, remote))
        {
            name = known;
            break;
        }
    }
    constexpr double NS = 1e-9;
    return LongestWait{nodes[longest->place].first + " to " + name + ", queue pair " +
                           std::to_string(longest->qp),
                       CAUSES[longest->cause],
                       NS * longest->waited,
                       NS * longest->since,
                       NS * longest->longest};
}

} // namespace ns3::aidc

// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_WAN_REACTION_MONITOR_H
#define AIDC_WAN_REACTION_MONITOR_H

#include "ns3/ingress-edge-controller.h"
#include "ns3/marking-queue.h"
#include "ns3/nstime.h"
#include "ns3/path-share-controller.h"
#include "ns3/ptr.h"
#include "ns3/roce-nic.h"

#include <cstdint>
#include <deque>
#include <set>
#include <vector>

namespace ns3::aidc
{

/// Measures how soon provider edge routers (PEs) and senders react to congestion in a WAN.
///
/// Congestion begins when one of the queues is first longer than a threshold. The reactions are the
/// first ones from then on: of a PE, which changes the rate or the path of a flow; and of a sender,
/// to which a congestion notification packet (CNP) has come after the first mark by CE at one of
/// the queues.
///
/// In time windows nodes are not at the same time, so that all times are kept, and compared in the
/// end. The monitor must outlive the simulation. With several processes (MpiProcesses), each one
/// watches its own nodes, and reads the results of all at the same points.
class WanReactionMonitor
{
  public:
    /// Constructor.
    /// @param threshold the length of a queue above which it is congested, in bytes
    /// @param feedback the least time from a mark until a CNP can be at a sender; earlier ones are
    ///        for marks of other queues
    explicit WanReactionMonitor(uint64_t threshold, Time feedback = Time());

    WanReactionMonitor(const WanReactionMonitor&) = delete;
    WanReactionMonitor& operator=(const WanReactionMonitor&) = delete;

    /// Watch a queue. @param queue the queue
    void AddQueue(Ptr<MarkingQueue> queue);

    /// Watch a sender.
    /// @param nic its adapter
    /// @param qps the numbers of the queue pairs that count; none for all
    void AddSender(Ptr<RoceNic> nic, const std::set<uint32_t>& qps = {});

    /// Watch a PE. @param controller the controller that reacts there
    void AddEdge(Ptr<IngressEdgeController> controller);

    /// Watch a PE. @param controller the controller that reacts there
    void AddEdge(Ptr<PathShareController> controller);

    /// @return the time from the beginning of congestion to the first reaction of a PE, in s; NaN
    ///         if there is none
    double GetEdgeReactionTime() const
    {
        return GetReactionTime(m_edges, GetFirst(&Queue::onset));
    }

    /// @return the time from the beginning of congestion to the first reaction of a sender, in s;
    ///         NaN if there is none
    double GetSenderReactionTime() const
    {
        const int64_t firstMark = GetFirst(&Queue::firstMark);
        return GetReactionTime(m_senders, firstMark < 0 ? firstMark : firstMark + m_feedback);
    }

  private:
    /// What is known of a queue.
    struct Queue
    {
        int64_t onset{-1};     //!< when it was first longer, ns; -1 if never
        int64_t firstMark{-1}; //!< when it first marked CE, ns; -1 if never
    };

    /// When a sender or a PE has reacted, ns
    using Reactions = std::vector<int64_t>;

    /// @return the first time of all processes in ns; -1 if none has one, which is a time below 0
    static int64_t GetFirstOfProcesses(int64_t time);

    /// @return the first one of all queues in ns; -1 if there is none
    int64_t GetFirst(int64_t Queue::* time) const;

    /// @return s from the congestion since some ns to the first reaction; NaN if there is none
    double GetReactionTime(const std::deque<Reactions>& nodes, int64_t since) const;

    uint64_t m_threshold;            //!< the length of a congested queue
    int64_t m_feedback;              //!< from a mark to a CNP, ns
    std::deque<Queue> m_queues;      //!< the queues; callbacks point at them, as at the others
    std::deque<Reactions> m_senders; //!< the senders
    std::deque<Reactions> m_edges;   //!< the PEs
};

} // namespace ns3::aidc

#endif // AIDC_WAN_REACTION_MONITOR_H

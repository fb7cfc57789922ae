// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PAUSE_MONITOR_H
#define AIDC_PAUSE_MONITOR_H

#include "ns3/coupled-ecn-queue-disc.h"
#include "ns3/ingress-buffer.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/process-gather.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3::aidc
{

/// Watches a lossless priority: how often and how long ports are paused, and the ECN
/// threshold when a switch reaches XOFF.
///
/// ECN depends on the occupancy of an egress queue, XOFF on the occupancy of an ingress account.
/// The monitor compares both at each XOFF, by the fullest queue of the switch with the priority.
/// The monitor must outlive the simulation. With several processes (MpiProcesses), each one watches
/// its own nodes, and calls the functions that read results at the same points.
class PauseMonitor
{
  public:
    /// @param priority the lossless priority, 0 to 7
    explicit PauseMonitor(uint32_t priority)
        : m_priority(priority)
    {
    }

    PauseMonitor(const PauseMonitor&) = delete;
    PauseMonitor& operator=(const PauseMonitor&) = delete;

    /// Add nodes, before the simulation runs.
    /// @param nodes switches and hosts; ports without PriorityFlowControl are left out
    void Add(const NodeContainer& nodes);

    /// @return the number of ports that obey pauses
    uint64_t GetNPorts() const
    {
        return SumOverProcesses(m_ports.size());
    }

    /// @return how often ports were paused, summed over ports
    uint64_t GetPauses() const
    {
        return SumOverProcesses(m_ports, &Port::pauses);
    }

    /// @return how long ports have been paused until now, including present pauses, summed over
    ///         ports
    Time GetPausedTime() const;

    /// @return how often switches have paused a peer, summed over ports
    uint64_t GetXoffs() const
    {
        return SumOverProcesses(m_switches, &Switch::xoffs);
    }

    /// Get how often switches have paused a peer while the fullest queue was below its ECN
    /// threshold, so that the pause came before any mark.
    /// @return the number of times, summed over ports
    uint64_t GetUnmarkedXoffs() const
    {
        return SumOverProcesses(m_switches, &Switch::unmarked);
    }

    /// Get the ECN threshold of the fullest queue, divided by the threshold XOFF that was reached.
    /// @return the mean over all pauses of peers, NaN if there are none
    double GetEcnOverXoff() const;

  private:
    /// A port that obeys pauses.
    struct Port
    {
        bool isPaused{false}; //!< whether it is paused
        Time since;           //!< since when
        Time paused;          //!< how long it was paused before
        uint64_t pauses{0};   //!< how often it was paused
    };

    /// A switch. Each has its own sums, so that they do not depend on the order of switches.
    struct Switch
    {
        uint32_t id{0};                           //!< the id of its node
        std::vector<Ptr<CoupledEcnQueue>> queues; //!< the queues of the priority
        uint64_t xoffs{0};                        //!< XOFFs
        uint64_t unmarked{0};                     //!< XOFFs below the ECN threshold
        double ratios{0};                         //!< sum of ECN threshold over XOFF
    };

    /// A port is paused or resumed.
    static void NotePause(Port& port, bool isPaused);

    /// A peer is paused.
    static void NoteXoff(Switch& node, const IngressBuffer& ingress);

    uint32_t m_priority;           //!< the priority
    std::deque<Port> m_ports;      //!< the ports; callbacks point at them
    std::deque<Switch> m_switches; //!< the switches; callbacks point at them
};

} // namespace ns3::aidc

#endif // AIDC_PAUSE_MONITOR_H

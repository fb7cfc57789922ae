// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FABRIC_RECORDER_H
#define AIDC_FABRIC_RECORDER_H

#include "longest-wait.h"

#include "ns3/csig-helper.h"
#include "ns3/csig-signal.h"
#include "ns3/event-id.h"
#include "ns3/fabric-helper.h"
#include "ns3/flow-set-selector.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/wan-helper.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::aidc
{

class FabricRecording;

/// Records what happens in a network over time, for a picture of it (doc/experiments.rst).
///
/// The load of each link and direction, the occupancy of each port's queue and more are sampled at
/// an interval, which is doubled as often as needed for a file of a bounded size: there are at most
/// 200 intervals, and fewer in networks of more than 250 links. The samples are taken by an event
/// without a node, which reads counters only: the simulation is the same with the recorder and
/// without, and the file is the same with every simulator.
///
/// The order of calls is: add networks, and what else is watched, once they are built, with their
/// queue discs, addresses and adapters; Start(); the simulation; Stop(); Write(). The recorder and
/// the helpers that it is given must outlive the simulation, which does not end by itself before
/// Stop().
///
/// With several processes (MpiProcesses), each one adds the same networks, and calls the same
/// functions at the same points. It samples its own nodes; all join in Write().
class FabricRecorder
{
  public:
    /// @param interval the interval of the first samples, > 0
    explicit FabricRecorder(Time interval);
    ~FabricRecorder();

    FabricRecorder(const FabricRecorder&) = delete;
    FabricRecorder& operator=(const FabricRecorder&) = delete;

    /// Add the nodes of a fabric. Links between nodes that are added are found automatically.
    void Add(const FabricNetwork& network)
    {
        AddFabric(network, "", std::nullopt);
    }

    /// Add the nodes of data centers, whose names begin with "a-", "b-" and so on, and the routers
    /// of the WAN between them.
    /// @param network the data centers and the WAN
    void Add(const WanHelper& network);

    /// Record the ports that CSIG names as bottlenecks: how many flows, of which a signal came in
    /// the interval, have last been told of the port; as "bottleneck_flows" of the port.
    /// @param csig the domain
    /// @param signal a signal that the hosts request
    void AddBottlenecks(const CsigHelper& csig, CsigSignal signal = CsigSignal::ABW)
    {
        m_csig = &csig;
        m_signal = signal;
    }

    /// Record a counter of a node; nothing is recorded of a node of another process.
    /// @param node a node that has been added
    /// @param name what it counts, in snake_case
    /// @param read reads it; it only grows
    void AddCounter(Ptr<Node> node, const std::string& name, std::function<uint64_t()> read);

    /// Count an event of a port.
    /// @param port the device; ignored if its link is not between nodes that were added
    /// @param name what has happened, in snake_case
    void NotifyPort(Ptr<NetDevice> port, const std::string& name);

    /// Start sampling, until Stop().
    /// @param delay the time from now to the start of the first interval
    void Start(Time delay = Time());

    /// End the last interval.
    void Stop();

    /// Find the queue pair of the networks' hosts that has waited longest for one cause so far. It
    /// reads what queue pairs keep, whether the recorder was started or not. With several processes
    /// (MpiProcesses), each one calls it at the same point.
    /// @return the wait; none if no queue pair has waited
    std::optional<LongestWait> FindLongestWait() const;

    /// Find out, at the end of a simulation, whether RoceNics have waited for timeouts or repeated
    /// packets although none was lost: a timeout is too short then, or something holds packets up.
    /// Where packets overtake others, receivers ask for repeats, so that nothing is told. With
    /// several processes, each one calls it at the same point. @return the numbers, in a sentence;
    /// or empty
    std::string FindNeedlessRepeats() const;

    /// Write what was recorded, as JSON.
    ///
    /// "times_ns" has the start of the first interval and the ends of all. "nodes" have "name",
    /// "tier" (host, leaf, spine, super-spine, provider-edge or core), "site", "pod" and "index";
    /// "links" the numbers "a" and "b" of their nodes, "rate_bps" and "delay_ns". A port is the
    /// "end" of a "link" that sends: 0 for node a. The series of "ports" have a number for each
    /// interval: "load", in 1/1000 of the rate, with all overhead; "paused", in 1/1000 of the time,
    /// by PFC or PAUSE; "queue_byte", the occupancy at its end, or the highest one where intervals
    /// were joined; packets "marked" with CE and "dropped"; flow sets moved away because of
    /// congestion ("migrations"); and "bottleneck_flows". The series of nodes ("node_series") are
    /// "cnps" that RoCEv2 hosts have received; "notifications" that a PE has accepted, its
    /// "rate_reductions" and "path_changes"; and what AddCounter() has added. Series without any
    /// number above 0 are left out. "events" have "time_ns", "event" (link-down or link-up, when an
    /// Ethernet port notices) and "link". There is no file if nothing was sampled.
    /// @param path the file, written anew
    /// @throws std::runtime_error if it cannot be written
    void Write(const std::string& path) const;

  private:
    /// A port that sends on a link.
    struct Port
    {
        uint32_t link{0};   //!< the number of its link
        uint32_t end{0};    //!< its end of the link
        Time since;         //!< since when it is paused
        Time paused;        //!< how long it was paused before
        uint8_t classes{0}; //!< the priorities that are paused, as bits
    };

    /// Add the nodes of a fabric.
    void AddFabric(const FabricNetwork& network,
                   const std::string& prefix,
                   std::optional<uint32_t> site);

    /// @param node a node that has been added; otherwise the program ends @return its number
    uint32_t FindNode(Ptr<Node> node) const;

    /// Find the links between nodes that were added, by node and port, and what their ports have.
    void FindLinks();

    /// Find the counters of the nodes: of adapters, PEs and flow-set switching.
    void FindSources();

    /// Watch the ports of a link that this process simulates.
    void AddPorts(Ptr<NetDevice> device, uint32_t link);

    /// Watch a port.
    void AddPort(Ptr<NetDevice> device, uint32_t link, uint32_t end, uint64_t rate);

    /// A priority of a port is paused or goes on.
    static void NotePause(Port& port, uint32_t priority, bool isPaused);

    /// Find the ports that CSIG names.
    void FindBottlenecks();

    /// Take a sample, and schedule the next one.
    void Sample();

    Time m_interval;                              //!< the present interval
    EventId m_event;                              //!< the next sample
    std::unique_ptr<FabricRecording> m_recording; //!< what was recorded
    std::map<Ptr<Node>, uint32_t> m_nodes;        //!< the numbers of nodes
    std::vector<Ptr<Node>> m_order;               //!< the nodes, by number
    std::map<Ptr<NetDevice>, Port> m_ports;       //!< the ports; callbacks point at them
    /// What NotifyPort() has counted, by device and name.
    std::map<Ptr<NetDevice>, std::map<std::string, uint64_t>> m_counts;
    const CsigHelper* m_csig{nullptr};          //!< names bottlenecks, if there is any
    CsigSignal m_signal{CsigSignal::ABW};       //!< the signal that names them
    std::map<Ptr<NetDevice>, uint64_t> m_named; //!< in the last interval, by port: flows
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_RECORDER_H

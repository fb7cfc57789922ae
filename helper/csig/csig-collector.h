// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_COLLECTOR_H
#define AIDC_CSIG_COLLECTOR_H

#include "../../model/core/csig/csig-fields.h"

#include "ns3/csig-domain.h"
#include "ns3/csig-signal.h"
#include "ns3/flow-key.h"
#include "ns3/node.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// Summarizes the signals of hosts over space and time, for traffic engineering and for
/// debugging (sections 8.2.2 and 8.3 of draft-ravi-ippm-csig-01).
///
/// Addresses belong to groups, such as the hosts of a leaf. Signals are summarized by source group,
/// destination group and bin of time; and, as a heat map of bottlenecks, by the port that they name
/// and bin of time. The value of a signal is the middle of its code's range. Tags that no switch
/// has changed are left out, and so are addresses without a group.
class CsigCollector
{
  public:
    /// Constructor.
    /// @param domain the domain
    /// @param bin the width of a bin of time, above 0
    CsigCollector(Ptr<CsigDomain> domain, Time bin);

    CsigCollector(const CsigCollector&) = delete;
    CsigCollector& operator=(const CsigCollector&) = delete;

    /// Include the signals of a host. Signals of other processes' hosts (MpiProcesses) are joined
    /// by the functions that write, which each process calls.
    /// @param host the host; it has a CsigHost, which must not outlive the collector in use
    void AddHost(Ptr<Node> host);

    /// Put an address into a group.
    /// @param address the address in host byte order
    /// @param group the name of the group
    void SetGroup(uint32_t address, const std::string& group);

    /// Name a port.
    /// @param locator its LM
    /// @param name its name
    /// @param format the format of the tags that have it
    void SetPort(uint16_t locator,
                 const std::string& name,
                 CsigFormat format = CsigFormat::EXPANDED)
    {
        m_ports[{format, locator}] = name;
    }

    /// Write the summaries by groups.
    ///
    /// The columns are `time_s` (the beginning of the bin), `source`, `destination`, `signal`,
    /// `signals` (their number), and `min`, `mean`, `p50`, `p99` and `max` in the signal's unit.
    /// @param path the file
    /// @throws std::runtime_error if it cannot be written
    void WriteSummaries(const std::string& path) const;

    /// Write the heat map.
    ///
    /// The columns are `time_s`, `port` (its name, or its LM if it has none), `signal`, `signals`
    /// (how many name it) and `mean` in the signal's unit.
    /// @param path the file
    /// @throws std::runtime_error if it cannot be written
    void WriteHeatMap(const std::string& path) const;

  private:
    /// Bin, numbers of the groups of source and destination, signal.
    using PairKey = std::tuple<int64_t, uint32_t, uint32_t, CsigSignal>;
    /// Format, LM.
    using Locator = std::pair<CsigFormat, uint16_t>;
    /// Bin, LM, signal.
    using PortKey = std::tuple<int64_t, Locator, CsigSignal>;
    /// Values.
    using Pairs = std::map<PairKey, std::vector<double>>;
    /// Sum of the values, and how many. Integers, whose sum does not depend on the order in which
    /// hosts give them.
    using Named = std::map<PortKey, std::pair<uint64_t, uint64_t>>;

    /// Include the signal of a flow.
    void NoteSignal(const FlowKey& flow, const CsigFields& fields);

    Ptr<CsigDomain> m_domain;                  //!< the domain
    int64_t m_bin;                             //!< the width of a bin, ns
    std::vector<std::string> m_groups;         //!< names, in the order of SetGroup
    std::map<std::string, uint32_t> m_numbers; //!< of groups
    std::map<uint32_t, uint32_t> m_groupOf;    //!< by address
    std::map<Locator, std::string> m_ports;    //!< names of ports by LM
    Pairs m_pairs;                             //!< by groups, the signals of this process's hosts
    Named m_named;                             //!< by port, the signals of this process's hosts
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_COLLECTOR_H

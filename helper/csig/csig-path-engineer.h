// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_PATH_ENGINEER_H
#define AIDC_CSIG_PATH_ENGINEER_H

#include "../../model/core/csig/csig-fields.h"

#include "ns3/csig-bottlenecks.h"
#include "ns3/csig-domain.h"
#include "ns3/csig-fabric-ports.h"
#include "ns3/event-id.h"
#include "ns3/fabric-helper.h"
#include "ns3/flow-key.h"
#include "ns3/ipv4-address.h"
#include "ns3/multipath-routing.h"
#include "ns3/node.h"
#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// Traffic engineering by CSIG: weights the uplinks of switches by the available share of
/// their capacity, from the hosts' signals min(ABW/C) (section 8.2.2 of
/// draft-ravi-ippm-csig-01).
///
/// Each switch has a CsigPathWeights for its uplinks. At the end of each period, its
/// MultipathRouting gets the weights. The selector has to use weights: WeightedSelector. Weights
/// belong to a group of next hops, not to single destinations. Routes that change after a failure
/// have equal weights again until the next period.
///
/// With several processes (MpiProcesses), each one adds all switches and hosts, and computes all
/// weights from the signals of all hosts, which processes exchange at the end of each period.
class CsigPathEngineer
{
  public:
    /// Constructor.
    /// @param domain the domain
    /// @param period the period of setting weights, above 0
    /// @param gain see CsigPathWeights
    CsigPathEngineer(Ptr<CsigDomain> domain, Time period, double gain = 0.5);
    ~CsigPathEngineer();

    CsigPathEngineer(const CsigPathEngineer&) = delete;
    CsigPathEngineer& operator=(const CsigPathEngineer&) = delete;

    /// Weight the uplinks of a switch.
    /// @param network the network, with its addresses assigned
    /// @param id the switch
    /// @param names finds ports by their LM
    void AddSwitch(const FabricHelper& network, NodeIndex id, const CsigFabricPorts& names);

    /// Use the signals of a host. @param host the host; it has a CsigHost
    void AddHost(Ptr<Node> host);

    /// Start now. The simulation does not end by itself before Stop().
    void Start();

    /// Set no more weights.
    void Stop()
    {
        m_event.Cancel();
    }

    /// @return how often weights of a switch were set
    uint64_t GetNUpdates() const;

    /// Get the weight of an uplink.
    /// @param locator its LM in the expanded format
    /// @return the weight; 1 at first, and 0 for another port
    double GetWeight(uint16_t locator) const;

  private:
    /// The signals of an uplink in a period, as integers, so that the sum does not depend on the
    /// order of hosts.
    struct Shares
    {
        uint64_t sum{0}; //!< sum of the available shares, in millionths
        uint64_t n{0};   //!< how many
    };

    /// A group of uplinks.
    struct Group
    {
        Ptr<MultipathRouting> routing; //!< of the switch; null in another process
        Ipv4Address network;           //!< a route of the group
        Ipv4Mask mask;                 //!< and its mask
        CsigPathWeights weights;       //!< the weights
        std::vector<Shares> shares;    //!< the period's signals, by member
    };

    /// Handle the signal of a flow.
    void NoteSignal(const FlowKey& flow, const CsigFields& fields);

    /// End a period: compute weights from the shares of all processes. Each process calls it.
    void Update();

    Ptr<CsigDomain> m_domain;    //!< the domain
    Time m_period;               //!< the period of setting weights
    double m_gain;               //!< see CsigPathWeights
    EventId m_event;             //!< the end of the period
    std::vector<Group> m_groups; //!< the groups
    /// By format and LM, group and member.
    std::multimap<std::pair<CsigFormat, uint16_t>, std::pair<std::size_t, std::size_t>> m_members;
    uint64_t m_nUpdates{0}; //!< number of times that weights of this process's switches were set
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_PATH_ENGINEER_H

/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_PATH_ENGINEER_H
#define AIDC_CSIG_PATH_ENGINEER_H

#include "../../model/core/csig/csig-fields.h"
#include "../../model/core/csig/csig-path-weights.h"
#include "csig-fabric-ports.h"

#include "ns3/csig-domain.h"
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
#include <memory>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Traffic engineering by CSIG: weights the uplinks of switches by the available share of
 *        their capacity, of which the hosts' signals min(ABW/C) tell (section 8.2.2 of
 *        draft-ravi-ippm-csig-01).
 *
 * Each switch and its uplinks have a CsigPathWeights; at the end of each period the weights go to
 * its MultipathRouting, whose selector has to go by weights: WeightedSelector. Weights are of a
 * group of next hops, not of single destinations. Routes that change after a failure have equal
 * weights again until the next period.
 */
class CsigPathEngineer
{
  public:
    /// Constructor.
    /// @param domain what the network has in common
    /// @param period how often weights are set, above 0
    /// @param gain see CsigPathWeights
    CsigPathEngineer(Ptr<CsigDomain> domain, Time period, double gain = 0.5);
    ~CsigPathEngineer();

    CsigPathEngineer(const CsigPathEngineer&) = delete;
    CsigPathEngineer& operator=(const CsigPathEngineer&) = delete;

    /// Weight the uplinks of a switch.
    /// @param network the network, with its addresses assigned
    /// @param id the switch
    /// @param names what names the ports of the network
    void AddSwitch(const FabricHelper& network, NodeIndex id, const CsigFabricPorts& names);

    /// Take the signals of a host. @param host the host; it has a CsigHost
    void AddHost(Ptr<Node> host);

    /// Begin now. The simulation does not end by itself before Stop().
    void Start();

    /// Set no more weights.
    void Stop()
    {
        m_event.Cancel();
    }

    /// @return how often weights of a switch were set
    uint64_t GetNUpdates() const
    {
        return m_nUpdates;
    }

    /// Get the weight of an uplink.
    /// @param locator its LM in the expanded format
    /// @return the weight; 1 at first, and 0 if it is none of the ports
    double GetWeight(uint16_t locator) const;

  private:
    /// What the signals of a period say of an uplink. Integers, whose sum does not depend on the
    /// order in which hosts give them.
    struct Shares
    {
        uint64_t sum{0}; //!< sum of the available shares, in millionths
        uint64_t n{0};   //!< how many
    };

    /// A group of uplinks.
    struct Group
    {
        Ptr<MultipathRouting> routing; //!< of the switch
        Ipv4Address network;           //!< a route of the group
        Ipv4Mask mask;                 //!< and its mask
        CsigPathWeights weights;       //!< the weights
        std::vector<Shares> shares;    //!< what the period's signals say, by member
    };

    /// Take the signal of a flow.
    void NoteSignal(const FlowKey& flow, const CsigFields& fields);

    /// End a period.
    void Update();

    Ptr<CsigDomain> m_domain;    //!< what the network has in common
    Time m_period;               //!< how often weights are set
    double m_gain;               //!< see CsigPathWeights
    EventId m_event;             //!< the end of the period
    std::vector<Group> m_groups; //!< the groups
    /// By format and LM, group and member.
    std::multimap<std::pair<CsigFormat, uint16_t>, std::pair<std::size_t, std::size_t>> m_members;
    uint64_t m_nUpdates{0}; //!< how often weights were set
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_PATH_ENGINEER_H

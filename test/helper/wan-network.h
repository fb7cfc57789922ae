// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_WAN_NETWORK_H
#define AIDC_WAN_NETWORK_H

#include "model/core/transport/roce-bytes.h"
#include "test/test-case.h"

#include "ns3/priority-flow-control-helper.h"
#include "ns3/roce-flow-helper.h"
#include "ns3/roce-helper.h"
#include "ns3/wan-helper.h"

// Small data centers and a WAN between them.

namespace aidctest
{

/// The number of data centers of a WanNetwork.
inline constexpr uint32_t WAN_SITES = 2;

/// Count the packets that a node has dropped.
inline uint64_t
CountDrops(Ptr<Node> node)
{
    uint64_t dropped = 0;
    const auto layer = node->GetObject<TrafficControlLayer>();
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        const auto queueDisc = layer->GetRootQueueDiscOnDevice(node->GetDevice(i));
        dropped += queueDisc ? queueDisc->GetStats().nTotalDroppedPackets : 0;
    }
    return dropped;
}

/// Data centers of 2 leaves, 2 spines and 4 hosts each, with links of 100 Gb/s and 1 us: two, with
/// paths of 1 ms and 2 ms between their provider edge routers, unless others are built. Hosts have
/// RoCEv2 in class 3, which is lossless in the data centers.
class WanNetwork
{
  public:
    static constexpr uint64_t RATE = 100000000000; //!< bit/s of all links
    static constexpr uint32_t HOSTS = 4;           //!< hosts of a data center
    static constexpr uint32_t PRIORITY = 3;        //!< the lossless class

    explicit WanNetwork(uint32_t nSites = WAN_SITES)
    {
        settings.edgeRate = RATE;
        settings.paths = {{1000000, RATE, 2}, {2000000, RATE, 2}};
        for (uint32_t site = 0; site < nSites; ++site)
        {
            wan.GetAidc(site).SetMtu(4200);
        }
        wan.SetBorderLink(RATE, MicroSeconds(1));
        switches.SetBufferAttribute("Size", QueueSizeValue(QueueSize("12MB")));
        routers.SetQueueDiscAttribute(SharedBufferSwitchHelper::ALL_CLASSES,
                                      "Mode",
                                      StringValue("StaticStep"));
        routers.SetBufferAttribute("Size", QueueSizeValue(QueueSize("64MB")));
        roce.SetCongestionControl("ns3::aidc::CongestionControl"); // none
        roce.SetAttribute("AckTimeout", UintegerValue(13));        // 34 ms
    }

    /// Build the network of two data centers.
    void Build()
    {
        Build(MakeTwoSiteWan(settings));
    }

    void Build(const WanPlan& plan)
    {
        LeafSpineSettings aidc{2, 2, HOSTS / 2};
        aidc.leafSpineRate = RATE;
        aidc.hostRate = hostRate;
        std::vector<FabricPlan> plans(plan.GetNSites(), MakeLeafSpine(aidc));
        aidc.leafSpineRate = firstRate;
        plans.front() = MakeLeafSpine(aidc);
        wan.Build(plans, plan);
        switches.Install(wan.GetSwitches());
        routers.Install(wan.GetCores());
        routers.Install(wan.GetEdges());
        wan.InstallLossless(PriorityFlowControlHelper());
        wan.AssignAddresses();
        wan.AssignStreams(100);
        roce.Install(wan.GetHosts());
    }

    /// Get a host's adapter.
    Ptr<RoceNic> GetNic(uint32_t site, uint32_t i) const
    {
        return RoceHelper::GetNic(wan.GetAidc(site).GetHosts().Get(i));
    }

    /// Send a message from a host to another one.
    void Send(uint32_t site, uint32_t i, uint32_t toSite, uint32_t j, uint64_t bytes, Time start)
    {
        const auto sender = GetNic(site, i);
        const auto [qp, peer] = RoceHelper::Connect(sender, GetNic(toSite, j));
        flows.emplace(std::array{site, i, toSite, j}, GetRoceSourcePort(qp, peer));
        sender->GetQueuePair(qp).SetCompletionSink(RoceQueuePair::CompletionSink(
            [this, sender = site * HOSTS + i](uint32_t, const RoceCompletion& completion) {
                completions.push_back({completion.status, sender, Simulator::Now()});
            }));
        RoceWork work;
        work.operation = RoceOperation::WRITE;
        work.nBytes = bytes;
        Simulator::ScheduleWithContext(wan.GetAidc(site).GetHosts().Get(i)->GetId(),
                                       start,
                                       &RoceNic::Post,
                                       sender,
                                       qp,
                                       work);
    }

    /// A work request that has ended.
    struct Completion
    {
        RoceStatus status; //!< how
        uint32_t sender;   //!< the number of the sender, senders of the first data center first
        Time time;         //!< when
    };

    uint64_t hostRate{RATE};           //!< bit/s of the hosts' links
    uint64_t firstRate{RATE};          //!< bit/s between leaves and spines of the first data center
    WanHelper wan;                     //!< the network
    TwoSiteWanSettings settings;       //!< its WAN
    SharedBufferSwitchHelper switches; //!< installs the switches
    SharedBufferSwitchHelper routers;  //!< installs the routers
    RoceHelper roce;                   //!< installs the adapters
    std::vector<Completion> completions; //!< the messages that have been sent
    /// The five-tuples of messages: data centers and hosts of both ends, and the source port.
    std::set<std::pair<std::array<uint32_t, 4>, uint16_t>> flows;
    SimulationEnd m_end; //!< of this network
};

} // namespace aidctest

#endif // AIDC_WAN_NETWORK_H

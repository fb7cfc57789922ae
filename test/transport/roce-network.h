// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TEST_ROCE_NETWORK_H
#define AIDC_TEST_ROCE_NETWORK_H

#include "test/star-fabric.h"

#include "ns3/priority-flow-control-helper.h"
#include "ns3/roce-helper.h"
#include "ns3/roce-nic.h"

// Hosts with RoceNics behind one switch, for the test suites.

namespace aidctest
{

/// Hosts behind one switch, links of 1 us, and what their adapters tell.
class RoceNetwork
{
  public:
    /// AckTimeout of the adapters: 1.05 ms, which is sooner than adapters come with.
    static constexpr uint8_t ACK_TIMEOUT = 8;

    /// A work request that has ended.
    struct Ended
    {
        uint32_t host;             //!< where
        uint32_t qp;               //!< by which queue pair
        Time time;                 //!< when
        RoceCompletion completion; //!< what
    };

    /// A message that has arrived.
    struct Arrived
    {
        uint32_t host;         //!< where
        uint32_t qp;           //!< by which queue pair
        Time time;             //!< when
        RoceDelivery delivery; //!< what
    };

    /// Build the network. rate: the rate of links in bit/s.
    explicit RoceNetwork(uint32_t nHosts, uint64_t rate = 100000000000)
        : RoceNetwork(MakeStar(nHosts, rate, 1000))
    {
    }

    /// Build the network. mtu: the MTU of ports in bytes.
    explicit RoceNetwork(const FabricPlan& fabric, uint16_t mtu = 4200)
        : m_fabric(fabric)
    {
        roce.SetCongestionControl("ns3::aidc::CongestionControl"); // none
        roce.SetAttribute("AckTimeout", UintegerValue(ACK_TIMEOUT));
        network.SetMtu(mtu);
        network.Build(fabric);
    }

    /// Install what `switches`, `pfc` and `roce` have been set to.
    void Start()
    {
        const auto queueDiscs = switches.Install(network.GetSwitches());
        constexpr int64_t MARKING_STREAMS = 1000; // far from the network's streams
        SharedBufferSwitchHelper::AssignStreams(queueDiscs, MARKING_STREAMS);
        if (isLossless)
        {
            pfc.InstallSwitches(network.GetSwitches());
            pfc.InstallHosts(network.GetHosts());
        }
        network.AssignAddresses();
        network.AssignStreams(1);
        roce.Install(network.GetHosts());
    }

    Ptr<RoceNic> GetNic(uint32_t host) const
    {
        return RoceHelper::GetNic(network.GetHosts().Get(host));
    }

    /// Get the queue pair of a host to another one, which is made and connected if need be.
    uint32_t GetQp(uint32_t from, uint32_t to)
    {
        auto& qp = m_pairs[{from, to}];
        if (qp == 0)
        {
            qp = Connect(from, to).first;
        }
        return qp;
    }

    /// Connect new queue pairs of two hosts, which GetQp() tells from then on.
    std::pair<uint32_t, uint32_t> Connect(uint32_t from, uint32_t to)
    {
        const auto a = GetNic(from);
        const auto b = GetNic(to);
        const uint32_t first = a->Create();
        const uint32_t second = b->Create();
        a->SetFirstPsn(first, firstPsn, firstPsn);
        b->SetFirstPsn(second, firstPsn, firstPsn);
        a->Connect(first, b->GetAddress(), second, path);
        b->Connect(second, a->GetAddress(), first, path);
        m_pairs[{from, to}] = first;
        m_pairs[{to, from}] = second;
        Watch(from, first);
        Watch(to, second);
        return {first, second};
    }

    Ptr<EthernetNetDevice> GetHostPort(uint32_t host) const
    {
        return GetNic(host)->GetPort(0)->GetDevice();
    }

    Ptr<EthernetNetDevice> GetSwitchPort(uint32_t host) const
    {
        return DynamicCast<EthernetNetDevice>(
            network.GetSwitchPort(NodeIndex(network.GetHosts().Get(host)->GetId())));
    }

    /// Write down what a queue pair tells.
    void Watch(uint32_t host, uint32_t qp)
    {
        GetNic(host)->GetQueuePair(qp).SetCompletionSink(
            ToCallback([this, host](uint32_t number, const RoceCompletion& completion) {
                completions.push_back({host, number, Simulator::Now(), completion});
            }));
        GetNic(host)->GetQueuePair(qp).SetDeliverySink(
            ToCallback([this, host](uint32_t number, const RoceDelivery& delivery) {
                deliveries.push_back({host, number, Simulator::Now(), delivery});
            }));
    }

    void Post(uint32_t from, uint32_t to, const RoceWork& work)
    {
        GetNic(from)->Post(GetQp(from, to), work);
    }

    void Write(uint32_t from, uint32_t to, uint64_t nBytes, uint64_t id = 0)
    {
        RoceWork work;
        work.id = id;
        work.nBytes = nBytes;
        Post(from, to, work);
    }

    /// Get a letter for how a work request has ended: S for success, R for retries exceeded, N for
    /// retries exceeded because the receiver is not ready, A for an access error, F for flushed.
    static char GetLetter(RoceStatus status)
    {
        const std::map<RoceStatus, char> letters{{RoceStatus::SUCCESS, 'S'},
                                                 {RoceStatus::RETRY_EXCEEDED, 'R'},
                                                 {RoceStatus::RNR_RETRY_EXCEEDED, 'N'},
                                                 {RoceStatus::REMOTE_ACCESS_ERROR, 'A'},
                                                 {RoceStatus::FLUSHED, 'F'}};
        const auto letter = letters.find(status);
        return letter == letters.end() ? '?' : letter->second;
    }

    /// Get how the work requests of a host have ended. Returns their letters in the order of time.
    std::string GetStatuses(uint32_t host) const
    {
        std::string text;
        for (const auto& ended : completions)
        {
            if (ended.host == host)
            {
                text += GetLetter(ended.completion.status);
            }
        }
        return text;
    }

    RocePath path;                     //!< of queue pairs; not known, by default
    FabricHelper network;              //!< nodes and links
    SharedBufferSwitchHelper switches; //!< to be set before Start()
    PriorityFlowControlHelper pfc;     //!< to be set before Start()
    RoceHelper roce;                   //!< to be set before Start()
    bool isLossless{false};            //!< whether there is priority flow control
    uint32_t firstPsn{0};              //!< of queue pairs that are made, both ways
    std::vector<Ended> completions;    //!< what has ended, by time
    std::vector<Arrived> deliveries;   //!< what has arrived, by time

  private:
    FabricPlan m_fabric;                                       //!< the plan
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_pairs; //!< queue pairs
    SimulationEnd m_end;                                       //!< of this network
};

} // namespace aidctest

#endif // AIDC_TEST_ROCE_NETWORK_H

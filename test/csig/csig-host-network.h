// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_HOST_NETWORK_H
#define AIDC_CSIG_HOST_NETWORK_H

#include "test/test-case.h"

#include "ns3/csig-host.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/ipv4-global-routing-helper.h"

// Two hosts and a router that does to packets what a test wants, for the suites of CSIG's hosts.

namespace aidctest
{

/// A queue of a router's port that hands each packet to a test before it takes it.
class EditingQueueDisc : public QueueDisc
{
  public:
    /// Changes a packet, which begins with the transport header; false drops it.
    using Edit = std::function<bool(Ptr<Packet>)>;

    EditingQueueDisc()
        : QueueDisc(QueueDiscSizePolicy::SINGLE_INTERNAL_QUEUE)
    {
    }

    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("aidctest::EditingQueueDisc").SetParent<QueueDisc>().SetGroupName("Aidc");
        return tid;
    }

    Edit edit; //!< changes packets; none if empty

  private:
    bool DoEnqueue(Ptr<QueueDiscItem> item) override
    {
        if (edit && !edit(item->GetPacket()))
        {
            DropBeforeEnqueue(item, "Edited");
            return false;
        }
        return GetInternalQueue(0)->Enqueue(item);
    }

    Ptr<QueueDiscItem> DoDequeue() override
    {
        return GetInternalQueue(0)->Dequeue();
    }

    bool CheckConfig() override
    {
        AddInternalQueue(CreateObjectWithAttributes<DropTailQueue<QueueDiscItem>>(
            "MaxSize",
            QueueSizeValue(QueueSize("10000p"))));
        return true;
    }

    void InitializeParams() override
    {
    }
};

/// Host A, a router and host B, with 100 Mbit/s and 10 us a link.
class CsigHostNetwork
{
  public:
    explicit CsigHostNetwork(uint16_t mtu = 1500)
    {
        nodes.Create(3);
        InternetStackHelper().Install(nodes);
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
        link.SetDeviceAttribute("Mtu", UintegerValue(mtu));
        link.SetChannelAttribute("Delay", StringValue("10us"));
        const auto left = link.Install(nodes.Get(0), nodes.Get(1));
        const auto right = link.Install(nodes.Get(1), nodes.Get(2));
        toA = CreateObject<EditingQueueDisc>();
        toB = CreateObject<EditingQueueDisc>();
        auto control = nodes.Get(1)->GetObject<TrafficControlLayer>();
        control->SetRootQueueDiscOnDevice(left.Get(1), toA);
        control->SetRootQueueDiscOnDevice(right.Get(0), toB);
        addressA = Ipv4AddressHelper("10.0.1.0", "255.255.255.0").Assign(left).GetAddress(0);
        addressB = Ipv4AddressHelper("10.0.2.0", "255.255.255.0").Assign(right).GetAddress(1);
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    }

    Ptr<CsigHost> InstallA() const
    {
        return InstallOn(0);
    }

    Ptr<CsigHost> InstallB() const
    {
        return InstallOn(2);
    }

    NodeContainer nodes;       //!< host A, the router, host B
    Ptr<EditingQueueDisc> toA; //!< the router's queue to A
    Ptr<EditingQueueDisc> toB; //!< the router's queue to B
    Ipv4Address addressA;      //!< of host A
    Ipv4Address addressB;      //!< of host B

  private:
    Ptr<CsigHost> InstallOn(uint32_t index) const
    {
        auto host = CreateObject<CsigHost>();
        host->Install(nodes.Get(index));
        return host;
    }

    SimulationEnd m_end; //!< of this network
};

} // namespace aidctest

#endif // AIDC_CSIG_HOST_NETWORK_H

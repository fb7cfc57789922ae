// SPDX-License-Identifier: GPL-2.0-only

// A queue of one's own: it marks from half of the dynamic threshold on.
#include "ns3/clos-fabric.h"
#include "ns3/core-module.h"
#include "ns3/fabric-helper.h"
#include "ns3/marking-queue.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/tcp-flow-helper.h"

#include <iostream>

using namespace ns3;
using namespace ns3::aidc;

struct HalfThreshold : public MarkingQueue
{
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("HalfThreshold").SetParent<MarkingQueue>().AddConstructor<HalfThreshold>();
        return tid;
    }

    const char* DoAdmit(Ptr<QueueDiscItem>& item) override
    {
        const bool isHigh = 2 * GetOccupancy() > GetThreshold();
        return isHigh && !Mark(item, "High") ? "High, and not ECN-capable" : nullptr;
    }
};

NS_OBJECT_ENSURE_REGISTERED(HalfThreshold);

int
main()
{
    ConfigureDctcp();
    FabricHelper network;
    network.Build(MakeLeafSpine(LeafSpineSettings()));
    SharedBufferSwitchHelper switches;
    switches.SetQueueDisc(SharedBufferSwitchHelper::ALL_CLASSES, "HalfThreshold");
    const auto queues = switches.Install(network.GetSwitches()); // the first one leads to host 0
    network.AssignAddresses();
    const auto& hosts = network.GetFabric().GetHosts();
    TcpFlowHelper tcp;
    tcp.StopWhenDone();
    tcp.Install(network, {{hosts[16], hosts[0], 0, 0, 20000000}}); // in bytes
    tcp.Install(network, {{hosts[17], hosts[0], 0, 0, 20000000}});
    Simulator::Run();
    std::cout << queues.Get(0)->GetStats().nTotalMarkedPackets << " packets were marked\n";
    Simulator::Destroy();
}

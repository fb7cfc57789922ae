// SPDX-License-Identifier: GPL-2.0-only

// A congestion control of one's own: a third of the line rate for 100 us after a notification.
#include "ns3/congestion-control.h"

#include "ns3/clos-fabric.h"
#include "ns3/core-module.h"
#include "ns3/fabric-helper.h"
#include "ns3/roce-flow-helper.h"
#include "ns3/roce-helper.h"
#include "ns3/shared-buffer-switch-helper.h"

#include <iostream>

using namespace ns3;
using namespace ns3::aidc;

struct BackOff : public CongestionControl
{
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("BackOff").SetParent<CongestionControl>().AddConstructor<BackOff>();
        return tid;
    }

    void NotifyCnp(Time now) override
    {
        until = now + MicroSeconds(100);
    }

    uint64_t GetRate(Time now) override
    {
        return GetConnection().lineRate / (now < until ? 3 : 1);
    }

    Time until;
};

NS_OBJECT_ENSURE_REGISTERED(BackOff);

int
main()
{
    FabricHelper network;
    network.SetMtu(4200); // for packets of 4096 bytes
    network.Build(MakeLeafSpine(LeafSpineSettings()));
    SharedBufferSwitchHelper().Install(network.GetSwitches());
    network.AssignAddresses();
    RoceHelper roce;
    roce.SetCongestionControl("BackOff");
    roce.Install(network.GetHosts());
    RoceFlowHelper flows; // two, of 20 MB, to one host
    flows.Install(network, {{NodeIndex(16), NodeIndex(0), 0, 0, 20000000}});
    flows.Install(network, {{NodeIndex(17), NodeIndex(0), 0, 0, 20000000}});
    Simulator::Run();
    std::cout << "The first flow took " << flows.GetRecords()[0].fct.As(Time::MS) << "\n";
    Simulator::Destroy();
}

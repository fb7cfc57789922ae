// SPDX-License-Identifier: GPL-2.0-only

#include "roce-network.h"
#include "test/test-case.h"

#include "ns3/priority-flow-control.h"
#include "ns3/switch-port-queue-disc.h"

// DCQCN in a network.
AIDC_TEST_SUITE("aidc-roce-dcqcn", UNIT);

/// Marks begin at Kmin, and all packets are marked above Kmax: HPCC's configuration for 100 Gb/s.
constexpr double KMAX = 1600000;

struct Share
{
    std::string name;      //!< what the congestion control is called
    ObjectFactory control; //!< the congestion control
    uint32_t nFlows;       //!< the flows
};

// Long flows of DCQCN through one port of 100 Gb/s share it, with Jain's index of at least 0.99
// after convergence. Marks by Kmin 400 kB, Kmax 1600 kB, Pmax 0.2; a buffer of 12 MB with PFC; a
// CNP every 50 us at most. What is measured is in a file, in the folder of the option --tempdir.
AIDC_TEST_CASE_P(ShareTestCase,
                 Share,
                 row,
                 "DCQCN (" + row.name + "): " + std::to_string(row.nFlows) + " flows share a port")
{
    const Time begin = MilliSeconds(50);
    const Time duration = MilliSeconds(40);
    const Time interval = MicroSeconds(5);
    RoceNetwork network(row.nFlows + 1);
    network.isLossless = true;
    network.switches.SetBufferAttribute("Size", StringValue("12MB"));
    const uint32_t all = SharedBufferSwitchHelper::ALL_CLASSES;
    for (const auto& [name, value] : {std::pair{"Mode", "StaticRed"},
                                      std::pair{"Kmin", "400kB"},
                                      std::pair{"Kmax", "1600kB"},
                                      std::pair{"Pmax", "0.2"}})
    {
        network.switches.SetQueueDiscAttribute(all, name, StringValue(value));
    }
    network.roce.SetAttribute("CongestionControl", ObjectFactoryValue(row.control));
    network.Start();
    for (uint32_t i = 1; i <= row.nFlows; ++i)
    {
        constexpr int MESSAGES = 1000; // more than a flow alone could send
        for (int j = 0; j < MESSAGES; ++j)
        {
            network.Write(i, 0, 1000000);
        }
    }
    const auto port = network.GetSwitchPort(0);
    const auto root =
        port->GetNode()->GetObject<TrafficControlLayer>()->GetRootQueueDiscOnDevice(port);
    const auto queue = DynamicCast<SwitchPortQueueDisc>(root)->GetClass(3)->GetQueue();
    std::vector<double> samples;
    std::vector<double> sent(row.nFlows);
    uint64_t nPauses = 0;
    const auto take = [&](double sign) {
        for (uint32_t i = 0; i < row.nFlows; ++i)
        {
            const auto& counted = network.GetNic(i + 1)->GetStatistics();
            sent[i] += sign * static_cast<double>(counted.sentBytes);
            const auto control = network.GetHostPort(i + 1)->GetObject<PriorityFlowControl>();
            const uint64_t n = control->GetStatistics().priorities[3].pauses;
            nPauses += sign > 0 ? n : -n;
        }
    };
    Simulator::Schedule(begin, [&take] { take(-1); });
    for (Time time = begin; time < begin + duration; time += interval)
    {
        Simulator::Schedule(time,
                            [&] { samples.push_back(static_cast<double>(queue->GetOccupancy())); });
    }
    RunFor(begin + duration);
    take(1);

    const double sum = std::accumulate(sent.begin(), sent.end(), 0.0);
    const double squares = std::inner_product(sent.begin(), sent.end(), sent.begin(), 0.0);
    const double jain = sum * sum / (row.nFlows * squares);
    const double goodput = 8 * sum / duration.GetSeconds();
    const double mean =
        std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
    const auto p99 = samples.begin() + static_cast<int64_t>(samples.size() * 99 / 100);
    std::nth_element(samples.begin(), p99, samples.end());
    std::ofstream(CreateTempDirFilename(row.name + std::to_string(row.nFlows) + ".txt"))
        << "Jain's index " << jain << ", goodput " << goodput / 1e9 << " Gb/s, queue " << mean / 1e3
        << " kB, of 99 % " << *p99 / 1e3 << " kB, pauses " << nPauses << '\n';

    NS_TEST_EXPECT_MSG_GT_OR_EQ(jain, 0.99, "Jain's index");
    NS_TEST_EXPECT_MSG_GT(goodput, 0.9 * 100e9 * 4096 / 4178, "the port is used");
    NS_TEST_EXPECT_MSG_EQ(nPauses, 0, "marks alone hold the queue");
    NS_TEST_EXPECT_MSG_LT(mean, KMAX, "below Kmax");
    for (uint32_t host = 0; host <= row.nFlows; ++host)
    {
        const auto& counted = network.GetNic(host)->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(counted.retransmittedPackets + counted.timeouts, 0, "no loss");
    }
}

AIDC_ADD_TEST_CASES()
{
    for (const uint32_t nFlows : {2, 8, 32})
    {
        ObjectFactory control("ns3::aidc::DcqcnControl");
        AddTestCase(new ShareTestCase({"Default", control, nFlows}));
        control.Set("Variant", StringValue("Paper"));
        AddTestCase(new ShareTestCase({"Paper", control, nFlows}));
        // With CNPs no more often than every 50 us its cuts are small: many flows return to earlier
        // targets for so long that there are pauses, which determine the shares.
        control = ObjectFactory("ns3::aidc::DcqcnControl",
                                "AlphaTimer",
                                StringValue("1us"),
                                "AdditiveIncrease",
                                StringValue("40Mbps"),
                                "HyperIncrease",
                                StringValue("100Mbps"),
                                "ClampTargetRate",
                                BooleanValue(nFlows == 32));
        AddTestCase(new ShareTestCase({"Adapters", control, nFlows}));
    }
}

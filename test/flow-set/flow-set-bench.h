// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FLOW_SET_BENCH_H
#define AIDC_FLOW_SET_BENCH_H

#include "test/routing/router-bench.h"

#include "ns3/flow-set-selector.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/queue.h"

// A router with flow-set switching and real queues, for the test suites.

namespace aidctest
{

/// The queues of a FlowSetBench.
enum class BenchQueue : uint8_t
{
    FIFO,   //!< ns-3's FifoQueueDisc of 10,000 bytes a port
    SHARED, //!< a shared-buffer switch with one queue a port and 10,000 bytes of memory for each
    PRIO,   //!< ns-3's PrioQueueDisc over FifoQueueDiscs of 2,000, 6,000 and 2,000 bytes
    MULTI_QUEUE, //!< ns-3's MqQueueDisc over a FifoQueueDisc of 10,000 bytes
    UNLIMITED    //!< aidctest::UnlimitedQueueDisc, of the suite that wants it
};

/// The capacity of a queue of a FlowSetBench in bytes.
constexpr uint32_t CAPACITY = 10000;

/// An assessment of a port, as traced.
struct Assessment
{
    Time time;       //!< when
    uint32_t port;   //!< the interface
    uint32_t cqi;    //!< its CQI
    uint64_t nBytes; //!< the depth of its queue
};

/// The end of the first assessment interval.
const Time FIRST = MilliSeconds(10);

/// The end of the second assessment interval.
const Time SECOND = MilliSeconds(20);

/// A router that spreads flows by FlowSetEcmpRouting, whose queues stand still. A packet of 1,000
/// bytes needs a second on its links of 8 kb/s, and tests end before. So what is put into a queue
/// stays there. One packet is on the link and one in the device from the start.
class FlowSetBench : public RouterBench
{
  public:
    /// Constructor. It is 1 ms when it is done.
    explicit FlowSetBench(
        const Attributes& attributes = {},
        BenchQueue queue = BenchQueue::FIFO,
        uint32_t nPorts = 4,
        const Ipv4RoutingHelper& helper = MultipathRoutingHelper("ns3::aidc::FlowSetEcmpRouting"),
        const std::string& rate = "8kbps")
        : RouterBench(nPorts, helper, rate),
          selector(DynamicCast<FlowSetSelector>(routing->GetSelector()))
    {
        selector->SetAttribute("TableSize",
                               UintegerValue(65536)); // flows of tests: a set each
        SetAll(selector, attributes);
        selector->AssignStreams(1);
        ConnectTrace(selector, "Assessment", [this](uint32_t port, uint32_t cqi, uint64_t nBytes) {
            assessments.push_back({Simulator::Now(), port, cqi, nBytes});
        });
        ConnectTrace(selector, "Migration", [this](const FlowSetMigration& migration) {
            migrations.push_back(migration);
        });
        InstallQueues(queue);
        Start();
        routing->AddRoute(Ipv4Address("10.9.0.0"), Ipv4Mask("/16"), GetAllPorts());
        for (uint32_t port = 1; port <= nPorts; ++port)
        {
            routing->AddRoute(GetNetworkBehind(port), Ipv4Mask("/24"), {NextHop(port)});
        }
        for (const int64_t time : {100, 200}) // a device takes the second in an event of its own
        {
            RunTo(MicroSeconds(time));
            for (uint32_t port = 1; port <= nPorts; ++port)
            {
                Put(port, 1000);
            }
        }
        RunTo(MilliSeconds(1));
    }

    static void RunTo(Time time)
    {
        RunFor(time - Simulator::Now() + NanoSeconds(1));
    }

    /// Forward a packet over a port that has no alternative. size: of the packet in bytes.
    void Put(uint32_t port, uint32_t size)
    {
        auto header = MakeHeader(0, size);
        header.SetDestination(Ipv4Address(GetNetworkBehind(port).Get() + 1));
        auto packet = MakePayload(0, size);
        packet->AddHeader(header);
        Receive(packet);
    }

    /// Make a port's queue hold so many packets of 1,000 bytes.
    void SetQueue(uint32_t port, uint32_t nPackets)
    {
        while (GetQueue(port)->Dequeue())
        {
        }
        for (uint32_t i = 0; i < nPackets; ++i)
        {
            Put(port, 1000);
        }
    }

    /// Set the queues of all ports. nPackets: packets of 1,000 bytes, port by port.
    void SetQueues(const std::vector<uint32_t>& nPackets)
    {
        for (uint32_t i = 0; i < nPackets.size(); ++i)
        {
            SetQueue(i + 1, nPackets[i]);
        }
    }

    Ptr<QueueDisc> GetQueue(uint32_t port) const
    {
        return node->GetObject<TrafficControlLayer>()->GetRootQueueDiscOnDevice(
            node->GetDevice(port));
    }

    uint32_t GetCqi(uint32_t port) const
    {
        return selector->GetPortStatus(port).cqi;
    }

    /// Find flows whose flow sets are on a port, by the packets of new flows. Each of them has a
    /// flow set of its own.
    std::vector<uint32_t> Learn(uint32_t port, uint32_t n)
    {
        std::vector<uint32_t> flows;
        while (flows.size() < n)
        {
            const uint32_t former = selector->GetOccupancy();
            if (GetPort(++m_lastFlow) == port && selector->GetOccupancy() > former)
            {
                flows.push_back(m_lastFlow);
            }
        }
        return flows;
    }

    /// Count flows by the port over which a packet of each goes now.
    std::vector<uint32_t> CountPorts(const std::vector<uint32_t>& flows)
    {
        std::vector<uint32_t> counts(input);
        for (const uint32_t flow : flows)
        {
            ++counts[GetPort(flow)];
        }
        return counts;
    }

    Ptr<FlowSetSelector> selector;            //!< of its routing
    std::vector<Assessment> assessments;      //!< all so far
    std::vector<FlowSetMigration> migrations; //!< all so far

  private:
    /// Get a network that is reached over one port.
    static Ipv4Address GetNetworkBehind(uint32_t port)
    {
        return Ipv4Address(0x0a640000 + (port << 8));
    }

    void InstallQueues(BenchQueue queue)
    {
        if (queue == BenchQueue::SHARED)
        {
            SharedBufferSwitchHelper helper;
            helper.SetNClasses(1);
            helper.SetQueueDisc(0, "ns3::FifoQueueDisc");
            helper.SetClassAttribute(0, "Alpha", DoubleValue(1));
            helper.SetBufferAttribute(
                "Size",
                QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, input * CAPACITY)));
            helper.Install(node);
            return;
        }
        const auto helper = MakeQueueHelper(queue);
        for (uint32_t port = 1; port < input; ++port)
        {
            const auto device = DynamicCast<PointToPointNetDevice>(node->GetDevice(port));
            device->GetQueue()->SetMaxSize(QueueSize("1p"));
            TrafficControlHelper(helper).Install(device);
        }
    }

    /// Make what installs ns-3's queue discs.
    static TrafficControlHelper MakeQueueHelper(BenchQueue queue)
    {
        const auto getSize = [](uint32_t bytes) {
            return QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, bytes));
        };
        TrafficControlHelper helper;
        if (queue == BenchQueue::FIFO)
        {
            helper.SetRootQueueDisc("ns3::FifoQueueDisc", "MaxSize", getSize(CAPACITY));
            return helper;
        }
        if (queue == BenchQueue::UNLIMITED)
        {
            helper.SetRootQueueDisc("aidctest::UnlimitedQueueDisc");
            return helper;
        }
        const bool isMultiQueue = queue == BenchQueue::MULTI_QUEUE;
        const auto handle =
            helper.SetRootQueueDisc(isMultiQueue ? "ns3::MqQueueDisc" : "ns3::PrioQueueDisc");
        const auto sizes = isMultiQueue ? std::vector<uint32_t>{CAPACITY}
                                        : std::vector<uint32_t>{2000, 6000, 2000};
        for (const uint32_t size : sizes)
        {
            const auto classes = helper.AddQueueDiscClasses(handle, 1, "ns3::QueueDiscClass");
            helper.AddChildQueueDisc(handle,
                                     classes.front(),
                                     "ns3::FifoQueueDisc",
                                     "MaxSize",
                                     getSize(size));
        }
        return helper;
    }

    uint32_t m_lastFlow{100000}; //!< the last flow that Learn has made
    SimulationEnd m_end;         //!< of this network
};

} // namespace aidctest

#endif // AIDC_FLOW_SET_BENCH_H

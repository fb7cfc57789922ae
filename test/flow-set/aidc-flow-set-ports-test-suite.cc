// SPDX-License-Identifier: GPL-2.0-only

#include "flow-set-bench.h"
#include "test/test-case.h"

#include "ns3/drop-tail-queue.h"

// What is a port, and how much its queue holds: sections 5.1.2 and 5.2.1 of
// draft-li-rtgwg-congestion-aware-flowset-switching-00, "the draft".

// Ports of congestion-aware flow-set switching.
AIDC_TEST_SUITE("aidc-flow-set-ports", UNIT);

/// A queue disc that does not say how much it holds.
class UnlimitedQueueDisc : public QueueDisc
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("aidctest::UnlimitedQueueDisc")
                                .SetParent<QueueDisc>()
                                .AddConstructor<UnlimitedQueueDisc>();
        return tid;
    }

    UnlimitedQueueDisc()
        : QueueDisc(QueueDiscSizePolicy::NO_LIMITS)
    {
    }

  private:
    bool DoEnqueue(Ptr<QueueDiscItem> item) override
    {
        return GetInternalQueue(0)->Enqueue(item);
    }

    Ptr<QueueDiscItem> DoDequeue() override
    {
        return GetInternalQueue(0)->Dequeue();
    }

    bool CheckConfig() override
    {
        AddInternalQueue(CreateObject<DropTailQueue<QueueDiscItem>>());
        return true;
    }

    void InitializeParams() override
    {
    }
};

NS_OBJECT_ENSURE_REGISTERED(UnlimitedQueueDisc);

// Root queue discs that only hold others. Expected results: a capacity of 10,000 bytes, as the
// children have together, so that n packets of 1,000 bytes give a CQI of n. What says nothing of
// its capacity is refused at the start, unless QueueCapacity says it; then it may not be taken
// back.
AIDC_TEST_CASE("5.1.2: the capacity of a queue disc without MaxSize is that of its children")
{
    for (const auto queue : {BenchQueue::PRIO, BenchQueue::MULTI_QUEUE})
    {
        FlowSetBench bench({}, queue);
        for (uint32_t i = 0; i < 5; ++i)
        {
            bench.Put(1, 1000);
        }
        bench.Put(2, 1000);
        bench.RunTo(FIRST);
        NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(1), 5, "5,000 of 10,000 bytes");
        NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(2), 1, "1,000 of 10,000 bytes");
        NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(3), 0, "empty");
    }

    const auto refused = RunInChild([] { FlowSetBench bench({}, BenchQueue::UNLIMITED); });
    AIDC_EXPECT(refused.Says("FlowSetSelector: QueueCapacity is 0, and the queue disc "
                             "of interface 1 does not say how much it holds"),
                refused.errors);
    FlowSetBench bench(Attributes{{"QueueCapacity", "20000B"}}, BenchQueue::UNLIMITED);
    for (uint32_t i = 0; i < 6; ++i)
    {
        bench.Put(1, 1000);
    }
    bench.RunTo(FIRST);
    NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(1), 3, "6,000 of 20,000 bytes");
    const auto set = [&bench](const std::string& name, const std::string& value) {
        return bench.selector->SetAttributeFailSafe(name, StringValue(value));
    };
    AIDC_EXPECT(!set("QueueCapacity", "0B"), "refused when it is set");
    bench.RunTo(SECOND);
    NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(1), 3, "as it was");
    AIDC_EXPECT(set("UseDrops", "true"), "a metric without a capacity");
    AIDC_EXPECT(set("UseQueueDepth", "false"), "none with a capacity");
    AIDC_EXPECT(set("QueueCapacity", "0B"), "not needed now");
    AIDC_EXPECT(!set("UseQueueDepth", "true"), "refused when it is set");
}

// Several next hops over one port. Expected results: of three next hops, two of which share port 1,
// each gets flows, and a flow stays with its next hop, also while another one cannot be used. When
// port 1 is congested, its flows go to port 2, which has only one; when a next hop loses its
// weight, its flows go to the other one over the same port, as rule 3 has it.
AIDC_TEST_CASE("5.2.1: next hops that share a port are told apart")
{
    FlowSetBench bench;
    const Ipv4Address network("10.50.0.0");
    const Ipv4Mask mask("/16");
    const Ipv4Address a("10.0.0.1");
    const Ipv4Address b("10.0.0.2");
    const Ipv4Address c("10.0.0.3");
    bench.routing->AddRoute(network, mask, {{1, a}, {1, b}, {2, c}});
    const auto getGateway = [&bench](uint32_t flow) {
        auto header = RouterBench::MakeHeader(flow);
        header.SetDestination(Ipv4Address("10.50.0.1"));
        bench.Ask(header, RouterBench::MakePayload(flow));
        return bench.gateway;
    };
    const auto count = [&](uint32_t nFlows) {
        std::map<Ipv4Address, uint32_t> counts;
        for (uint32_t flow = 0; flow < nFlows; ++flow)
        {
            ++counts[getGateway(flow)];
        }
        return counts;
    };
    std::map<uint32_t, Ipv4Address> gateways;
    for (uint32_t flow = 0; flow < 90; ++flow)
    {
        gateways[flow] = getGateway(flow);
    }
    auto counts = count(90);
    for (const auto& gateway : {a, b, c})
    {
        NS_TEST_EXPECT_MSG_GT(counts[gateway], 15, gateway); // 30, standard deviation 4.5
    }
    bench.ipv4->SetDown(3); // another port, of another group
    for (uint32_t flow = 0; flow < 90; ++flow)
    {
        NS_TEST_EXPECT_MSG_EQ(getGateway(flow), gateways[flow], "stays");
    }
    bench.routing->SetWeights(network, mask, {0, 1, 1});
    for (uint32_t flow = 0; flow < 90; ++flow)
    {
        NS_TEST_EXPECT_MSG_EQ(getGateway(flow),
                              (gateways[flow] == a ? b : gateways[flow]),
                              "over the same port");
    }
    bench.routing->SetWeights(network, mask, {1, 1, 1});
    const uint32_t nOverPort2 = counts[c];
    bench.SetQueues({4, 0, 0, 0});
    bench.RunTo(FIRST);
    counts = count(90);
    NS_TEST_EXPECT_MSG_EQ(counts[c], nOverPort2 + 4, "the CQI of port 1 is 4");
}

// Next hops of different weights. Expected results: while both ports are equally good, flow sets
// are shared by the weights 4 and 1: of 1,000, 200 go over port 2, with a standard deviation of
// 12.6. They stay where they are when weights change. A shorter queue counts more than a weight.
AIDC_TEST_CASE("5.2.2, step 1: weights decide between ports that are equally good")
{
    FlowSetBench bench;
    const Ipv4Mask mask("/16");
    const auto addRoute = [&bench, mask](const char* network, double weight1, double weight2) {
        bench.routing->AddRoute(
            Ipv4Address(network),
            mask,
            {{1, Ipv4Address("10.0.0.1"), weight1}, {2, Ipv4Address("10.0.0.2"), weight2}});
    };
    const auto count = [&bench](const char* destination, uint32_t from, uint32_t to) {
        uint32_t nOverPort2 = 0;
        for (uint32_t flow = from; flow < to; ++flow)
        {
            auto header = RouterBench::MakeHeader(flow);
            header.SetDestination(Ipv4Address(destination));
            bench.Ask(header, RouterBench::MakePayload(flow));
            nOverPort2 += bench.gateway == Ipv4Address("10.0.0.2") ? 1 : 0;
        }
        return nOverPort2;
    };
    addRoute("10.50.0.0", 4, 1);
    const uint32_t n = count("10.50.0.1", 0, 1000);
    NS_TEST_EXPECT_MSG_EQ_TOL(n, 200U, 50U, "a fifth, within four standard deviations");
    bench.routing->SetWeights(Ipv4Address("10.50.0.0"), mask, {1, 4});
    NS_TEST_EXPECT_MSG_EQ(count("10.50.0.1", 0, 1000), n, "stay");
    NS_TEST_EXPECT_MSG_EQ_TOL(count("10.50.0.1", 1000, 2000), 800U, 50U, "by the new weights");
    bench.SetQueue(2, 1);
    addRoute("10.51.0.0", 1, 3); // another group, whose table has no flow set yet
    NS_TEST_EXPECT_MSG_EQ(count("10.51.0.1", 0, 100), 0, "where the queue is shorter");
}

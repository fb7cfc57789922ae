// SPDX-License-Identifier: GPL-2.0-only

#include "roce-network.h"
#include "test/test-case.h"

#include "ns3/priority-flow-control.h"
#include "ns3/switch-port-queue-disc.h"

// The cases of SONiC's test plan for RoCEv2 (sonic-net/sonic-mgmt, pull requests 23240, 25347,
// 27040 and 27207): which counters move, and which do not. Classes 3 and 4 are lossless, 0 and 1
// are not, 6 has the congestion notifications. An acknowledgment has the class of what it
// acknowledges here.

// RoCEv2 with lossless and lossy classes.
AIDC_TEST_SUITE("aidc-roce-pfc", UNIT);

constexpr uint32_t ALL = SharedBufferSwitchHelper::ALL_CLASSES; //!< classes
constexpr uint32_t CNP_CLASS = 6;                               //!< of DSCP 48

/// A host that sends, to host 0 in cases of incast.
struct Sender
{
    std::vector<uint32_t> classes; //!< of its queue pairs, one each
    uint64_t messageSize{0};       //!< bytes of a message
};

/// Hosts behind a switch, with lossless and lossy classes.
class SonicNetwork : public RoceNetwork
{
  public:
    SonicNetwork(uint32_t nHosts, bool isMarking)
        : RoceNetwork(nHosts)
    {
        isLossless = true;
        pfc.SetPriorities({3, 4});
        switches.SetBufferAttribute("Size", StringValue("12MB"));
        if (isMarking)
        {
            switches.SetQueueDiscAttribute(ALL, "Mode", StringValue("StaticRed"));
            // As adapters have it
            roce.SetCongestionControl("ns3::aidc::DcqcnControl",
                                      "AlphaTimer",
                                      StringValue("1us"),
                                      "AdditiveIncrease",
                                      StringValue("40Mbps"),
                                      "HyperIncrease",
                                      StringValue("100Mbps"));
        }
        else
        {
            switches.SetQueueDisc(ALL, "ns3::FifoQueueDisc");
            switches.SetQueueDiscAttribute(ALL, "MaxSize", StringValue("1000MB"));
        }
        for (const uint32_t i : {0, 1, 3, 4})
        {
            switches.SetClassAttribute(i, "Quantum", UintegerValue(8400));
        }
        for (const uint32_t i : {0, 1})
        {
            switches.SetClassAttribute(i, "Cap", StringValue("200kB"));
        }
        Start();
    }

    uint32_t Send(uint32_t from,
                  uint32_t to,
                  uint32_t trafficClass,
                  uint64_t messageSize,
                  uint64_t nBytes)
    {
        // The class selector of the class, with drop precedence 1 as in DSCP 26.
        for (const uint32_t host : {from, to})
        {
            GetNic(host)->SetAttribute("Dscp", UintegerValue(trafficClass * 8 + 2));
        }
        const uint32_t qp = Connect(from, to).first;
        for (uint64_t i = 0; i < nBytes / messageSize; ++i)
        {
            RoceWork work;
            work.nBytes = messageSize;
            GetNic(from)->Post(qp, work);
        }
        return qp;
    }

    /// Get the packets that the switch has sent to a host.
    uint64_t GetSentTo(uint32_t host, uint32_t trafficClass) const
    {
        const auto port = GetSwitchPort(host);
        const auto root =
            port->GetNode()->GetObject<TrafficControlLayer>()->GetRootQueueDiscOnDevice(port);
        return DynamicCast<SwitchPortQueueDisc>(root)->GetSent(trafficClass);
    }

    /// Get the packets that all hosts have sent, of all kinds.
    uint64_t GetSentByHosts() const
    {
        uint64_t sum = 0;
        for (uint32_t host = 0; host < network.GetHosts().GetN(); ++host)
        {
            const auto& counted = GetNic(host)->GetStatistics();
            sum += counted.sentPackets + counted.sentAcks + counted.sentNaks + counted.sentRnrNaks +
                   counted.sentCnps;
        }
        return sum;
    }

    /// Get the counters of flow control of a priority.
    static const auto& GetPauses(const Ptr<EthernetNetDevice>& port, uint32_t priority)
    {
        return port->GetObject<PriorityFlowControl>()->GetStatistics().priorities[priority];
    }
};

// Basic data-plane traffic without congestion (test_rocev2_basic_dp_no_congestion): pairs of hosts,
// one with a lossless class and one with two lossy ones.
AIDC_TEST_CASE("SONiC TC1: basic data plane without congestion")
{
    constexpr uint64_t BYTES = 8000000;
    SonicNetwork network(4, true);
    network.Send(0, 1, 3, 1000000, BYTES);
    network.Send(2, 3, 0, 1000000, BYTES / 2);
    network.Send(2, 3, 1, 1000000, BYTES / 2);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(network.GetStatuses(0), "SSSSSSSS", "all messages complete");
    NS_TEST_EXPECT_MSG_EQ(network.GetStatuses(2), "SSSSSSSS", "all messages complete");
    NS_TEST_EXPECT_MSG_EQ(network.network.GetPacketCounts().dropped, 0, "no loss");
    for (const uint32_t host : {0, 1, 2, 3})
    {
        const auto& counted = network.GetNic(host)->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(counted.sentNaks + counted.receivedNaks, 0, "no NAK");
        NS_TEST_EXPECT_MSG_EQ(counted.retransmittedPackets, 0, "no sequence errors");
        NS_TEST_EXPECT_MSG_EQ(counted.ceReceived, 0, "no CE");
        NS_TEST_EXPECT_MSG_EQ(counted.sentCnps + counted.receivedCnps, 0, "no CNP");
        for (uint32_t priority = 0; priority < 8; ++priority)
        {
            const auto& pauses = SonicNetwork::GetPauses(network.GetSwitchPort(host), priority);
            NS_TEST_EXPECT_MSG_EQ(pauses.sentXoff, 0, "no PFC");
        }
    }
    for (const uint32_t host : {0, 2})
    {
        const auto& sender = network.GetNic(host)->GetStatistics();
        const auto& receiver = network.GetNic(host + 1)->GetStatistics();
        NS_TEST_EXPECT_MSG_GT_OR_EQ(receiver.sentAcks, 8, "an ACK for each message");
        NS_TEST_EXPECT_MSG_EQ(receiver.sentAcks, sender.receivedAcks, "all arrive");
        uint64_t nAcks = 0;
        uint64_t nData = 0;
        for (const uint32_t i : host == 0 ? std::set<uint32_t>{3} : std::set<uint32_t>{0, 1})
        {
            nAcks += network.GetSentTo(host, i);
            nData += network.GetSentTo(host + 1, i);
        }
        NS_TEST_EXPECT_MSG_EQ(nAcks, sender.receivedAcks, "as the switch counts them");
        NS_TEST_EXPECT_MSG_EQ(nData, sender.sentPackets, "data is in the class it maps to");
    }
    NS_TEST_EXPECT_MSG_EQ(network.GetSentTo(3, 0), network.GetSentTo(3, 1), "in both classes");
    NS_TEST_EXPECT_MSG_EQ(network.network.GetPacketCounts().sent,
                          2 * network.GetSentByHosts(),
                          "over the links of both hosts");
}

struct IncastCase
{
    std::string name;            //!< in words
    std::vector<Sender> senders; //!< to host 0, each at the line rate
    bool isMarking{false};       //!< whether there are marks, and DCQCN
    std::set<uint32_t> pausing;  //!< the classes that are to be paused
    bool isCompared{false};      //!< whether there have to be fewer pauses than without marks
};

void
CheckHost(const IncastCase& row, const SonicNetwork& network, uint32_t host)
{
    const auto& counted = network.GetNic(host)->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(network.GetSentTo(host, CNP_CLASS),
                          counted.receivedCnps,
                          "CNPs are in their class");
    if (host == 0)
    {
        return;
    }
    const bool isLossy = row.senders[host - 1].classes[0] < 3;
    NS_TEST_EXPECT_MSG_GT_OR_EQ(counted.receivedAcks,
                                network.GetStatuses(host).size(),
                                "an ACK for each message");
    NS_TEST_EXPECT_MSG_EQ((counted.receivedNaks > 0), isLossy, "NAKs of lossy classes only");
    NS_TEST_EXPECT_MSG_EQ((counted.retransmittedPackets > 0), isLossy, "loss is theirs");
    NS_TEST_EXPECT_MSG_EQ(counted.errors, 0, "nobody gives up");
}

/// Send, and check what comes of it.
uint64_t
Send(const IncastCase& row)
{
    constexpr uint64_t BYTES = 8 << 20;
    const auto nSenders = static_cast<uint32_t>(row.senders.size());
    SonicNetwork network(nSenders + 1, row.isMarking);
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> classes;
    uint64_t nMessages = 0;
    for (uint32_t i = 0; i < nSenders; ++i)
    {
        const auto& sender = row.senders[i];
        for (const uint32_t trafficClass : sender.classes)
        {
            const auto qp = network.Send(i + 1, 0, trafficClass, sender.messageSize, BYTES);
            classes[{i + 1, qp}] = trafficClass;
            nMessages += BYTES / sender.messageSize;
        }
    }
    Simulator::Run();

    NS_TEST_EXPECT_MSG_EQ(network.completions.size(), nMessages, "all messages end");
    NS_TEST_EXPECT_MSG_EQ(network.deliveries.size(), nMessages, "all arrive");
    std::array<Time, 8> ends;
    for (const auto& ended : network.completions)
    {
        AIDC_EXPECT(ended.completion.status == RoceStatus::SUCCESS, "well");
        ends[classes[{ended.host, ended.qp}]] = ended.time;
    }
    if (ends[4] > Time())
    {
        // As long as both classes have packets they have equal shares, and the same to send.
        NS_TEST_EXPECT_MSG_EQ_TOL(ends[3].GetSeconds(),
                                  ends[4].GetSeconds(),
                                  0.05 * ends[3].GetSeconds(),
                                  "shares of the classes");
    }
    uint64_t nCnps = 0;
    std::array<uint64_t, 8> xoffs{};
    for (uint32_t host = 0; host <= nSenders; ++host)
    {
        CheckHost(row, network, host);
        nCnps += network.GetNic(host)->GetStatistics().receivedCnps;
        for (uint32_t priority = 0; priority < 8; ++priority)
        {
            const auto& sent = SonicNetwork::GetPauses(network.GetSwitchPort(host), priority);
            const auto& got = SonicNetwork::GetPauses(network.GetHostPort(host), priority);
            xoffs[priority] += sent.sentXoff;
            NS_TEST_EXPECT_MSG_EQ(got.receivedXoff, sent.sentXoff, "each pause is received");
            NS_TEST_EXPECT_MSG_EQ((got.pauses > 0), (sent.sentXoff > 0), "and obeyed");
        }
    }
    for (uint32_t priority = 0; priority < 8; ++priority)
    {
        NS_TEST_EXPECT_MSG_EQ((xoffs[priority] > 0),
                              (row.pausing.count(priority) > 0),
                              "pauses of priority " << priority);
    }
    const auto& receiver = network.GetNic(0)->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ((receiver.ceReceived > 0), row.isMarking, "CE");
    NS_TEST_EXPECT_MSG_EQ((receiver.sentCnps > 0), row.isMarking, "CNPs");
    NS_TEST_EXPECT_MSG_EQ(receiver.sentCnps, nCnps, "all CNPs arrive");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(receiver.sentCnps, receiver.ceReceived, "at most one a mark");
    const auto counts = network.network.GetPacketCounts();
    NS_TEST_EXPECT_MSG_EQ(counts.sent + counts.dropped,
                          2 * network.GetSentByHosts(),
                          "over the links of both hosts, without PFC's frames");
    return std::accumulate(xoffs.begin(), xoffs.end(), uint64_t{0});
}

const Sender LOSSY{{0, 1}, 128 << 10};
const Sender FIRST{{3}, 128 << 10};
const Sender SECOND{{4}, 128 << 10};
const Sender SMALL{{4}, 4 << 10};
const Sender STORAGE{{3, 4}, 1 << 20};

// Incast: lossless classes are protected by PFC (test_rocev2_pfc_congestion_ai) or by DCQCN
// (test_rocev2_dcqcn_congestion_ai, test_rocev2_storage_congestion), lossy ones are not.
AIDC_TEST_CASES(
    IncastCase,
    row,
    "SONiC " + row.name,
    ({{"TC2: PFC congestion, q3_single", {FIRST, FIRST, FIRST, LOSSY}, false, {3}},
      {"TC2: PFC congestion, q3q4_same", {FIRST, SECOND, FIRST, SECOND, LOSSY}, false, {3, 4}},
      {"TC2: PFC congestion, q3q4_mixed", {FIRST, SMALL, FIRST, SMALL, LOSSY}, false, {3, 4}},
      {"TC3: DCQCN congestion", {FIRST, SECOND}, true, {}},
      {"TC4: storage congestion, DCQCN off", {STORAGE, STORAGE, STORAGE}, false, {3, 4}},
      {"TC4: storage congestion, DCQCN on", {STORAGE, STORAGE, STORAGE}, true, {3, 4}, true}}))
{
    const uint64_t nPauses = Send(row);
    if (row.isCompared)
    {
        auto unmarked = row;
        unmarked.isMarking = false;
        NS_TEST_EXPECT_MSG_LT(nPauses, Send(unmarked) * 3 / 4, "fewer pauses than without marks");
    }
}

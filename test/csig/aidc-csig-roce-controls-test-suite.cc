/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-roce-network.h"

#include "ns3/boolean.h"
#include "ns3/congestion-control.h"
#include "ns3/double.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/packet.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

/**
 * @ingroup aidc-test
 * @brief Slow start of RFC 5681 and nothing else: ten packets, and one more for each acknowledged.
 */
class SlowStartControl : public CongestionControl
{
  public:
    /**
     * @brief Get the TypeId.
     * @return the TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("aidctest::SlowStartControl")
                                .SetParent<CongestionControl>()
                                .AddConstructor<SlowStartControl>();
        return tid;
    }

    void NotifyAcknowledgment(Time, const Acknowledgment& acknowledgment) override
    {
        m_nAcked += acknowledgment.nBytes;
    }

    uint64_t GetWindow(Time) override
    {
        return 10 * GetConnection().packetSize + m_nAcked;
    }

  private:
    uint64_t m_nAcked{0}; //!< bytes that were acknowledged
};

NS_OBJECT_ENSURE_REGISTERED(SlowStartControl);

/// Bytes of a frame that only data reaches.
constexpr uint32_t DATA = 1000;

/**
 * @ingroup aidc-test
 * @brief Hosts at one leaf that send to as many at another one, through a link as fast as theirs.
 */
class DelayNetwork : public CsigRoceNetwork
{
  public:
    /**
     * @brief Constructor.
     * @param nHosts hosts that send
     * @param delay the delay of a link in ns
     */
    DelayNetwork(uint32_t nHosts, int64_t delay)
        : CsigRoceNetwork(MakeTwoLeaves(nHosts, HOST_RATE, delay)),
          m_nHosts(nHosts)
    {
        // A packet over three wires, and its acknowledgment
        constexpr double SENT = 8 * 3 * (4178 + 86) / 100.0;
        m_baseRtt = NanoSeconds(static_cast<int64_t>(SENT) + 6 * delay);
    }

    /**
     * @brief Install what has been set, and note what packets wait at the first leaf.
     * @param from from when on
     */
    void StartDelays(Time from)
    {
        switches.SetQueueDisc(SharedBufferSwitchHelper::ALL_CLASSES, "ns3::FifoQueueDisc");
        switches.SetQueueDiscAttribute(SharedBufferSwitchHelper::ALL_CLASSES,
                                       "MaxSize",
                                       StringValue("100MB"));
        StartCsig();
        using Sink = Callback<void, Ptr<const Packet>>;
        const auto& fabric = network.GetFabric();
        for (PortIndex port(1); port < fabric.GetPorts(NodeIndex(0)).GetEnd(); ++port)
        {
            network.GetPort(NodeIndex(0), port)
                ->TraceConnectWithoutContext("PhyRxEnd", Sink([this](Ptr<const Packet> frame) {
                                                 if (frame->GetSize() > DATA)
                                                 {
                                                     m_arrivals.push_back(Simulator::Now());
                                                 }
                                             }));
        }
        GetBottleneck()->TraceConnectWithoutContext(
            "PhyTxBegin",
            Sink([this, from](Ptr<const Packet> frame) {
                if (frame->GetSize() > DATA)
                {
                    const double delay = (Simulator::Now() - m_arrivals.front()).ToDouble(Time::NS);
                    m_arrivals.pop_front();
                    if (Simulator::Now() >= from)
                    {
                        sum += delay;
                        ++count;
                        longest = std::max(longest, delay);
                    }
                }
            }));
    }

    /**
     * @brief Get the port from one leaf to the other.
     * @return the port
     */
    Ptr<EthernetNetDevice> GetBottleneck() const
    {
        return DynamicCast<EthernetNetDevice>(network.GetPort(NodeIndex(0), PortIndex(0)));
    }

    /**
     * @brief Send a message by a queue pair of its own.
     * @param host which of the hosts that send
     * @param nBytes its size
     * @param time when
     */
    void Send(uint32_t host, uint64_t nBytes, Time time = Time())
    {
        const auto nic = GetNic(host);
        const auto [first, second] = RoceHelper::Connect(nic, GetNic(m_nHosts + host), m_baseRtt);
        Watch(host, first);
        Watch(m_nHosts + host, second);
        RoceWork work;
        work.id = nBytes;
        work.nBytes = nBytes;
        const uint32_t qp = first;
        Simulator::Schedule(time, [nic, qp, work] { nic->Post(qp, work); });
    }

    double sum{0};     //!< of what packets have waited, in ns
    uint64_t count{0}; //!< packets
    double longest{0}; //!< the longest wait, in ns

  private:
    uint32_t m_nHosts;           //!< hosts that send
    Time m_baseRtt;              //!< the round trip of the idle path
    std::deque<Time> m_arrivals; //!< of packets that are not sent yet
};

/**
 * @brief Let senders use Swift on max(PD).
 * @param network the network
 * @param format the format of tags
 */
void
Prepare(DelayNetwork& network, const std::string& format)
{
    network.csig.SetNicAttribute("Format", StringValue(format));
    network.csig.SetNicAttribute("Signals", StringValue("max(PD)"));
    network.roce.SetCongestionControl("ns3::aidc::SwiftControl",
                                      "GoverningDelay",
                                      StringValue("HopDelay"));
}

/**
 * @brief Get what hosts have sent.
 * @param network the network
 * @param nHosts the number of hosts
 * @return bytes of payload, by host
 */
std::vector<double>
GetSent(const DelayNetwork& network, uint32_t nHosts)
{
    std::vector<double> sent;
    for (uint32_t i = 0; i < nHosts; ++i)
    {
        sent.push_back(static_cast<double>(network.GetNic(i)->GetStatistics().sentBytes));
    }
    return sent;
}

/**
 * @brief Get Jain's index of what hosts have sent in a time.
 * @param before what they had sent at its beginning
 * @param after and at its end
 * @return the index, from 1 / n to 1
 */
double
GetFairness(const std::vector<double>& before, const std::vector<double>& after)
{
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
    {
        const double sent = after[i] - before[i];
        sum += sent;
        squares += sent * sent;
    }
    return sum * sum / (static_cast<double>(before.size()) * squares);
}

/**
 * @ingroup aidc-test
 * @brief Swift on max(PD) holds what packets wait at the bottleneck at HopDelayTarget, 10 us.
 *
 * What is measured is in a file, in the folder of the option --tempdir.
 */
class TargetTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param format the format of tags
     * @param nFlows flows, each of a host of its own
     */
    TargetTestCase(const std::string& format, uint32_t nFlows)
        : TestCase("8.1.1: Swift holds its target, " + format +
                   ", flows: " + std::to_string(nFlows)),
          m_format(format),
          m_nFlows(nFlows)
    {
    }

  private:
    void DoRun() override
    {
        DelayNetwork network(m_nFlows, 1000);
        Prepare(network, m_format);
        network.StartDelays(MilliSeconds(1));
        for (uint32_t i = 0; i < m_nFlows; ++i)
        {
            network.Send(i, 1000000000);
        }
        std::vector<double> sent;
        Simulator::Schedule(MilliSeconds(1), [&] { sent = GetSent(network, m_nFlows); });
        Simulator::Stop(MilliSeconds(5));
        Simulator::Run();
        const double mean = network.sum / static_cast<double>(network.count);
        const double fairness = GetFairness(sent, GetSent(network, m_nFlows));
        std::ofstream(CreateTempDirFilename("waits.txt"))
            << "mean " << mean / 1e3 << " us, longest " << network.longest / 1e3
            << " us, Jain's index " << fairness << '\n';
        NS_TEST_EXPECT_MSG_EQ_TOL(mean, 10000, 1000, "the mean delay is within 10 % of the target");
        // Packets of 4186 bytes, or 4182, take 334.88 ns, or 334.56 ns
        NS_TEST_EXPECT_MSG_GT(network.count, 4e6 / 334.88 * 0.995, "the link is full");
        NS_TEST_EXPECT_MSG_GT(fairness, 0.99, "shares");
    }

    std::string m_format; //!< the format of tags
    uint32_t m_nFlows;    //!< flows
};

/**
 * @ingroup aidc-test
 * @brief Swift on max(PD) converges: a flow that is left alone takes the link, and one that comes
 *        gets its share.
 */
class ConvergenceTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param format the format of tags
     */
    explicit ConvergenceTestCase(const std::string& format)
        : TestCase("8.1.1: Swift takes what others leave, and leaves what others need, " + format),
          m_format(format)
    {
    }

  private:
    void DoRun() override
    {
        CheckLeftAlone();
        CheckNewcomer();
    }

    /// 31 of 32 flows end. 1.6 packets grow to the 21 of a round trip by one in each, of 7 us.
    void CheckLeftAlone()
    {
        constexpr uint32_t N = 32;
        DelayNetwork network(N, 1000);
        Prepare(network, m_format);
        network.StartDelays(Time());
        for (uint32_t i = 0; i < N; ++i)
        {
            network.Send(i, i == 0 ? 1000000000 : 400000);
        }
        std::vector<double> sent;
        Time last;
        std::function<void()> look = [&] {
            if (network.deliveries.size() == N - 1 && last.IsZero())
            {
                last = network.deliveries.back().time;
                Simulator::Schedule(MicroSeconds(200), [&] {
                    sent = GetSent(network, 1);
                    Simulator::Stop(MicroSeconds(100));
                });
                return;
            }
            Simulator::Schedule(MicroSeconds(1), look);
        };
        look();
        Simulator::Stop(MilliSeconds(3));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(sent.size(), 1, "the others have ended");
        const double bytes = GetSent(network, 1)[0] - sent[0];
        NS_TEST_EXPECT_MSG_GT(bytes, 0.98 * 100e3 / 334.88 * 4096, "the link is full again");
    }

    /// A flow begins with one packet beside one that fills the link.
    void CheckNewcomer()
    {
        DelayNetwork network(2, 1000);
        Prepare(network, m_format);
        network.roce.SetCongestionControl("ns3::aidc::SwiftControl",
                                          "GoverningDelay",
                                          StringValue("HopDelay"),
                                          "InitialWindow",
                                          DoubleValue(1));
        network.StartDelays(Time());
        network.Send(0, 1000000000);
        network.Send(1, 1000000000, MilliSeconds(1));
        std::vector<double> sent;
        Simulator::Schedule(MilliSeconds(7), [&] { sent = GetSent(network, 2); });
        Simulator::Stop(MilliSeconds(8));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(GetFairness(sent, GetSent(network, 2)), 0.95, "after 6 ms");
    }

    std::string m_format; //!< the format of tags
};

/// What became of a message.
struct Outcome
{
    double time{0};    //!< until its last byte has arrived, ns
    double sum{0};     //!< what packets have waited since the message began, ns
    double longest{0}; //!< the longest of these waits, ns
    uint64_t count{0}; //!< packets since then
};

/// When messages begin: an interval of min(ABW) is over that has seen the path as it is.
const Time BEGIN = MilliSeconds(1);

/**
 * @brief Send a message over a path of 5 us a link, whose round trip has 95 packets.
 * @param nBytes its size
 * @param control its congestion control
 * @param other when another flow begins to fill the path, if one does
 * @return what became of it
 */
Outcome
SendMessage(uint64_t nBytes, const ObjectFactory& control, std::optional<Time> other = std::nullopt)
{
    DelayNetwork network(2, 5000);
    network.csig.SetNicAttribute("Signals", StringValue("min(ABW)"));
    network.roce.SetCongestionControl("ns3::aidc::SwiftControl"); // begins with a full window
    network.StartDelays(BEGIN);
    if (other)
    {
        network.Send(0, 1000000000, *other);
    }
    network.GetNic(1)->SetAttribute("CongestionControl", ObjectFactoryValue(control));
    network.Send(1, nBytes, BEGIN);
    Simulator::Stop(BEGIN + MilliSeconds(1));
    Simulator::Run();
    Outcome outcome;
    for (const auto& arrived : network.deliveries)
    {
        outcome.time = (arrived.time - BEGIN).ToDouble(Time::NS);
    }
    outcome.sum = network.sum;
    outcome.longest = network.longest;
    outcome.count = network.count;
    return outcome;
}

/**
 * @brief Make Swift that begins with ten packets.
 * @param hasJumpStart whether it jumps
 * @return what makes it
 */
ObjectFactory
MakeSwift(bool hasJumpStart)
{
    return ObjectFactory("ns3::aidc::SwiftControl",
                         "InitialWindow",
                         DoubleValue(10),
                         "JumpStart",
                         BooleanValue(hasJumpStart));
}

/**
 * @ingroup aidc-test
 * @brief On an idle path, a flow that jumps loses one round trip less ten packets, and no more.
 *
 * What is measured is in a file, in the folder of the option --tempdir.
 */
class IdlePathTestCase : public TestCase
{
  public:
    IdlePathTestCase()
        : TestCase("8.1.3: on an idle path, jump start beats slow start")
    {
    }

  private:
    void DoRun() override
    {
        std::ofstream file(CreateTempDirFilename("times.txt"));
        for (const uint64_t nBytes : {40000, 100000, 400000, 1000000})
        {
            const double whole =
                SendMessage(nBytes, ObjectFactory("ns3::aidc::CongestionControl")).time;
            const double jump = SendMessage(nBytes, MakeSwift(true)).time;
            const double slow =
                SendMessage(nBytes, ObjectFactory("aidctest::SlowStartControl")).time;
            const double plain = SendMessage(nBytes, MakeSwift(false)).time;
            file << nBytes << " bytes: line rate " << whole / 1e3 << " us, jump start "
                 << jump / 1e3 << " us, slow start " << slow / 1e3 << " us, Swift " << plain / 1e3
                 << " us\n";
            if (nBytes <= 40960)
            {
                NS_TEST_EXPECT_MSG_EQ(jump, whole, "ten packets need no window");
                continue;
            }
            const double expected = whole + 31024 - 10 * 334.56;
            NS_TEST_EXPECT_MSG_EQ_TOL(jump, expected, 0.005 * expected, nBytes << " bytes");
            // 25 packets are two rounds either way: 10, and 15 of 20 or 95.
            NS_TEST_EXPECT_MSG_LT(jump, (nBytes > 100000 ? 0.75 : 1.001) * slow, nBytes);
            NS_TEST_EXPECT_MSG_LT(jump, 0.7 * plain, nBytes << " bytes without a jump");
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief On a full path min(ABW) is 0, so that nobody jumps.
 */
class FullPathTestCase : public TestCase
{
  public:
    FullPathTestCase()
        : TestCase("8.1.3: on a full path, jump start does what would happen without")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint64_t nBytes : {100000, 400000, 1000000})
        {
            const Outcome jump = SendMessage(nBytes, MakeSwift(true), Time());
            const Outcome plain = SendMessage(nBytes, MakeSwift(false), Time());
            NS_TEST_EXPECT_MSG_GT(plain.time, 0, "it arrives");
            NS_TEST_EXPECT_MSG_EQ(jump.time, plain.time, nBytes << " bytes");
            NS_TEST_EXPECT_MSG_EQ(jump.longest, plain.longest, "the longest wait");
            NS_TEST_EXPECT_MSG_EQ(jump.sum, plain.sum, "all waits");
            NS_TEST_EXPECT_MSG_EQ(jump.count, plain.count, "the other flow's throughput");
            NS_TEST_EXPECT_MSG_GT(plain.count, 1e6 / 334.88 * 0.995, "the path is full");
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief min(ABW) tells of the past, and tells all senders the same: with a flow that has just
 *        begun, or with seven at once, packets that jump wait longer than those that do not.
 *
 * What is measured is in a file, in the folder of the option --tempdir.
 */
class LimitTestCase : public TestCase
{
  public:
    LimitTestCase()
        : TestCase("8.1.3: jump start has a limit where others have just begun, or begin at once")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t BYTES = 400000;
        std::ofstream file(CreateTempDirFilename("waits.txt"));
        const ObjectFactory slow("aidctest::SlowStartControl");
        const auto send = [&](const ObjectFactory& control) {
            return SendMessage(BYTES, control, BEGIN - MicroSeconds(50)).longest / 1e3;
        };
        const double jump = send(MakeSwift(true));
        const double plain = send(MakeSwift(false));
        file << "behind a flow: jump start " << jump << " us, Swift " << plain << " us, slow start "
             << send(slow) << " us\n";
        NS_TEST_EXPECT_MSG_GT(jump, 1.5 * plain, "the port's last interval was idle");

        const double jumps = SendAtOnce(BYTES, MakeSwift(true));
        const double plains = SendAtOnce(BYTES, MakeSwift(false));
        file << "seven flows: jump start " << jumps << " us, Swift " << plains << " us, slow start "
             << SendAtOnce(BYTES, slow) << " us\n";
        NS_TEST_EXPECT_MSG_GT(jumps, 5 * plains, "each takes all that there is");
    }

    /**
     * @brief Send seven messages at once over the idle path.
     * @param nBytes their size
     * @param control their congestion control
     * @return the longest wait in us
     */
    static double SendAtOnce(uint64_t nBytes, const ObjectFactory& control)
    {
        constexpr uint32_t N = 7;
        DelayNetwork network(N, 5000);
        network.csig.SetNicAttribute("Signals", StringValue("min(ABW)"));
        network.StartDelays(BEGIN);
        for (uint32_t i = 0; i < N; ++i)
        {
            network.GetNic(i)->SetAttribute("CongestionControl", ObjectFactoryValue(control));
            network.Send(i, nBytes, BEGIN);
        }
        Simulator::Stop(BEGIN + MilliSeconds(1));
        Simulator::Run();
        return network.longest / 1e3;
    }
};

/**
 * @ingroup aidc-test
 * @brief What senders make of CSIG's signals.
 */
class CsigRoceControlsTestSuite : public TestSuite
{
  public:
    CsigRoceControlsTestSuite()
        : TestSuite("aidc-csig-roce-controls", Type::UNIT)
    {
        for (const char* format : {"Compact", "Expanded"})
        {
            for (const uint32_t nFlows : {2, 4, 8, 16, 32})
            {
                AddTestCase(new TargetTestCase(format, nFlows));
            }
            AddTestCase(new ConvergenceTestCase(format));
        }
        AddTestCase(new IdlePathTestCase);
        AddTestCase(new FullPathTestCase);
        AddTestCase(new LimitTestCase);
    }
};

CsigRoceControlsTestSuite g_csigRoceControlsTestSuite; //!< the test suite

} // namespace

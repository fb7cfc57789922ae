// SPDX-License-Identifier: GPL-2.0-only

#include "csig-delay-network.h"
#include "test/test-case.h"

#include "ns3/congestion-control.h"

// Jump start from min(ABW).
AIDC_TEST_SUITE("aidc-csig-jump-start", UNIT);

/// Slow start of RFC 5681 and nothing else: ten packets, and one more for each acknowledged.
class SlowStartControl : public CongestionControl
{
  public:
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

/// Send a message over a path of 5 us a link, whose round trip has 95 packets. other: when another
/// flow begins to fill the path, if one does.
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
    RunFor(BEGIN + MilliSeconds(1));
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

/// Make Swift that begins with ten packets.
ObjectFactory
MakeSwift(bool hasJumpStart)
{
    return ObjectFactory("ns3::aidc::SwiftControl",
                         "InitialWindow",
                         DoubleValue(10),
                         "JumpStart",
                         BooleanValue(hasJumpStart));
}

// On an idle path, a flow that jumps loses one round trip less ten packets, and no more. What is
// measured is in a file, in the folder of the option --tempdir.
AIDC_TEST_CASE("8.1.3: on an idle path, jump start beats slow start")
{
    std::ofstream file(CreateTempDirFilename("times.txt"));
    for (const uint64_t nBytes : {40000, 100000, 400000, 1000000})
    {
        const double whole =
            SendMessage(nBytes, ObjectFactory("ns3::aidc::CongestionControl")).time;
        const double jump = SendMessage(nBytes, MakeSwift(true)).time;
        const double slow = SendMessage(nBytes, ObjectFactory("aidctest::SlowStartControl")).time;
        const double plain = SendMessage(nBytes, MakeSwift(false)).time;
        file << nBytes << " bytes: line rate " << whole / 1e3 << " us, jump start " << jump / 1e3
             << " us, slow start " << slow / 1e3 << " us, Swift " << plain / 1e3 << " us\n";
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

// On a full path min(ABW) is 0, so that nobody jumps.
AIDC_TEST_CASE("8.1.3: on a full path, jump start does what would happen without")
{
    for (const uint64_t nBytes : {100000, 400000, 1000000})
    {
        const Outcome jump = SendMessage(nBytes, MakeSwift(true), Time());
        const Outcome plain = SendMessage(nBytes, MakeSwift(false), Time());
        // Two links of 5 us, and 0.08 ns for each byte of payload at 100 Gbit/s
        NS_TEST_EXPECT_MSG_GT(plain.time, 1e4 + 0.08 * nBytes, "it arrives");
        NS_TEST_EXPECT_MSG_EQ(jump.time, plain.time, nBytes << " bytes");
        NS_TEST_EXPECT_MSG_EQ(jump.longest, plain.longest, "the longest wait");
        NS_TEST_EXPECT_MSG_EQ(jump.sum, plain.sum, "all waits");
        NS_TEST_EXPECT_MSG_EQ(jump.count, plain.count, "the other flow's throughput");
        NS_TEST_EXPECT_MSG_GT(plain.count, 1e6 / 334.88 * 0.995, "the path is full");
    }
}

/// Send seven messages at once over the idle path. Returns the longest wait in us.
double
SendAtOnce(uint64_t nBytes, const ObjectFactory& control)
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
    RunFor(BEGIN + MilliSeconds(1));
    return network.longest / 1e3;
}

// min(ABW) tells of the past, and tells all senders the same: with a flow that has just begun, or
// with seven at once, packets that jump wait longer than those that do not. What is measured is in
// a file, in the folder of the option --tempdir.
AIDC_TEST_CASE("8.1.3: jump start has a limit where others have just begun, or begin at once")
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

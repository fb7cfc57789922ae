// SPDX-License-Identifier: GPL-2.0-only

// The ports of a server's scale-up switch.

#include "model/core/never.h"
#include "model/core/workload/scale-up-port.h"
#include "test/core/core-test.h"

constexpr uint64_t NVLINK = 3600000000000; //!< bit/s: a byte takes 2.222 ps
constexpr uint64_t SEGMENT = 65536;        //!< bytes
constexpr int64_t LATENCY = 300000;        //!< ps

/// A message from one GPU to another one.
struct ScaleUpMessage
{
    uint32_t from;   //!< the sender
    uint32_t to;     //!< the receiver
    uint64_t nBytes; //!< its bytes
    int64_t time;    //!< when it is sent, ps
};

/// A server: carries messages over the ports of its GPUs, all of which are known in the beginning.
class StarOfPorts
{
  public:
    StarOfPorts(uint32_t nGpus, uint64_t rate)
        : StarOfPorts(std::vector<uint64_t>(nGpus, rate))
    {
    }

    explicit StarOfPorts(const std::vector<uint64_t>& rates)
    {
        for (const uint64_t rate : rates)
        {
            m_egress.emplace_back(rate, SEGMENT);
            m_ingress.emplace_back(rate);
        }
    }

    /// messages: the messages, in the order of time; the messages of one pair arrive in order.
    std::vector<int64_t> Run(const std::vector<ScaleUpMessage>& messages)
    {
        struct Arrival
        {
            int64_t first;
            uint32_t from;
            int64_t last;
            uint32_t to;
            uint64_t nBytes;
            bool isLast;
        };

        std::vector<Arrival> arrivals;
        for (uint32_t gpu = 0; gpu < m_egress.size(); ++gpu)
        {
            auto& egress = m_egress[gpu];
            for (std::size_t i = 0; i < messages.size() || !egress.IsEmpty();)
            {
                const bool isSender = i < messages.size() && messages[i].from == gpu;
                if (i < messages.size() && (!isSender || messages[i].time <= egress.GetNextStart()))
                {
                    if (isSender)
                    {
                        egress.Add(messages[i].to, messages[i].nBytes, messages[i].time);
                    }
                    ++i;
                    continue;
                }
                const auto segment = egress.Take();
                arrivals.push_back({segment.start + LATENCY,
                                    gpu,
                                    segment.end + LATENCY,
                                    segment.flow,
                                    segment.nBytes,
                                    segment.isLast});
            }
        }
        std::sort(arrivals.begin(), arrivals.end(), [](const Arrival& a, const Arrival& b) {
            return std::tie(a.first, a.from, a.last) < std::tie(b.first, b.from, b.last);
        });
        std::map<std::pair<uint32_t, uint32_t>, std::vector<std::size_t>> waiting;
        for (std::size_t i = messages.size(); i-- > 0;)
        {
            waiting[{messages[i].from, messages[i].to}].push_back(i);
        }
        std::vector<int64_t> done(messages.size());
        m_received.assign(m_egress.size(), {});
        for (const auto& arrival : arrivals)
        {
            const int64_t end =
                m_ingress[arrival.to].Take(arrival.first, arrival.last, arrival.nBytes);
            m_received[arrival.to].emplace_back(end, arrival.nBytes);
            if (arrival.isLast)
            {
                auto& left = waiting[{arrival.from, arrival.to}];
                done[left.back()] = end;
                left.pop_back();
            }
        }
        return done;
    }

    /// Returns of each GPU, when segments have come in, and their bytes.
    const std::vector<std::vector<std::pair<int64_t, uint64_t>>>& GetReceived() const
    {
        return m_received;
    }

  private:
    std::vector<ScaleUpEgress> m_egress;
    std::vector<ScaleUpIngress> m_ingress;
    std::vector<std::vector<std::pair<int64_t, uint64_t>>> m_received;
};

/// The time of bytes on a link in ps, in floating point.
double
Serialize(uint64_t nBytes, uint64_t rate)
{
    return 8e12 * static_cast<double>(nBytes) / static_cast<double>(rate);
}

TEST(ScaleUpPort, MessageTakesItsBytesAndTheLatency)
{
    for (const uint64_t nBytes : {1ULL, 65536ULL, 65537ULL, 64000000ULL})
    {
        const auto done = StarOfPorts(2, NVLINK).Run({{0, 1, nBytes, 1000000}});
        const double expected = 1000000 + LATENCY + Serialize(nBytes, NVLINK);
        // Up to 1 ps a segment, of 145636
        EXPECT_NEAR(static_cast<double>(done[0]), expected, 1 + static_cast<double>(nBytes) / 65536)
            << nBytes;
        EXPECT_GE(static_cast<double>(done[0]), expected);
    }
}

TEST(ScaleUpPort, MessageWithoutBytesTakesTheLatency)
{
    EXPECT_EQ(StarOfPorts(2, NVLINK).Run({{0, 1, 0, 5000}})[0], 5000 + LATENCY);
}

TEST(ScaleUpPort, MessagesForTwoPeersShareTheEgress)
{
    // 8 Gb/s: a byte takes 1 ns. Both messages have 10 segments: the first one has 0, 2, .. 18
    const auto done =
        StarOfPorts(3, 8000000000).Run({{0, 1, 10 * SEGMENT, 0}, {0, 2, 10 * SEGMENT, 0}});
    EXPECT_EQ(done[0], static_cast<int64_t>(19 * SEGMENT * 1000) + LATENCY);
    EXPECT_EQ(done[1], static_cast<int64_t>(20 * SEGMENT * 1000) + LATENCY);
}

TEST(ScaleUpPort, ShortMessageForAnotherPeerDoesNotWaitForALongOne)
{
    // It comes while segment 3 of the long one leaves, at 3.5 segments
    constexpr int64_t TIME = SEGMENT * 1000; // of a segment, ps
    const auto done =
        StarOfPorts(3, 8000000000).Run({{0, 1, 10 * SEGMENT, 0}, {0, 2, SEGMENT, 7 * TIME / 2}});
    EXPECT_EQ(done[1], 6 * TIME + LATENCY); // the long one has had its turn
    EXPECT_EQ(done[0], 11 * TIME + LATENCY);
}

TEST(ScaleUpPort, MessagesForOnePeerStayInOrder)
{
    constexpr int64_t TIME = SEGMENT * 1000;
    const auto done = StarOfPorts(2, 8000000000).Run({{0, 1, 3 * SEGMENT, 0}, {0, 1, SEGMENT, 0}});
    EXPECT_EQ(done[0], 3 * TIME + LATENCY);
    EXPECT_EQ(done[1], 4 * TIME + LATENCY);
}

TEST(ScaleUpPort, ManyToOneHasTheRateOfTheIngress)
{
    constexpr int64_t TIME = SEGMENT * 1000;
    std::vector<ScaleUpMessage> messages;
    for (uint32_t gpu = 1; gpu < 8; ++gpu)
    {
        messages.push_back({gpu, 0, 4 * SEGMENT, 0});
    }
    const auto done = StarOfPorts(8, 8000000000).Run(messages);
    // First segments come in together, so the ingress takes all of them before second ones
    for (uint32_t i = 0; i < 7; ++i)
    {
        EXPECT_EQ(done[i], (3 * 7 + i + 1) * TIME + LATENCY);
    }
}

TEST(ScaleUpPort, SlowSendersFillAFastIngressTogether)
{
    constexpr int64_t TIME = SEGMENT * 1000;
    const auto done = StarOfPorts(std::vector<uint64_t>{8000000000, 4000000000, 4000000000})
                          .Run({{1, 0, 8 * SEGMENT, 0}, {2, 0, 8 * SEGMENT, 0}});
    EXPECT_EQ(done[0], 16 * TIME + LATENCY);
    EXPECT_EQ(done[1], 16 * TIME + LATENCY);
}

TEST(ScaleUpPort, SlowIngressTakesAFastSenderAtItsOwnRate)
{
    constexpr int64_t TIME = SEGMENT * 1000;
    const auto done =
        StarOfPorts(std::vector<uint64_t>{8000000000, 4000000000}).Run({{0, 1, 8 * SEGMENT, 0}});
    EXPECT_EQ(done[0], 16 * TIME + LATENCY);
}

TEST(ScaleUpPort, EmptyEgressNeverStarts)
{
    EXPECT_EQ(ScaleUpEgress(1, 1).GetNextStart(), NEVER);
}

TEST(ScaleUpPort, RefusesWrongSettings)
{
    EXPECT_EQ(CatchMessage([] { ScaleUpEgress(0, 1); }),
              "expected a scale-up rate above 0, found 0 bit/s");
    EXPECT_EQ(CatchMessage([] { ScaleUpIngress(0); }),
              "expected a scale-up rate above 0, found 0 bit/s");
    EXPECT_EQ(CatchMessage([] { ScaleUpEgress(1, 0); }),
              "expected scale-up segments of 1 to 1048576 bytes, found 0");
    EXPECT_EQ(CatchMessage([] { ScaleUpEgress(1, 1048577); }),
              "expected scale-up segments of 1 to 1048576 bytes, found 1048577");
}

RC_GTEST_PROP(ScaleUpPort, LosesNothingAndIsNeverFasterThanItsPorts, ())
{
    Draw draw;
    const uint32_t nGpus = draw(2, 9);
    std::vector<uint64_t> rates;
    for (uint32_t gpu = 0; gpu < nGpus; ++gpu)
    {
        rates.push_back(1000000000ULL * draw(1, 4000));
    }
    std::vector<ScaleUpMessage> messages;
    int64_t time = 0;
    for (uint32_t i = draw(1, 60); i > 0; --i)
    {
        const uint32_t from = draw(0, nGpus);
        messages.push_back({from, (from + draw(1, nGpus)) % nGpus, draw(0, 500000), time});
        time += draw(0, 2) * draw(0, 1000000);
    }
    StarOfPorts star(rates);
    const auto done = star.Run(messages);
    std::map<std::pair<uint32_t, uint32_t>, int64_t> last;
    std::vector<uint64_t> sent(nGpus);
    for (std::size_t i = 0; i < messages.size(); ++i)
    {
        const auto& message = messages[i];
        sent[message.to] += message.nBytes;
        // Not before its bytes have passed the slower port, and in the order of its pair
        const double least =
            Serialize(message.nBytes, std::min(rates[message.from], rates[message.to]));
        RC_ASSERT(static_cast<double>(done[i] - message.time - LATENCY) >= least);
        auto& before = last[{message.from, message.to}];
        RC_ASSERT(done[i] >= before);
        before = done[i];
    }
    for (uint32_t gpu = 0; gpu < nGpus; ++gpu)
    {
        uint64_t nBytes = 0;
        for (const auto& [end, n] : star.GetReceived()[gpu])
        {
            nBytes += n;
            RC_ASSERT(static_cast<double>(end - LATENCY) >= Serialize(nBytes, rates[gpu]));
        }
        RC_ASSERT(nBytes == sent[gpu]);
    }
}

RC_GTEST_PROP(ScaleUpPort, IsIdleOnlyWithoutMessages, ())
{
    // All messages of one sender at once, or all to one receiver: the port that they share is busy
    // until the end
    Draw draw;
    const uint32_t nGpus = draw(2, 9);
    const uint64_t rate = 1000000000ULL * draw(1, 4000);
    const bool isSender = draw(0, 2) == 0;
    std::vector<ScaleUpMessage> messages;
    uint64_t sum = 0;
    for (uint32_t i = draw(1, 30); i > 0; --i)
    {
        const uint32_t other = draw(1, nGpus);
        const uint64_t nBytes = SEGMENT * draw(0, 20);
        messages.push_back({isSender ? 0 : other, isSender ? other : 0, nBytes, 0});
        sum += nBytes;
    }
    const auto done = StarOfPorts(nGpus, rate).Run(messages);
    const double end = static_cast<double>(*std::max_element(done.begin(), done.end()) - LATENCY);
    RC_ASSERT(end >= Serialize(sum, rate));
    // Times are rounded up once a segment
    RC_ASSERT(end <= Serialize(sum, rate) + 1 + static_cast<double>(sum) / SEGMENT);
}

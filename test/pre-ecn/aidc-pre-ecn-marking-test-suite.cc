// SPDX-License-Identifier: GPL-2.0-only

#include "model/core/ipv4-bytes.h"
#include "pre-ecn-bench.h"
#include "test/test-case.h"

// Two-threshold marking of single packets.
AIDC_TEST_SUITE("aidc-pre-ecn-marking", UNIT);

/// The DSCP of the packets, which must not change.
constexpr uint8_t DSCP = 46 << 2;

struct Line
{
    uint32_t level;          //!< the queue in kB
    double light;            //!< the share to be marked ECT(1)
    double severe;           //!< the share to be marked CE
    std::string weight{"1"}; //!< the weight of the average
};

// The shares of packets marked at fixed queues, against the configured line. Expected results:
// light (q - 100) / 200, severe 0.2 * (q - 300) / 400 in kB, and what is not severe above T2 light.
// 100,000 packets: the standard deviation of a share is at most 0.0016, so 1 % is more than six of
// them.
AIDC_TEST_CASES(Line,
                row,
                "at an average of " + std::to_string(row.level) + " kB, weight " + row.weight +
                    ", the share marked is on the line (section 3.2.1)",
                ({{100, 0, 0},
                  {120, 0.1, 0},
                  {200, 0.5, 0},
                  {260, 0.8, 0},
                  {300, 1, 0},
                  {340, 0.98, 0.02},
                  {500, 0.9, 0.1},
                  {660, 0.82, 0.18},
                  {700, 0.8, 0.2},
                  {701, 0, 1},
                  {180, 0.4, 0, "0.002"},
                  {600, 0.85, 0.15, "0.002"}}))
{
    constexpr uint32_t PACKETS = 100000;
    auto queueDisc = MakePreEcn({{"AverageWeight", row.weight}});
    // The average is what the queue is after some ten thousand arrivals.
    SendAtLevel(queueDisc, row.level * 1000, &MakeIpv4Item, ECT0, row.weight == "1" ? 0 : 20000);
    const auto fates = SendAtLevel(queueDisc, row.level * 1000, &MakeIpv4Item, ECT0, PACKETS);
    NS_TEST_EXPECT_MSG_EQ(fates.dropped, 0, "all are ECN-capable");
    const auto share = [](uint32_t n) { return static_cast<double>(n) / PACKETS; };
    NS_TEST_EXPECT_MSG_EQ_TOL(share(fates.lightMarks), row.light, 0.01, "light");
    NS_TEST_EXPECT_MSG_EQ_TOL(share(fates.severeMarks), row.severe, 0.01, "severe");
    NS_TEST_EXPECT_MSG_EQ_TOL(share(fates.codepoints[CE]), row.severe, 0.01, "leaves as CE");
    NS_TEST_EXPECT_MSG_EQ_TOL(share(fates.codepoints[ECT1]), row.light, 0.01, "leaves as ECT(1)");
    NS_TEST_EXPECT_MSG_EQ(fates.codepoints[NOT_ECT], 0, "never");
}

constexpr int DROPPED = 4; //!< in place of a codepoint

/// Compare what becomes of packets. maker: makes them. level: the queue in bytes. after: their
/// codepoint when they leave, DROPPED if they do not. severe: how many marks are severe, unless the
/// packets are dropped.
void
Expect(TosMaker maker, uint32_t level, int before, int after, uint32_t light, uint32_t severe)
{
    auto queueDisc = MakePreEcn();
    const auto tos = static_cast<uint8_t>(DSCP | before);
    const auto fates = SendAtLevel(queueDisc, level, maker, tos, 1000);
    const std::string what = std::to_string(before) + " at " + std::to_string(level);
    NS_TEST_EXPECT_MSG_EQ(fates.dropped, (after == DROPPED ? 1000 : 0), what);
    NS_TEST_EXPECT_MSG_EQ(fates.lightMarks, light, what);
    NS_TEST_EXPECT_MSG_EQ(fates.severeMarks, (after == DROPPED ? 0 : severe), what);
    for (int codepoint = 0; codepoint < 4; ++codepoint)
    {
        NS_TEST_EXPECT_MSG_EQ(fates.codepoints[codepoint],
                              (codepoint == after ? 1000 : 0),
                              what << " leaves as " << codepoint);
    }
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetStats().GetNDroppedPackets(PreEcnQueue::NOT_ECT_DROP),
                          fates.dropped,
                          "reason of the drops");
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetSharedBuffer()->GetUsed(), 0, "all is given back");

    // One more, to look at: the whole byte
    while (queueDisc->GetNBytes() < level - 1000)
    {
        queueDisc->Enqueue(maker(1000, ECT0));
    }
    if (queueDisc->Enqueue(maker(1000, tos)))
    {
        Ptr<QueueDiscItem> last;
        while (auto item = queueDisc->Dequeue())
        {
            last = item;
        }
        NS_TEST_EXPECT_MSG_EQ(static_cast<int>(GetTos(last)), (DSCP | after), "the DSCP stays");
        NS_TEST_EXPECT_MSG_EQ(last->GetSize(), 1000, "size");
    }
}

/// A kind of packets.
struct Kind
{
    std::string name; //!< in words
    TosMaker maker;   //!< makes them
};

// What becomes of each codepoint in each region. Expected results, with probabilities of 0 or 1:
// at T1 nothing changes; at T2 the probability of ECT(1) is 1: ECT becomes ECT(1), CE and Not-ECT
// stay. Above Maximum ECT becomes CE, CE stays and Not-ECT is dropped. 1000 packets each; the DSCP
// stays.
AIDC_TEST_CASES(Kind,
                row,
                "codepoints of " + row.name + " in each region",
                ({{"IPv4 packets", &MakeIpv4Item},
                  {"IPv6 packets", &MakeIpv6Item},
                  {"transit packets", &MakeTransitItem}}))
{
    for (const auto codepoint : {NOT_ECT, ECT0, ECT1, CE})
    {
        const bool isEct = codepoint == ECT0 || codepoint == ECT1;
        Expect(row.maker, 100000, codepoint, codepoint, 0, 0);
        Expect(row.maker, 300000, codepoint, isEct ? ECT1 : codepoint, isEct ? 1000 : 0, 0);
        Expect(row.maker, 701000, codepoint, codepoint == NOT_ECT ? DROPPED : CE, 0, 1000);
    }
}

// Not-ECT packets are dropped with RED's probability, and left alone between T1 and T2. Expected
// results: at 500 kB 0.2 * 200 / 400 = 0.1 of 100,000, of IPv4 and of what is not IP.
AIDC_TEST_CASE("Not-ECT packets are dropped where others are marked CE (RFC 3168, section 5)")
{
    const TosMaker other = [](uint32_t size, uint8_t tos) {
        return tos == NOT_ECT ? MakeNonIpItem(size) : MakeIpv4Item(size, tos);
    };
    for (const auto& maker : {TosMaker(&MakeIpv4Item), other})
    {
        const auto severe = SendAtLevel(MakePreEcn(), 500000, maker, NOT_ECT, 100000);
        NS_TEST_EXPECT_MSG_EQ_TOL(severe.dropped / 100000.0, 0.1, 0.01, "severe");
        NS_TEST_EXPECT_MSG_EQ(severe.lightMarks + severe.severeMarks, 0, "no marks");
        const auto light = SendAtLevel(MakePreEcn(), 299000, maker, NOT_ECT, 10000);
        NS_TEST_EXPECT_MSG_EQ(light.dropped, 0, "light");
        NS_TEST_EXPECT_MSG_EQ(light.codepoints[NOT_ECT], 10000, "untouched");
    }
}

// Expected results: with pb = 0.1 and RED's algorithm (Floyd and Jacobson 1993, figure 2), in which
// the first packet after a mark has count 1, the distance from one mark to the next is 1 to 9
// packets with equal probability, 5 in the mean: 0.2 of the packets are marked.
AIDC_TEST_CASE("marks by CE are spread by RED's count")
{
    auto queueDisc = MakePreEcn({{"SpreadMarks", "true"}});
    for (int i = 0; i < 499; ++i)
    {
        queueDisc->Enqueue(MakeIpv4Item(1000, ECT0));
    }
    auto marks = queueDisc->GetQueue()->GetStatistics().severeMarks;
    const auto first = marks;
    int distance = -1; // to the first mark it does not count
    int longest = 0;
    constexpr int PACKETS = 100000;
    for (int i = 0; i < PACKETS; ++i)
    {
        queueDisc->Enqueue(MakeIpv4Item(1000, ECT0));
        queueDisc->Dequeue();
        const auto now = queueDisc->GetQueue()->GetStatistics().severeMarks;
        distance += distance >= 0 ? 1 : 0;
        if (now > marks)
        {
            longest = std::max(longest, distance);
            distance = 0;
        }
        marks = now;
    }
    const double share = static_cast<double>(marks - first) / PACKETS;
    NS_TEST_EXPECT_MSG_EQ_TOL(share, 0.2, 0.01, "the share");
    NS_TEST_EXPECT_MSG_EQ(longest, 9, "the longest distance");
}

// An item of a transit packet is replaced by another one with the same packet and context, whose
// header has the right checksum.
AIDC_TEST_CASE("a transit packet keeps its context and gets a right checksum")
{
    auto queueDisc = MakePreEcn({{"Guard", "Off"}, {"T1", "100B"}, {"T2", "1000B"}});
    auto sent = DynamicCast<EthernetQueueItem>(MakeTransitItem(1000, DSCP | ECT0));
    sent->GetContext().ingressPort = 7;
    sent->GetContext().arrival = 123456789;
    sent->SetTxQueueIndex(3);
    const auto packet = sent->GetPacket();
    queueDisc->Enqueue(sent);
    auto item = DynamicCast<EthernetQueueItem>(queueDisc->Dequeue());
    NS_TEST_ASSERT_MSG_NE(item, nullptr, "of the same kind");
    NS_TEST_EXPECT_MSG_NE(item, sent, "another one");
    NS_TEST_EXPECT_MSG_EQ(item->GetPacket(), packet, "of the same packet");
    NS_TEST_EXPECT_MSG_EQ(item->GetContext().ingressPort, 7, "context");
    NS_TEST_EXPECT_MSG_EQ(item->GetContext().arrival, 123456789, "context");
    NS_TEST_EXPECT_MSG_EQ(static_cast<int>(item->GetTxQueueIndex()), 3, "queue of the device");
    NS_TEST_EXPECT_MSG_EQ(static_cast<int>(item->GetHeader().GetTos()), (DSCP | ECT1), "header");
    NS_TEST_EXPECT_MSG_EQ(static_cast<int>(sent->GetHeader().GetTos()),
                          (DSCP | ECT0),
                          "what was given stays as it was");
    const auto& bytes = item->FinishHeader(true).bytes;
    NS_TEST_EXPECT_MSG_EQ(static_cast<int>(bytes[Ipv4Offset::TOS]), (DSCP | ECT1), "bytes");
    NS_TEST_EXPECT_MSG_EQ(SumIpv4Words(bytes), 0xffff, "checksum");

    // CE, by ns-3's own means
    queueDisc = MakePreEcn({{"Guard", "Off"}, {"T1", "100B"}, {"T2", "200B"}, {"Maximum", "999B"}});
    queueDisc->Enqueue(item);
    item = DynamicCast<EthernetQueueItem>(queueDisc->Dequeue());
    const auto& severe = item->FinishHeader(true).bytes;
    NS_TEST_EXPECT_MSG_EQ(static_cast<int>(severe[Ipv4Offset::TOS]), (DSCP | CE), "bytes");
    NS_TEST_EXPECT_MSG_EQ(SumIpv4Words(severe), 0xffff, "checksum");
}

/// An item of a class of the user's.
class OwnItem : public Ipv4QueueDiscItem
{
  public:
    using Ipv4QueueDiscItem::Ipv4QueueDiscItem;
};

// Expected results: an item of a class of the user's, and one whose header has been added: not
// marked ECT(1). Neither is what ns-3 cannot mark CE for the same reason.
AIDC_TEST_CASE("items that cannot be changed are counted and stay as they are")
{
    auto light = MakePreEcn({{"Guard", "Off"}, {"T1", "100B"}, {"T2", "1000B"}});
    Ipv4Header header;
    header.SetEcn(Ipv4Header::ECN_ECT0);
    light->Enqueue(Create<OwnItem>(Create<Packet>(980), Address(), ETHERTYPE_IPV4, header));
    NS_TEST_EXPECT_MSG_EQ(light->GetQueue()->GetStatistics().unmarkable, 1, "of another class");
    NS_TEST_EXPECT_MSG_EQ(static_cast<int>(GetEcn(light->Dequeue())), ECT0, "as it was");

    const auto added = [] {
        auto item = MakeIpv4Item(1000, ECT0);
        item->AddHeader();
        return item;
    };
    light->Enqueue(added());
    NS_TEST_EXPECT_MSG_EQ(light->GetQueue()->GetStatistics().unmarkable, 2, "with its header");
    NS_TEST_EXPECT_MSG_EQ(light->GetQueue()->GetStatistics().lightMarks, 0, "neither is marked");

    auto severe =
        MakePreEcn({{"Guard", "Off"}, {"T1", "100B"}, {"T2", "200B"}, {"Maximum", "999B"}});
    severe->Enqueue(added());
    NS_TEST_EXPECT_MSG_EQ(severe->GetQueue()->GetStatistics().unmarkable, 1, "with its header");
    NS_TEST_EXPECT_MSG_EQ(severe->GetQueue()->GetStatistics().severeMarks, 0, "not marked");
}

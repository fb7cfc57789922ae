// SPDX-License-Identifier: GPL-2.0-only

// CSIG on hosts: from the tag to the sender, sections 4.2 to 4.4 of draft-ravi-ippm-csig-01.

#include "csig-host-traffic.h"
#include "test/test-case.h"

AIDC_TEST_SUITE("aidc-csig-host-reflection", UNIT);

/// A router port that gives each tag a value and a locator, none of which repeats soon.
class Writer
{
  public:
    /// Write into the tags of what passes a queue.
    explicit Writer(Ptr<EditingQueueDisc> queue)
    {
        queue->edit = [this](Ptr<Packet> packet) {
            CsigTag tag;
            if (packet->PeekPacketTag(tag))
            {
                asked.push_back(tag.GetFields());
                auto fields = tag.GetFields();
                // A permutation of 0 to 30 and one of 0 to 100: 13 and 17 divide neither.
                fields.value = 13 * m_count % 31;
                fields.locator = static_cast<uint16_t>(17 * m_count % 101);
                ++m_count;
                ReplaceTag(packet, fields);
                written.push_back(fields);
            }
            return true;
        };
    }

    FieldsList asked;   //!< what came
    FieldsList written; //!< what went on

  private:
    uint32_t m_count{0}; //!< the tags so far
};

/// What B has to reflect of what it receives, by the tags and segments that pass its stack: all
/// that arrives between two segments that it sends is one group.
class ReflectionOracle
{
  public:
    explicit ReflectionOracle(Ptr<CsigHost> host)
    {
        ConnectTrace(host, "Tag", [this](const FlowKey&, const CsigFields& fields) {
            m_group.push_back(fields);
        });
        ConnectTrace(host->GetObject<Ipv4L3Protocol>(),
                     "SendOutgoing",
                     [this](const Ipv4Header&, Ptr<const Packet>, uint32_t) {
                         if (!m_group.empty())
                         {
                             groups.push_back(m_group);
                             m_group.clear();
                         }
                     });
    }

    std::vector<FieldsList> groups; //!< what each reflecting segment answers

  private:
    FieldsList m_group; //!< what the next one answers
};

// Sections 4.3.1 and 4.3.2: tags are made by the sender, and come back as the network has left
// them, each of them if each segment is acknowledged.
AIDC_TEST_CASES(CsigFormat,
                format,
                std::string("4.3: tags come back as the network left them, ") +
                    (format == CsigFormat::COMPACT ? "compact" : "expanded"),
                ({CsigFormat::COMPACT, CsigFormat::EXPANDED}))
{
    CsigHostNetwork network;
    auto hostA = network.InstallA();
    auto hostB = network.InstallB();
    hostA->SetAttribute("Format", EnumValue(format));
    Writer writer(network.toB);
    FieldsList signals;
    RecordSignals(hostA, signals);
    constexpr uint32_t SEGMENTS = 300;
    TcpConnection tcp(network, SEGMENTS * 1000, 0);
    RunFor(Seconds(2));

    NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), SEGMENTS * 1000, "data arrives");
    NS_TEST_EXPECT_MSG_EQ(writer.asked.size(), SEGMENTS, "each segment with data is tagged");
    // 4.1.3: a minimum begins with the largest value, the locator with its default.
    const CsigFields initial = format == CsigFormat::COMPACT
                                   ? CsigFields{CsigFormat::COMPACT, 0, 0, 0, 31}
                                   : CsigFields{CsigFormat::EXPANDED, 0, 0, 0, 0xFFFFF};
    for (const auto& fields : writer.asked)
    {
        NS_TEST_ASSERT_MSG_EQ(fields, initial, "the sender initializes the tag");
    }
    AIDC_EXPECT(signals == writer.written, "all come back, in order");
    const auto& a = hostA->GetStatistics();
    const auto& b = hostB->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(a.tagsSent, SEGMENTS, "tags sent");
    NS_TEST_EXPECT_MSG_EQ(b.tagsReceived, SEGMENTS, "tags received");
    NS_TEST_EXPECT_MSG_EQ(b.reflectionsSent, SEGMENTS, "reflections sent");
    NS_TEST_EXPECT_MSG_EQ(a.reflectionsReceived, SEGMENTS, "reflections received");
    NS_TEST_EXPECT_MSG_EQ(b.tagsSent, 0, "segments without data are not tagged");
    NS_TEST_EXPECT_MSG_EQ(b.emptySent + b.noRoom + b.overMtu, 0, "nothing was in the way");

    const auto newest = hostA->GetSignal(tcp.GetFlowOfA(), CsigSignal::ABW);
    AIDC_ASSERT(newest.has_value(), "the newest signal can be asked for");
    NS_TEST_EXPECT_MSG_EQ(newest->fields, writer.written.back(), "it is the last one");
    AIDC_EXPECT(!hostA->GetSignal(tcp.GetFlowOfA(), CsigSignal::HOP_DELAY).has_value(),
                "no other was asked for");
    AIDC_EXPECT(hostA->GetCapability(tcp.GetFlowOfA()) == CsigCapability::CAPABLE,
                "the path is capable");
}

struct Coalescing
{
    CsigHostSettings::Mode mode; //!< what is reflected
    std::string signal;          //!< the signal
};

// Section 4.2: an ACK of several segments reflects the latest or the worst.
AIDC_TEST_CASES(Coalescing,
                row,
                "4.2: ACKs of several segments reflect the " +
                    std::string(row.mode == CsigHostSettings::LATEST ? "latest " : "worst ") +
                    row.signal,
                ({{CsigHostSettings::LATEST, "min(ABW)"},
                  {CsigHostSettings::SUMMARY, "min(ABW)"},
                  {CsigHostSettings::SUMMARY, "max(PD)"}}))
{
    CsigHostNetwork network;
    auto hostA = network.InstallA();
    auto hostB = network.InstallB();
    hostA->SetAttribute("Signals", StringValue(row.signal));
    hostB->SetAttribute("Mode", EnumValue(row.mode));
    Writer writer(network.toB);
    ReflectionOracle oracle(hostB);
    FieldsList signals;
    RecordSignals(hostA, signals);
    TcpConnection tcp(network, 300000, 0, 3);
    RunFor(Seconds(2));

    NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), 300000, "data arrives");
    FieldsList expected;
    for (const auto& group : oracle.groups)
    {
        // The largest of a delay, the smallest of a bandwidth
        const auto worst = *std::max_element(group.begin(),
                                             group.end(),
                                             [this](const CsigFields& x, const CsigFields& y) {
                                                 return row.signal == "max(PD)" ? x.value < y.value
                                                                                : x.value > y.value;
                                             });
        expected.push_back(row.mode == CsigHostSettings::LATEST ? group.back() : worst);
    }
    NS_TEST_EXPECT_MSG_LT(signals.size(), 150, "ACKs are coalesced");
    NS_TEST_EXPECT_MSG_GT(signals.size(), 90, "and each has a signal");
    AIDC_EXPECT(signals == expected, "each group has its signal");
}

// Sections 4.1.3, 4.2 and 4.3.3: several signals in turn, none of which starves, although each ACK
// answers as many segments as there are signals.
AIDC_TEST_CASE("4.3.3: several signals of a flow in turn")
{
    CsigHostNetwork network;
    auto hostA = network.InstallA();
    network.InstallB();
    hostA->SetAttribute("Signals", StringValue("min(ABW),min(ABW/C),max(PD)"));
    Writer writer(network.toB);
    FieldsList signals;
    RecordSignals(hostA, signals);
    TcpConnection tcp(network, 300000, 0, 3);
    RunFor(Seconds(2));

    for (std::size_t i = 0; i < writer.asked.size(); ++i)
    {
        NS_TEST_ASSERT_MSG_EQ(uint32_t{writer.asked[i].type}, i % 3, "types in turn");
    }
    // 4.1.3: a maximum begins with 0.
    NS_TEST_EXPECT_MSG_EQ(writer.asked[1].value, 31, "a minimum begins with the largest");
    NS_TEST_EXPECT_MSG_EQ(writer.asked[2].value, 0, "a maximum begins with the smallest");
    std::map<uint8_t, std::size_t> counts;
    for (const auto& fields : signals)
    {
        ++counts[fields.type];
        AIDC_ASSERT(std::count(writer.written.begin(), writer.written.end(), fields) > 0,
                    "nothing is reflected that was not written");
    }
    for (uint8_t type = 0; type < 3; ++type)
    {
        NS_TEST_EXPECT_MSG_GT(counts[type], signals.size() / 4, "no signal starves");
    }
    for (const auto signal : {CsigSignal::ABW, CsigSignal::ABW_RATIO, CsigSignal::HOP_DELAY})
    {
        AIDC_EXPECT(hostA->GetSignal(tcp.GetFlowOfA(), signal).has_value(),
                    GetCsigName(signal) << " is known");
    }
}

/// Check that signals come in the order in which they were written.
bool
IsSubsequence(const FieldsList& signals, const FieldsList& written)
{
    auto at = written.begin();
    for (const auto& fields : signals)
    {
        at = std::find(at, written.end(), fields);
        if (at == written.end())
        {
            return false;
        }
        ++at;
    }
    return true;
}

// Section 4.4.4: with data in both directions each host is sender and receiver, and segments have
// both a tag and a reflection. Section 6.3.2: the two may use different formats.
AIDC_TEST_CASE("4.4.4: tags and reflections in both directions")
{
    CsigHostNetwork network;
    auto hostA = network.InstallA();
    auto hostB = network.InstallB();
    hostB->SetAttribute("Format", EnumValue(CsigFormat::EXPANDED));
    hostB->SetAttribute("Signals", StringValue("max(PD)"));
    Writer toB(network.toB);
    Writer toA(network.toA);
    FieldsList signalsOfA;
    FieldsList signalsOfB;
    RecordSignals(hostA, signalsOfA);
    RecordSignals(hostB, signalsOfB);
    uint32_t both = 0;
    const auto write = network.toB->edit;
    network.toB->edit = [&](Ptr<Packet> packet) {
        const auto seen = Look(packet);
        both += seen.tag && seen.reflection && seen.reflection->fields &&
                seen.reflection->fields->format == CsigFormat::EXPANDED;
        return write(packet);
    };
    TcpConnection tcp(network, 300000, 300000, 8); // so that data has to carry reflections
    RunFor(Seconds(2));

    NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(0), 300000, "data arrives at A");
    NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), 300000, "data arrives at B");
    NS_TEST_EXPECT_MSG_GT(both, 50, "segments have a compact tag and an expanded reflection");
    AIDC_EXPECT(IsSubsequence(signalsOfA, toB.written), "A's signals");
    AIDC_EXPECT(IsSubsequence(signalsOfB, toA.written), "B's signals");
    NS_TEST_EXPECT_MSG_GT(signalsOfA.size(), 300 / 8, "A gets one an acknowledgment");
    NS_TEST_EXPECT_MSG_GT(signalsOfB.size(), 300 / 8, "B gets one an acknowledgment");
}

// Section 6.3.2: compact and expanded tags together, of two flows of the same hosts.
AIDC_TEST_CASE("6.3.2: compact and expanded tags on one network")
{
    CsigHostNetwork network;
    auto hostA = network.InstallA();
    network.InstallB();
    Writer writer(network.toB);
    FieldsList signals;
    RecordSignals(hostA, signals);
    TcpConnection first(network, 200000, 0);
    Simulator::Schedule(MilliSeconds(8),
                        [&] { hostA->SetAttribute("Format", EnumValue(CsigFormat::EXPANDED)); });
    TcpConnection second(network, 200000, 0, 1, 1000, 5001);
    RunFor(Seconds(2));

    NS_TEST_EXPECT_MSG_EQ(first.GetReceived(1) + second.GetReceived(1), 400000, "data");
    AIDC_EXPECT(signals == writer.written, "all signals come back");
    const auto compact =
        std::count_if(signals.begin(), signals.end(), [](const CsigFields& fields) {
            return fields.format == CsigFormat::COMPACT;
        });
    NS_TEST_EXPECT_MSG_GT(compact, 20, "there were compact ones");
    NS_TEST_EXPECT_MSG_LT(compact, 380, "and expanded ones");
}

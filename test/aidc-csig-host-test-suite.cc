/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// CSIG on hosts with TCP: sections 4.2 to 4.4, 6.3 and 9 of draft-ravi-ippm-csig-01.

#include "csig-host-network.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/tcp-header.h"
#include "ns3/test.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

using FieldsList = std::vector<CsigFields>;

/**
 * @brief Record the signals that come back to a host.
 * @param host the host
 * @param list where to put them
 */
void
RecordSignals(Ptr<CsigHost> host, FieldsList& list)
{
    host->TraceConnectWithoutContext(
        "Signal",
        Callback<void, const FlowKey&, const CsigFields&>(
            [&list](const FlowKey&, const CsigFields& fields) { list.push_back(fields); }));
}

/**
 * @ingroup aidc-test
 * @brief A router port that gives each tag a value and a locator, none of which repeats soon.
 */
class Writer
{
  public:
    /**
     * @brief Write into the tags of what passes a queue.
     * @param queue the queue
     */
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

    FieldsList asked;   ///< what came
    FieldsList written; ///< what went on

  private:
    uint32_t m_count{0}; //!< the tags so far
};

/**
 * @ingroup aidc-test
 * @brief What B has to reflect of what it receives, by the tags and segments that pass its stack:
 *        all that arrives between two segments that it sends is one group.
 */
class ReflectionOracle
{
  public:
    /**
     * @brief Watch a host.
     * @param host its CSIG
     */
    explicit ReflectionOracle(Ptr<CsigHost> host)
    {
        host->TraceConnectWithoutContext(
            "Tag",
            Callback<void, const FlowKey&, const CsigFields&>(
                [this](const FlowKey&, const CsigFields& fields) { m_group.push_back(fields); }));
        host->GetObject<Ipv4L3Protocol>()->TraceConnectWithoutContext(
            "SendOutgoing",
            Callback<void, const Ipv4Header&, Ptr<const Packet>, uint32_t>(
                [this](const Ipv4Header&, Ptr<const Packet>, uint32_t) {
                    if (!m_group.empty())
                    {
                        groups.push_back(m_group);
                        m_group.clear();
                    }
                }));
    }

    std::vector<FieldsList> groups; ///< what each reflecting segment answers

  private:
    FieldsList m_group; //!< what the next one answers
};

/**
 * @ingroup aidc-test
 * @brief Sections 4.3.1 and 4.3.2: tags are made by the sender, and come back as the network has
 *        left them, each of them if each segment is acknowledged.
 */
class LifeOfAPacketTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param format the format of the tags
     */
    explicit LifeOfAPacketTestCase(CsigHost::Format format)
        : TestCase(std::string("4.3: tags come back as the network left them, ") +
                   (format == CsigHost::COMPACT ? "compact" : "expanded")),
          m_format(format)
    {
    }

  private:
    void DoRun() override
    {
        CsigHostNetwork network;
        auto hostA = network.InstallA();
        auto hostB = network.InstallB();
        hostA->SetAttribute("Format", EnumValue(m_format));
        Writer writer(network.toB);
        FieldsList signals;
        RecordSignals(hostA, signals);
        constexpr uint32_t SEGMENTS = 300;
        TcpConnection tcp(network, SEGMENTS * 1000, 0);
        Simulator::Stop(Seconds(2));
        Simulator::Run();

        NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), SEGMENTS * 1000, "data arrives");
        NS_TEST_EXPECT_MSG_EQ(writer.asked.size(), SEGMENTS, "each segment with data is tagged");
        // 4.1.3: a minimum begins with the largest value, the locator with its default.
        const CsigFields initial = m_format == CsigHost::COMPACT
                                       ? CsigFields{CsigFormat::COMPACT, 0, 0, 0, 31}
                                       : CsigFields{CsigFormat::EXPANDED, 0, 0, 0, 0xFFFFF};
        for (const auto& fields : writer.asked)
        {
            NS_TEST_ASSERT_MSG_EQ(fields, initial, "the sender initializes the tag");
        }
        NS_TEST_EXPECT_MSG_EQ((signals == writer.written), true, "all come back, in order");
        const auto& a = hostA->GetCounters();
        const auto& b = hostB->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(a.tagsSent, SEGMENTS, "tags sent");
        NS_TEST_EXPECT_MSG_EQ(b.tagsReceived, SEGMENTS, "tags received");
        NS_TEST_EXPECT_MSG_EQ(b.reflectionsSent, SEGMENTS, "reflections sent");
        NS_TEST_EXPECT_MSG_EQ(a.reflectionsReceived, SEGMENTS, "reflections received");
        NS_TEST_EXPECT_MSG_EQ(b.tagsSent, 0, "segments without data are not tagged");
        NS_TEST_EXPECT_MSG_EQ(b.emptySent + b.noRoom + b.overMtu, 0, "nothing was in the way");

        const auto newest = hostA->GetSignal(tcp.GetFlowOfA(), CsigSignal::ABW);
        NS_TEST_ASSERT_MSG_EQ(newest.has_value(), true, "the newest signal can be asked for");
        NS_TEST_EXPECT_MSG_EQ(newest->fields, writer.written.back(), "it is the last one");
        NS_TEST_EXPECT_MSG_EQ(hostA->GetSignal(tcp.GetFlowOfA(), CsigSignal::HOP_DELAY).has_value(),
                              false,
                              "no other was asked for");
        NS_TEST_EXPECT_MSG_EQ((hostA->GetCapability(tcp.GetFlowOfA()) == CsigCapability::CAPABLE),
                              true,
                              "the path is capable");
    }

    CsigHost::Format m_format; //!< the format of the tags
};

/**
 * @ingroup aidc-test
 * @brief Section 4.2: an ACK of several segments reflects the latest or the worst.
 */
class CoalescingTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param mode what is reflected
     * @param signal the signal
     */
    CoalescingTestCase(CsigHost::Mode mode, const std::string& signal)
        : TestCase("4.2: ACKs of several segments reflect the " +
                   std::string(mode == CsigHost::LATEST ? "latest " : "worst ") + signal),
          m_mode(mode),
          m_signal(signal)
    {
    }

  private:
    void DoRun() override
    {
        CsigHostNetwork network;
        auto hostA = network.InstallA();
        auto hostB = network.InstallB();
        hostA->SetAttribute("Signals", StringValue(m_signal));
        hostB->SetAttribute("Mode", EnumValue(m_mode));
        Writer writer(network.toB);
        ReflectionOracle oracle(hostB);
        FieldsList signals;
        RecordSignals(hostA, signals);
        TcpConnection tcp(network, 300000, 0, 3);
        Simulator::Stop(Seconds(2));
        Simulator::Run();

        NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), 300000, "data arrives");
        FieldsList expected;
        for (const auto& group : oracle.groups)
        {
            // The largest of a delay, the smallest of a bandwidth
            const auto worst = *std::max_element(group.begin(),
                                                 group.end(),
                                                 [this](const CsigFields& x, const CsigFields& y) {
                                                     return m_signal == "max(PD)"
                                                                ? x.value < y.value
                                                                : x.value > y.value;
                                                 });
            expected.push_back(m_mode == CsigHost::LATEST ? group.back() : worst);
        }
        NS_TEST_EXPECT_MSG_LT(signals.size(), 150, "ACKs are coalesced");
        NS_TEST_EXPECT_MSG_GT(signals.size(), 90, "and each has a signal");
        NS_TEST_EXPECT_MSG_EQ((signals == expected), true, "each group has its signal");
    }

    CsigHost::Mode m_mode; //!< what is reflected
    std::string m_signal;  //!< the signal
};

/**
 * @ingroup aidc-test
 * @brief Sections 4.1.3, 4.2 and 4.3.3: several signals in turn, none of which starves, although
 *        each ACK answers as many segments as there are signals.
 */
class SeveralSignalsTestCase : public TestCase
{
  public:
    SeveralSignalsTestCase()
        : TestCase("4.3.3: several signals of a flow in turn")
    {
    }

  private:
    void DoRun() override
    {
        CsigHostNetwork network;
        auto hostA = network.InstallA();
        network.InstallB();
        hostA->SetAttribute("Signals", StringValue("min(ABW),min(ABW/C),max(PD)"));
        Writer writer(network.toB);
        FieldsList signals;
        RecordSignals(hostA, signals);
        TcpConnection tcp(network, 300000, 0, 3);
        Simulator::Stop(Seconds(2));
        Simulator::Run();

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
            NS_TEST_ASSERT_MSG_EQ(
                (std::count(writer.written.begin(), writer.written.end(), fields) > 0),
                true,
                "nothing is reflected that was not written");
        }
        for (uint8_t type = 0; type < 3; ++type)
        {
            NS_TEST_EXPECT_MSG_GT(counts[type], signals.size() / 4, "no signal starves");
        }
        for (const auto signal : {CsigSignal::ABW, CsigSignal::ABW_RATIO, CsigSignal::HOP_DELAY})
        {
            NS_TEST_EXPECT_MSG_EQ(hostA->GetSignal(tcp.GetFlowOfA(), signal).has_value(),
                                  true,
                                  GetCsigName(signal) << " is known");
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief Section 4.4.4: with data in both directions each host is sender and receiver, and segments
 *        have both a tag and a reflection. Section 6.3.2: the two may use different formats.
 */
class BothDirectionsTestCase : public TestCase
{
  public:
    BothDirectionsTestCase()
        : TestCase("4.4.4: tags and reflections in both directions")
    {
    }

  private:
    void DoRun() override
    {
        CsigHostNetwork network;
        auto hostA = network.InstallA();
        auto hostB = network.InstallB();
        hostB->SetAttribute("Format", EnumValue(CsigHost::EXPANDED));
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
        Simulator::Stop(Seconds(2));
        Simulator::Run();

        NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(0), 300000, "data arrives at A");
        NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), 300000, "data arrives at B");
        NS_TEST_EXPECT_MSG_GT(both, 50, "segments have a compact tag and an expanded reflection");
        NS_TEST_EXPECT_MSG_EQ(IsSubsequence(signalsOfA, toB.written), true, "A's signals");
        NS_TEST_EXPECT_MSG_EQ(IsSubsequence(signalsOfB, toA.written), true, "B's signals");
        NS_TEST_EXPECT_MSG_GT(signalsOfA.size(), 300 / 8, "A gets one an acknowledgment");
        NS_TEST_EXPECT_MSG_GT(signalsOfB.size(), 300 / 8, "B gets one an acknowledgment");
    }

    /**
     * @brief Check that signals come in the order in which they were written.
     * @param signals the signals
     * @param written what was written
     * @return whether they do
     */
    static bool IsSubsequence(const FieldsList& signals, const FieldsList& written)
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
};

/**
 * @ingroup aidc-test
 * @brief Section 6.3.3, end hosts: nothing is sent to a peer that does not know CSIG but the offer.
 */
class PeerWithoutCsigTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param isClient whether it is the client that has CSIG
     */
    explicit PeerWithoutCsigTestCase(bool isClient)
        : TestCase(std::string("6.3.3: the peer has no CSIG, it is the ") +
                   (isClient ? "server" : "client")),
          m_isClient(isClient)
    {
    }

  private:
    void DoRun() override
    {
        CsigHostNetwork network;
        auto host = m_isClient ? network.InstallA() : network.InstallB();
        uint32_t offers = 0;
        uint32_t others = 0;
        const auto watch = [&](Ptr<Packet> packet) {
            const auto seen = Look(packet);
            ++(seen.hasOption && seen.Has(TcpHeader::SYN) && !seen.Has(TcpHeader::ACK) ? offers
                                                                                       : others);
            others -= !seen.hasOption && !seen.tag;
            return true;
        };
        network.toA->edit = watch;
        network.toB->edit = watch;
        TcpConnection tcp(network, 100000, 100000);
        Simulator::Stop(Seconds(2));
        Simulator::Run();

        NS_TEST_EXPECT_MSG_EQ(offers, (m_isClient ? 1 : 0), "only a client offers");
        NS_TEST_EXPECT_MSG_EQ(others, 0, "no other option, no tag");
        NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(0), 100000, "data arrives at A");
        NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), 100000, "data arrives at B");
        NS_TEST_EXPECT_MSG_EQ(host->IsAgreed(m_isClient ? tcp.GetFlowOfA() : tcp.GetFlowOfB()),
                              false,
                              "nothing is agreed");
    }

    bool m_isClient; //!< whether it is the client that has CSIG
};

/**
 * @ingroup aidc-test
 * @brief Section 6.3.3: a SYN that gets lost is repeated with the option, and at last without, for
 *        a device that drops it because of the option.
 */
class LostSynTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param dropsAll whether all SYNs with the option get lost, else only the first
     */
    explicit LostSynTestCase(bool dropsAll)
        : TestCase(dropsAll ? "6.3.3: SYNs with the option are never let through"
                            : "6.3.3: the first SYN gets lost"),
          m_dropsAll(dropsAll)
    {
    }

  private:
    void DoRun() override
    {
        CsigHostNetwork network;
        auto host = network.InstallA();
        network.InstallB();
        uint32_t offers = 0;
        network.toB->edit = [&](Ptr<Packet> packet) {
            const auto seen = Look(packet);
            const bool isOffer = seen.hasOption && seen.Has(TcpHeader::SYN);
            offers += isOffer;
            return !isOffer || (!m_dropsAll && offers > 1);
        };
        TcpConnection tcp(network, 100000, 0);
        Simulator::Stop(Seconds(60));
        Simulator::Run();

        NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), 100000, "data arrives");
        NS_TEST_EXPECT_MSG_EQ(offers, (m_dropsAll ? 3 : 2), "so many SYNs had the option");
        NS_TEST_EXPECT_MSG_EQ(host->IsAgreed(tcp.GetFlowOfA()), !m_dropsAll, "agreed if it came");
        NS_TEST_EXPECT_MSG_EQ((host->GetCounters().reflectionsReceived > 0),
                              !m_dropsAll,
                              "signals come back only then");
    }

    bool m_dropsAll; //!< whether all SYNs with the option get lost
};

/**
 * @ingroup aidc-test
 * @brief Section 6.3.3, transit devices: a path that strips the tags is found not capable, is left
 *        alone, and is tried again.
 */
class StrippedPathTestCase : public TestCase
{
  public:
    StrippedPathTestCase()
        : TestCase("6.3.3: a path that strips tags, until it does not")
    {
    }

  private:
    void DoRun() override
    {
        CsigHostNetwork network;
        auto host = network.InstallA();
        network.InstallB();
        std::vector<std::pair<CsigCapability, Time>> changes;
        host->TraceConnectWithoutContext("Capability",
                                         Callback<void, const FlowKey&, CsigCapability>(
                                             [&](const FlowKey&, CsigCapability capability) {
                                                 changes.emplace_back(capability, Simulator::Now());
                                             }));
        bool strips = true;
        std::vector<Time> tagged; // when tags came to the router
        network.toB->edit = [&](Ptr<Packet> packet) {
            if (Look(packet).tag)
            {
                tagged.push_back(Simulator::Now());
            }
            if (strips)
            {
                ReplaceTag(packet, std::nullopt);
            }
            return true;
        };
        TcpConnection tcp(network, 6000000, 0); // about half a second
        Simulator::Schedule(MilliSeconds(250), [&] { strips = false; });
        Simulator::Stop(Seconds(2));
        Simulator::Run();

        NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), 6000000, "data arrives");
        // Found at once, tried again after 100 ms twice in vain, and the third time with success
        using State = CsigCapability;
        const std::vector<State> expected{State::NOT_CAPABLE,
                                          State::UNKNOWN,
                                          State::NOT_CAPABLE,
                                          State::UNKNOWN,
                                          State::NOT_CAPABLE,
                                          State::UNKNOWN,
                                          State::CAPABLE};
        std::vector<State> states;
        for (const auto& change : changes)
        {
            states.push_back(change.first);
        }
        NS_TEST_ASSERT_MSG_EQ((states == expected), true, "what the host knows of the path");
        NS_TEST_EXPECT_MSG_LT(changes[0].second, MilliSeconds(20), "found within some RTTs");
        for (const std::size_t i : {1, 3, 5})
        {
            const auto silence = changes[i].second - changes[i - 1].second;
            NS_TEST_EXPECT_MSG_GT_OR_EQ(silence, MilliSeconds(100), "tried after the interval");
            NS_TEST_EXPECT_MSG_LT(silence, MilliSeconds(101), "with the next packet");
        }
        NS_TEST_EXPECT_MSG_GT(changes[6].second, MilliSeconds(250), "capable after the change");
        // Between two tries there are 100 ms without tags.
        const auto quiet = changes[0].second + MilliSeconds(5);
        const auto inQuiet = std::count_if(tagged.begin(), tagged.end(), [&](const Time& time) {
            return time > quiet && time < changes[0].second + MilliSeconds(100);
        });
        NS_TEST_EXPECT_MSG_EQ(inQuiet, 0, "a path that is not capable is left alone");
        NS_TEST_EXPECT_MSG_GT(host->GetCounters().reflectionsReceived, 0, "at last signals come");
    }
};

/**
 * @ingroup aidc-test
 * @brief Section 6.3.2: end hosts MUST be capable of sending and receiving tagged and untagged
 *        packets of the same flow.
 */
class MixedPacketsTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param byNetwork whether the network strips every other tag, else the host tags every fourth
     */
    explicit MixedPacketsTestCase(bool byNetwork)
        : TestCase(std::string("6.3.2: tagged and untagged packets of a flow, mixed by the ") +
                   (byNetwork ? "network" : "host")),
          m_byNetwork(byNetwork)
    {
    }

  private:
    void DoRun() override
    {
        CsigHostNetwork network;
        auto hostA = network.InstallA();
        auto hostB = network.InstallB();
        hostA->SetAttribute("Period", UintegerValue(m_byNetwork ? 1 : 4));
        uint32_t data = 0;
        uint32_t tagged = 0;
        network.toB->edit = [&](Ptr<Packet> packet) {
            const auto seen = Look(packet);
            data += seen.data > 0;
            if (m_byNetwork && data % 2 == 0)
            {
                ReplaceTag(packet, std::nullopt);
            }
            tagged += Look(packet).tag.has_value();
            return true;
        };
        TcpConnection tcp(network, 400000, 0);
        Simulator::Stop(Seconds(2));
        Simulator::Run();

        const auto& a = hostA->GetCounters();
        const auto& b = hostB->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), 400000, "data arrives");
        NS_TEST_EXPECT_MSG_EQ(data, 400, "segments");
        NS_TEST_EXPECT_MSG_EQ(tagged, (m_byNetwork ? 200 : 100), "those with a tag");
        NS_TEST_EXPECT_MSG_EQ(b.tagsReceived, tagged, "the receiver takes them");
        NS_TEST_EXPECT_MSG_EQ(b.untaggedReceived, data - tagged, "and the others");
        NS_TEST_EXPECT_MSG_EQ(a.reflectionsReceived, tagged, "the tags come back");
        NS_TEST_EXPECT_MSG_EQ(a.emptyReceived, data - tagged, "and that the others had none");
        NS_TEST_EXPECT_MSG_EQ((hostA->GetCapability(tcp.GetFlowOfA()) == CsigCapability::CAPABLE),
                              true,
                              "the path is capable");
    }

    bool m_byNetwork; //!< whether the network strips every other tag
};

/**
 * @ingroup aidc-test
 * @brief Section 6.3.2: compact and expanded tags together, of two flows of the same hosts.
 */
class MixedFormatsTestCase : public TestCase
{
  public:
    MixedFormatsTestCase()
        : TestCase("6.3.2: compact and expanded tags on one network")
    {
    }

  private:
    void DoRun() override
    {
        CsigHostNetwork network;
        auto hostA = network.InstallA();
        network.InstallB();
        Writer writer(network.toB);
        FieldsList signals;
        RecordSignals(hostA, signals);
        TcpConnection first(network, 200000, 0);
        Simulator::Schedule(MilliSeconds(8),
                            [&] { hostA->SetAttribute("Format", EnumValue(CsigHost::EXPANDED)); });
        TcpConnection second(network, 200000, 0, 1, 1000, 5001);
        Simulator::Stop(Seconds(2));
        Simulator::Run();

        NS_TEST_EXPECT_MSG_EQ(first.GetReceived(1) + second.GetReceived(1), 400000, "data");
        NS_TEST_EXPECT_MSG_EQ((signals == writer.written), true, "all signals come back");
        const auto compact =
            std::count_if(signals.begin(), signals.end(), [](const CsigFields& fields) {
                return fields.format == CsigFormat::COMPACT;
            });
        NS_TEST_EXPECT_MSG_GT(compact, 20, "there were compact ones");
        NS_TEST_EXPECT_MSG_LT(compact, 380, "and expanded ones");
    }
};

/**
 * @ingroup aidc-test
 * @brief Section 9: only authorized flows are tagged, and only by the host's CSIG.
 */
class AuthorizationTestCase : public TestCase
{
  public:
    AuthorizationTestCase()
        : TestCase("9: only authorized flows are tagged")
    {
    }

  private:
    void DoRun() override
    {
        CsigHostNetwork network;
        auto hostA = network.InstallA();
        auto hostB = network.InstallB();
        hostA->SetAttribute("AuthorizeAll", BooleanValue(false));
        hostB->SetAttribute("AuthorizeAll", BooleanValue(false));
        CsigFlowRule rule;
        rule.port = 81;
        hostA->Authorize(rule);
        std::map<uint16_t, uint32_t> tagged;
        network.toB->edit = [&](Ptr<Packet> packet) {
            const auto seen = Look(packet);
            tagged[seen.header.bytes[3]] += seen.tag.has_value();
            return true;
        };
        TcpConnection other(network, 100000, 100000);                     // to port 80
        TcpConnection authorized(network, 100000, 100000, 1, 1000, 5001); // to port 81
        Simulator::Stop(Seconds(2));
        Simulator::Run();

        NS_TEST_EXPECT_MSG_EQ(other.GetReceived(1) + authorized.GetReceived(1), 200000, "data");
        NS_TEST_EXPECT_MSG_EQ(tagged[80], 0, "no tag where there is no rule");
        NS_TEST_EXPECT_MSG_EQ(tagged[81], 100, "every segment where there is one");
        NS_TEST_EXPECT_MSG_EQ(hostB->GetCounters().tagsSent, 0, "without rules nothing is tagged");
        NS_TEST_EXPECT_MSG_GT(hostB->GetCounters().reflectionsSent, 50, "and all is reflected");
    }
};

/**
 * @ingroup aidc-test
 * @brief A user gets the signals of its flow alone.
 */
class SinkTestCase : public TestCase
{
  public:
    SinkTestCase()
        : TestCase("8.1: users get the signals of their flow")
    {
    }

  private:
    void DoRun() override
    {
        CsigHostNetwork network;
        auto hostA = network.InstallA();
        network.InstallB();
        TcpConnection first(network, 100000, 0);
        TcpConnection second(network, 50000, 0, 1, 1000, 5001);
        uint32_t count = 0;
        hostA->SetSink(second.GetFlowOfA(),
                       CsigHost::SignalSink([&](const FlowKey& flow, const CsigFields&) {
                           NS_TEST_EXPECT_MSG_EQ((flow == second.GetFlowOfA()), true, "its flow");
                           if (++count == 20)
                           {
                               hostA->SetSink(flow, CsigHost::SignalSink());
                           }
                       }));
        Simulator::Stop(Seconds(2));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(count, 20, "until it has enough");
        NS_TEST_EXPECT_MSG_EQ(hostA->GetCounters().reflectionsReceived, 150, "more have come");
    }
};

/**
 * @ingroup aidc-test
 * @brief A connection that has no room in the table goes on without CSIG.
 */
class FullTableTestCase : public TestCase
{
  public:
    FullTableTestCase()
        : TestCase("A forgotten connection goes on without CSIG")
    {
    }

  private:
    void DoRun() override
    {
        CsigHostNetwork network;
        auto hostA = network.InstallA();
        network.InstallB();
        hostA->SetAttribute("MaxFlows", UintegerValue(1));
        TcpConnection first(network, 1000000, 0);
        std::unique_ptr<TcpConnection> second;
        uint64_t tags = 0; // of the first alone
        Simulator::Schedule(MilliSeconds(20), [&] {
            tags = hostA->GetCounters().tagsSent;
            second = std::make_unique<TcpConnection>(network, 100000, 0, 1, 1000, 5001);
        });
        Simulator::Stop(Seconds(2));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(first.GetReceived(1), 1000000, "the first one's data arrives");
        NS_TEST_EXPECT_MSG_EQ(second->GetReceived(1), 100000, "the second one's data arrives");
        NS_TEST_EXPECT_MSG_EQ(hostA->GetNEvictions(), 1, "the first one is forgotten");
        NS_TEST_EXPECT_MSG_EQ(hostA->GetNFlows(), 1, "the second one is there");
        NS_TEST_EXPECT_MSG_GT(tags, 20, "the first one was tagged");
        NS_TEST_EXPECT_MSG_EQ(hostA->GetCounters().tagsSent, tags + 100, "then only the second");
    }
};

/**
 * @ingroup aidc-test
 * @brief The suite.
 */
class CsigHostTestSuite : public TestSuite
{
  public:
    CsigHostTestSuite()
        : TestSuite("aidc-csig-host", TestSuite::Type::UNIT)
    {
        AddTestCase(new LifeOfAPacketTestCase(CsigHost::COMPACT));
        AddTestCase(new LifeOfAPacketTestCase(CsigHost::EXPANDED));
        AddTestCase(new CoalescingTestCase(CsigHost::LATEST, "min(ABW)"));
        AddTestCase(new CoalescingTestCase(CsigHost::SUMMARY, "min(ABW)"));
        AddTestCase(new CoalescingTestCase(CsigHost::SUMMARY, "max(PD)"));
        AddTestCase(new SeveralSignalsTestCase);
        AddTestCase(new BothDirectionsTestCase);
        AddTestCase(new PeerWithoutCsigTestCase(true));
        AddTestCase(new PeerWithoutCsigTestCase(false));
        AddTestCase(new LostSynTestCase(false));
        AddTestCase(new LostSynTestCase(true));
        AddTestCase(new StrippedPathTestCase);
        AddTestCase(new MixedPacketsTestCase(false));
        AddTestCase(new MixedPacketsTestCase(true));
        AddTestCase(new MixedFormatsTestCase);
        AddTestCase(new AuthorizationTestCase);
        AddTestCase(new SinkTestCase);
        AddTestCase(new FullTableTestCase);
    }
};

CsigHostTestSuite g_csigHostTestSuite; //!< the suite

} // namespace

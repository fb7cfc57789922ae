// SPDX-License-Identifier: GPL-2.0-only

// CSIG on hosts: which connections and paths use it, section 6.3 of draft-ravi-ippm-csig-01.

#include "csig-host-traffic.h"
#include "test/test-case.h"

AIDC_TEST_SUITE("aidc-csig-host-negotiation", UNIT);

// Section 6.3.3, end hosts: nothing is sent to a peer that does not know CSIG but the offer.
AIDC_TEST_CASES(bool,
                isClient,
                std::string("6.3.3: the peer has no CSIG, it is the ") +
                    (isClient ? "server" : "client"),
                ({true, false}))
{
    CsigHostNetwork network;
    auto host = isClient ? network.InstallA() : network.InstallB();
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
    RunFor(Seconds(2));

    NS_TEST_EXPECT_MSG_EQ(offers, (isClient ? 1 : 0), "only a client offers");
    NS_TEST_EXPECT_MSG_EQ(others, 0, "no other option, no tag");
    NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(0), 100000, "data arrives at A");
    NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), 100000, "data arrives at B");
    AIDC_EXPECT(!host->IsAgreed(isClient ? tcp.GetFlowOfA() : tcp.GetFlowOfB()),
                "nothing is agreed");
}

// Section 6.3.3: a SYN that gets lost is repeated with the option, and at last without, for a
// device that drops it because of the option.
AIDC_TEST_CASES(bool,
                dropsAll,
                dropsAll ? "6.3.3: SYNs with the option are never let through"
                         : "6.3.3: the first SYN gets lost",
                ({false, true}))
{
    CsigHostNetwork network;
    auto host = network.InstallA();
    network.InstallB();
    uint32_t offers = 0;
    network.toB->edit = [&](Ptr<Packet> packet) {
        const auto seen = Look(packet);
        const bool isOffer = seen.hasOption && seen.Has(TcpHeader::SYN);
        offers += isOffer;
        return !isOffer || (!dropsAll && offers > 1);
    };
    TcpConnection tcp(network, 100000, 0);
    RunFor(Seconds(60));

    NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), 100000, "data arrives");
    NS_TEST_EXPECT_MSG_EQ(offers, (dropsAll ? 3 : 2), "so many SYNs had the option");
    NS_TEST_EXPECT_MSG_EQ(host->IsAgreed(tcp.GetFlowOfA()), !dropsAll, "agreed if it came");
    // 100,000 bytes are 187 segments of ns-3's 536 bytes, of which every second one at least is
    // acknowledged, with what its tag said.
    const uint64_t nReflections = host->GetStatistics().reflectionsReceived;
    NS_TEST_EXPECT_MSG_GT_OR_EQ(nReflections, (dropsAll ? 0 : 187 / 2), "signals come back");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(nReflections, (dropsAll ? 0 : 187 + 2), "only then");
}

// Section 6.3.3: which segments offer CSIG, and which do not, also if an earlier connection had the
// same addresses and ports.
AIDC_TEST_CASE("6.3.3: offers, one after the other")
{
    CsigHostNetwork network;
    network.InstallB();
    auto socket = Socket::CreateSocket(network.nodes.Get(2), TcpSocketFactory::GetTypeId());
    socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), 80));
    socket->Listen();
    std::vector<bool> accepted;
    network.toA->edit = [&](Ptr<Packet> packet) {
        const auto seen = Look(packet);
        if (seen.Has(TcpHeader::SYN))
        {
            accepted.push_back(seen.hasOption);
        }
        return true;
    };
    const std::vector<Bytes> options{
        {253, 4, 0xC5, 0x16},                   // an offer
        {},                                     // none
        {253, 6, 0xC5, 0x16, 0x0F, 0x80, 1, 1}, // a reflection, which is no offer
        {253, 4, 0xC5, 0x17},                   // another experiment
        {2, 4, 5, 0xB4, 253, 4, 0xC5, 0x16},    // an offer behind another option
    };
    for (std::size_t i = 0; i < options.size(); ++i)
    {
        auto syn = MakeSegment(options[i]);
        syn[3] = 80;
        syn[13] = TcpHeader::SYN;
        auto reset = MakeSegment({});
        reset[3] = 80;
        reset[7] = 1; // behind the SYN
        reset[13] = TcpHeader::RST;
        Simulator::Schedule(MilliSeconds(10 * i + 1), [&network, syn] { GiveToB(network, syn); });
        Simulator::Schedule(MilliSeconds(10 * i + 5),
                            [&network, reset] { GiveToB(network, reset); });
    }
    RunFor(MilliSeconds(100));
    AIDC_EXPECT((accepted == std::vector<bool>{true, false, false, false, true}),
                "offers are accepted, and nothing else");
}

struct OtherExperiment
{
    std::string attribute; //!< the attribute in which the hosts differ
    uint16_t value;        //!< its value
    bool isAtBoth;         //!< whether both have it
};

// RFC 6994: hosts that use different experiments do not agree, and do not disturb each other.
AIDC_TEST_CASES(OtherExperiment,
                row,
                "RFC 6994: " + row.attribute + (row.isAtBoth ? " of both hosts" : " of one host"),
                ({{"OptionKind", 254, false},
                  {"OptionKind", 254, true},
                  {"OptionExId", 1, false},
                  {"OptionExId", 1, true}}))
{
    CsigHostNetwork network;
    auto hostA = network.InstallA();
    auto hostB = network.InstallB();
    hostA->SetAttribute(row.attribute, UintegerValue(row.value));
    if (row.isAtBoth)
    {
        hostB->SetAttribute(row.attribute, UintegerValue(row.value));
    }
    TcpConnection tcp(network, 100000, 0);
    RunFor(Seconds(2));
    NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), 100000, "data arrives");
    NS_TEST_EXPECT_MSG_EQ(hostA->IsAgreed(tcp.GetFlowOfA()), row.isAtBoth, "agreement");
    NS_TEST_EXPECT_MSG_EQ(hostA->GetStatistics().reflectionsReceived,
                          (row.isAtBoth ? 100 : 0),
                          "signals");
}

// Section 6.3.3, transit devices: a path that strips the tags is found not capable, is left alone,
// and is tried again.
AIDC_TEST_CASE("6.3.3: a path that strips tags, until it does not")
{
    CsigHostNetwork network;
    auto host = network.InstallA();
    network.InstallB();
    std::vector<std::pair<CsigCapability, Time>> changes;
    ConnectTrace(host, "Capability", [&](const FlowKey&, CsigCapability capability) {
        changes.emplace_back(capability, Simulator::Now());
    });
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
    RunFor(Seconds(2));

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
    AIDC_ASSERT(states == expected, "what the host knows of the path");
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
    // 6 MB in frames of 1,538 bytes take 506 ms at 100 Mbit/s. The third try is at 323 ms at
    // the latest. So 1,480 segments follow, of which each second one is acknowledged.
    NS_TEST_EXPECT_MSG_GT(host->GetStatistics().reflectionsReceived,
                          1480 / 2,
                          "at last signals come");
}

// Section 6.3.2: end hosts MUST be capable of sending and receiving tagged and untagged packets of
// the same flow.
AIDC_TEST_CASES(bool,
                byNetwork,
                std::string("6.3.2: tagged and untagged packets of a flow, mixed by the ") +
                    (byNetwork ? "network" : "host"),
                ({false, true}))
{
    CsigHostNetwork network;
    auto hostA = network.InstallA();
    auto hostB = network.InstallB();
    hostA->SetAttribute("Period", UintegerValue(byNetwork ? 1 : 4));
    uint32_t data = 0;
    uint32_t tagged = 0;
    network.toB->edit = [&](Ptr<Packet> packet) {
        const auto seen = Look(packet);
        data += seen.data > 0;
        if (byNetwork && data % 2 == 0)
        {
            ReplaceTag(packet, std::nullopt);
        }
        tagged += Look(packet).tag.has_value();
        return true;
    };
    TcpConnection tcp(network, 400000, 0);
    RunFor(Seconds(2));

    const auto& a = hostA->GetStatistics();
    const auto& b = hostB->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), 400000, "data arrives");
    NS_TEST_EXPECT_MSG_EQ(data, 400, "segments");
    NS_TEST_EXPECT_MSG_EQ(tagged, (byNetwork ? 200 : 100), "those with a tag");
    NS_TEST_EXPECT_MSG_EQ(b.tagsReceived, tagged, "the receiver takes them");
    NS_TEST_EXPECT_MSG_EQ(b.untaggedReceived, data - tagged, "and the others");
    NS_TEST_EXPECT_MSG_EQ(a.reflectionsReceived, tagged, "the tags come back");
    NS_TEST_EXPECT_MSG_EQ(a.emptyReceived, data - tagged, "and that the others had none");
    AIDC_EXPECT(hostA->GetCapability(tcp.GetFlowOfA()) == CsigCapability::CAPABLE,
                "the path is capable");
}

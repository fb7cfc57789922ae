// SPDX-License-Identifier: GPL-2.0-only

#include "csig-port-pair.h"
#include "test/test-case.h"

#include "ns3/csig-tag.h"

// What a switch port with CSIG measures and writes.
AIDC_TEST_SUITE("aidc-csig-port", UNIT);

/// Bytes of payload that make a frame without a tag 1,000 bytes on the wire: 1 us at 8 Gb/s.
constexpr uint32_t KILOBYTE = 962;

/// The agent of a spine: delta_t is 10 us; stage 2, up: LM 2 * 4 + 1; device 5, port 3: 5 * 64 + 3.
const Attributes SPINE{{"Interval", "10us"},
                       {"Stage", "2"},
                       {"Orientation", "Up"},
                       {"Device", "5"},
                       {"Port", "3"}};
constexpr uint16_t COMPACT_LM = 9;
constexpr uint16_t EXPANDED_LM = 323;

/// A tag that a switch forwards, and as what.
struct Replacement
{
    std::string rule;  //!< what it shows
    CsigFields before; //!< as it came
    CsigFields after;  //!< as it leaves
};

// Four frames of 1,000 bytes in 10 us leave 4.8 of 8 Gb/s, 60 %. By the default buckets (in Gb/s:
// 0, 0.1, 0.2, 0.5, 1, 2, 3, 4, 5) 4.8 has the code 7, and 60 % the code 23; in steps 4.8 Gb/s / 8
// Mb/s = 600, and 600,000 millionths.
AIDC_TEST_CASES(
    Replacement,
    replacement,
    replacement.rule,
    ({{"4.1.3: a compact request for min(ABW) gets S and LM",
       MakeTag(0, 31),
       MakeTag(0, 7, COMPACT_LM)},
      {"5.3.3: S is replaced if it is larger after quantization",
       MakeTag(0, 8, 1),
       MakeTag(0, 7, COMPACT_LM)},
      {"4.1.3: equal after quantization: neither S nor LM is altered",
       MakeTag(0, 7, 1),
       MakeTag(0, 7, 1)},
      {"4.1.3: smaller: neither S nor LM is altered", MakeTag(0, 6, 1), MakeTag(0, 6, 1)},
      {"5.3.3: the compact share of the capacity", MakeTag(1, 31), MakeTag(1, 23, COMPACT_LM)},
      {"5.3.3: expanded min(ABW)",
       MakeTag(0, 0xfffff, 0, EXPANDED),
       MakeTag(0, 600, EXPANDED_LM, EXPANDED)},
      {"5.3.3: expanded min(ABW), one step larger",
       MakeTag(0, 601, 7, EXPANDED),
       MakeTag(0, 600, EXPANDED_LM, EXPANDED)},
      {"4.1.3: expanded min(ABW), equal",
       MakeTag(0, 600, 7, EXPANDED),
       MakeTag(0, 600, 7, EXPANDED)},
      {"5.3.3: the expanded share of the capacity",
       MakeTag(1, 0xfffff, 0, EXPANDED),
       MakeTag(1, 600000, EXPANDED_LM, EXPANDED)}}))
{
    CsigPortPair pair({}, SPINE);
    std::vector<std::pair<CsigFields, CsigFields>> updates;
    ConnectTrace(pair.csigA,
                 "Update",
                 [&](Ptr<const NetDevice> device, const CsigFields& from, const CsigFields& to) {
                     NS_TEST_EXPECT_MSG_EQ(device, pair.a.Get(), "the port");
                     updates.emplace_back(from, to);
                 });
    for (int i = 0; i < 4; ++i)
    {
        pair.Forward(1000 * i, KILOBYTE);
    }
    pair.Forward(12000, 1000, replacement.before);
    const auto tags = pair.Run();
    NS_TEST_ASSERT_MSG_EQ(tags.size(), 5, "five frames");
    for (int i = 0; i < 4; ++i)
    {
        AIDC_EXPECT(!tags[i].has_value(), "4.4.2: transit adds no tag");
    }
    AIDC_ASSERT(tags[4].has_value(), "a tag");
    NS_TEST_EXPECT_MSG_EQ(*tags[4], replacement.after, "as it leaves");
    const bool isUpdate = replacement.before != replacement.after;
    NS_TEST_ASSERT_MSG_EQ(updates.size(), isUpdate, "the trace");
    if (isUpdate)
    {
        NS_TEST_EXPECT_MSG_EQ(updates[0].first, replacement.before, "before");
        NS_TEST_EXPECT_MSG_EQ(updates[0].second, replacement.after, "after");
    }
    const auto& statistics = pair.csigA->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(statistics.updated, isUpdate, "whether the tag is updated");
    NS_TEST_EXPECT_MSG_EQ(statistics.taggedOut, 1, "one tag is sent");
    NS_TEST_EXPECT_MSG_EQ(pair.csigB->GetStatistics().taggedIn, 1, "one tag comes in");
}

// max(PD) is the time from a packet's arrival to the start of its transmission.
AIDC_TEST_CASE("5.4.1, 5.4.2: PD of each packet, from arrival to transmission, in both formats")
{
    CsigPortPair pair({}, SPINE);
    // In us the default buckets are 0, 0.5, 1, 2, 3, 4: 2,999 ns have the code 3, 3,000 the 4.
    pair.Forward(50000, 100, MakeTag(2, 0), 2999);
    pair.Forward(60000, 100, MakeTag(2, 0), 3000);
    pair.Forward(70000, 100, MakeTag(2, 5, 1), 3000);
    // 128 ns a step: 3,000 / 128 = 23.4.
    pair.Forward(80000, 100, MakeTag(2, 0, 0, EXPANDED), 3000);
    pair.Forward(90000, 100, MakeTag(2, 23, 1, EXPANDED), 3000);
    // It waits in the port: 1,042 bytes with the tag of the one before, then its own 500 ns.
    pair.Forward(100000, 1000, MakeTag(2, 31, 1));
    pair.Forward(100000, 100, MakeTag(2, 0), 500);
    const auto tags = pair.Run();
    NS_TEST_ASSERT_MSG_EQ(tags.size(), 7, "seven tags");
    const CsigFields expected[] = {MakeTag(2, 3, COMPACT_LM),
                                   MakeTag(2, 4, COMPACT_LM),
                                   MakeTag(2, 5, 1),
                                   MakeTag(2, 23, EXPANDED_LM, EXPANDED),
                                   MakeTag(2, 23, 1, EXPANDED),
                                   MakeTag(2, 31, 1),
                                   MakeTag(2, 2, COMPACT_LM)};
    for (std::size_t i = 0; i < tags.size(); ++i)
    {
        AIDC_EXPECT(tags[i] == expected[i], "frame " << i);
    }
}

/// Sends one pause frame.
class OnePause : public EthernetMacControl
{
  public:
    bool Receive(EthernetNetDevice&, const Ptr<const Packet>&, const EthernetFields&) override
    {
        return true;
    }

    bool TakeFrame(EthernetNetDevice&, MacControlFrame& frame) override
    {
        frame = MacControlFrame();
        return !std::exchange(m_isSent, true);
    }

  private:
    bool m_isSent{false}; //!< whether it has been sent
};

// What the port sends without the knowledge of CSIG counts, too.
AIDC_TEST_CASE("5.1.1: all that exits on the wire counts: preamble, gap, tags, MAC control")
{
    // In 10 us: a frame of 1,000 bytes, one of 1,008 with its tag, padding to 64 + 20, and
    // a pause frame of 64 + 20: 2,176 bytes, 0.2176 of the capacity. Without preambles and
    // gaps it is 80 bytes less.
    for (const bool isWire : {true, false})
    {
        CsigPortPair pair({{"CountOverhead", isWire ? "true" : "false"}}, SPINE);
        pair.Forward(0, KILOBYTE);
        pair.Forward(2000, KILOBYTE, MakeTag(1, 0xfffff, 0, EXPANDED));
        pair.Forward(4000, 1);
        pair.a->SetMacControl(CreateObject<OnePause>());
        Simulator::Schedule(MicroSeconds(6), [&] { pair.a->RequestControl(); });
        pair.Forward(12000, 100, MakeTag(1, 0xfffff, 0, EXPANDED));
        const auto tags = pair.Run();
        NS_TEST_ASSERT_MSG_EQ(tags.size(), 5, "five tags");
        AIDC_ASSERT(tags[4].has_value(), "the last one has a tag");
        NS_TEST_EXPECT_MSG_EQ(tags[4]->value, (isWire ? 782400 : 790400), "millionths");
        NS_TEST_EXPECT_MSG_EQ(pair.a->GetStatistics().outFrames, 5, "five frames are sent");
    }
}

AIDC_TEST_CASE("5.1.1: an idle port offers its capacity, a busy one nothing")
{
    CsigPortPair pair({}, SPINE, {}, {{"TxQueueSize", "1000p"}});
    pair.Forward(5000, 100, MakeTag(0, 0xfffff, 0, EXPANDED)); // in the first interval
    for (int i = 0; i < 20; ++i)
    {
        pair.Forward(10000, KILOBYTE);
    }
    pair.Forward(25000, 100, MakeTag(0, 0xfffff, 0, EXPANDED));
    pair.Forward(55000, 100, MakeTag(0, 0xfffff, 0, EXPANDED));
    const auto tags = pair.Run();
    NS_TEST_ASSERT_MSG_EQ(tags.size(), 23, "23 tags");
    NS_TEST_EXPECT_MSG_EQ(tags[0]->value, 1000, "8 Gb/s / 8 Mb/s, not known better");
    NS_TEST_EXPECT_MSG_EQ(tags[21]->value, 0, "ten frames of 1,000 bytes in 10 us");
    NS_TEST_EXPECT_MSG_EQ(tags[22]->value, 1000, "silence");
}

// Software reads counters at its own pace.
AIDC_TEST_CASE("6.4: software computes ABW periodically, PD by registers or not at all")
{
    for (const bool hasDelay : {false, true})
    {
        CsigPortPair pair({},
                          {{"Software", "true"},
                           {"SoftwareInterval", "1ms"},
                           {"SoftwareHopDelay", hasDelay ? "true" : "false"},
                           {"Estimation", "Ewma"}});
        // 400,000 bytes in the first ms: 3.2 Gb/s. None in the second.
        for (int i = 0; i < 400; ++i)
        {
            pair.Forward(2000 * i, KILOBYTE, std::nullopt, i == 100 ? 3200 : 100);
        }
        const auto first = MakeTag(1, 31);
        pair.Forward(999000, 100, first);
        pair.Forward(1500000, 100, first);
        pair.Forward(1600000, 100, MakeTag(2, 0), 100000);
        pair.Forward(2500000, 100, first);
        const auto tags = pair.Run();
        const auto n = tags.size() - 4;
        NS_TEST_EXPECT_MSG_EQ(tags[n]->value, 31, "nothing is known before the first reading");
        NS_TEST_EXPECT_MSG_EQ(tags[n + 1]->value, 22, "59.99 %, bucket [55, 60) %");
        // 3.2 us, the longest of the first ms, is in the bucket [3, 4) us.
        NS_TEST_EXPECT_MSG_EQ(tags[n + 2]->value, (hasDelay ? 4 : 0), "the register");
        NS_TEST_EXPECT_MSG_EQ(tags[n + 3]->value, 31, "two frames in 1 ms");
        NS_TEST_EXPECT_MSG_EQ(pair.csigA->GetStatistics().unsupported,
                              (hasDelay ? 0 : 1),
                              "unsupported without delays");
    }
}

AIDC_TEST_CASE("5.5.2: the locator has the TTL of the packet; of IPv6 the hop limit")
{
    CsigPortPair pair({}, {{"Port", "3"}}, {}, {}, {{"ExpandedLocator", "port:8,ttl:8"}});
    const auto send = [&](Bytes head) {
        head.resize(40);
        pair.ForwardNow(Create<Packet>(head.data(), 40), MakeTag(2, 0, 0, EXPANDED), 1000);
    };
    Simulator::Schedule(MicroSeconds(10), [&] {
        send({0x45, 0, 0, 40, 0, 0, 0, 0, 61, 6});
        send({0x60, 0, 0, 0, 0, 0, 6, 62, 99});
        send({0x00, 0x01, 0x08, 0, 6, 4, 0, 1, 77});
    });
    const auto tags = pair.Run();
    NS_TEST_ASSERT_MSG_EQ(tags.size(), 3, "three tags");
    NS_TEST_EXPECT_MSG_EQ(tags[0]->locator, 3 * 256 + 61, "IPv4");
    NS_TEST_EXPECT_MSG_EQ(tags[1]->locator, 3 * 256 + 62, "IPv6");
    NS_TEST_EXPECT_MSG_EQ(tags[2]->locator, 3 * 256, "neither has a TTL");
}

// What is configured wrong ends the program and says why.
AIDC_TEST_CASE("A locator that is too large, wrong estimators and two domains are refused")
{
    const auto install = [](const Attributes& agent, const Attributes& domain = {}) {
        return RunInChild([&] { CsigPortPair({}, agent, {}, {}, domain); });
    };
    AIDC_EXPECT(!install(SPINE).died, "this one is right");
    AIDC_EXPECT(install({{"Stage", "4"}}).Says("stage"), "5.5.1: 2 bits");
    AIDC_EXPECT(install({{"Device", "1024"}}).Says("device"), "10 bits");
    AIDC_EXPECT(install({{"Estimation", "Ewma"}, {"Weight", "0"}}).Says("weight"), "above 0");
    AIDC_EXPECT(install({}, {{"CompactTpid", "34998"}}).Says("34998"),
                "the TPID of the expanded tag");
    ExpectRefusal("another tag processor", [] {
        CsigPortPair pair;
        CreateObject<CsigPort>()->Install(pair.a.Get());
    });
    ExpectRefusal("same CsigDomain", [] {
        EthernetPair pair;
        auto agent = CreateObject<CsigAgent>();
        agent->SetAttribute("Domain", PointerValue(CreateObject<CsigDomain>()));
        auto port = CreateObject<CsigPort>();
        port->SetAttribute("Agent", PointerValue(agent));
        port->SetAttribute("Domain", PointerValue(CreateObject<CsigDomain>()));
        port->Install(pair.a.Get());
    });
}
